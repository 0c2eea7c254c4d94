// SPDX-License-Identifier: Apache-2.0
#include "core/bench/expression.h"

#include "core/bench/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <vector>

namespace ptxwb {

namespace {

bool isNameStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isNamePart(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Recursive descent; the first fault stops it and is kept.
class Evaluation {
public:
    Evaluation(std::string_view text, const std::map<std::string, std::int64_t>& names)
        : m_text(text)
        , m_names(names)
    {
    }

    Result<std::int64_t> run()
    {
        const std::int64_t value = sum();
        skipBlanks();
        if (!m_failed && m_at < m_text.size()) {
            fail(m_at, fmt::format("unexpected `{}`", m_text.substr(m_at, 1)),
                m_text[m_at] == '.' ? "expressions are integers" : "");
        }
        if (m_failed) {
            return m_error;
        }
        return value;
    }

private:
    void fail(std::size_t at, const std::string& what, std::string hint = {})
    {
        if (m_failed) {
            return;
        }
        m_failed = true;
        m_error.code = ErrorCode::BadFormat;
        m_error.message = fmt::format("{} at column {} of expression \"{}\"", what, at + 1, shown());
        m_error.hint = std::move(hint);
        m_at = m_text.size();
    }

    std::string shown() const
    {
        constexpr std::size_t longest = 80;
        return m_text.size() <= longest ? std::string(m_text)
                                        : fmt::format("{}...", m_text.substr(0, longest));
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0) {
            ++m_at;
        }
    }

    bool accept(char c)
    {
        skipBlanks();
        if (m_at < m_text.size() && m_text[m_at] == c) {
            ++m_at;
            return true;
        }
        return false;
    }

    void expect(char c)
    {
        if (!accept(c)) {
            fail(m_at, fmt::format("expected `{}`", c));
        }
    }

    std::int64_t sum()
    {
        std::int64_t value = product();
        while (!m_failed) {
            if (accept('+')) {
                const std::int64_t right = product();
                checked(__builtin_add_overflow(value, right, &value));
            } else if (accept('-')) {
                const std::int64_t right = product();
                checked(__builtin_sub_overflow(value, right, &value));
            } else {
                break;
            }
        }
        return value;
    }

    std::int64_t product()
    {
        std::int64_t value = signedPrimary();
        while (!m_failed) {
            const std::size_t at = m_at;
            if (accept('*')) {
                const std::int64_t right = signedPrimary();
                checked(__builtin_mul_overflow(value, right, &value));
            } else if (accept('/')) {
                value = divided(value, signedPrimary(), at);
            } else if (accept('%')) {
                const std::int64_t right = signedPrimary();
                const std::int64_t quotient = divided(value, right, at);
                value = m_failed ? 0 : value - quotient * right;
            } else {
                break;
            }
        }
        return value;
    }

    std::int64_t signedPrimary()
    {
        bool negative = false;
        for (;;) {
            if (accept('-')) {
                negative = !negative;
            } else if (!accept('+')) {
                break;
            }
        }
        const std::int64_t value = primary();
        std::int64_t result = value;
        if (negative) {
            checked(__builtin_sub_overflow(std::int64_t{0}, value, &result));
        }
        return result;
    }

    std::int64_t primary()
    {
        skipBlanks();
        if (m_failed) {
            return 0;
        }
        if (m_at >= m_text.size()) {
            fail(m_at,
                m_text.empty() ? "empty expression: a number or a name is missing"
                               : "a number or a name is missing");
            return 0;
        }
        const char c = m_text[m_at];
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            return number();
        }
        if (isNameStart(c)) {
            return named();
        }
        if (c == '(') {
            return nested([this] {
                expect('(');
                const std::int64_t value = sum();
                expect(')');
                return value;
            });
        }
        fail(m_at, fmt::format("unexpected `{}`", c));
        return 0;
    }

    template <class F> std::int64_t nested(F&& inner)
    {
        constexpr int deepest = 64;
        if (++m_depth > deepest) {
            fail(m_at, fmt::format("more than {} nested parentheses", deepest));
            return 0;
        }
        const std::int64_t value = inner();
        --m_depth;
        return value;
    }

