// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// A range in the user's text; lines and columns (code points) count from 1, the end is exclusive.
struct TextRange {
    int line = 1;
    int column = 1;
    int endLine = 1;
    int endColumn = 1;
};

struct PtxParameter {
    std::string name{};
    std::string type{}; ///< ".u64", ".align 64 .b8[128]" ...
    TextRange range{};
};

struct PtxSharedArray {
    std::string name{};
    std::uint64_t bytes = 0; ///< 0 for `extern ... []`
    int alignment = 0;
    bool isExtern = false;
    TextRange range{};
};

struct PtxInstruction {
    std::string_view opcode; ///< dotted text as written, views into the outlined text
    TextRange range{};
};

/// One `.entry` or `.func`.
struct PtxFunction {
    std::string name{};
    bool isEntry = false;
    std::vector<PtxParameter> parameters;
    std::vector<PtxSharedArray> sharedArrays; ///< declared in the body
    std::vector<std::string> labels;
    std::vector<PtxInstruction> instructions;
    TextRange nameRange{};
    TextRange range{}; ///< from .entry / .func to the closing brace
};

/// What a PTX module declares. Tolerant of broken text: it recovers at `;` and `}`.
struct PtxOutline {
    std::optional<std::string> version; ///< "8.0"
    std::optional<std::string> target; ///< "sm_90a" (first name of .target)
    TextRange versionRange;
    TextRange targetRange;
    std::optional<int> addressSize;
    std::vector<PtxFunction> functions;
    std::vector<PtxSharedArray> sharedArrays; ///< at module scope
    bool hasNonAscii = false;
};

/// `source` must outlive the outline (opcodes are views). Never fails.
PtxOutline outlinePtx(std::string_view source);

} // namespace ptxwb
