// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/message_shapes.h"

#include <array>
#include <charconv>
#include <utility>

namespace ptxwb::detail {

namespace {

constexpr std::array<std::pair<std::string_view, Severity>, 4> nvidiaSeverities{{{"error", Severity::Error},
    {"fatal", Severity::Fatal}, {"warning", Severity::Warning}, {"info", Severity::Info}}};

constexpr std::array<std::pair<std::string_view, Severity>, 6> cudafeSeverities{
    {{"catastrophic error", Severity::Fatal}, {"error", Severity::Error}, {"warning", Severity::Warning},
        {"remark", Severity::Info}, {"note", Severity::Info}, {"internal error", Severity::Fatal}}};

constexpr std::array<std::pair<std::string_view, Severity>, 5> gccSeverities{
    {{"fatal error", Severity::Fatal}, {"error", Severity::Error}, {"warning", Severity::Warning},
        {"note", Severity::Info}, {"remark", Severity::Info}}};

constexpr std::array<std::string_view, 6> nvidiaTools{
    "ptxas", "nvcc", "nvlink", "fatbinary", "cicc", "cudafe++"};

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// A decimal number that the whole text is.
std::optional<int> wholeNumber(std::string_view text)
{
    int value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

// `error   : rest`: the severity word, padding, a colon.
std::optional<std::pair<Severity, std::string_view>> severityAndMessage(std::string_view text)
{
    for (const auto& [word, severity] : nvidiaSeverities) {
        if (!text.starts_with(word)) {
            continue;
        }
        const auto colon = text.find_first_not_of(' ', word.size());
        if (colon != std::string_view::npos && text[colon] == ':') {
            return std::pair{severity, trimmed(text.substr(colon + 1))};
        }
    }
    return std::nullopt;
}

// "(C7510) text" -> code and text.
void takeCode(Diagnostic& made)
{
    const std::string_view message = made.message;
    const auto close = message.find(") ");
    if (!message.starts_with("(C") || close == std::string_view::npos
        || !wholeNumber(message.substr(2, close - 2))) {
        return;
    }
    made.code = std::string(message.substr(1, close - 1));
    made.message = std::string(message.substr(close + 2));
}

// "... encountered on line 11", "... instruction at line 153 in function k. ..." carry the only line number
// that there is.
void takeTrailingLine(Diagnostic& made)
{
    constexpr std::string_view marker = " on line ";
    constexpr std::string_view instruction = " compile instruction at line ";
    const std::string_view message = made.message;
    if (const auto at = message.rfind(marker); at != std::string_view::npos && !made.line) {
        auto number = message.substr(at + marker.size());
        if (number.starts_with('\'')) { // "on line '32' which is ..."
            number = number.substr(1, number.find('\'', 1) - 1);
        }
        made.line = wholeNumber(number);
    }
    if (const auto at = message.find(instruction); at != std::string_view::npos && !made.line) {
        const auto number = message.substr(at + instruction.size());
        made.line = wholeNumber(number.substr(0, number.find(' ')));
    }
}

struct Place {
    std::string_view file;
    int line = 0;
    std::string_view rest; ///< from the severity word on
};

// `F, line N; error   : M`. F may hold blanks and commas, so its end is the first place where all the rest
// fits.
std::optional<Place> placeOf(std::string_view text, std::string_view toolFile)
{
    constexpr std::string_view marker = ", line ";
    const bool ours =
        !toolFile.empty() && text.starts_with(toolFile) && text.substr(toolFile.size()).starts_with(marker);
    for (auto at = text.find(marker, ours ? toolFile.size() : 0); at != std::string_view::npos;
         at = text.find(marker, at + 1)) {
        const auto number = at + marker.size();
        const auto semicolon = text.find("; ", number);
        if (semicolon == std::string_view::npos) {
            return std::nullopt;
        }
        const auto line = wholeNumber(text.substr(number, semicolon - number));
        const auto rest = text.substr(semicolon + 2);
        if (line && severityAndMessage(rest)) {
            return Place{text.substr(0, at), *line, rest};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Diagnostic> parseNvidiaLine(std::string_view line, std::string_view toolFile)
{
    for (const auto tool : nvidiaTools) {
        if (!line.starts_with(tool) || line.size() <= tool.size() || line[tool.size()] != ' ') {
            continue;
        }
        const auto text = line.substr(tool.size() + 1);
        Diagnostic made;
        made.tool = std::string(tool);
        if (const auto direct = severityAndMessage(text)) {
            made.severity = direct->first;
            made.message = std::string(direct->second);
        } else if (const auto place = placeOf(text, toolFile)) {
            const auto said = severityAndMessage(place->rest);
            made.file = std::string(place->file);
            made.line = place->line;
            made.severity = said->first;
            made.message = std::string(said->second);
        } else {
            return std::nullopt;
        }
        takeCode(made);
        takeTrailingLine(made);
        return made;
    }
    return std::nullopt;
}

namespace {

// `error: M` or `warning #177-D: M`.
std::optional<Diagnostic> cudafeMessage(std::string_view rest)
{
    for (const auto& [word, severity] : cudafeSeverities) {
        if (!rest.starts_with(word)) {
            continue;
        }
        auto after = rest.substr(word.size());
        Diagnostic made;
        if (after.starts_with(" #")) { // the number of the message: " #177-D: ..."
            const auto colon = after.find(": ");
            if (colon == std::string_view::npos) {
                continue;
            }
            made.code = std::string(after.substr(2, colon - 2));
            after = after.substr(colon);
        }
        if (!after.starts_with(":")) {
            continue;
        }
        made.severity = severity;
        made.message = std::string(trimmed(after.substr(1)));
        made.tool = "nvcc";
        return made;
    }
    return std::nullopt;
}

} // namespace

std::optional<Diagnostic> parseCudafeLine(std::string_view line)
{
    constexpr std::string_view atTheEnd = "At end of source: ";
    if (line.starts_with(atTheEnd)) {
        return cudafeMessage(line.substr(atTheEnd.size()));
    }
    for (auto close = line.find("): "); close != std::string_view::npos;
         close = line.find("): ", close + 1)) {
        const auto open = line.rfind('(', close);
        if (open == std::string_view::npos || open == 0) {
            continue;
        }
        const auto number = wholeNumber(line.substr(open + 1, close - open - 1));
        auto made = number ? cudafeMessage(line.substr(close + 3)) : std::nullopt;
        if (made) {
            made->file = std::string(line.substr(0, open));
            made->line = number;
            return made;
        }
    }
    return std::nullopt;
}

namespace {

// `/usr/bin/ld: M`, and `object:(.text+0xf2): undefined reference to ...`, whose object is a file of ours
// long gone.
std::optional<Diagnostic> parseLinkerLine(std::string_view line)
{
    const auto colon = line.find(": ");
    const auto program = line.substr(0, colon == std::string_view::npos ? 0 : colon);
    const bool byLinker = program == "ld" || program.ends_with("/ld") || program.ends_with("/ld.gold");
    const auto undefined = line.find("undefined reference to ");
    if (!byLinker && undefined == std::string_view::npos) {
        return std::nullopt;
    }
    const bool isContext =
        undefined == std::string_view::npos && line.find(": in function ") != std::string_view::npos;
    Diagnostic made;
    made.severity = isContext
        ? Severity::Info
        : (line.find("warning: ") != std::string_view::npos ? Severity::Warning : Severity::Error);
    made.message =
        std::string(undefined != std::string_view::npos ? line.substr(undefined) : line.substr(colon + 2));
    made.tool = "ld";
    return made;
}

} // namespace

std::optional<Diagnostic> parseGccLine(std::string_view line)
{
    for (const auto& [word, severity] : gccSeverities) {
        const auto marker = ": " + std::string(word) + ": ";
        const auto at = line.find(marker);
        if (at == std::string_view::npos || at == 0) {
            continue;
        }
        Diagnostic made;
        made.severity = severity;
        made.message = std::string(line.substr(at + marker.size()));
        made.tool = "gcc";
        auto place = line.substr(0, at);
        // F:N:C or F:N, read from the right because F may hold colons.
        if (const auto colon = place.rfind(':'); colon != std::string_view::npos) {
            if (const auto last = wholeNumber(place.substr(colon + 1))) {
                place = place.substr(0, colon);
                const auto before = place.rfind(':');
                const auto first =
                    before == std::string_view::npos ? std::nullopt : wholeNumber(place.substr(before + 1));
                made.line = first ? first : last;
                if (first) {
                    made.column = last;
                    place = place.substr(0, before);
                }
            }
        }
        if (made.line) {
            made.file = std::string(place);
        } else if (place.starts_with('<')) { // <built-in>, <command-line>
            made.tool = "gcc";
        } else if (place.find(' ') == std::string_view::npos) {
            made.tool = place == "collect2" ? "ld" : std::string(place.substr(place.rfind('/') + 1));
        } else {
            return std::nullopt;
        }
        return made;
    }
    return parseLinkerLine(line);
}

} // namespace ptxwb::detail
