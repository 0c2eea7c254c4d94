// SPDX-License-Identifier: Apache-2.0
// Declarations so large that ptxas must not be given them. What ptxas 13.0 does on a machine of today: 10^7
// registers of one series 0.1 s and 100 MB, 10^8 4 s and 800 MB, 2 * 10^9 a minute and 11 GB; an initialised
// array of 256 MiB 2 s and 1 GB, one of 10^9 bytes half a minute and 4 GB, an alignment the like; an array in
// local memory aligned to 16 MiB ends it by SIGSEGV, and of sizes it keeps 32 bits.
#include "core/ptx/constant_expression.h"
#include "core/ptx/lint/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb::lint {

namespace {

constexpr std::uint64_t mostRegisters = std::uint64_t{1} << 24U;
constexpr std::uint64_t largestAlignment = std::uint64_t{1} << 20U;
constexpr std::uint64_t mostBytesKept = std::uint64_t{1} << 28U; ///< of what ptxas holds in memory
constexpr std::uint64_t pastCounting = std::uint64_t{1} << 32U;
constexpr std::uint64_t localBytesOfThread = std::uint64_t{512} * 1024;

std::uint64_t product(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t made = 0;
    return __builtin_mul_overflow(a, b, &made) ? std::numeric_limits<std::uint64_t>::max() : made;
}

bool isSpace(std::string_view word)
{
    constexpr std::array<std::string_view, 6> spaces{
        ".shared", ".local", ".global", ".const", ".param", ".shared::cta"};
    return std::find(spaces.begin(), spaces.end(), word) != spaces.end();
}

class Sizes {
public:
    Sizes(Index end, const Context& context, Sink& sink)
        : m_program(context.program)
        , m_sink(sink)
        , m_end(end)
    {
    }

    void check(Index first)
    {
        for (auto at = first; at < m_end; ++at) {
            if (m_program.tokens[at].kind != TokenKind::Directive) {
                continue;
            }
            const auto word = m_program.text(at);
            if (word == ".align") {
                alignment(at + 1);
            } else if (word == ".reg") {
                registers(at + 1);
            } else if (isSpace(word)) {
                variables(at + 1, word);
            }
        }
    }

private:
    bool isWord(Index at) const
    {
        const auto kind = at < m_end ? m_program.tokens[at].kind : TokenKind::Unknown;
        return kind == TokenKind::Identifier || kind == TokenKind::Register || kind == TokenKind::Opcode;
    }

    /// The value of a number; as much as can be for one that 64 bits do not hold.
    std::uint64_t numberAt(Index at) const
    {
        if (at >= m_end || m_program.tokens[at].kind != TokenKind::Number) {
            return 0;
        }
        const auto value = literalValue(m_program.text(at));
        constexpr std::size_t longest = 18;
        return value ? static_cast<std::uint64_t>(*value)
                     : (m_program.text(at).size() > longest ? std::numeric_limits<std::uint64_t>::max() : 0);
    }

    void alignment(Index at)
    {
        if (numberAt(at) > largestAlignment) {
            m_sink.add("declaration-size", at, at + 1,
                fmt::format("an alignment of {} bytes: the cubin grows by it, and ptxas runs out of memory "
                            "or breaks down. Limit here: {}; no instruction needs more than 1024",
                    m_program.text(at), largestAlignment));
        }
    }

    void registers(Index at)
    {
        while (at < m_end && !isWord(at) && !m_program.is(at, ';')) {
            ++at;
        }
        for (; isWord(at); ++at) {
            if (!m_program.is(at + 1, '<')) {
                ++m_registers;
                ++at;
            } else {
                const auto before = m_registers;
                m_registers +=
                    std::min(numberAt(at + 2), std::numeric_limits<std::uint64_t>::max() / 2 - before);
                if (m_registers > mostRegisters && before <= mostRegisters) {
                    m_sink.add("declaration-size", at + 2, at + 3,
                        fmt::format("{} registers: ptxas makes room for each, used or not. Limit here: {} in "
                                    "one function; declare as many as are used",
                            m_program.text(at + 2), mostRegisters));
                }
                at += m_program.is(at + 3, '>') ? 4 : 3;
            }
            if (!m_program.is(at, ',')) {
                return;
            }
        }
    }

