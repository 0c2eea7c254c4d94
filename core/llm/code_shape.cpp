// SPDX-License-Identifier: Apache-2.0
#include "core/llm/code_shape.h"

#include "core/llm/markdown.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ptxwb::llm {

namespace {

std::string withoutComments(std::string_view text)
{
    std::string code;
    code.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at, 2) == "//") {
            at = std::min(text.find('\n', at), text.size());
        } else if (text.substr(at, 2) == "/*") {
            const auto end = text.find("*/", at + 2);
            at = end == std::string_view::npos ? text.size() : end + 2;
            code += ' ';
        } else {
            code += text[at++];
        }
    }
    return code;
}

bool hasDirective(std::string_view code, std::string_view directive)
{
    for (auto at = code.find(directive); at != std::string_view::npos; at = code.find(directive, at + 1)) {
        const auto after = at + directive.size();
        const bool ends = after >= code.size() || std::isspace(static_cast<unsigned char>(code[after])) != 0;
        const bool begins = at == 0 || std::isspace(static_cast<unsigned char>(code[at - 1])) != 0
            || code[at - 1] == ';' || code[at - 1] == '}';
        if (begins && ends) {
            return true;
        }
    }
    return false;
}

bool containsAny(std::string_view text, const auto& words)
{
    return std::any_of(words.begin(), words.end(),
        [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

} // namespace

std::vector<std::string_view> splitLines(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        auto line = text.substr(0, end);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        lines.push_back(line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

bool looksLikeWholePtxModule(std::string_view text)
{
    const auto code = withoutComments(text);
    return hasDirective(code, ".version") && hasDirective(code, ".entry");
}

bool isElisionLine(std::string_view line)
{
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) {
        return false;
    }
    std::string body(line.substr(begin));
    bool comment = false;
    for (const std::string_view mark : {"//", "/*", "#", "--", ";"}) {
        if (body.starts_with(mark) && !body.starts_with("#include") && !body.starts_with("#define")) {
            comment = true;
            body.erase(0, mark.size());
            break;
        }
    }
    std::transform(body.begin(), body.end(), body.begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const bool dots = body.find("...") != std::string::npos || body.find("\xE2\x80\xA6") != std::string::npos;
    const bool onlyDots = dots && std::all_of(body.begin(), body.end(), [](char c) {
        return std::string_view(" \t.*/()[]<>{}-\xE2\x80\xA6").find(c) != std::string_view::npos;
    });
    if (onlyDots) {
        return true;
    }
    if (!comment) {
        return false;
    }
    constexpr std::array<std::string_view, 15> withDots{"existing", "rest", "remain", "unchanged", "same",
        "keep", "previous", "before", "omitted", "other", "above", "original", "similar", "continue", "etc"};
    constexpr std::array<std::string_view, 13> always{"existing code", "rest of the code", "rest of code",
        "rest of the kernel", "rest of kernel", "rest of the file", "rest of the function", "rest of your",
        "remains unchanged", "remains the same", "remain unchanged", "omitted for brevity", "code unchanged"};
    return containsAny(body, always) || (dots && containsAny(body, withDots));
}

std::vector<Elision> findElisions(std::string_view text)
{
    std::vector<Elision> elisions;
    const auto lines = splitLines(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (isElisionLine(lines[i])) {
            const auto begin = lines[i].find_first_not_of(" \t");
            elisions.push_back({static_cast<int>(i + 1), std::string(lines[i].substr(begin))});
        }
    }
    return elisions;
}

} // namespace ptxwb::llm