    std::int64_t number()
    {
        const std::size_t at = m_at;
        int base = 10;
        if (m_text.substr(m_at, 2) == "0x" || m_text.substr(m_at, 2) == "0X") {
            base = 16;
            m_at += 2;
        }
        std::int64_t value = 0;
        const char* first = m_text.data() + m_at;
        const auto parsed = std::from_chars(first, m_text.data() + m_text.size(), value, base);
        if (parsed.ec == std::errc::result_out_of_range) {
            fail(at, "number beyond 64 bits");
            return 0;
        }
        if (parsed.ec != std::errc{}) {
            fail(at, "a hexadecimal number needs digits");
            return 0;
        }
        m_at += static_cast<std::size_t>(parsed.ptr - first);
        if (m_at < m_text.size() && isNamePart(m_text[m_at])) {
            fail(
                m_at, fmt::format("unexpected `{}` after a number", m_text[m_at]), "write products with `*`");
        }
        return value;
    }

    std::int64_t named()
    {
        const std::size_t at = m_at;
        while (m_at < m_text.size() && isNamePart(m_text[m_at])) {
            ++m_at;
        }
        const std::string name(m_text.substr(at, m_at - at));
        skipBlanks();
        if (m_at < m_text.size() && m_text[m_at] == '(') {
            return called(name, at);
        }
        const auto found = m_names.find(name);
        if (found != m_names.end()) {
            return found->second;
        }
        std::vector<std::string> known;
        for (const auto& entry : m_names) {
            known.push_back(entry.first);
        }
        fail(at, fmt::format("unknown name `{}`", name),
            known.empty() ? std::string("no name is known here")
                          : fmt::format("known names: {}", fmt::join(known, ", ")));
        return 0;
    }

    std::int64_t called(const std::string& function, std::size_t at)
    {
        if (function != "min" && function != "max" && function != "ceildiv") {
            fail(at, fmt::format("unknown function `{}`", function), "functions: min, max, ceildiv");
            return 0;
        }
        return nested([&] {
            std::vector<std::int64_t> values;
            expect('(');
            do {
                values.push_back(sum());
            } while (!m_failed && accept(','));
            expect(')');
            return m_failed ? 0 : applied(function, values, at);
        });
    }

    std::int64_t applied(const std::string& function, const std::vector<std::int64_t>& values, std::size_t at)
    {
        if (function == "ceildiv") {
            if (values.size() != 2) {
                fail(at, fmt::format("ceildiv takes 2 values, not {}", values.size()));
                return 0;
            }
            const std::int64_t quotient = divided(values[0], values[1], at);
            if (m_failed) {
                return 0;
            }
            const std::int64_t rest = values[0] - quotient * values[1];
            return quotient + (rest != 0 && (rest < 0) == (values[1] < 0) ? 1 : 0);
        }
        if (values.size() < 2) {
            fail(at, fmt::format("{} takes 2 values or more", function));
            return 0;
        }
        return function == "min" ? *std::min_element(values.begin(), values.end())
                                 : *std::max_element(values.begin(), values.end());
    }

    std::int64_t divided(std::int64_t left, std::int64_t right, std::size_t at)
    {
        if (m_failed) {
            return 0;
        }
        if (right == 0) {
            fail(at, "division by zero");
            return 0;
        }
        if (left == std::numeric_limits<std::int64_t>::min() && right == -1) {
            checked(true);
            return 0;
        }
        return left / right;
    }

    void checked(bool overflowed)
    {
        if (overflowed) {
            fail(m_at, "result beyond 64 bits");
        }
    }

    std::string_view m_text;
    const std::map<std::string, std::int64_t>& m_names;
    std::size_t m_at = 0;
    int m_depth = 0;
    bool m_failed = false;
    Error m_error{};
};

} // namespace

Result<std::int64_t> evaluateExpression(
    std::string_view expression, const std::map<std::string, std::int64_t>& names)
{
    return Evaluation(expression, names).run();
}

} // namespace ptxwb
