// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/source_text.h"

#include "core/toolchain/lone_returns.h"
#include "core/toolchain/nul_bytes.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

Diagnostic ours(Severity severity, std::string_view file, std::string message, std::string explanation)
{
    return {.severity = severity,
        .message = std::move(message),
        .file = std::string(file),
        .explanation = std::move(explanation),
        .tool = "ptxwb"};
}

bool isUtf16(std::string_view bytes)
{
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
        return true;
    }
    // Without a mark: latin text in UTF-16 has a NUL in every second byte.
    const auto head = bytes.substr(0, 512);
    std::size_t nuls[2] = {0, 0};
    for (std::size_t i = 0; i < head.size(); ++i) {
        nuls[i % 2] += head[i] == '\0' ? 1 : 0;
    }
    const auto half = head.size() / 2;
    return half >= 4
        && ((nuls[0] * 10 > half * 8 && nuls[1] == 0) || (nuls[1] * 10 > half * 8 && nuls[0] == 0));
}

// Bytes that no text has: control characters other than blanks, line ends and NUL. A text of which NULs are
// more than an eighth is none either.
bool isBinary(std::string_view bytes)
{
    constexpr std::size_t most = 65536;
    const auto head = bytes.substr(0, most);
    const auto isControl = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && (c < '\t' || c > '\r') && c != '\0';
    };
    if (bytes.starts_with("\x7F"
                          "ELF")
        || std::any_of(head.begin(), head.end(), isControl)) {
        return true;
    }
    const auto end = bytes.find_last_not_of('\0');
    const auto within = bytes.substr(0, end == std::string_view::npos ? 0 : end + 1);
    return std::count(within.begin(), within.end(), '\0') > static_cast<std::ptrdiff_t>(within.size() / 8);
}

// nvcc passes over them: a note, with what takes them out.
Diagnostic harmless(std::string_view file, std::string message, std::string explanation, Fix fix)
{
    auto made = ours(Severity::Info, file, std::move(message), std::move(explanation));
    made.line = fix.edits.front().line;
    made.column = fix.edits.front().startColumn;
    made.fixes.push_back(std::move(fix));
    return made;
}

} // namespace

SourceText prepareSource(std::string_view bytes, std::string_view displayName, std::string_view languageWord)
{
    SourceText made;
    const auto refuse = [&](std::string message, std::string how) {
        made.diagnostics.push_back(ours(Severity::Fatal, displayName, std::move(message), std::move(how)));
        made.usable = false;
        return made;
    };
    if (isUtf16(bytes)) {
        return refuse("the file is UTF-16 text; the compilers read ASCII and UTF-8",
            "save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8");
    }
    // The bytes are compiled as they are: what ptxas refuses has a fix, and what nvcc passes over a note.
    const bool isPtx = languageWord == "PTX";
    if (const auto nul = bytes.find('\0'); nul != std::string_view::npos && isBinary(bytes)) {
        return refuse(fmt::format("the file is binary: a NUL byte at offset {}", nul),
            bytes.starts_with("\x7F"
                              "ELF")
                ? "it is an ELF file; ptxwb sass shows what is in it"
                : fmt::format("name a {} source file", languageWord));
    }
    if (!isPtx && bytes.starts_with("\xEF\xBB\xBF")) {
        made.diagnostics.push_back(harmless(displayName, "the file starts with a byte order mark",
            "nvcc passes over it; a tool that reads ASCII, such as ptxas, would not",
            {.title = "Remove the byte order mark", .edits = {{1, 1, 1, 2, ""}}}));
    }
    if (auto fix = nulRemoval(bytes); !isPtx && !fix.edits.empty()) {
        made.diagnostics.push_back(harmless(displayName, "NUL bytes stand in the text",
            "nvcc passes over them; they come from a buffer that was written whole", std::move(fix)));
    }
    const auto content = bytes.substr(bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    if (content.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos) {
        return refuse(content.empty() ? "the file is empty" : "the file holds nothing but blanks",
            languageWord == "PTX" ? "a PTX module starts with .version, .target and .address_size"
                                  : "write a kernel");
    }
    made.text = std::string(bytes);
    if (!isPtx && hasLoneReturns(bytes)) {
        made.diagnostics.push_back(harmless(displayName, "lines end with a lone carriage return",
            "nvcc takes it as the end of a line; ptxas would not", loneReturnMending(bytes)));
    }
    return made;
}

} // namespace ptxwb::detail
