// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/code_text.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// A name of a `.reg` list, as tokens of a CodeText.
struct RegisterDeclaration {
    std::size_t directive = 0; ///< `.reg`
    std::size_t type = 0;
    std::size_t name = 0;
    std::size_t end = 0; ///< the ';'
    int names = 0; ///< in the list
    int count = 0; ///< of `%r<9>`; 0: the name alone
};

/// All of a text. Of two scopes with one name the last declaration before the use counts.
class RegisterDeclarations {
public:
    explicit RegisterDeclarations(const CodeText& code);

    /// What the token names; null for what is no declared register.
    const RegisterDeclaration* find(std::size_t token) const;
    /// What the name would mean at the token.
    const RegisterDeclaration* findName(std::string_view name, std::size_t token) const;
    /// Every name that is declared, with its declarations in the order of the text.
    const std::map<std::string_view, std::vector<RegisterDeclaration>>& all() const { return m_byName; }

private:
    const RegisterDeclaration* before(std::string_view name, std::size_t token) const;

    const CodeText& m_code;
    std::map<std::string_view, std::vector<RegisterDeclaration>> m_byName;
};

/// ".pred", ".f32" or the width: what decides whether a register fits a type. "b32" of ".u32", "f32" of
/// ".f32".
struct RegisterKind {
    char kind = '?'; ///< p, f, b (untyped), i (signed or unsigned)
    int bits = 0;
};
RegisterKind registerKindOf(std::string_view type);
/// Whether ptxas takes a register declared so for an operand that wants that.
bool fitsKind(RegisterKind declared, RegisterKind wanted);

} // namespace ptxwb::detail
