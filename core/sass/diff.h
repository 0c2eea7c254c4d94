// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/cubin_facts.h"
#include "core/sass/families.h"

#include <string>

namespace ptxwb {

enum class DiffKind { Equal, Changed, Added, Removed, Moved, Schedule };
std::string_view diffKindName(DiffKind kind);

/// One row of a diff. Indices into the kernels' instruction vectors; -1 where a side has no row.
struct DiffRow {
    DiffKind kind = DiffKind::Equal;
    int a = -1;
    int b = -1;
    /// For Changed: "opcode", "modifier", "predicate", "immediate", "operand", "target"; for Schedule:
    /// "stall", "yield", "write_barrier", "read_barrier", "wait_mask", "reuse".
    std::vector<std::string> what{};
    /// For Moved, which has a row of its own on each side: the row's index on the other side.
    int peer = -1;
    /// Behind "operand": registers of A that the row reads and whose values B has elsewhere or not at all.
    std::vector<std::string> registers{};
};

/// Changed rows that change alike: "WARPGROUP.DEPBAR.LE (wait for wgmma): 0x1 -> 0x0 (a stricter wait)".
struct ChangePhrase {
    std::string text{};
    int rows = 0;
    int rowsInLoops = 0; ///< of A
};

struct KernelDiff {
    std::string name{}; ///< of B when only B has it
    std::string nameInB{}; ///< differs from `name` when two single kernels of different names are compared
    int kernelA = -1; ///< index into SassListing::kernels, -1 when only in B
    int kernelB = -1;
    bool onlyInA = false;
    bool onlyInB = false;
    /// In order, both sides aligned. NOP padding behind the last row is left out.
    std::vector<DiffRow> rows{};
    int equal = 0, changed = 0, added = 0, removed = 0, moved = 0, schedule = 0; ///< a moved pair counts once
    bool reorderedOnly =
        false; ///< the moved rows compute the same within their blocks: scheduling, no other difference
    std::vector<ChangePhrase> changes{}; ///< of the changed rows; what matters most first
    std::map<SassFamily, int> familyDeltas{}; ///< b - a, only non-zero
    std::map<std::string, int, std::less<>> opcodeDeltas{}; ///< by base opcode (SYNCS and WARPGROUP with
                                                            ///< their first modifier), b - a, only non-zero
    std::map<std::string, int, std::less<>> loopOpcodeDeltas{}; ///< of these, the rows that stand in a loop
    std::optional<int> stallDelta{}; ///< sum of stall cycles, b - a; unknown without encodings
};

/// What differs beside the instructions, see addFactDifferences.
struct FactDifference {
    std::string what{}; ///< "registers", "reqntid", "constant_data" ...
    std::string kernel{}; ///< raw name in A; empty for data, which belong to the module
    std::string symbol{}; ///< of data
    std::string where{}; ///< of data of the same size: "byte 8 of 16"
    std::string a{}; ///< the value in words; empty: there is none
    std::string b{};
};

/// A performance note (C75xx) of the compiler.
struct CompilerNote {
    std::string code{}; ///< "C7519"
    std::string kernel{}; ///< raw name; empty where the note does not say
    std::string message{};
};

/// A note that the compiler gives of one side only, or more often of one.
struct NoteDifference {
    std::string code{};
    std::string kernel{}; ///< raw name in A, or of B where A has no such kernel
    std::string message{};
    int a = 0; ///< times
    int b = 0;
};

struct SassDiff {
    /// No difference in opcode, modifier, immediate or operand under one consistent renaming, nor, where they
    /// were compared, in the facts beside the instructions.
    bool identical = false;
    bool instructionsIdentical = false; ///< the same of the instructions alone
    bool scheduleOnly = false; ///< instructions differ in control codes or order only
    bool factsCompared = false;
    std::vector<FactDifference> facts{};
    bool notesCompared = false; ///< both sides were compiled here
    std::vector<NoteDifference> notes{}; ///< they say nothing against `identical`
    std::optional<int> registersDelta{}; ///< sums over the kernels of both sides, b - a, by the facts
    std::optional<int> sharedBytesDelta{};
    std::vector<KernelDiff> kernels{};
    std::map<SassFamily, int> familyDeltas{}; ///< b - a, only non-zero
    std::optional<int> stallDelta{};
    std::string summary{}; ///< one sentence
};

/// Register-blind alignment of two listings, kernel by kernel (by name, then by name without template
/// arguments; two single kernels match regardless of name). The sides are alike: comparing B with A gives the
/// mirror image. Renamed registers, predicates, labels, scoreboards and addresses are no difference as long
/// as the renaming is consistent along the control flow. Near-linear in the number of rows. Pure,
/// thread-safe.
SassDiff diffListings(const SassListing& a, const SassListing& b);

/// Compares what the cubins say beside the instructions, of the kernels that `diff` pairs and of the module's
/// data: registers, local and static shared memory, barriers, parameters, required and most threads, cluster;
/// variables by name, then by content. Sets `identical` and the summary anew. Pure.
void addFactDifferences(SassDiff& diff, const CubinFacts& a, const CubinFacts& b);

/// Compares what the compiler noted of both sides, kernel by kernel as `diff` pairs them, and sets the
/// summary anew. Pure.
void addNoteDifferences(
    SassDiff& diff, const std::vector<CompilerNote>& a, const std::vector<CompilerNote>& b);

/// "note C7519 in B only: Potential Performance Loss: ...", with the kernel if `nameKernel`; without the
/// message if `brief`.
std::string noteText(const NoteDifference& difference, bool nameKernel = true, bool brief = false);

/// ".reqntid of k: none -> 128x1x1"
std::string factText(const FactDifference& difference, bool nameKernel = true);

/// What the compiler reported for both sides, b - a, where known.
struct ResourceDeltas {
    std::optional<int> registers{};
    std::optional<int> liveRegistersMax{};
    std::optional<int> spillBytes{};
    std::optional<int> sharedBytes{};
};

/// The sentence of SassDiff::summary with resources: "2 HGMMA fewer, 1 wait more, +8 registers; ...".
std::string diffSummary(const SassDiff& diff, const ResourceDeltas& resources = {});

} // namespace ptxwb
