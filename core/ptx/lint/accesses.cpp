// SPDX-License-Identifier: Apache-2.0
// Accesses at a constant place of a variable or of the parameters: within it, and as aligned as they must be.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

struct Access {
    Operand address{};
    std::uint64_t bytes = 0;
    bool mustAlign = true; ///< to its own size
};

class Accesses : private FunctionRule {
public:
    Accesses(const Function& function, const Context& context, Sink& sink)
        : FunctionRule(function, context, sink)
    {
        layOut();
    }

    void check()
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto access = one.wellFormed ? accessOf(one) : std::nullopt;
            if (!access || access->bytes == 0) {
                continue;
            }
            const auto place = m_values.placeOf(one, access->address);
            const auto* variable =
                place ? variableNamed(m_function, m_context.facts, place->symbol) : nullptr;
            if (variable == nullptr) {
                continue;
            }
            if (variable->space == "param") {
                parameter(one, *access, *variable, place->offset);
            } else {
                variableAt(one, *access, *variable, place->offset);
            }
        }
    }

private:
    static std::uint64_t roundedUp(std::uint64_t value, std::uint64_t step)
    {
        return (value + step - 1) / step * step;
    }

    // Parameters follow one another, each aligned as declared.
    void layOut()
    {
        for (const auto& one : m_function.parameters) {
            m_isLaidOut = m_isLaidOut && one.bytes != 0 && one.alignedTo() > 0;
            if (!m_isLaidOut) {
                return;
            }
            m_parameterBytes = roundedUp(m_parameterBytes, static_cast<std::uint64_t>(one.alignedTo()));
            m_starts.push_back(m_parameterBytes);
            m_parameterBytes += one.bytes;
        }
    }

    // Bytes that one thread moves by a load, a store or an atomic; 0 for a type that lint does not know.
    std::uint64_t bytesOf(const Statement& one) const
    {
        std::uint64_t bits = 0;
        std::uint64_t width = 1;
        for (auto at = one.opcode + 1; at < one.opcodeEnd; ++at) {
            const auto word = m_program.text(at);
            if (m_program.tokens[at].kind == TokenKind::Type) {
                bits = static_cast<std::uint64_t>(registerTypeOf(word).bits);
            } else if (word == ".v2" || word == ".v4" || word == ".v8") {
                width = static_cast<std::uint64_t>(word[2] - '0');
            }
        }
        return bits / 8 * width;
    }

    std::optional<Access> accessOf(const Statement& one) const
    {
        const auto opcode = m_program.opcode(one);
        const auto root = opcode.substr(0, opcode.find('.'));
        const auto count = m_program.operandCount(one);
        const auto constant = [&](std::size_t i) {
            return count > i ? m_values.constantOf(one, m_program.operand(one, i)).value_or(0) : 0;
        };
        if (root == "ld" || root == "st" || root == "atom" || root == "red") {
            if (isNamed(opcode, "st.async") || isNamed(opcode, "red.async") || isNamed(opcode, "st.bulk")
                || (opcode.find(".param") != std::string_view::npos && !m_function.isEntry)) {
                return std::nullopt;
            }
            for (std::size_t i = 0; i < std::min<std::size_t>(count, 2); ++i) {
                if (m_program.is(m_program.operand(one, i).first, '[')) {
                    return Access{.address = m_program.operand(one, i), .bytes = bytesOf(one)};
                }
            }
            return std::nullopt;
        }
        if ((root == "ldmatrix" && count == 2) || (root == "stmatrix" && count == 2)) {
            constexpr std::uint64_t rowBytes = 16;
            const bool isRow = opcode.find(".m8n8") != std::string_view::npos;
            return Access{
                .address = m_program.operand(one, root == "ldmatrix" ? 1 : 0), .bytes = isRow ? rowBytes : 0};
        }
        if (isNamed(opcode, "cp.async.ca") || isNamed(opcode, "cp.async.cg")) {
            return Access{.address = m_program.operand(one, 0), .bytes = constant(2)};
        }
        if (opcode.starts_with("cp.async.bulk.shared")) { // its alignment is of shared-alignment
            return Access{.address = m_program.operand(one, 0), .bytes = constant(2), .mustAlign = false};
        }
        if (opcode.starts_with("cp.async.bulk.global.shared::cta") && count > 1) {
            return Access{.address = m_program.operand(one, 1), .bytes = constant(2), .mustAlign = false};
        }
        return std::nullopt;
    }

    void parameter(const Statement& one, const Access& access, const Variable& variable, std::int64_t offset)
    {
        if (!m_isLaidOut || !m_function.isEntry) {
            return;
        }
        const auto index = static_cast<std::size_t>(&variable - m_function.parameters.data());
        const auto first = static_cast<std::int64_t>(m_starts[index]) + offset;
        const auto end = first + static_cast<std::int64_t>(access.bytes);
        if (first < 0 || end > static_cast<std::int64_t>(m_parameterBytes)) {
            say(one, access, variable, offset,
                fmt::format("the kernel's parameters have {} bytes, '{}' begins at byte {}", m_parameterBytes,
                    variable.name, m_starts[index]));
        } else if (access.mustAlign && first % static_cast<std::int64_t>(access.bytes) != 0) {
            m_sink.addOfInstruction("misaligned-access", one, access.address.first, access.address.end,
                fmt::format("byte {} of the parameters is no multiple of {}, the bytes of this access", first,
                    access.bytes));
        }
    }

    void variableAt(const Statement& one, const Access& access, const Variable& variable, std::int64_t offset)
    {
        const auto bytes = static_cast<std::int64_t>(access.bytes);
        if (offset < 0
            || (!variable.isExtern && variable.bytes != 0
                && offset + bytes > static_cast<std::int64_t>(variable.bytes))) {
            say(one, access, variable, offset,
                variable.isExtern ? fmt::format("'{}' begins at 0", variable.name)
                                  : fmt::format("'{}' has {} bytes", variable.name, variable.bytes));
            return;
        }
        if (!access.mustAlign || variable.isExtern || (bytes & (bytes - 1)) != 0) {
            return;
        }
        if (variable.alignedTo() % bytes != 0) {
            m_sink.addOfInstruction("misaligned-access", one, access.address.first, access.address.end,
                fmt::format("'{}' is declared .align {}: nothing makes it start at a multiple of {}, which "
                            "this access needs",
                    variable.name, variable.alignedTo(), bytes));
        } else if (offset % bytes != 0) {
            m_sink.addOfInstruction("misaligned-access", one, access.address.first, access.address.end,
                fmt::format(
                    "{} + {} is no multiple of {}, the bytes of this access", variable.name, offset, bytes));
        }
    }

    void say(const Statement& one, const Access& access, const Variable& variable, std::int64_t offset,
        const std::string& limit)
    {
        m_sink.addOfInstruction("out-of-bounds", one, access.address.first, access.address.end,
            fmt::format("this takes bytes {} to {} of '{}', but {}", offset,
                offset + static_cast<std::int64_t>(access.bytes) - 1, variable.name, limit));
    }

    std::vector<std::uint64_t> m_starts; ///< of each parameter
    std::uint64_t m_parameterBytes = 0;
    bool m_isLaidOut = true; ///< the size of every parameter is known
};

} // namespace

void checkAccesses(Function& function, const Context& context, Sink& sink)
{
    if (!context.facts.isGenerated) { // a compiler keeps what it cannot prove to be dead
        Accesses(function, context, sink).check();
    }
}

} // namespace ptxwb::lint
