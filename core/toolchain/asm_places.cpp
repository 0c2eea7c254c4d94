// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/asm_places.h"

#include "core/toolchain/fix_makers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

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

AsmPlaces::Operand AsmPlaces::describe(const Block& block, std::size_t number) const
{
    const auto& one = block.statement->operands[number];
    Operand made{.name = fmt::format("%{}", number),
        .constraint = one.constraint,
        .expression = std::string(one.expression)};
    const auto& text = block.file->text;
    const bool isPlain = text.substr(one.offset, 3) == fmt::format("\"{}\"", one.constraint);
    const auto first = static_cast<std::uint32_t>(one.expression.data() - text.data());
    const auto edit = [&](std::uint32_t from, std::size_t length, std::string with) {
        const auto range = block.file->places->rangeOf(from, from + static_cast<std::uint32_t>(length));
        return TextEdit{range.line, range.column, range.endLine, range.endColumn, std::move(with)};
    };
    if (const auto width = narrowingCast(one.expression); isPlain && one.constraint == "r" && width > 0) {
        made.widened =
            Fix{.title = fmt::format("Give {} all 64 bits: constraint \"l\", without the cast", made.name),
                .edits = {edit(one.offset, 3, "\"l\""), edit(first, width, "")}};
    }
    if (isPlain && (one.constraint == "r" || one.constraint == "l")) {
        const bool isNarrow = one.constraint == "r";
        made.recast = Fix{.title = fmt::format("Give {} {} bits: constraint \"{}\", with a cast", made.name,
                              isNarrow ? 64 : 32, isNarrow ? 'l' : 'r'),
            .edits = {edit(one.offset, 3, isNarrow ? "\"l\"" : "\"r\""),
                edit(first, 0, isNarrow ? "static_cast<unsigned long long>(" : "static_cast<unsigned>("),
                edit(first + static_cast<std::uint32_t>(one.expression.size()), 0, ")")}};
    }
    return made;
}

std::string AsmPlaces::withOperandNames(std::string text, int ptxLine)
{
    const auto* block = blockAt(m_ptxPlaces.offsetOf(ptxLine, 1));
    if (block == nullptr || block->statement == nullptr) {
        return text;
    }
    std::map<std::string, std::string> names; // of registers
    for (const auto& part : splitTemplate(*block->statement).parts) {
        std::string written;
        for (std::size_t i = 0; part.operand >= 0 && i < block->textOffsets.size(); ++i) {
            if (block->textOffsets[i] >= part.first && block->textOffsets[i] < part.end) {
                written += m_ptx[block->first + i];
            }
        }
        if (written.starts_with('%')) {
            names.emplace(written, fmt::format("%{}", part.operand));
        }
    }
    const auto isNameByte = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
    };
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
        auto end = at + 1;
        while (end < text.size() && isNameByte(text[end])) {
            ++end;
        }
        if (const auto found = names.find(text.substr(at, end - at)); found != names.end()) {
            text.replace(at, end - at, found->second);
        }
    }
    return text;
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
        return describe(*block, number);
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

} // namespace ptxwb::detail
