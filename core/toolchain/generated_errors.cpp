// SPDX-License-Identifier: Apache-2.0
// What ptxas says of the PTX that nvcc made, told in the user's text.
#include "core/toolchain/asm_places.h"
#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <set>

namespace ptxwb::detail {

namespace {

// "line 31" of the generated PTX, in words for the user.
std::string withUserLines(std::string_view words, const std::function<std::string(int)>& lineFor)
{
    constexpr std::string_view word = "line ";
    std::string made;
    std::size_t at = 0;
    for (auto found = words.find(word); found != std::string_view::npos; found = words.find(word, at)) {
        auto digits = found + word.size();
        const bool isQuoted = words.substr(digits).starts_with('\'');
        digits += isQuoted ? 1 : 0;
        int line = 0;
        const auto parsed = std::from_chars(words.data() + digits, words.data() + words.size(), line);
        if (parsed.ec != std::errc{}) {
            made += words.substr(at, digits - at);
            at = digits;
            continue;
        }
        made += words.substr(at, found - at);
        made += lineFor(line);
        at = static_cast<std::size_t>(parsed.ptr - words.data());
        at += isQuoted && words.substr(at).starts_with('\'') ? 1 : 0;
    }
    made += words.substr(at);
    return made;
}

// Nothing where an edit has no place in the source. Several lines of PTX may be one of the source, which a
// function that is inlined twice or a macro gives: it is edited once.
std::optional<Fix> fixInSource(const Fix& fix, AsmPlaces& places, std::string_view toolFile)
{
    Fix made{.title = fix.title, .tried = fix.tried};
    std::set<std::tuple<int, int, int, int, std::string>> done;
    int line = 0; // of PTX; edits of one line are different ones
    bool isNarrower = false;
    for (const auto& edit : fix.edits) {
        auto mapped = places.editOf(edit, toolFile);
        if (!mapped) {
            return std::nullopt;
        }
        const bool isNew =
            done.emplace(mapped->line, mapped->startColumn, mapped->endLine, mapped->endColumn, mapped->text)
                .second;
        if (isNew || edit.line == line) {
            made.edits.push_back(std::move(*mapped));
        }
        isNarrower = isNarrower || (!isNew && edit.line != line);
        line = edit.line;
    }
    if (isNarrower && made.title.ends_with("beyond ASCII")) { // it counts those of the PTX
        made.title = "Replace what is beyond ASCII";
    }
    return made;
}

} // namespace

void mapGeneratedErrors(std::vector<Diagnostic>& diagnostics, std::string_view generatedPtxFile,
    std::string_view toolFile, std::string_view userFile, const LocMap& map, AsmPlaces& places)
{
    std::vector<Diagnostic> kept;
    std::set<std::tuple<std::string, int, int, std::string>> told;
    // Line N of the PTX as the user knows it.
    const auto lineFor = [&](int line) {
        const auto place = places.placeOf(line, 1);
        return place && place->file == toolFile ? fmt::format("line {}", place->line)
                                                : fmt::format("line {} of the PTX", line);
    };
    for (auto& said : diagnostics) {
        if (said.file != generatedPtxFile || !said.line) {
            kept.push_back(std::move(said));
            continue;
        }
        const int line = *said.line;
        const auto text = places.ptxLine(line);
        auto where = fmt::format("line {} of the PTX that nvcc made{}", line,
            text.empty() ? "" : fmt::format(": {}", text.substr(0, 120)));
        const auto place = places.placeOf(line, said.column.value_or(1));
        std::vector<Fix> fixes;
        const auto operand = said.column ? places.operandAt(line, *said.column) : std::nullopt;
        if (operand) {
            const bool isNarrow = said.message.starts_with(narrowAddressWords);
            where =
                fmt::format("{} is \"{}\"({}){}; {}", operand->name, operand->constraint, operand->expression,
                    isNarrow ? ", 32 bits; an address wants \"l\" and a 64-bit value" : "", where);
            if (isNarrow) {
                said.message = fmt::format("operand {} is a 32-bit value (\"{}\") and no address here",
                    operand->name, operand->constraint);
            }
            if (isNarrow && operand->widened && place && place->file == toolFile) {
                fixes.push_back(*operand->widened);
            }
            const std::string_view wanted = operand->constraint == "l"
                ? "with a register of 32 bits (.b32) there"
                : "with a register of 64 bits (.b64) there";
            if (operand->recast && place && place->file == toolFile && said.fixes.empty()
                && said.explanation.value_or("").find(wanted) != std::string::npos) {
                fixes.push_back(*operand->recast);
            }
        }
        if (place) {
            const int width = said.column && said.endColumn ? *said.endColumn - *said.column : 0;
            said.line = place->line;
            said.column = said.column ? std::optional(place->column) : std::nullopt;
            said.endColumn = width > 0 ? std::optional(place->column + width) : std::nullopt;
            said.file = place->file;
            for (auto& fix : said.fixes) {
                if (place->file != toolFile) {
                    continue;
                }
                if (auto made = fixInSource(fix, places, toolFile)) {
                    made->title = withUserLines(made->title, lineFor);
                    fixes.push_back(std::move(*made));
                }
            }
        } else {
            said.column.reset();
            said.endColumn.reset();
            const auto source = map.placeOf(line);
            said.file = source ? source->file : std::string(toolFile);
            said.line = source ? std::optional(source->line) : std::nullopt;
        }
        said.fixes = std::move(fixes);
        said.file = said.file == toolFile ? std::string(userFile) : said.file;
        said.message = places.withOperandNames(withUserLines(said.message, lineFor), line);
        if (!told.emplace(said.file, said.line.value_or(0), said.column.value_or(0), said.message).second) {
            continue; // one asm statement, inlined or instantiated more than once
        }
        said.explanation = said.explanation && !said.explanation->empty()
            ? places.withOperandNames(withUserLines(*said.explanation, lineFor), line) + " (" + where + ")"
            : where;
        kept.push_back(std::move(said));
    }
    diagnostics = std::move(kept);
}

} // namespace ptxwb::detail
