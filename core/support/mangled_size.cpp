// SPDX-License-Identifier: Apache-2.0
#include "core/support/mangled_size.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace ptxwb {

namespace {

constexpr std::size_t longestText = 1 << 16;
constexpr std::size_t longestMangled = 1 << 14;
constexpr std::ptrdiff_t fewSubstitutions = 14;
constexpr int deepest = 200;

/// Sizes of what a mangled name stands for, after the grammar of the Itanium C++ ABI, 5.1; names and types
/// only. Whatever it does not know ends it (`known` is false).
class SizeReader {
public:
    explicit SizeReader(std::string_view mangled)
        : m_rest(mangled)
    {
    }

    /// Saturates above longestText.
    std::size_t size()
    {
        std::size_t sum = take('N') ? nested(true) : function();
        while (m_known && !m_rest.empty() && m_rest.front() != '.' && sum <= longestText) {
            sum += part();
        }
        return sum;
    }

    bool known() const { return m_known; }

private:
    char peek() const { return m_rest.empty() ? '\0' : m_rest.front(); }

    bool take(char c)
    {
        const bool is = peek() == c;
        m_rest.remove_prefix(is ? 1 : 0);
        return is;
    }

    std::size_t unknown()
    {
        m_known = false;
        return 0;
    }

    std::size_t candidate(std::size_t size)
    {
        m_sizes.push_back(std::min(size, longestText + 1));
        return m_sizes.back();
    }

    std::size_t number(int base)
    {
        std::size_t value = 0;
        for (; std::isdigit(static_cast<unsigned char>(peek())) != 0
             || (base == 36 && std::isupper(static_cast<unsigned char>(peek())) != 0);
             m_rest.remove_prefix(1)) {
            const char c = peek();
            value = value * static_cast<std::size_t>(base)
                + static_cast<std::size_t>(c <= '9' ? c - '0' : c - 'A' + 10);
            value = std::min(value, longestText);
        }
        return value;
    }

    /// "S_", "S0_", "T_", behind the letter: the index.
    std::size_t index()
    {
        if (take('_')) {
            return 0;
        }
        const auto value = number(36) + 1;
        return take('_') ? value : unknown();
    }

    std::size_t sourceName()
    {
        const auto length = number(10);
        if (length > m_rest.size()) {
            return unknown();
        }
        m_rest.remove_prefix(length);
        return length;
    }

    std::size_t substitution()
    {
        const char c = peek();
        if (c == '_' || std::isdigit(static_cast<unsigned char>(c)) != 0
            || std::isupper(static_cast<unsigned char>(c)) != 0) {
            const auto at = index();
            return at < m_sizes.size() ? m_sizes[at] : longestText + 1;
        }
        m_rest.remove_prefix(m_rest.empty() ? 0 : 1);
        if (c == 't') {
            return 5 + candidate(5 + sourceName());
        }
        return 24; // std::string and its like
    }

    std::size_t function()
    {
        if (std::isdigit(static_cast<unsigned char>(peek())) == 0) {
            return part();
        }
        const auto own = sourceName();
        return peek() == 'I' ? candidate(own) + part() : own;
    }

    std::size_t untilEnd()
    {
        std::size_t sum = 2;
        while (m_known && !take('E')) {
            sum += m_rest.empty() ? unknown() : part();
            if (sum > longestText) {
                return sum;
            }
        }
        return sum;
    }

    /// Behind the N. Each prefix is a candidate; the whole is one where it is a type, not the function
    /// itself.
    std::size_t nested(bool isFunction)
    {
        std::size_t sum = 0;
        while (take('K') || take('V') || take('R') || take('O')) {
            sum += 9;
        }
        while (m_known && !take('E') && sum <= longestText) {
            if (m_rest.empty()) {
                return unknown();
            }
            if (m_rest.starts_with("St")) {
                m_rest.remove_prefix(2);
                sum += 3;
            } else if (take('S')) {
                sum += substitution();
            } else {
                const bool isName = std::isdigit(static_cast<unsigned char>(peek())) != 0;
                sum += 2 + (isName ? sourceName() : part(false));
                candidate(sum);
            }
        }
        if (isFunction && !m_sizes.empty()) {
            m_sizes.pop_back();
        }
        return sum;
    }

    std::size_t literal()
    {
        std::size_t sum = 4 + part();
        if (m_rest.starts_with("_Z")) {
            return unknown();
        }
        for (; !m_rest.empty() && peek() != 'E'; m_rest.remove_prefix(1)) {
            ++sum;
        }
        return take('E') ? sum : unknown();
    }

    /// One name, type or template argument. `isWhole`: it is a candidate for a substitution of its own.
    std::size_t part(bool isWhole = true)
    {
        if (++m_depth > deepest || m_sizes.size() > longestMangled) {
            return unknown();
        }
        const auto sum = partWithin(isWhole);
        --m_depth;
        return sum;
    }

    std::size_t partWithin(bool isWhole)
    {
        const char c = peek();
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            return named(sourceName(), isWhole);
        }
        m_rest.remove_prefix(m_rest.empty() ? 0 : 1);
        switch (c) {
        case 'N':
            return nested(false);
        case 'S':
            return named(substitution(), false);
        case 'I':
        case 'J':
            return untilEnd();
        case 'X':
            if (!take('T')) {
                return unknown(); // an expression
            }
            index();
            return take('E') ? 18 : unknown();
        case 'L':
            return literal();
        case 'T': {
            index();
            return candidate(largest());
        }
        case 'K':
        case 'V':
            return isWhole ? candidate(9 + part()) : 0; // in a nested name the qualifiers of a method
        case 'P':
        case 'R':
        case 'O':
            return candidate(2 + part());
        case 'Z':
            return untilEnd() + part(false); // a class within a function
        case 'U': {
            const auto sum = candidate(take('l') ? 10 + untilEnd() : take('t') ? 16 : unknown());
            number(10);
            return take('_') ? sum : unknown();
        }
        case 'A':
            number(10);
            return take('_') ? candidate(8 + part()) : unknown();
        case 'F':
            return candidate(untilEnd());
        case 'D':
        case 'C':
            if (c == 'D' && take('p')) {
                return largest() + part(); // a pack
            }
            m_rest.remove_prefix(m_rest.empty() ? 0 : 1);
            return 12;
        default:
            return std::islower(static_cast<unsigned char>(c)) != 0 ? 18 : unknown();
        }
    }

    /// A name with the template arguments behind it.
    std::size_t named(std::size_t own, bool isWhole)
    {
        if (isWhole) {
            candidate(own);
        }
        if (peek() == 'I') {
            own += part();
            candidate(own);
        }
        return own;
    }

    /// What a template parameter can stand for at most.
    std::size_t largest() const { return m_sizes.empty() ? 18 : *std::ranges::max_element(m_sizes); }

    std::string_view m_rest;
    std::vector<std::size_t> m_sizes; ///< of the substitutions
    int m_depth = 0;
    bool m_known = true;
};

} // namespace

bool staysReadable(std::string_view mangled)
{
    if (mangled.size() > longestMangled) {
        return false;
    }
    if (std::ranges::count(mangled, '_') <= fewSubstitutions) {
        return true;
    }
    SizeReader reader(mangled.substr(2));
    const auto size = reader.size();
    return reader.known() && size <= longestText;
}

} // namespace ptxwb
