// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/symbols.h"

#include "core/ptx/lint/program.h"
#include "core/ptx/vocabulary.h"

#include <algorithm>
#include <unordered_map>

namespace ptxwb {

namespace {

using lint::Function;
using lint::Index;
using lint::none;
using lint::Program;

constexpr Index longestDeclaration = 64; // tokens looked back

class Finder {
public:
    explicit Finder(std::string_view source)
        : m_program(lint::readProgram(source))
    {
    }

    std::optional<PtxSymbol> at(std::uint32_t offset)
    {
        const auto token = tokenAt(offset);
        if (token == none) {
            return std::nullopt;
        }
        m_asked = token;
        m_name = m_program.text(token);
        for (const auto& function : m_program.functions) {
            if (token >= function.first && token < function.end) {
                if (auto found = ofFunction(function)) {
                    return found;
                }
                break;
            }
        }
        return ofModule();
    }

private:
    static bool mayName(TokenKind kind)
    {
        return kind == TokenKind::Register || kind == TokenKind::Identifier || kind == TokenKind::Opcode;
    }

    Index tokenAt(std::uint32_t offset) const
    {
        const auto& tokens = m_program.tokens;
        const auto after = std::upper_bound(tokens.begin(), tokens.end(), offset,
            [](std::uint32_t wanted, const Token& one) { return wanted < one.offset; });
        for (auto one = after; one != tokens.begin() && after - one < 2;) {
            --one;
            if (mayName(one->kind) && offset <= one->offset + one->length) {
                return static_cast<Index>(one - tokens.begin());
            }
        }
        return none;
    }

    TextRange rangeOf(Index token) const
    {
        const auto& one = m_program.tokens[token];
        const auto line = static_cast<int>(one.line);
        const auto column = static_cast<int>(one.column);
        return {line, column, line, column + static_cast<int>(one.length)};
    }

    // The words of the declaration that holds the token, without what follows its name.
    std::string declaredAs(Index token, bool isParameter) const
    {
        Index first = token;
        for (; first > 0 && token - first < longestDeclaration; --first) {
            const auto before = first - 1;
            if (m_program.is(before, ';') || m_program.is(before, '{') || m_program.is(before, '}')
                || m_program.is(before, '(') || (isParameter && m_program.is(before, ','))
                || m_program.tokens[before].kind == TokenKind::Opcode) {
                break;
            }
        }
        for (Index i = first; i < token; ++i) {
            if (isLineDirective(m_program.text(i))) {
                const auto line = m_program.tokens[i].line;
                while (i < token && m_program.tokens[i].line == line) {
                    first = ++i;
                }
                --i;
            }
        }
        std::string words;
        for (Index i = first; i < token; ++i) {
            // Names declared before in the same list are left out.
            if (m_program.tokens[i].kind == TokenKind::Directive
                || m_program.tokens[i].kind == TokenKind::Type
                || m_program.tokens[i].kind == TokenKind::Modifier
                || (m_program.tokens[i].kind == TokenKind::Number && m_program.text(i - 1) == ".align")) {
                words += words.empty() ? "" : " ";
                words += m_program.text(i);
            }
        }
        words += words.empty() ? "" : " ";
        words += m_program.text(token);
        const char opener = m_program.is(token + 1, '<') ? '<' : (m_program.is(token + 1, '[') ? '[' : '\0');
        if (opener != '\0') {
            const char closer = opener == '<' ? '>' : ']';
            for (Index i = token + 1; i < m_program.tokens.size() && i < token + 8; ++i) {
                words += m_program.text(i);
                if (m_program.is(i, closer)) {
                    break;
                }
            }
        }
        return words;
    }

    bool isEntry(Index nameToken) const
    {
        return std::any_of(m_program.functions.begin(), m_program.functions.end(),
            [nameToken](const Function& one) { return one.nameToken == nameToken && one.isEntry; });
    }

    PtxSymbol made(PtxSymbolKind kind, Index declaration) const
    {
        PtxSymbol symbol{.kind = kind, .name = std::string(m_name)};
        symbol.declaration = rangeOf(declaration);
        const auto name = std::string(m_program.text(declaration));
        switch (kind) {
        case PtxSymbolKind::Label:
            symbol.declaredAs = name + ":";
            break;
        case PtxSymbolKind::Function:
            symbol.declaredAs = (isEntry(declaration) ? ".entry " : ".func ") + name;
            break;
        default:
            symbol.declaredAs = declaredAs(declaration, kind == PtxSymbolKind::Parameter);
        }
        return symbol;
    }

    std::optional<PtxSymbol> ofFunction(const Function& function)
    {
        if (auto found = registerOf(function)) {
            return found;
        }
        if (auto found = labelOf(function)) {
            return found;
        }
        if (!function.names.contains(m_name)) {
            return std::nullopt;
        }
        // A parameter or a variable of the function: declared where the name stands first.
        std::optional<PtxSymbol> found;
        for (Index i = function.first; i < function.end; ++i) {
            if (i != function.nameToken && mayName(m_program.tokens[i].kind) && m_program.text(i) == m_name) {
                if (!found) {
                    found =
                        made(i < function.bodyOpen ? PtxSymbolKind::Parameter : PtxSymbolKind::Variable, i);
                }
                found->uses.push_back(rangeOf(i));
            }
        }
        return found;
    }

