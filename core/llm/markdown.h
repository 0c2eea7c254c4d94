// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::llm {

/// A comment that stands for code that was not repeated ("// ... existing code").
struct Elision {
    int line = 1; ///< in the block, from 1
    std::string text{};
    bool operator==(const Elision&) const = default;
};

struct CodeBlock {
    std::string language{}; ///< first word of the info string, lower case; may be empty
    std::string text{};
    int firstLine = 1; ///< lines of the message that the block takes, fences included, from 1
    int lastLine = 1;
    bool fenced = true; ///< false: indented by four blanks
    bool closed = true; ///< false: the closing fence is missing (yet)
    bool wholePtxModule = false; ///< has .version and .entry outside comments
    std::vector<Elision> elisions{};
    bool operator==(const CodeBlock&) const = default;
};

/// A message in the order in which it is shown: prose and code by turns.
struct Segment {
    bool isCode = false;
    std::string markdown{}; ///< of prose
    CodeBlock code{};
    bool operator==(const Segment&) const = default;
};

/// All code blocks by CommonMark (cmark). Code on the line of the opening fence ("```.version 8.0") is kept
/// as code.
std::vector<CodeBlock> codeBlocks(std::string_view markdown);

/// Prose and code blocks in order; blocks inside lists and quotes count too.
std::vector<Segment> segments(std::string_view markdown);

/// Why a block was taken to be the answer.
enum class ChoiceRule {
    OnlyBlock, ///< one block with text
    OnlyWholeModule, ///< several blocks, one of them a whole PTX module
    LastWholeModule, ///< several whole modules: the last
    LastPtxOrCudaBlock, ///< no whole module: the last block marked as PTX or CUDA
    LastBlock,
    BeforeStrayFence, ///< the text before a closing fence that was never opened
    WholeAnswer, ///< no fence at all, and the answer itself is a module
    ModuleInProse, ///< no fence at all: from the line of .version, and comments before it, to the last brace
    None, ///< no code
};
/// "only_block", "only_whole_module", ...
std::string_view choiceRuleName(ChoiceRule rule);

struct CodeChoice {
    ChoiceRule rule = ChoiceRule::None;
    CodeBlock block{};
    bool operator==(const CodeChoice&) const = default;
};

/// The block that is meant when one must be taken without asking (agent, triage). The window lets the user
/// pick.
CodeChoice chooseCode(std::string_view markdown);

/// Code without a message around it, with what is known of it by its text.
CodeBlock codeBlockFrom(std::string_view code);

bool looksLikeWholePtxModule(std::string_view text);
std::vector<Elision> findElisions(std::string_view text);

} // namespace ptxwb::llm
