// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_messages.h"

#include "core/toolchain/message_shapes.h"
#include "core/toolchain/resource_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace ptxwb {

namespace {

bool isBlankLine(std::string_view line)
{
    return line.find_first_not_of(" \t") == std::string_view::npos;
}

// What the compilers say beside their messages and what a reader loses nothing by missing.
bool isNoise(std::string_view line)
{
    constexpr std::array<std::string_view, 4> starts{"Remark: The warnings can be suppressed",
        "compilation terminated", "cc1plus: all warnings being treated", "ptxas info    : Compile time"};
    if (std::any_of(starts.begin(), starts.end(), [&](auto start) { return line.starts_with(start); })) {
        return true;
    }
    return line.find(" detected in the compilation of ") != std::string_view::npos;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to)
{
    for (auto at = text.find(from); !from.empty() && at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

// The function that a note names: "... in the function 'k'" or "... in function 'k'".
std::string kernelNamed(std::string_view message)
{
    constexpr std::string_view marker = "function '";
    const auto at = message.rfind(marker);
    if (at == std::string_view::npos) {
        return {};
    }
    const auto name = message.substr(at + marker.size());
    return std::string(name.substr(0, name.find('\'')));
}

std::optional<int> aroundLine(std::string_view message)
{
    constexpr std::string_view marker = "around line ";
    const auto at = message.find(marker);
    int line = 0;
    if (at == std::string_view::npos
        || std::from_chars(message.data() + at + marker.size(), message.data() + message.size(), line).ec
            != std::errc{}) {
        return std::nullopt;
    }
    return line;
}

PerformanceNote noteOf(const Diagnostic& said)
{
    const auto text = performanceNoteText(*said.code, said.message);
    PerformanceNote made;
    made.code = *said.code;
    made.message = said.message;
    made.kernel = kernelNamed(said.message);
    made.line = said.line ? said.line : aroundLine(said.message);
    made.lineBy = made.line ? "tool" : "";
    made.meaning = std::string(text.meaning);
    made.usualCause = std::string(text.usualCause);
    made.lookFor = std::string(text.lookFor);
    return made;
}

class Parser {
public:
    Parser(std::string_view toolFile, std::string_view userFile)
        : m_toolFile(toolFile)
        , m_userFile(userFile)
    {
    }

    CompilerMessages run(std::string_view output)
    {
        while (!output.empty()) {
            const auto end = output.find('\n');
            auto line = output.substr(0, end);
            output = end == std::string_view::npos ? std::string_view{} : output.substr(end + 1);
            if (line.ends_with('\r')) {
                line.remove_suffix(1);
            }
            next(line);
        }
        endMessage();
        m_resources.finish(m_messages.kernels);
        markRootCauses(m_messages.diagnostics);
        return std::move(m_messages);
    }

private:
    enum class After { Nothing, Cudafe, Gcc }; ///< what the lines below a message may be

    void next(std::string_view line)
    {
        if (isBlankLine(line)) {
            endMessage();
            m_after = After::Nothing;
            return;
        }
        if (m_after != After::Nothing && continues(line)) {
            return;
        }
        endMessage();
        m_after = After::Nothing;
        if (m_resources.take(line) || isNoise(line)) {
            return;
        }
        if (line.starts_with("In file included from ") || line.starts_with("                 from ")) {
            const auto from = line.substr(line.find("from ") + 5);
            m_includedFrom += m_includedFrom.empty() ? "included from " : ", from ";
            m_includedFrom += from.substr(0, from.find_last_not_of(":,") + 1);
            return;
        }
        if (auto said = detail::parseNvidiaLine(line, m_toolFile)) {
            add(std::move(*said), After::Nothing);
        } else if (auto cudafe = detail::parseCudafeLine(line)) {
            add(std::move(*cudafe), After::Cudafe);
        } else if (auto gcc = detail::parseGccLine(line)) {
            add(std::move(*gcc), After::Gcc);
        } else if (line.find(": In function ") == std::string_view::npos
            && line.find(": At global scope:") == std::string_view::npos) {
            m_messages.unparsed.emplace_back(line);
        }
    }

    // Lines that belong to the message above them.
    bool continues(std::string_view line)
    {
        if (m_after == After::Gcc) {
            const auto bar = line.find_first_not_of(" 0123456789");
            return line.starts_with(' ') && bar != std::string_view::npos && line[bar] == '|';
        }
        if (!line.starts_with("  ")) {
            return false;
        }
        const auto text = line.substr(line.find_first_not_of(' '));
        if (text == "^" && !m_indented.empty()) {
            // The line above the caret is the source line; what stands above that belongs to the message.
            const auto printed = m_indented.back();
            m_indented.pop_back();
            endMessage();
            const auto caret = line.size() - 1;
            m_messages.diagnostics.back().textAtCaret =
                caret < printed.size() ? std::string(printed.substr(caret)) : std::string();
        } else {
            m_indented.push_back(line);
        }
        return true;
    }

    // Appends the indented lines ("argument types are: ...", "detected during instantiation of ...") to their
    // message.
    void endMessage()
    {
        for (const auto line : m_indented) {
            m_messages.diagnostics.back().message +=
                '\n' + std::string(line.substr(line.find_first_not_of(' ')));
        }
        m_indented.clear();
    }

    void add(Diagnostic said, After after)
    {
        m_after = After::Nothing;
        if (said.file.starts_with('<')
            && said.line) { // "<macro util>", what ptxas puts in for an instruction
            said.explanation = fmt::format(
                "{} says this of text of its own, {} line {}, that it reads in addition to the file",
                said.tool, said.file, *said.line);
            said.isOfToolText = true;
            said.file.clear();
            said.line.reset();
        }
        if (said.file == m_toolFile || said.file.empty()) {
            said.file = std::string(m_userFile);
        }
        replaceAll(said.message, fmt::format("'{}'", m_toolFile), fmt::format("'{}'", m_userFile));
        if (said.code && said.code->starts_with('C') && said.severity == Severity::Info) {
            m_messages.notes.push_back(noteOf(said));
            return;
        }
        if (!m_includedFrom.empty()) {
            said.explanation = std::exchange(m_includedFrom, {});
        }
        m_messages.diagnostics.push_back(std::move(said));
        m_after = after;
    }

    std::string_view m_toolFile;
    std::string_view m_userFile;
    CompilerMessages m_messages;
    detail::ResourceLines m_resources;
    std::vector<std::string_view> m_indented; ///< below a message of cudafe++ or cicc, not yet understood
    std::string m_includedFrom;
    After m_after = After::Nothing;
};

} // namespace

CompilerMessages parseCompilerMessages(
    std::string_view output, std::string_view toolFile, std::string_view userFile)
{
    return Parser(toolFile, userFile).run(output);
}

} // namespace ptxwb
