// SPDX-License-Identifier: Apache-2.0
#include "core/records/extraction.h"

#include "core/llm/markdown.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ptxwb::records {

namespace {

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool has(std::string_view text, std::string_view words)
{
    return text.find(words) != std::string_view::npos;
}

struct Block {
    std::string_view text;
    std::size_t offset = 0;
    bool closed = true;
};

// What the expression "```(cpp)\n(?!```)(.*?)(?:\n```)?(?=\n```|$)" finds, dots matching line ends.
std::vector<Block> cppBlocks(std::string_view message)
{
    constexpr std::string_view opening = "```cpp\n";
    std::vector<Block> blocks;
    for (auto at = message.find(opening); at != std::string_view::npos; at = message.find(opening, at)) {
        const auto begin = at + opening.size();
        if (message.substr(begin).starts_with("```")) {
            ++at;
            continue;
        }
        auto end = message.find("\n```", begin);
        const bool closed = end != std::string_view::npos;
        if (!closed) {
            end = message.size() - (message.ends_with('\n') && message.size() > begin ? 1 : 0);
        }
        blocks.push_back({message.substr(begin, end - begin), begin, closed});
        at = end;
    }
    return blocks;
}

bool looksLikeCandidate(std::string_view code)
{
    const bool binding = has(code, "TVM_FFI_DLL_EXPORT_TYPED_FUNC") || has(code, "PYBIND11_MODULE")
        || has(code, "torch/extension.h");
    const bool kernel =
        (has(code, "<<<") && has(code, ">>>")) || has(code, "__global__") || has(code, "TensorView");
    return binding && kernel;
}

FoundCode foundIn(std::string_view message, const Block& block, std::string choice)
{
    const auto before = message.substr(0, block.offset);
    return {.text = std::string(block.text) + '\n',
        .language = Language::Cuda,
        .firstLine = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
        .choice = std::move(choice),
        .closed = block.closed,
        .elisions = static_cast<int>(llm::findElisions(block.text).size())};
}

bool isCudaTag(std::string_view tag)
{
    constexpr std::array<std::string_view, 6> tags{"cuda", "cu", "cpp", "c++", "cxx", "c"};
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

std::optional<Language> languageOfBlock(const llm::CodeBlock& block)
{
    if (isCudaTag(block.language)) {
        // Models write ```cpp above PTX too.
        return block.wholePtxModule && !has(block.text, "#include") && !has(block.text, "__global__")
            ? Language::Ptx
            : Language::Cuda;
    }
    if (block.language == "ptx" || block.language == "asm") {
        return Language::Ptx;
    }
    if (!block.language.empty() && !block.wholePtxModule) {
        return std::nullopt;
    }
    const auto byContent = languageOf("", block.text);
    if (byContent && *byContent == Language::Ptx) {
        return Language::Ptx;
    }
    return has(block.text, "__global__") || has(block.text, "#include") ? Language::Cuda : Language::Ptx;
}

// The text with one line end, so that two rules that found one block agree.
std::string_view trimmed(std::string_view text)
{
    const auto end = text.find_last_not_of(" \t\r\n");
    return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
}

} // namespace

std::optional<FoundCode> extractByReference(std::string_view message)
{
    const auto blocks = cppBlocks(message);
    if (blocks.empty()) {
        return std::nullopt;
    }
    const auto valid = std::find_if(
        blocks.rbegin(), blocks.rend(), [](const Block& block) { return looksLikeCandidate(block.text); });
    return valid != blocks.rend() ? foundIn(message, *valid, "last_valid_cpp")
                                  : foundIn(message, blocks.back(), "last_cpp");
}

std::optional<FoundCode> extractByCommonMark(std::string_view message)
{
    const auto choice = llm::chooseCode(message);
    if (choice.rule == llm::ChoiceRule::None) {
        return std::nullopt;
    }
    const auto language = languageOfBlock(choice.block);
    if (!language) {
        return std::nullopt;
    }
    return FoundCode{.text = choice.block.text,
        .language = *language,
        .firstLine = choice.block.firstLine + (choice.block.fenced ? 1 : 0),
        .choice = std::string(llm::choiceRuleName(choice.rule)),
        .closed = choice.block.closed,
        .elisions = static_cast<int>(choice.block.elisions.size())};
}

const FoundCode* Extraction::code() const
{
    if (rule == "reference") {
        return &*reference;
    }
    return rule == "none" ? nullptr : &*commonMark;
}

Extraction extractCode(const Answer& answer)
{
    Extraction extraction;
    if (answer.isCode) {
        const auto language = languageOf(answer.path, answer.text);
        extraction.rule = language && *language != Language::Cubin ? "as_is" : "none";
        extraction.reason = "the file holds machine code, not source";
        extraction.commonMark = FoundCode{.text = answer.text,
            .language = language.value_or(Language::Ptx),
            .choice = "whole_file",
            .elisions = static_cast<int>(llm::findElisions(answer.text).size())};
        return extraction;
    }
    extraction.reference = extractByReference(answer.text);
    extraction.commonMark = extractByCommonMark(answer.text);
    const auto& reference = extraction.reference;
    const auto& commonMark = extraction.commonMark;
    extraction.differ = reference.has_value() != commonMark.has_value()
        || (reference && trimmed(reference->text) != trimmed(commonMark->text));
    if (reference && (reference->choice == "last_valid_cpp" || answer.recorded || !commonMark)) {
        extraction.rule = "reference";
    } else {
        extraction.rule = commonMark ? "commonmark" : "none";
    }
    if (extraction.rule == "none") {
        extraction.reason = isBlank(answer.text) ? "the answer is empty"
            : has(answer.text, "```") || has(answer.text, "~~~")
            ? "no code block for PTX or CUDA is in the answer"
            : "no code block is in the answer";
    }
    return extraction;
}

} // namespace ptxwb::records
