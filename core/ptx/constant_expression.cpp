// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/constant_expression.h"

#include <charconv>

namespace ptxwb {

namespace {

using Value = std::optional<std::uint64_t>;

class Reader {
public:
    explicit Reader(std::string_view text)
        : m_text(text)
    {
    }

    Value whole()
    {
        const auto value = sum(0);
        skipBlanks();
        return m_text.empty() ? value : std::nullopt;
    }

private:
    static constexpr int maxDepth = 32;

    void skipBlanks()
    {
        const auto first = m_text.find_first_not_of(" \t\r\n");
        m_text.remove_prefix(first == std::string_view::npos ? m_text.size() : first);
    }

    bool take(char c)
    {
        skipBlanks();
        if (m_text.empty() || m_text.front() != c) {
            return false;
        }
        m_text.remove_prefix(1);
        return true;
    }

    Value sum(int depth)
    {
        auto left = product(depth);
        while (left) {
            const bool plus = take('+');
            if (!plus && !take('-')) {
                break;
            }
            const auto right = product(depth);
            std::uint64_t result = 0;
            if (!right
                || (plus ? __builtin_add_overflow(*left, *right, &result)
                         : __builtin_sub_overflow(*left, *right, &result))) {
                return std::nullopt;
            }
            left = result;
        }
        return left;
    }

    Value product(int depth)
    {
        auto left = atom(depth);
        while (left) {
            const bool times = take('*');
            if (!times && !take('/')) {
                break;
            }
            const auto right = atom(depth);
            std::uint64_t result = 0;
            if (!right || (times ? __builtin_mul_overflow(*left, *right, &result) : *right == 0)) {
                return std::nullopt;
            }
            left = times ? result : *left / *right;
        }
        return left;
    }

    Value atom(int depth)
    {
        if (depth > maxDepth) {
            return std::nullopt;
        }
        if (take('(')) {
            const auto inner = sum(depth + 1);
            return take(')') ? inner : std::nullopt;
        }
        return number();
    }

    Value number()
    {
        skipBlanks();
        int base = 10;
        if (m_text.starts_with("0x") || m_text.starts_with("0X")) {
            base = 16;
            m_text.remove_prefix(2);
        } else if (m_text.starts_with("0b") || m_text.starts_with("0B")) {
            base = 2;
            m_text.remove_prefix(2);
        } else if (m_text.size() > 1 && m_text.front() == '0') {
            base = 8;
        }
        std::uint64_t value = 0;
        const auto parsed = std::from_chars(m_text.data(), m_text.data() + m_text.size(), value, base);
        if (parsed.ec != std::errc{}) {
            return std::nullopt;
        }
        m_text.remove_prefix(static_cast<std::size_t>(parsed.ptr - m_text.data()));
        if (!m_text.empty() && (m_text.front() == 'U' || m_text.front() == 'u')) {
            m_text.remove_prefix(1);
        }
        return value;
    }

    std::string_view m_text;
};

} // namespace

std::optional<std::uint64_t> evaluateConstant(std::string_view expression)
{
    return Reader(expression).whole();
}

} // namespace ptxwb
