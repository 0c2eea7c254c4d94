// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lint/declaration_reader.h"

#include "core/ptx/vocabulary.h"

#include <algorithm>

namespace ptxwb::lint {

namespace {

class Reader : private DeclarationReader {
public:
    explicit Reader(std::string_view source) { m_program.source = source; }

    Program run()
    {
        takeTokens();
        while (!atEnd()) {
            moduleStatement();
        }
        return std::move(m_program);
    }

private:
    void takeTokens()
    {
        LineState state = LineState::Code;
        auto all = lexPtx(m_program.source, LineState::Code, &state);
        m_program.endsInCode = state == LineState::Code;
        std::size_t kept = 0;
        for (const auto& one : all) {
            switch (one.kind) {
            case TokenKind::LineComment:
            case TokenKind::BlockComment:
                readComment(one.text(m_program.source), one, m_program);
                break;
            case TokenKind::Whitespace:
            case TokenKind::LineEnd:
            case TokenKind::Preprocessor:
                break;
            default:
                all[kept++] = one;
            }
        }
        all.resize(kept);
        m_program.tokens = std::move(all);
    }

    void moduleStatement()
    {
        if (kind() != TokenKind::Directive) {
            if (isWord() || kind() == TokenKind::NonAscii || kind() == TokenKind::Unknown) {
                m_program.facts.wellFormed = false;
            }
            noteName();
            ++m_at;
            return;
        }
        const auto word = text();
        if (word == ".version") {
            const auto value = headerValue(m_program.facts.versionRange);
            const auto dot = std::min(value.find('.'), value.size());
            if (m_program.facts.version == 0 && dot + 1 < value.size()) { // "8" is no version
                m_program.facts.version = asInt(value) * 10 + asInt(value.substr(dot + 1));
            }
        } else if (word == ".target") {
            const auto value = headerValue(m_program.facts.targetRange);
            if (m_program.facts.target.empty()) {
                m_program.facts.target = std::string(value);
            }
        } else if (isFunctionHead()) {
            function();
        } else if (word == ".section") {
            skipSection();
        } else if (isLineDirective(word)) {
            skipLine();
        } else {
            declaration(nullptr);
        }
    }

    // The word behind `.version` or `.target`, and its place unless one was found before.
    std::string_view headerValue(TextRange& range)
    {
        const auto line = token().line;
        std::string_view value;
        for (++m_at; !atEnd() && token().line == line && !isFunctionHead(); ++m_at) {
            if (value.empty() && (kind() == TokenKind::Number || isWord())) {
                value = text();
                const auto column = static_cast<int>(token().column);
                const auto row = static_cast<int>(line);
                if (range.endColumn == 1) {
                    range = {row, column, row, column + static_cast<int>(value.size())};
                }
            }
        }
        return value;
    }

    void skipLine()
    {
        const auto line = token().line;
        while (!atEnd() && token().line == line) {
            ++m_at;
        }
    }

    void skipSection()
    {
        while (!atEnd() && !is('{')) {
            ++m_at;
        }
        int depth = 0;
        while (!atEnd()) {
            depth += is('{') ? 1 : (is('}') ? -1 : 0);
            ++m_at;
            if (depth <= 0) {
                return;
            }
        }
    }

    // Everything from a directive to its ';' (or to what shows that the ';' is missing).
    void declaration(Function* function)
    {
        m_function = function;
        const bool isExtern = text() == ".extern";
        bool linkage = false;
        do {
            linkage = text() == ".extern" || text() == ".visible" || text() == ".weak" || text() == ".common";
            m_at += linkage ? 1 : 0;
        } while (linkage && kind() == TokenKind::Directive);
        if (isFunctionHead()) {
            m_function = nullptr;
            return;
        }
        const auto space = text();
        if (space == ".reg") {
            registers(function, false);
        } else if (space == ".shared" || space == ".shared::cta") {
            variables(function == nullptr ? m_program.facts.shared : function->shared, "shared", isExtern);
        } else if (function == nullptr && (space == ".global" || space == ".const")) {
            variables(m_program.facts.global, space == ".global" ? "global" : "const", isExtern);
        } else if (function != nullptr && space == ".local") {
            variables(function->local, "local", isExtern);
        }
        int braces = 0;
        while (!atEnd() && !is(';') && !isFunctionHead()) {
            if (is('{')) {
                ++braces;
            } else if (is('}') && --braces < 0) {
                break;
            } else if (kind() == TokenKind::Opcode) {
                break; // the ';' is missing
            }
            noteName();
            ++m_at;
        }
        if (is(';')) {
            ++m_at;
        } else if (function != nullptr) {
            function->wellFormed = false;
        } else {
            m_program.facts.wellFormed = m_program.facts.wellFormed && isFunctionHead();
        }
        m_function = nullptr;
    }