    // Statements are in the order of their tokens.
    const lint::Statement* statementOf(const Function& function, Index token) const
    {
        const auto begin = m_program.statements.begin() + function.statementsFirst;
        const auto end = m_program.statements.begin() + function.statementsEnd;
        const auto after = std::upper_bound(
            begin, end, token, [](Index wanted, const lint::Statement& one) { return wanted < one.first; });
        if (after == begin || std::prev(after)->end <= token) {
            return nullptr;
        }
        return &*std::prev(after);
    }

    std::optional<PtxSymbol> registerOf(const Function& function)
    {
        const lint::Declaration* declared = nullptr;
        if (const auto* statement = statementOf(function, m_asked)) {
            declared = lint::resolve(function, m_name, statement->scope).declaration;
        } else {
            for (const auto& one : function.declarations) {
                declared = one.token == m_asked ? &one : declared;
            }
        }
        if (declared == nullptr) {
            return std::nullopt;
        }
        auto symbol = made(PtxSymbolKind::Register, declared->token);
        symbol.isOfSeries = declared->count > 0;
        const bool wholeSeries = symbol.isOfSeries && declared->token == m_asked;
        symbol.uses.push_back(symbol.declaration);
        for (Index s = function.statementsFirst; s < function.statementsEnd; ++s) {
            const auto& statement = m_program.statements[s];
            for (Index i = statement.first; i < statement.end; ++i) {
                const auto text = m_program.text(i);
                if ((i >= statement.opcode && i < statement.opcodeEnd) || !mayName(m_program.tokens[i].kind)
                    || (wholeSeries ? !text.starts_with(declared->name) : text != m_name)) {
                    continue;
                }
                if (lint::resolve(function, text, statement.scope).declaration == declared) {
                    symbol.uses.push_back(rangeOf(i));
                }
            }
        }
        std::stable_sort(symbol.uses.begin(), symbol.uses.end(), [](const TextRange& a, const TextRange& b) {
            return std::pair(a.line, a.column) < std::pair(b.line, b.column);
        });
        return symbol;
    }

    std::optional<PtxSymbol> labelOf(const Function& function)
    {
        if (std::none_of(function.labels.begin(), function.labels.end(),
                [this](const lint::Label& one) { return one.name == m_name; })) {
            return std::nullopt;
        }
        // Inline assembly gives one name to the labels of many blocks: a use means the innermost around it.
        std::vector<Index> parents{none};
        Index block = 0;
        struct Place {
            Index token = 0;
            Index block = 0;
        };
        std::vector<Place> places;
        std::unordered_map<Index, Index> labelOfBlock;
        for (Index i = function.bodyOpen; i < function.end; ++i) {
            if (m_program.is(i, '{')) {
                parents.push_back(block);
                block = static_cast<Index>(parents.size() - 1);
            } else if (m_program.is(i, '}')) {
                block = parents[block] == none ? block : parents[block];
            } else if (mayName(m_program.tokens[i].kind) && m_program.text(i) == m_name) {
                if (m_program.is(i + 1, ':') && statementOf(function, i) == nullptr) {
                    labelOfBlock.emplace(block, i);
                }
                places.push_back({i, block});
            }
        }
        const auto meantBy = [&](const Place& use) -> Index {
            for (Index around = use.block; around != none; around = parents[around]) {
                if (const auto found = labelOfBlock.find(around); found != labelOfBlock.end()) {
                    return found->second;
                }
            }
            return none;
        };
        std::optional<PtxSymbol> found;
        for (const auto& place : places) {
            if (place.token == m_asked && meantBy(place) != none) {
                found = made(PtxSymbolKind::Label, meantBy(place));
            }
        }
        for (const auto& place : places) {
            const auto label = found ? meantBy(place) : none;
            if (label != none && rangeOf(label).line == found->declaration.line
                && rangeOf(label).column == found->declaration.column) {
                found->uses.push_back(rangeOf(place.token));
            }
        }
        return found;
    }

    std::optional<PtxSymbol> ofModule() const
    {
        if (!m_program.facts.names.contains(std::string(m_name))) {
            return std::nullopt;
        }
        std::optional<PtxSymbol> found;
        std::vector<TextRange> uses;
        std::size_t function = 0;
        for (Index i = 0; i < m_program.tokens.size(); ++i) {
            while (function < m_program.functions.size() && i >= m_program.functions[function].end) {
                ++function;
            }
            const auto* around =
                function < m_program.functions.size() && i >= m_program.functions[function].first
                ? &m_program.functions[function]
                : nullptr;
            if (!mayName(m_program.tokens[i].kind) || m_program.text(i) != m_name) {
                continue;
            }
            const bool isHead = around != nullptr && i == around->nameToken;
            if (around != nullptr && !isHead && around->names.contains(m_name)) {
                continue; // a name of its own
            }
            if (around != nullptr && !isHead) {
                const auto* statement = statementOf(*around, i);
                if (statement == nullptr || (i >= statement->opcode && i < statement->opcodeEnd)) {
                    continue;
                }
            }
            if (!found && (around == nullptr || isHead)) {
                found = made(isHead ? PtxSymbolKind::Function : PtxSymbolKind::Variable, i);
            }
            uses.push_back(rangeOf(i));
        }
        if (found) {
            found->uses = std::move(uses);
        }
        return found;
    }

    Program m_program;
    Index m_asked = none;
    std::string_view m_name;
};

} // namespace

std::optional<PtxSymbol> ptxSymbolAt(std::string_view source, std::uint32_t offset)
{
    return Finder(source).at(offset);
}

std::string ptxDeclaredName(const PtxSymbol& symbol)
{
    return symbol.name.substr(
        0, static_cast<std::size_t>(symbol.declaration.endColumn - symbol.declaration.column));
}

} // namespace ptxwb
