// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxwb {

/// Scheduling fields of a 128-bit instruction (Volta and later): bits 105..125 of the encoding. Layout as
/// published by Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking"; the five
/// lower fields are those of Maxwell's control codes (maxas).
struct ControlCode {
    int stall = 0; ///< cycles, 0..15
    bool yield = false; ///< the scheduler may switch to another warp (the encoded bit is clear)
    int writeBarrier = -1; ///< scoreboard set when the result is written, -1 none
    int readBarrier = -1; ///< scoreboard set when the operands were read, -1 none
    int waitMask = 0; ///< bit i: waits for scoreboard i
    int reuse = 0; ///< operand reuse cache bits

    bool operator==(const ControlCode&) const = default;
};

/// Decodes the control fields of `encoding` (low word, high word).
ControlCode decodeControl(const std::array<std::uint64_t, 2>& encoding);

/// A place in a source file; `file` indexes SassListing::files.
struct SourceFrame {
    int file = -1;
    int line = 0; ///< 1-based

    bool operator==(const SourceFrame&) const = default;
};

/// One SASS row. Texts are views into the listing's buffer, verbatim.
struct SassInstruction {
    std::uint64_t address = 0; ///< bytes from the kernel's start
    std::string_view predicate{}; ///< "@P0", "@!UP1" or empty
    std::string_view opcode{}; ///< dotted, e.g. "HGMMA.64x256x16.F32.BF16"
    std::string_view operands{};
    std::array<std::uint64_t, 2> encoding{0, 0};
    bool hasEncoding = false;
    int ptxLine = 0; ///< 1-based, 0 unknown; ptxas writes no entry for wgmma rows, see linkWgmmaLines
    bool lineInferred = false; ///< its lines are our reading, not the tool's; see linkWgmmaLines
    int sourceLine = 0; ///< 1-based, 0 unknown; the innermost place when the code was inlined
    int sourceFile = -1; ///< index into SassListing::files
    int firstCaller = -1; ///< index into SassListing::callers of the place that it was inlined at, -1 none
    int callerCount = 0; ///< callers[firstCaller .. +callerCount), innermost first
    int liveRegisters = -1; ///< general registers live here, -1 not read; see joinLiveRegisters
};

struct SassKernel {
    std::string_view name{};
    std::string_view target{}; ///< "sm_90a"; kernels of one listing may differ (cuobjdump of a fatbin)
    std::vector<SassInstruction> instructions{};
    std::vector<std::pair<std::uint64_t, std::string_view>> labels{}; ///< address, ".L_x_0"
    std::vector<std::string_view>
        unknownLines{}; ///< lines of its section that are neither rows nor known directives
};

/// A parsed listing; owns the text that its views point into. Cheap to move and copy (shared text).
struct SassListing {
    std::shared_ptr<const std::string> text{};
    std::string_view target{}; ///< "sm_90a"; of the first section when there are several
    std::vector<std::string_view> files{};
    std::shared_ptr<const std::deque<std::string>>
        addedFiles{}; ///< text of those that no row of the tool names
    std::vector<SourceFrame> callers{}; ///< inline chains, see SassInstruction::firstCaller
    std::vector<SassKernel> kernels{};
    bool hasPtxLines = false;
    bool hasSourceLines = false;
};

/// Parses `nvdisasm -c -hex -gi -gp` (or `-g -gp`: no inline chains) or `cuobjdump -sass` text. CR LF is
/// taken as LF. Unknown rows stay verbatim; nothing is dropped. Pure, linear, thread-safe. Errors: BadFormat
/// when the text holds no code section at all.
Result<SassListing> parseSassListing(std::string text);

/// ptxas leaves wgmma out of its line table. Where a kernel has as many GMMA rows as its PTX has
/// wgmma.mma_async instructions (lines in `ptxLines`, in order of the text), the n-th row gets the n-th line,
/// marked as inferred. Returns the rows linked: all or none.
int linkWgmmaLines(SassKernel& kernel, const std::vector<int>& ptxLines);

/// Where a reader looks for the row: the innermost of its places that lies in the kernel's own file. Code
/// that was inlined from a header is shown where the kernel calls it.
SourceFrame ownPlace(const SassListing& listing, const SassInstruction& row);

} // namespace ptxwb
