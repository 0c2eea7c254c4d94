// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/register_declarations.h"

#include <charconv>

namespace ptxwb::detail {

namespace {

bool isName(const Token& token)
{
    return token.kind == TokenKind::Register || token.kind == TokenKind::Identifier;
}

int asNumber(std::string_view text)
{
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

} // namespace

RegisterDeclarations::RegisterDeclarations(const CodeText& code)
    : m_code(code)
{
    for (std::size_t i = 0; i + 2 < code.size(); ++i) {
        if (code.text(i) != ".reg") {
            continue;
        }
        std::vector<RegisterDeclaration> list;
        auto at = i + 2;
        for (; at < code.size() && code.text(at) != ";" && code.text(at) != "}"; ++at) {
            if (isName(code[at])) {
                RegisterDeclaration made{.directive = i, .type = i + 1, .name = at};
                made.count = code.text(at + 1) == "<" ? asNumber(code.text(at + 2)) : 0;
                list.push_back(made);
            }
        }
        for (auto& one : list) {
            one.end = at;
            one.names = static_cast<int>(list.size());
            m_byName[code.text(one.name)].push_back(one);
        }
        i = at;
    }
}

const RegisterDeclaration* RegisterDeclarations::before(std::string_view name, std::size_t token) const
{
    const auto found = m_byName.find(name);
    if (found == m_byName.end()) {
        return nullptr;
    }
    const RegisterDeclaration* last = nullptr;
    for (const auto& one : found->second) {
        if (one.name < token) {
            last = &one;
        }
    }
    return last;
}

const RegisterDeclaration* RegisterDeclarations::find(std::size_t token) const
{
    if (token >= m_code.size() || !isName(m_code[token])) {
        return nullptr;
    }
    return findName(m_code.text(token), token);
}

const RegisterDeclaration* RegisterDeclarations::findName(std::string_view name, std::size_t token) const
{
    if (const auto* whole = before(name, token); whole != nullptr && whole->count == 0) {
        return whole;
    }
    const auto digits = name.find_last_not_of("0123456789") + 1;
    if (digits == 0 || digits >= name.size()) {
        return nullptr;
    }
    const auto* series = before(name.substr(0, digits), token);
    return series != nullptr && asNumber(name.substr(digits)) < series->count ? series : nullptr;
}

RegisterKind registerKindOf(std::string_view type)
{
    if (type == ".pred") {
        return {.kind = 'p', .bits = 1};
    }
    if (type.size() < 3 || type[0] != '.') {
        return {};
    }
    const int bits = asNumber(type.substr(2));
    switch (type[1]) {
    case 'b':
        return {.kind = 'b', .bits = bits};
    case 'u':
    case 's':
        return {.kind = 'i', .bits = bits};
    case 'f':
        return {.kind = 'f', .bits = bits};
    default:
        return {};
    }
}

bool fitsKind(RegisterKind declared, RegisterKind wanted)
{
    if (declared.kind == '?' || wanted.kind == '?' || declared.bits == 0 || wanted.bits == 0) {
        return true;
    }
    if (declared.bits != wanted.bits) {
        return false;
    }
    const bool mixed =
        (declared.kind == 'f' && wanted.kind == 'i') || (declared.kind == 'i' && wanted.kind == 'f');
    return declared.kind == wanted.kind || !(mixed || declared.kind == 'p' || wanted.kind == 'p');
}

} // namespace ptxwb::detail