    // From behind the state space to the end of the list.
    void variables(Index at, std::string_view space)
    {
        std::uint64_t typeBytes = 1;
        for (; at < m_end
             && (m_program.tokens[at].kind == TokenKind::Type
                 || m_program.tokens[at].kind == TokenKind::Directive);
             ++at) {
            const auto word = m_program.text(at);
            if (m_program.tokens[at].kind == TokenKind::Type) {
                typeBytes *= static_cast<std::uint64_t>(std::max(registerTypeOf(word).bits / 8, 1));
            } else if (word == ".v2" || word == ".v4") {
                typeBytes *= word == ".v2" ? 2 : 4;
            } else if (word == ".align") {
                ++at;
            }
        }
        while (isWord(at)) {
            const auto name = at;
            auto bytes = typeBytes;
            for (++at; m_program.is(at, '[');) {
                std::string size;
                for (++at; at < m_end && !m_program.is(at, ']') && !m_program.is(at, ';'); ++at) {
                    size += m_program.text(at);
                }
                at += m_program.is(at, ']') ? 1 : 0;
                constexpr std::size_t longest = 18;
                const bool isLong =
                    size.size() > longest && size.find_first_not_of("0123456789") == std::string::npos;
                bytes = size.empty() ? 0
                                     : product(bytes,
                                         evaluateConstant(size).value_or(
                                             isLong ? std::numeric_limits<std::uint64_t>::max() : 0));
            }
            array(name, at, space, bytes, m_program.is(at, '='));
            int depth = 0;
            while (at < m_end && !m_program.is(at, ';') && (depth > 0 || !m_program.is(at, ','))) {
                depth += m_program.is(at, '{') ? 1 : (m_program.is(at, '}') ? -1 : 0);
                if (depth < 0 || m_program.is(at, ')')) {
                    return;
                }
                ++at;
            }
            at += m_program.is(at, ',') ? 1 : 0;
        }
    }

    void array(Index name, Index end, std::string_view space, std::uint64_t bytes, bool isInitialised)
    {
        const bool isKept = isInitialised || space == ".const" || space == ".local";
        if (bytes >= pastCounting) {
            const auto counted = bytes % pastCounting;
            m_sink.add("declaration-size", name, end,
                bytes == std::numeric_limits<std::uint64_t>::max()
                    ? fmt::format("'{}' has more bytes than 64 bits count", m_program.text(name))
                    : fmt::format("'{}' has {} bytes, but ptxas counts in 32 bits and would make it {}. Take "
                                  "memory of this size by a pointer",
                        m_program.text(name), bytes, counted));
        } else if (isKept && bytes > mostBytesKept) {
            m_sink.add("declaration-size", name, end,
                fmt::format("'{}' has {} bytes, all of which ptxas holds in memory. Limit here: {}; take "
                            "memory of this size by a pointer",
                    m_program.text(name), bytes, mostBytesKept));
        } else if (space == ".local" && bytes > localBytesOfThread) {
            m_sink.add("local-size", name, end,
                fmt::format("'{}' has {} bytes for every thread", m_program.text(name), bytes));
        }
    }

    const Program& m_program;
    Sink& m_sink;
    Index m_end;
    std::uint64_t m_registers = 0;
};

} // namespace

void checkSizes(Index first, Index end, const Context& context, Sink& sink)
{
    Sizes(end, context, sink).check(first);
}

} // namespace ptxwb::lint

namespace ptxwb {

namespace {

// What follows a '<', a '[' or ".align": a number of many digits, or arithmetic.
bool isLarge(std::string_view text)
{
    constexpr std::size_t few = 7; // 2^20 has as many digits
    const auto start = std::min(text.find_first_not_of(" \t"), text.size());
    text.remove_prefix(start);
    const auto end = std::min(text.find_first_not_of("0123456789abcdefxABCDEFXU*+-/()[] \t"), text.size());
    const auto value = text.substr(0, end);
    if (value.empty() || value.front() == '[' || value.front() == ']' || value.front() == '-') {
        return false;
    }
    return value.size() >= few || value.find_first_of("xX*") != std::string_view::npos;
}

} // namespace

bool mayDeclareTooMuch(std::string_view source)
{
    constexpr std::string_view align = ".align";
    for (auto at = source.find_first_of("<[."); at != std::string_view::npos;
         at = source.find_first_of("<[.", at + 1)) {
        const bool isAlign = source[at] == '.';
        if (isAlign && source.compare(at, align.size(), align) != 0) {
            continue;
        }
        constexpr std::size_t enough = 64;
        if (isLarge(source.substr(at + (isAlign ? align.size() : 1), enough))) {
            return true;
        }
    }
    return false;
}

} // namespace ptxwb
