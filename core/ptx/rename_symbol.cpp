// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/rename_symbol.h"

#include "core/ptx/lint/program.h"
#include "core/ptx/symbols.h"
#include "core/ptx/text_places.h"

#include <algorithm>

namespace ptxwb {

namespace {

using lint::Index;
using lint::Program;

bool isDigits(std::string_view text)
{
    return text.find_first_not_of("0123456789") == std::string_view::npos;
}

// PTX ISA 9.0, 4.4: a letter and what may follow, or one of _ $ % and at least one of these.
bool isPtxIdentifier(std::string_view name)
{
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto follows = [&](char c) {
        return isLetter(c) || (c >= '0' && c <= '9') || c == '_' || c == '$';
    };
    if (name.empty() || !std::all_of(name.begin() + 1, name.end(), follows)) {
        return false;
    }
    return isLetter(name[0]) || (name.size() > 1 && (name[0] == '_' || name[0] == '$' || name[0] == '%'));
}

// Whether `name` stands in the text where the symbol may be meant: in its function, or anywhere for one of
// the module. A series `%r<9>` means %r0 to %r8 too.
bool isTaken(const Program& program, const PtxSymbol& symbol, std::string_view name)
{
    Index first = 0;
    auto end = static_cast<Index>(program.tokens.size());
    for (const auto& function : program.functions) {
        const auto& from = program.tokens[function.first];
        const auto& to = program.tokens[function.end - 1];
        const auto line = static_cast<std::uint32_t>(symbol.declaration.line);
        const auto column = static_cast<std::uint32_t>(symbol.declaration.column);
        const std::pair place(line, column);
        if (symbol.kind != PtxSymbolKind::Function && std::pair(from.line, from.column) <= place
            && place <= std::pair(to.line, to.column)) {
            first = function.first;
            end = function.end;
        }
    }
    for (Index i = first; i < end; ++i) {
        const auto text = program.text(i);
        const bool isOfSeries =
            symbol.isOfSeries && text.starts_with(name) && isDigits(text.substr(name.size()));
        const bool isSeries = program.is(i + 1, '<') && !text.empty() && name.starts_with(text)
            && isDigits(name.substr(text.size()));
        if (text == name || isOfSeries || isSeries) {
            return true;
        }
    }
    return std::any_of(program.facts.names.begin(), program.facts.names.end(),
        [name](const std::string& one) { return one == name; });
}

} // namespace

Result<std::string> renamePtxSymbol(std::string_view source, std::uint32_t offset, std::string_view newName)
{
    const TextPlaces places(source);
    auto symbol = ptxSymbolAt(source, offset);
    if (symbol && symbol->isOfSeries) {
        symbol = ptxSymbolAt(source,
            static_cast<std::uint32_t>(
                places.offsetOf(symbol->declaration.line, symbol->declaration.column)));
    }
    if (!symbol) {
        return Error{.code = ErrorCode::NotFound, .message = "no name that is declared here stands there"};
    }
    if (!isPtxIdentifier(newName)) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "'" + std::string(newName) + "' is no PTX identifier",
            .hint = "letters, digits, _ and $, not a digit first; registers may start with %"};
    }
    const auto oldName = ptxDeclaredName(*symbol);
    if (newName == oldName) {
        return std::string(source);
    }
    if (isTaken(lint::readProgram(source), *symbol, newName)) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "'" + std::string(newName) + "' stands for something else already"};
    }
    std::string edited;
    std::size_t copied = 0;
    for (const auto& use : symbol->uses) {
        const auto at = places.offsetOf(use.line, use.column);
        edited += source.substr(copied, at - copied);
        edited += newName;
        copied = at + oldName.size();
    }
    edited += source.substr(copied);
    return edited;
}

} // namespace ptxwb