    void function()
    {
        Function made;
        made.first = m_at;
        for (; made.first > 0 && m_program.tokens[made.first - 1].kind == TokenKind::Directive;
             --made.first) {
            const auto before = m_program.text(made.first - 1);
            if (before != ".visible" && before != ".extern" && before != ".weak") {
                break;
            }
        }
        made.isEntry = text() == ".entry";
        made.scopes.push_back(none);
        m_scope = 0;
        ++m_at;
        m_function = &made;
        parameters(made);
        if (isWord()) {
            made.name = text();
            made.nameToken = m_at;
            m_program.facts.names.emplace(text());
            if (made.isEntry) {
                m_program.facts.entries.emplace_back(text());
            }
            ++m_at;
        }
        parameters(made);
        limits(made);
        if (is('{')) {
            made.bodyOpen = m_at;
            made.statementsFirst = static_cast<Index>(m_program.statements.size());
            body(made);
            for (auto& [name, places] : made.byName) {
                std::stable_sort(places.begin(), places.end(), [&](Index a, Index b) {
                    return made.declarations[a].scope < made.declarations[b].scope;
                });
            }
            made.statementsEnd = static_cast<Index>(m_program.statements.size());
            made.end = m_at;
            ++m_program.facts.functions;
            m_program.functions.push_back(std::move(made));
        } else if (is(';')) {
            ++m_at; // a prototype
        }
        m_function = nullptr;
    }

    void body(Function& made)
    {
        int depth = 0;
        while (!atEnd() && !isFunctionHead()) {
            if (is('{')) {
                if (depth++ > 0) {
                    made.scopes.push_back(m_scope);
                    m_scope = static_cast<Index>(made.scopes.size() - 1);
                }
                ++m_at;
            } else if (is('}')) {
                ++m_at;
                if (--depth <= 0) {
                    made.isComplete = true;
                    return;
                }
                m_scope = made.scopes[m_scope];
            } else if (kind() == TokenKind::Opcode || kind() == TokenKind::Predicate) {
                statement(made);
            } else if (kind() == TokenKind::Directive) {
                bodyDirective(made);
            } else if (isWord() && m_program.is(m_at + 1, ':')) {
                made.labels.push_back({.name = text(),
                    .statement = static_cast<Index>(m_program.statements.size()),
                    .scope = m_scope});
                made.names.insert(text());
                m_at += 2;
            } else {
                made.wellFormed = made.wellFormed && is(';');
                ++m_at;
            }
        }
    }

    void bodyDirective(Function& made)
    {
        if (text() == ".section") {
            skipSection();
        } else if (isLineDirective(text())) {
            skipLine();
        } else {
            declaration(&made);
            m_function = &made;
        }
    }

    void statement(Function& made)
    {
        Statement one{.first = m_at, .scope = m_scope};
        if (kind() == TokenKind::Predicate) {
            ++m_at;
            if (isWord() && kind() != TokenKind::Opcode) {
                one.guard = m_at++;
            }
        }
        if (kind() != TokenKind::Opcode) {
            made.wellFormed = false;
            return;
        }
        one.opcode = m_at;
        auto offset = token().offset;
        do {
            offset = token().offset + token().length;
            ++m_at;
        } while (!atEnd() && token().offset == offset
            && (kind() == TokenKind::Modifier || kind() == TokenKind::Type));
        one.opcodeEnd = m_at;
        one.wellFormed = operands(one);
        one.end = m_at;
        if (is(';')) {
            ++m_at;
        }
        made.wellFormed = made.wellFormed && one.wellFormed;
        m_program.statements.push_back(one);
    }

    static bool isValue(TokenKind kind)
    {
        return kind == TokenKind::Register || kind == TokenKind::SpecialRegister
            || kind == TokenKind::Identifier || kind == TokenKind::Number || kind == TokenKind::String;
    }

    // Splits at commas; stands at the ';' afterwards. False if something is wrong with the text.
    bool operands(Statement& one)
    {
        auto& all = m_program.operands;
        one.operandsFirst = static_cast<Index>(all.size());
        bool good = true;
        int depth = 0;
        Index first = m_at;
        bool valueBefore = false;
        int dottedWords = 0; // in a row: more than one field is an opcode whose statement before has no ';'
        while (!atEnd() && !is(';')) {
            const auto what = kind();
            const bool value = isValue(what);
            dottedWords = what == TokenKind::Modifier || what == TokenKind::Type ? dottedWords + 1 : 0;
            good = good && !(value && valueBefore) && dottedWords < 2;
            valueBefore = value || dottedWords > 0;
            if (what == TokenKind::Punctuation) {
                const char c = m_program.source[token().offset];
                depth += c == '{' || c == '[' || c == '(' ? 1 : 0;
                depth -= c == '}' || c == ']' || c == ')' ? 1 : 0;
                if (depth < 0) {
                    break;
                }
                if (c == ',' && depth == 0) {
                    good = good && m_at > first;
                    all.push_back({.first = first, .end = m_at});
                    first = m_at + 1;
                }
            } else if (what == TokenKind::Directive || what == TokenKind::Opcode
                || what == TokenKind::Predicate || what == TokenKind::NonAscii
                || what == TokenKind::Unknown) {
                good = false;
                if (what != TokenKind::NonAscii && what != TokenKind::Unknown) {
                    break;
                }
            }
            ++m_at;
        }
        if (m_at > first) {
            all.push_back({.first = first, .end = m_at});
        } else if (all.size() > one.operandsFirst) {
            good = false; // a comma and nothing behind it
        }
        one.operandsEnd = static_cast<Index>(all.size());
        return good && depth == 0 && is(';');
    }
};

} // namespace

Program readProgram(std::string_view source)
{
    return Reader(source).run();
}

} // namespace ptxwb::lint
