// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Scheduling fields of a 128-bit instruction (Volta and later): bits 105..125 of the encoding.
struct ControlCode {
    int stall = 0; ///< cycles, 0..15
    bool yield = false;
    int writeBarrier = -1; ///< scoreboard set when the result is written, -1 none
    int readBarrier = -1; ///< scoreboard set when the operands were read, -1 none
    int waitMask = 0; ///< bit i: waits for scoreboard i
    int reuse = 0; ///< operand reuse cache bits
};

/// Decodes the control fields of `encoding` (low word, high word).
ControlCode decodeControl(const std::array<std::uint64_t, 2>& encoding);

/// One SASS row. Texts are views into the listing's buffer, verbatim.
struct SassInstruction {
    std::uint64_t address = 0; ///< bytes from the kernel's start
    std::string_view predicate {}; ///< "@P0", "@!UP1" or empty
    std::string_view opcode {}; ///< dotted, e.g. "HGMMA.64x256x16.F32.BF16"
    std::string_view operands {};
    std::array<std::uint64_t, 2> encoding {0, 0};
    bool hasEncoding = false;
    int ptxLine = 0; ///< 1-based, 0 unknown
    int sourceLine = 0; ///< 1-based, 0 unknown
    int sourceFile = -1; ///< index into SassListing::files
};

struct SassKernel {
    std::string_view name {};
    std::vector<SassInstruction> instructions {};
    std::vector<std::pair<std::uint64_t, std::string_view>> labels {}; ///< address, ".L_x_0"
};

/// A parsed listing; owns the text that its views point into. Cheap to move and copy (shared text).
struct SassListing {
    std::shared_ptr<const std::string> text {};
    std::string_view target {}; ///< "sm_90a"
    std::vector<std::string_view> files {};
    std::vector<SassKernel> kernels {};
    bool hasPtxLines = false;
    bool hasSourceLines = false;
};

/// Parses `nvdisasm -c -hex -g -gp` or `cuobjdump -sass` text. Unknown rows stay verbatim; nothing is dropped.
/// Errors: BadFormat when the text holds no code section at all.
Result<SassListing> parseSassListing(std::string text);

} // namespace ptxwb
