// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/lint/program.h"

namespace ptxwb::lint {

/// A place among the tokens of a program, and the declarations that start there.
class DeclarationReader {
protected:
    bool atEnd() const { return m_at >= m_program.tokens.size(); }
    const Token& token() const { return m_program.tokens[m_at]; }
    TokenKind kind() const { return atEnd() ? TokenKind::Unknown : token().kind; }
    std::string_view text() const { return m_program.text(m_at); }
    bool is(char punctuation) const { return m_program.is(m_at, punctuation); }
    bool isWord() const
    {
        return kind() == TokenKind::Identifier || kind() == TokenKind::Register
            || kind() == TokenKind::Opcode;
    }
    bool isFunctionHead() const
    {
        return kind() == TokenKind::Directive && (text() == ".entry" || text() == ".func");
    }

    // A word anywhere in a declaration counts as declared: silence is better than a false alarm.
    void noteName()
    {
        if (!isWord()) {
            return;
        }
        if (m_function != nullptr) {
            m_function->names.insert(text());
        } else {
            m_program.facts.names.emplace(text());
        }
    }

    /// From `.reg` to the end of the list.
    void registers(Function* function, bool isParameter);
    /// From the state space to the end of the list.
    void variables(std::vector<Variable>& list, std::string_view space, bool isExtern);
    /// `( ... )` of a function's head, if it stands here.
    void parameters(Function& made);
    /// `.reqntid` and its kin, up to the body.
    void limits(Function& made);

    Program m_program;
    Function* m_function = nullptr; ///< whose names are being collected
    Index m_at = 0;
    Index m_scope = 0;

private:
    void dimensions(Variable& made);
    void addDeclaration(Function& function, Declaration made) const;
};

int asInt(std::string_view text);

} // namespace ptxwb::lint
