// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/cpp_lexer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// `"=r"(n)` behind an asm template.
struct AsmOperand {
    std::string constraint{}; ///< "=r"
    std::string_view expression{}; ///< "n", views into the source
    std::uint32_t offset = 0; ///< of the constraint's quote, bytes from the start of the source
};

/// One `asm(...)` of CUDA C++. Its text is what the string pieces say after C++'s escapes: that, with the
/// operands put in, is the PTX that ptxas reads.
struct AsmStatement {
    std::uint32_t offset = 0; ///< of the word `asm`
    std::uint32_t end = 0; ///< behind its ')'
    int line = 1;
    int endLine = 1;
    std::string text{};
    std::vector<std::uint32_t> origins{}; ///< of each byte of `text`, and of the closing quote: source offset
    std::vector<std::uint32_t> pieces{}; ///< offset in `text` at which each string piece but the first begins
    std::vector<AsmOperand> operands{}; ///< outputs, then inputs
    bool isRaw = false; ///< some piece is a raw string: a new line in it is one in the source
    std::string notRead{}; ///< why text or operands are not known; empty if they are
};

struct CudaAsm {
    std::vector<AsmStatement> statements{};
    std::vector<CudaComment> comments{};
    std::string code{}; ///< the source with comments and strings blanked, byte for byte
};

/// Finds asm, __asm__ and __asm, with volatile, in C++ text; sees comments, raw strings and string pieces
/// side by side, reads the bodies of #define, leaves out what stands below `#if 0`. Never fails.
CudaAsm findAsm(std::string_view source);

} // namespace ptxwb
