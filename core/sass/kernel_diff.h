// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/diff.h"
#include "core/sass/operands.h"
#include "core/sass/rename_state.h"

namespace ptxwb {

/// Part of a diff that covers one basic block of A and what is aligned with it in B.
struct DiffSegment {
    int first = 0; ///< index into the rows
    int end = 0;
    int block = 0; ///< of A
    bool reordered = false; ///< proven to compute the same in another order
};

/// The rows of both kernels in order, paired where they correspond.
struct KernelPairing {
    const SassKernel& kernelA;
    const SassKernel& kernelB;
    const KernelForms& a;
    const KernelForms& b;
    std::vector<DiffRow> rows{};
    std::vector<DiffSegment> segments{};
    bool reorderingProven = true; ///< the blocks that checkRenaming rearranged compute the same on both sides
};

/// Rows that are compared and counted: all but the NOP padding behind the last one.
int comparedRows(const SassKernel& kernel);

/// Kernels that are compared, as indices, -1 for none: in the order of A, then what only B has. By name; then
/// by name without what nvcc adds for each build and each file; then those that bear the same name without
/// its template arguments and parameters, where both sides have one. Two single kernels are compared whatever
/// their names.
std::vector<std::pair<int, int>> pairKernels(const SassListing& a, const SassListing& b);

/// Which of two kernels is looked at first. Alignment breaks ties by order; with a fixed one, comparing B
/// with A gives the mirror image of comparing A with B.
bool comesFirst(const SassKernel& a, const SassKernel& b);

/// The same differences with the sides exchanged.
void exchangeSides(std::vector<DiffRow>& rows);

/// Rows of one side that stand side by side: those of A come before those of B.
void orderOneSided(std::vector<DiffRow>& rows);

/// Aligns the rows: by opcode, operand shapes and immediates together with those of the rows that produced
/// the operands, then without these, then leniently. Pairs of different keys come out as Changed, others as
/// Equal.
KernelPairing pairRows(
    const SassKernel& kernelA, const KernelForms& a, const SassKernel& kernelB, const KernelForms& b);

/// Segments of `pairing.rows` by the basic blocks of A.
void cutSegments(KernelPairing& pairing);

/// Follows the renaming through the control flow, marks pairs whose registers or branch targets contradict it
/// as Changed, and rearranges blocks that only differ in order.
void checkRenaming(KernelPairing& pairing);

/// When both sides of `segment` compute the same values in another order, the rows that show it: pairs in
/// order as Equal, the others as Moved. Empty when that is not so.
std::vector<DiffRow> reorderedRows(
    const KernelPairing& pairing, const DiffSegment& segment, const RenameState& entry);

/// Rows for a segment whose sides compute mostly the same values in another order: what computes the same is
/// paired first, then what stood opposite each other, then what looks alike. Empty when `problems`, the rows
/// that differ as they stand, are not many more than would be left.
std::vector<DiffRow> mostlyReorderedRows(
    const KernelPairing& pairing, const DiffSegment& segment, const RenameState& entry, int problems);

/// Where the values of a reordered segment end up: registers of A and the ones of B that hold the same.
void applyReordered(const KernelPairing& pairing, const DiffSegment& segment, RenameState& state);

/// Removed and Added rows that are the same row become Moved.
void findMoves(KernelPairing& pairing);

} // namespace ptxwb
