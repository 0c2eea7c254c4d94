// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/asm_words.h"

#include "core/ptx/lexer.h"

namespace ptxwb {

std::set<std::string> declaredInAsm(const std::vector<AsmStatement>& statements)
{
    std::set<std::string> names;
    for (const auto& one : statements) {
        bool inDeclaration = false;
        for (const auto& token : lexPtx(one.text)) {
            const auto word = token.text(one.text);
            if (word == ".reg" || word == ".shared" || word == ".global" || word == ".const"
                || word == ".local") {
                inDeclaration = token.kind == TokenKind::Directive || inDeclaration;
            } else if (word == ";") {
                inDeclaration = false;
            } else if (inDeclaration
                && (token.kind == TokenKind::Register || token.kind == TokenKind::Identifier)) {
                names.emplace(word);
                if (word.starts_with("%%")) {
                    names.emplace(word.substr(1));
                }
            }
        }
    }
    return names;
}

std::set<std::string, std::less<>> cppWords(std::string_view code)
{
    std::set<std::string, std::less<>> words;
    std::size_t from = std::string_view::npos;
    for (std::size_t i = 0; i <= code.size(); ++i) {
        const char c = i < code.size() ? code[i] : ' ';
        const bool isWord =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (isWord && from == std::string_view::npos) {
            from = i;
        } else if (!isWord && from != std::string_view::npos) {
            words.emplace(code.substr(from, i - from));
            from = std::string_view::npos;
        }
    }
    return words;
}

} // namespace ptxwb
