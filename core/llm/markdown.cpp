// SPDX-License-Identifier: Apache-2.0
#include "core/llm/markdown.h"

#include "core/llm/code_shape.h"

#include <cmark.h>

#include <algorithm>
#include <cctype>
#include <memory>

namespace ptxwb::llm {

namespace {

struct NodeDeleter {
    void operator()(cmark_node* node) const { cmark_node_free(node); }
};
struct IterDeleter {
    void operator()(cmark_iter* iter) const { cmark_iter_free(iter); }
};

// A code block as cmark reports it, and the column where its container begins.
struct FoundBlock {
    CodeBlock block;
    int startColumn = 1;
};

std::string_view lineOf(const std::vector<std::string_view>& lines, int number)
{
    const auto index = static_cast<std::size_t>(number - 1);
    return number >= 1 && index < lines.size() ? lines[index] : std::string_view();
}

bool isFenceLine(std::string_view line)
{
    // What a container puts before its content: blanks and quote marks.
    const auto begin = line.find_first_not_of(" \t>");
    const auto rest = begin == std::string_view::npos ? std::string_view() : line.substr(begin);
    return rest.starts_with("```") || rest.starts_with("~~~");
}

bool isFenceStart(std::string_view line, int column)
{
    const auto index = static_cast<std::size_t>(std::max(column - 1, 0));
    const auto rest = index < line.size() ? line.substr(index) : std::string_view();
    return rest.starts_with("```") || rest.starts_with("~~~");
}

// The info string as it was written: cmark decodes entities and backslashes in it, which code must not lose.
std::string_view rawInfo(std::string_view line, int column)
{
    const auto index = std::min(line.size(), static_cast<std::size_t>(std::max(column - 1, 0)));
    auto rest = line.substr(index);
    const char mark = rest.empty() ? '`' : rest.front();
    const auto begin = rest.find_first_not_of(mark);
    rest = begin == std::string_view::npos ? std::string_view() : rest.substr(begin);
    const auto first = rest.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : rest.substr(first);
}

bool isCodeInInfo(std::string_view info)
{
    return info.starts_with(".version") || info.starts_with(".target") || info.starts_with("//")
        || info.starts_with("/*") || info.starts_with("#include");
}

std::string firstWordLowered(std::string_view info)
{
    std::string word(info.substr(0, info.find_first_of(" \t{,:")));
    std::transform(word.begin(), word.end(), word.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
}

CodeBlock blockOf(cmark_node* node, const std::vector<std::string_view>& lines, int column)
{
    CodeBlock block;
    block.firstLine = cmark_node_get_start_line(node);
    block.lastLine = std::max(block.firstLine, cmark_node_get_end_line(node));
    const auto opening = lineOf(lines, block.firstLine);
    block.fenced = isFenceStart(opening, column);
    if (const char* literal = cmark_node_get_literal(node)) {
        block.text = literal;
    }
    if (block.fenced) {
        block.closed = block.lastLine > block.firstLine && isFenceLine(lineOf(lines, block.lastLine));
        const auto info = rawInfo(opening, column);
        if (isCodeInInfo(info)) {
            block.text = std::string(info) + '\n' + block.text;
        } else {
            block.language = firstWordLowered(info);
        }
    }
    block.wholePtxModule = looksLikeWholePtxModule(block.text);
    block.elisions = findElisions(block.text);
    return block;
}

std::vector<FoundBlock> findBlocks(std::string_view markdown, const std::vector<std::string_view>& lines)
{
    std::vector<FoundBlock> blocks;
    const std::unique_ptr<cmark_node, NodeDeleter> document(
        cmark_parse_document(markdown.data(), markdown.size(), CMARK_OPT_DEFAULT));
    const std::unique_ptr<cmark_iter, IterDeleter> iter(cmark_iter_new(document.get()));
    for (auto event = cmark_iter_next(iter.get()); event != CMARK_EVENT_DONE;
         event = cmark_iter_next(iter.get())) {
        cmark_node* node = cmark_iter_get_node(iter.get());
        if (event == CMARK_EVENT_ENTER && cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK) {
            const int column = cmark_node_get_start_column(node);
            blocks.push_back({blockOf(node, lines, column), column});
        }
    }
    return blocks;
}

// Lines `first`..`last` (from 1); up to `indent` leading blanks of each are dropped, which a list item had
// put there.
std::string proseBetween(const std::vector<std::string_view>& lines, int first, int last, int indent)
{
    std::string prose;
    for (int number = first; number <= last; ++number) {
        auto line = lineOf(lines, number);
        for (int i = 0; i < indent && line.starts_with(' '); ++i) {
            line.remove_prefix(1);
        }
        prose += line;
        prose += '\n';
    }
    const auto begin = prose.find_first_not_of("\r\n");
    if (begin == std::string::npos) {
        return {};
    }
    return prose.substr(begin, prose.find_last_not_of(" \t\r\n") - begin + 1);
}

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool isMarkedAsCode(const CodeBlock& block)
{
    return block.language == "ptx" || block.language == "cuda" || block.language == "cu"
        || block.language == "asm" || block.language == "cpp" || block.language == "c++";
}

CodeBlock unfenced(std::string_view text, int lastLine)
{
    CodeBlock block = codeBlockFrom(text);
    block.lastLine = lastLine;
    return block;
}

} // namespace

CodeBlock codeBlockFrom(std::string_view code)
{
    return {.text = std::string(code),
        .fenced = false,
        .wholePtxModule = looksLikeWholePtxModule(code),
        .elisions = findElisions(code)};
}

std::vector<CodeBlock> codeBlocks(std::string_view markdown)
{
    std::vector<CodeBlock> blocks;
    for (auto& found : findBlocks(markdown, splitLines(markdown))) {
        blocks.push_back(std::move(found.block));
    }
    return blocks;
}

std::vector<Segment> segments(std::string_view markdown)
{
    const auto lines = splitLines(markdown);
    std::vector<Segment> result;
    int next = 1;
    int indent = 0;
    const auto addProse = [&](int last) {
        if (auto prose = proseBetween(lines, next, last, indent); !prose.empty()) {
            result.push_back({.markdown = std::move(prose)});
        }
    };
    for (auto& found : findBlocks(markdown, lines)) {
        addProse(found.block.firstLine - 1);
        next = found.block.lastLine + 1;
        indent = found.block.fenced ? found.startColumn - 1 : 0;
        result.push_back({.isCode = true, .code = std::move(found.block)});
    }
    addProse(static_cast<int>(lines.size()));
    return result;
}

std::string_view choiceRuleName(ChoiceRule rule)
{
    switch (rule) {
    case ChoiceRule::OnlyBlock:
        return "only_block";
    case ChoiceRule::OnlyWholeModule:
        return "only_whole_module";
    case ChoiceRule::LastWholeModule:
        return "last_whole_module";
    case ChoiceRule::LastPtxOrCudaBlock:
        return "last_ptx_or_cuda_block";
    case ChoiceRule::LastBlock:
        return "last_block";
    case ChoiceRule::BeforeStrayFence:
        return "before_stray_fence";
    case ChoiceRule::WholeAnswer:
        return "whole_answer";
    case ChoiceRule::ModuleInProse:
        return "module_in_prose";
    case ChoiceRule::None:
        return "none";
    }
    return "none";
}

namespace {

// A module that no fence holds, without the words around it.
CodeChoice bareModule(std::string_view markdown)
{
    const auto lines = splitLines(markdown);
    const auto count = static_cast<int>(lines.size());
    const auto textOf = [&](int number) {
        const auto line = lineOf(lines, number);
        const auto from = line.find_first_not_of(" \t\r");
        return from == std::string_view::npos ? std::string_view()
                                              : line.substr(from, line.find_last_not_of(" \t\r") - from + 1);
    };
    int first = 1;
    while (first < count && !textOf(first).starts_with(".version")) {
        ++first;
    }
    while (first > 1 && (textOf(first - 1).empty() || textOf(first - 1).starts_with("//"))) {
        --first;
    }
    int last = count;
    while (last > first && !textOf(last).starts_with('}') && !textOf(last).ends_with('}')) {
        --last;
    }
    const auto hasText = [&](int from, int to) {
        for (int number = from; number <= to; ++number) {
            if (!textOf(number).empty()) {
                return true;
            }
        }
        return false;
    };
    const bool isCutOff = last == first;
    if ((first == 1 || !hasText(1, first - 1)) && (isCutOff || !hasText(last + 1, count))) {
        return {ChoiceRule::WholeAnswer, unfenced(markdown, count)};
    }
    while (first < count && textOf(first).empty()) {
        ++first;
    }
    std::string code;
    for (int number = first; number <= (isCutOff ? count : last); ++number) {
        code += std::string(lineOf(lines, number)) + '\n';
    }
    CodeChoice choice{ChoiceRule::ModuleInProse, unfenced(code, isCutOff ? count : last)};
    choice.block.firstLine = first;
    return choice;
}

} // namespace

CodeChoice chooseCode(std::string_view markdown)
{
    auto all = codeBlocks(markdown);
    std::vector<CodeBlock> blocks;
    for (const auto& block : all) {
        if (!isBlank(block.text)) {
            blocks.push_back(block);
        }
    }
    const auto modules = std::count_if(
        blocks.begin(), blocks.end(), [](const CodeBlock& block) { return block.wholePtxModule; });
    const auto lastWhere = [&](auto predicate) {
        const auto found = std::find_if(blocks.rbegin(), blocks.rend(), predicate);
        return found == blocks.rend() ? nullptr : &*found;
    };
    // Without a fenced module: the answer may be bare code, with or without a lone fence at its end.
    if (modules == 0) {
        for (const auto& block : all) {
            if (block.fenced && !block.closed && isBlank(block.text)) {
                const auto lines = splitLines(markdown);
                std::string before;
                for (int number = 1; number < block.firstLine; ++number) {
                    before += std::string(lineOf(lines, number)) + '\n';
                }
                if (looksLikeWholePtxModule(before)) {
                    return {ChoiceRule::BeforeStrayFence, unfenced(before, block.firstLine - 1)};
                }
            }
        }
        const bool anyFence =
            std::any_of(all.begin(), all.end(), [](const CodeBlock& block) { return block.fenced; });
        if (!anyFence && looksLikeWholePtxModule(markdown)) {
            return bareModule(markdown);
        }
    }
    if (blocks.empty()) {
        return {};
    }
    if (blocks.size() == 1) {
        return {ChoiceRule::OnlyBlock, blocks.front()};
    }
    if (const auto* block = lastWhere([](const CodeBlock& b) { return b.wholePtxModule; })) {
        return {modules == 1 ? ChoiceRule::OnlyWholeModule : ChoiceRule::LastWholeModule, *block};
    }
    if (const auto* block = lastWhere(isMarkedAsCode)) {
        return {ChoiceRule::LastPtxOrCudaBlock, *block};
    }
    return {ChoiceRule::LastBlock, blocks.back()};
}

} // namespace ptxwb::llm
