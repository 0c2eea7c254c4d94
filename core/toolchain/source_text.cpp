// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/source_text.h"

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

// A carriage return that no newline follows ends a line in every editor, but not for the tools.
std::size_t mendLoneReturns(std::string& text)
{
    std::size_t mended = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) {
            text[i] = '\n';
            ++mended;
        }
    }
    return mended;
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
    // PTX is compiled as it is: an editor takes the mark and the NUL out when it opens the file, and ptxas's
    // refusal has a fix here.
    const bool isPtx = languageWord == "PTX";
    if (!isPtx && bytes.starts_with("\xEF\xBB\xBF")) {
        bytes.remove_prefix(3);
        made.diagnostics.push_back(ours(Severity::Info, displayName,
            "the byte order mark at the start of the file was left out", "it is no part of the text"));
    }
    const bool endsWithNul = bytes.size() > 1 && bytes.find('\0') == bytes.size() - 1;
    if (endsWithNul && !isPtx) {
        bytes.remove_suffix(1);
        made.diagnostics.push_back(ours(Severity::Info, displayName,
            "one NUL byte at the end of the file was left out", "it is no part of the text"));
    }
    if (const auto nul = bytes.find('\0'); nul != std::string_view::npos && !(endsWithNul && isPtx)) {
        return refuse(fmt::format("the file is binary: a NUL byte at offset {}", nul),
            bytes.starts_with("\x7F"
                              "ELF")
                ? "it is an ELF file; ptxwb sass shows what is in it"
                : fmt::format("name a {} source file", languageWord));
    }
    const auto content = bytes.substr(bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    if (content.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos) {
        return refuse(content.empty() ? "the file is empty" : "the file holds nothing but blanks",
            languageWord == "PTX" ? "a PTX module starts with .version, .target and .address_size"
                                  : "write a kernel");
    }
    made.text = std::string(bytes);
    if (const auto mended = mendLoneReturns(made.text); mended > 0) {
        made.diagnostics.push_back(ours(Severity::Info, displayName,
            fmt::format("{} line ends are a lone carriage return and were compiled as newlines", mended),
            "the compilers do not count them as line ends, and a // comment would go on behind them"));
    }
    return made;
}

} // namespace ptxwb::detail
