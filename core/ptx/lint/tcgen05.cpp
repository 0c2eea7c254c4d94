// SPDX-License-Identifier: Apache-2.0
// Tensor memory: how many columns, given back or not, and one .cta_group per kernel.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

constexpr std::int64_t allColumns = 512;

class Tcgen05 {
public:
    Tcgen05(const Function& function, const Context& context, Sink& sink)
        : m_function(function)
        , m_context(context)
        , m_program(context.program)
        , m_sink(sink)
    {
    }

    void check()
    {
        const Statement* allocation = nullptr;
        bool givesBack = false;
        bool calls = false;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            calls = calls || opcode.starts_with("call");
            if (!opcode.starts_with("tcgen05.")) {
                continue;
            }
            group(one, opcode);
            if (isNamed(opcode, "tcgen05.alloc")) {
                allocation = allocation == nullptr ? &one : allocation;
                columns(one, true);
            } else if (isNamed(opcode, "tcgen05.dealloc")) {
                givesBack = true;
                columns(one, false);
            }
        }
        if (allocation == nullptr) {
            return;
        }
        overcommitted();
        if (givesBack && !calls) {
            otherColumns();
        }
        if (!givesBack && !calls && m_function.isEntry && m_function.wellFormed && m_function.isComplete) {
            m_sink.add("tcgen05-dealloc", allocation->opcode, allocation->opcodeEnd,
                fmt::format("'{}' allocates tensor memory and has no tcgen05.dealloc", m_function.name));
        }
    }

private:
    std::optional<std::int64_t> columnsOf(const Statement& one) const
    {
        if (!one.wellFormed || m_program.operandCount(one) != 2) {
            return std::nullopt;
        }
        const auto operand = m_program.operand(one, 1);
        return operand.end == operand.first + 1 ? literalValue(m_program.text(operand.first)) : std::nullopt;
    }

    void columns(const Statement& one, bool allocates)
    {
        const auto value = columnsOf(one);
        if (!value) {
            return;
        }
        const auto operand = m_program.operand(one, 1);
        const bool isPower = *value > 0 && (*value & (*value - 1)) == 0;
        if (allocates && (*value < 32 || *value > allColumns || !isPower)) {
            auto& made = m_sink.addOfInstruction("tcgen05-columns", one, operand.first, operand.end,
                *value > allColumns ? fmt::format("{} columns: tensor memory has {}", *value, allColumns)
                                    : fmt::format("{} is no power of two from 32 to {}", *value, allColumns));
            if (*value > 0 && *value < allColumns) {
                std::int64_t next = 32;
                while (next < *value) {
                    next *= 2;
                }
                made.edits.push_back(m_sink.replace(operand.first, operand.end, std::to_string(next)));
                const bool isBoth = returnAsMany(next, made);
                made.fixTitle = fmt::format("allocate {} columns{}", next,
                    isBoth ? " and give back as many" : " (the dealloc must say the same)");
            }
        } else if (!allocates && *value % 32 != 0) {
            m_sink.addOfInstruction("tcgen05-columns", one, operand.first, operand.end,
                fmt::format("{} is no multiple of 32", *value));
        }
    }

    // Where the function has one alloc, its deallocs are of that; false: not known.
    bool returnAsMany(std::int64_t count, LintFinding& made)
    {
        int allocs = 0;
        std::vector<LintEdit> edits;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (isNamed(opcode, "tcgen05.alloc")) {
                ++allocs;
            } else if (isNamed(opcode, "tcgen05.dealloc")) {
                const auto value = columnsOf(one);
                if (!value) {
                    return false;
                }
                const auto operand = m_program.operand(one, 1);
                if (*value != count) {
                    edits.push_back(m_sink.replace(operand.first, operand.end, std::to_string(count)));
                }
            }
        }
        if (allocs != 1) {
            return false;
        }
        made.edits.insert(made.edits.end(), edits.begin(), edits.end());
        return true;
    }

    // A dealloc gives back what an alloc took, with the count that the alloc took it with.
    void otherColumns()
    {
        std::vector<std::int64_t> taken;
        std::vector<const Statement*> returns;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (isNamed(opcode, "tcgen05.alloc")) {
                const auto value = columnsOf(one);
                if (!value || *value < 32 || *value > allColumns || (*value & (*value - 1)) != 0) {
                    return;
                }
                taken.push_back(*value);
            } else if (isNamed(opcode, "tcgen05.dealloc")) {
                returns.push_back(&one);
            }
        }
        for (const auto* one : returns) {
            const auto value = columnsOf(*one);
            if (!value || *value % 32 != 0 || std::find(taken.begin(), taken.end(), *value) != taken.end()) {
                continue;
            }
            const auto operand = m_program.operand(*one, 1);
            auto& made = m_sink.addOfInstruction("tcgen05-dealloc", *one, operand.first, operand.end,
                taken.size() == 1
                    ? fmt::format("{} columns are given back, but the alloc took {}", *value, taken.front())
                    : fmt::format("{} columns are given back, but no alloc took as many", *value));
            if (taken.size() == 1) {
                made.fixTitle = fmt::format("give back {}", taken.front());
                made.edits.push_back(
                    m_sink.replace(operand.first, operand.end, std::to_string(taken.front())));
            }
        }
    }

    void group(const Statement& one, std::string_view opcode)
    {
        constexpr std::string_view word = ".cta_group::";
        const auto at = opcode.find(word);
        if (at == std::string_view::npos || at + word.size() >= opcode.size()) {
            return;
        }
        const char here = opcode[at + word.size()];
        if (m_group == 0) {
            m_group = here;
            m_groupLine = m_program.tokens[one.opcode].line;
        } else if (m_group != here && !m_saidGroup) {
            m_saidGroup = true;
            m_sink.addWithin("mixed-cta-group", one.opcode, static_cast<std::uint32_t>(at),
                static_cast<std::uint32_t>(word.size()) + 1,
                fmt::format(
                    ".cta_group::{} here, but .cta_group::{} in line {}", here, m_group, m_groupLine));
        }
    }

    // In one block allocations follow each other for certain.
    void overcommitted()
    {
        const auto& flow = *m_context.flow;
        for (const auto& block : flow.blocks) {
            std::int64_t held = 0;
            for (auto i = block.first; i < block.end; ++i) {
                const auto& one = m_program.statements[i];
                const auto opcode = m_program.opcode(one);
                const bool allocates = isNamed(opcode, "tcgen05.alloc");
                const auto value = columnsOf(one);
                if (opcode.starts_with("call") || (isNamed(opcode, "tcgen05.dealloc") && !value)) {
                    held = 0;
                } else if (value && one.guard == none && allocates) {
                    held += *value;
                    if (held > allColumns && *value <= allColumns) {
                        m_sink.addOfInstruction("tcgen05-overcommit", one, one.opcode, one.end,
                            fmt::format(
                                "{} columns are held from here on, tensor memory has {}", held, allColumns));
                        break;
                    }
                } else if (value && isNamed(opcode, "tcgen05.dealloc")) {
                    held = std::max<std::int64_t>(held - *value, 0);
                }
            }
        }
    }

    const Function& m_function;
    const Context& m_context;
    const Program& m_program;
    Sink& m_sink;
    char m_group = 0;
    std::uint32_t m_groupLine = 0;
    bool m_saidGroup = false;
};

} // namespace

void checkTcgen05(Function& function, const Context& context, Sink& sink)
{
    Tcgen05(function, context, sink).check();
}

} // namespace ptxwb::lint
