// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/answer.h"
#include "core/toolchain/compiler.h"

#include <optional>
#include <string>
#include <string_view>

namespace ptxwb::records {

/// Code found in an answer.
struct FoundCode {
    std::string text{};
    Language language = Language::Ptx;
    int firstLine = 1; ///< line of the answer that is the code's line 1
    std::string choice{}; ///< why this block: "last_valid_cpp", "only_block" ...
    bool closed = true; ///< false: the answer ends within the block
    int elisions = 0; ///< comments that stand for code left out
};

/// The reference system's rule: of the blocks between "```cpp" and "```" (the last may be open) the last that
/// looks like a candidate ("last_valid_cpp"), else the last one ("last_cpp"). Every other language tag is
/// passed over. Source: mini-ptx-agent's code_utils. Pure.
std::optional<FoundCode> extractByReference(std::string_view message);

/// All blocks by CommonMark, llm::chooseCode picks one; only PTX, CUDA and C++ blocks and those without a tag
/// count. Pure.
std::optional<FoundCode> extractByCommonMark(std::string_view message);

/// Both rules' answers, and the one that is taken.
struct Extraction {
    std::string rule{}; ///< of the code taken: "as_is", "reference", "commonmark", "none"
    std::optional<FoundCode> reference{}; ///< nothing for a code file
    std::optional<FoundCode> commonMark{};
    bool differ = false; ///< the rules find different code
    std::string reason{}; ///< why there is no code

    const FoundCode* code() const; ///< null without code
};

/// A code file is taken as it is. In a message the reference's rule decides where its block looks like a
/// candidate, and in a trajectory (which was judged by it) wherever it finds one; else CommonMark. Pure.
Extraction extractCode(const Answer& answer);

} // namespace ptxwb::records
