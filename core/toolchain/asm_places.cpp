// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/asm_places.h"

#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace ptxwb::detail {

namespace {

constexpr std::string_view blockBegin = "// begin inline asm\n";
constexpr std::string_view blockEnd = "\t// end inline asm";

bool endsOperand(char c)
{
    return std::string_view(" \t\r\n,;[]{}()|").find(c) != std::string_view::npos;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

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

// Bytes of a cast to 32 bits at the start of an expression whose rest is a cast to 64 bits; 0: there is none.
std::size_t narrowingCast(std::string_view expression)
{
    constexpr std::array<std::string_view, 8> narrow{"(unsigned)", "(unsigned int)", "(uint32_t)", "(int)",
        "(int32_t)", "(std::uint32_t)", "(std::int32_t)", "(uint)"};
    constexpr std::array<std::string_view, 12> wide{"(size_t)", "(std::size_t)", "(uintptr_t)",
        "(std::uintptr_t)", "(uint64_t)", "(std::uint64_t)", "(unsigned long long)", "(unsigned long)",
        "(long long)", "(intptr_t)", "reinterpret_cast<uintptr_t>", "reinterpret_cast<std::uintptr_t>"};
    for (const auto cast : narrow) {
        const auto rest = expression.starts_with(cast) ? expression.substr(cast.size()) : std::string_view{};
        if (std::any_of(
                wide.begin(), wide.end(), [&](std::string_view one) { return rest.starts_with(one); })) {
            return cast.size();
        }
    }
    return 0;
}

} // namespace

std::optional<std::vector<std::uint32_t>> matchAsm(const AsmStatement& statement, std::string_view block)
{
    std::vector<std::uint32_t> offsets;
    std::size_t at = 0;
    // nvcc indents the text with one tab and ends it with a new line.
    if (block.starts_with('\t')) {
        offsets.push_back(0);
        at = 1;
    }
    for (const auto& part : splitTemplate(statement).parts) {
        if (part.operand < 0) {
            for (auto i = part.first; i < part.end; ++i) {
                const bool isUnique =
                    statement.text[i] == '%' && i + 1 < part.end && statement.text[i + 1] == '=';
                if (isUnique && at < block.size() && isDigit(block[at])) { // %= is a number of nvcc's
                    while (at < block.size() && isDigit(block[at])) {
                        offsets.push_back(i + 1);
                        ++at;
                    }
                    ++i;
                    continue;
                }
                if (at >= block.size() || block[at] != statement.text[i]) {
                    return std::nullopt;
                }
                offsets.push_back(i);
                ++at;
            }
            continue;
        }
        const auto from = at;
        const bool isEnd = part.end >= statement.text.size();
        const char behind = isEnd ? '\n' : statement.text[part.end];
        while (at < block.size() && !endsOperand(block[at]) && (at == from || block[at] != behind)) {
            ++at;
        }
        if (at == from) {
            return std::nullopt;
        }
        offsets.resize(at, part.first);
    }
    for (; at < block.size(); ++at) {
        if (block[at] != '\n' && block[at] != '\t' && block[at] != ' ') {
            return std::nullopt;
        }
        offsets.push_back(static_cast<std::uint32_t>(statement.text.size()));
    }
    return offsets;
}

AsmPlaces::AsmPlaces(std::string_view generatedPtx, const LocMap& map, ReadText readText)
    : m_ptx(generatedPtx)
    , m_map(map)
    , m_readText(std::move(readText))
    , m_ptxPlaces(generatedPtx)
{
}

const AsmPlaces::File* AsmPlaces::fileOf(const std::string& name)
{
    auto& made = m_files[name];
    if (!made) {
        made = std::make_unique<File>();
        if (auto text = m_readText(name)) {
            made->text = std::move(*text);
            made->found = findAsm(made->text);
        }
        made->places = std::make_unique<TextPlaces>(made->text);
    }
    return made.get();
}

const AsmPlaces::Block* AsmPlaces::blockAt(std::size_t offset)
{
    const auto begin = m_ptx.rfind(blockBegin, offset);
    if (begin == std::string_view::npos) {
        return nullptr;
    }
    const auto first = begin + blockBegin.size();
    const auto end = std::min(m_ptx.find(blockEnd, first), m_ptx.size());
    if (offset < first || offset >= end) {
        return nullptr;
    }
    const auto [known, isNew] = m_blocks.try_emplace(first);
    auto& block = known->second;
    if (!isNew) {
        return &block;
    }
    block.first = first;
    block.end = end;
    const auto place = m_map.placeOf(m_ptxPlaces.lineOf(static_cast<std::uint32_t>(first)));
    if (!place) {
        return &block;
    }
    block.name = place->file;
    block.file = fileOf(place->file);
    int nearest = 0;
    for (const auto& one : block.file->found.statements) {
        if (!one.notRead.empty()) {
            continue;
        }
        auto offsets = matchAsm(one, m_ptx.substr(first, end - first));
        if (!offsets) {
            continue;
        }
        const int away = place->line < one.line ? one.line - place->line
            : place->line > one.endLine         ? place->line - one.endLine
                                                : 0;
        if (block.statement == nullptr || away < nearest) {
            block.statement = &one;
            block.textOffsets = std::move(*offsets);
            nearest = away;
        }
    }
    return &block;
}

std::optional<std::uint32_t> AsmPlaces::sourceOf(const Block& block, std::size_t ptxOffset) const
{
    if (block.statement == nullptr || ptxOffset < block.first
        || ptxOffset - block.first >= block.textOffsets.size()) {
        return std::nullopt;
    }
    const auto& origins = block.statement->origins;
    return origins[std::min<std::size_t>(block.textOffsets[ptxOffset - block.first], origins.size() - 1)];
}

std::optional<AsmPlaces::Place> AsmPlaces::placeOf(int ptxLine, int ptxColumn)
{
    auto offset = m_ptxPlaces.offsetOf(ptxLine, ptxColumn);
    while (ptxColumn <= 1 && offset < m_ptx.size() && (m_ptx[offset] == '\t' || m_ptx[offset] == ' ')) {
        ++offset;
    }
    const auto* block = blockAt(offset);
    const auto source = block != nullptr ? sourceOf(*block, offset) : std::nullopt;
    if (!source) {
        return std::nullopt;
    }
    return Place{block->name, block->file->places->lineOf(*source), block->file->places->columnOf(*source)};
}

std::optional<TextEdit> AsmPlaces::editOf(const TextEdit& edit, std::string_view file)
{
    const auto first = m_ptxPlaces.offsetOf(edit.line, edit.startColumn);
    const auto end = m_ptxPlaces.offsetOf(edit.endLine, edit.endColumn);
    const auto* block = blockAt(first);
    // Inserted behind a word: the place is that of the word's last byte.
    const bool isInsertion = first == end;
    const auto last = end > 0 ? end - 1 : 0;
    if (block == nullptr || block->statement == nullptr || block->name != file || end > block->end
        || last < block->first || edit.text.find('"') != std::string::npos
        || edit.text.find('%') != std::string::npos) {
        return std::nullopt;
    }
    const auto lastSource = sourceOf(*block, last);
    const auto firstSource = isInsertion ? lastSource : sourceOf(*block, first);
    if (!firstSource || !lastSource || *lastSource + 1 > block->file->text.size()) {
        return std::nullopt;
    }
    // Within an operand's name nothing can be replaced; behind it is behind all of %n.
    auto to = *lastSource + 1;
    const auto textOffset = block->textOffsets[last - block->first];
    for (const auto& part : splitTemplate(*block->statement).parts) {
        if (part.operand >= 0 && textOffset >= part.first && textOffset < part.end) {
            if (!isInsertion) {
                return std::nullopt;
            }
            to = block->statement->origins[part.end - 1] + 1;
        }
    }
    const auto range = block->file->places->rangeOf(isInsertion ? to : *firstSource, to);
    std::string text;
    for (const char c : edit.text) {
        text += c == '\n' && !block->statement->isRaw ? std::string("\\n") : std::string(1, c);
    }
    return TextEdit{range.line, range.column, range.endLine, range.endColumn, text};
}

std::optional<AsmPlaces::Operand> AsmPlaces::operandAt(int ptxLine, int ptxColumn)
{
    const auto offset = m_ptxPlaces.offsetOf(ptxLine, ptxColumn);
    const auto* block = blockAt(offset);
    if (block == nullptr || block->statement == nullptr || offset < block->first
        || offset - block->first >= block->textOffsets.size()) {
        return std::nullopt;
    }
    const auto textOffset = block->textOffsets[offset - block->first];
    const auto& statement = *block->statement;
    for (const auto& part : splitTemplate(statement).parts) {
        const auto number = static_cast<std::size_t>(std::max(part.operand, 0));
        if (part.operand < 0 || textOffset < part.first || textOffset >= part.end
            || number >= statement.operands.size()) {
            continue;
        }
        const auto& one = statement.operands[number];
        Operand made{.name = fmt::format("%{}", number),
            .constraint = one.constraint,
            .expression = std::string(one.expression)};
        const auto& text = block->file->text;
        const auto width = narrowingCast(one.expression);
        if (one.constraint == "r" && width > 0 && text.substr(one.offset, 3) == "\"r\"") {
            const auto first = static_cast<std::uint32_t>(one.expression.data() - text.data());
            const auto& places = *block->file->places;
            const auto edit = [&](std::uint32_t from, std::size_t length, std::string with) {
                const auto range = places.rangeOf(from, from + static_cast<std::uint32_t>(length));
                return TextEdit{range.line, range.column, range.endLine, range.endColumn, std::move(with)};
            };
            made.widened = Fix{
                .title = fmt::format("Give {} all 64 bits: constraint \"l\", without the cast", made.name),
                .edits = {edit(one.offset, 3, "\"l\""), edit(first, width, "")}};
        }
        return made;
    }
    return std::nullopt;
}

std::string_view AsmPlaces::ptxLine(int line) const
{
    const auto first = m_ptxPlaces.offsetOf(line, 1);
    auto text = m_ptx.substr(first, m_ptx.find('\n', first) - first);
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return text;
}

namespace {

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
        said.message = withUserLines(said.message, lineFor);
        if (!told.emplace(said.file, said.line.value_or(0), said.column.value_or(0), said.message).second) {
            continue; // one asm statement, inlined or instantiated more than once
        }
        said.explanation = said.explanation && !said.explanation->empty()
            ? withUserLines(*said.explanation, lineFor) + " (" + where + ")"
            : where;
        kept.push_back(std::move(said));
    }
    diagnostics = std::move(kept);
}

} // namespace ptxwb::detail
