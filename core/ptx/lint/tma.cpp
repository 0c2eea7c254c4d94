// SPDX-License-Identifier: Apache-2.0
// TMA: the bytes a barrier is told to expect beside the bytes that its copies bring, and where they land.
#include "core/ptx/lint/flow.h"
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::lint {

namespace {

struct Copy {
    const Statement* statement = nullptr;
    bool isTensor = false;
    std::size_t barrierOperand = 0;
    std::optional<std::uint64_t> bytes{};
    const TensorMapFacts* map = nullptr;
};

class Tma : private FunctionRule {
public:
    Tma(const Function& function, const Context& context, Sink& sink)
        : FunctionRule(function, context, sink)
    {
        takePlan();
    }

    void check()
    {
        bool isDecidable = m_function.wellFormed;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            isDecidable = isDecidable && !bringsBytesOtherwise(opcode);
            if (const auto copy = copyOf(one, opcode); copy.statement != nullptr) {
                alignment(copy);
            }
        }
        if (isDecidable) {
            countBytes();
        }
    }

private:
    // The kernel's tensor maps by parameter name.
    void takePlan()
    {
        const auto found = m_context.plan.find(m_function.name);
        if (found == m_context.plan.end()) {
            return;
        }
        for (const auto& [index, map] : found->second) {
            if (index < m_function.parameters.size()) {
                m_maps.emplace(m_function.parameters[index].name, map);
            }
        }
        // A box row that fills the swizzle's span with the elements that wgmma reads: their size is told.
        const auto bytes = wgmmaElementBytes();
        for (auto& [name, map] : m_maps) {
            if (map.elementBytes == 0 && bytes != 0 && map.swizzleBytes != 0
                && map.innerElements * static_cast<std::uint64_t>(bytes)
                    == static_cast<std::uint64_t>(map.swizzleBytes)) {
                map.elementBytes = bytes;
            }
        }
    }

    // Of the matrices that the kernel's wgmmas read, where they all agree; else 0.
    int wgmmaElementBytes() const
    {
        int bytes = 0;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto opcode = m_program.opcode(m_program.statements[i]);
            if (!isNamed(opcode, "wgmma.mma_async")) {
                continue;
            }
            const auto type = opcode.substr(opcode.rfind('.'));
            const int here = type == ".bf16" || type == ".f16" ? 2 : (type == ".tf32" ? 4 : 1);
            if (bytes != 0 && bytes != here) {
                return 0;
            }
            bytes = here;
        }
        return bytes;
    }

    static bool bringsBytesOtherwise(std::string_view opcode)
    {
        return opcode.starts_with("call") || opcode.starts_with("mapa") || opcode.starts_with("st.async")
            || opcode.starts_with("red.async") || isNamed(opcode, "mbarrier.complete_tx")
            || opcode.starts_with("clusterlaunchcontrol")
            || ((opcode.starts_with("cp.") || opcode.starts_with("tcgen05."))
                && (opcode.find("multicast") != std::string_view::npos
                    || opcode.find(".cta_group::2") != std::string_view::npos));
    }

    Copy copyOf(const Statement& one, std::string_view opcode) const
    {
        constexpr std::string_view completes = ".mbarrier::complete_tx::bytes";
        if (!one.wellFormed || !opcode.starts_with("cp.async.bulk")
            || opcode.find(completes) == std::string_view::npos) {
            return {};
        }
        Copy made{.isTensor = isNamed(opcode, "cp.async.bulk.tensor")};
        const auto count = m_program.operandCount(one);
        made.barrierOperand = made.isTensor ? 2 : 3;
        if (count <= made.barrierOperand) {
            return {};
        }
        made.statement = &one;
        if (!made.isTensor) {
            made.bytes = m_values.constantOf(one, m_program.operand(one, 2));
            return made;
        }
        const auto source = m_program.operand(one, 1);
        if (source.end - source.first < 2) {
            return made;
        }
        const auto place = m_values.placeOf(one, {.first = source.first + 1, .end = source.first + 2});
        if (place && place->offset == 0) {
            if (const auto map = m_maps.find(place->symbol); map != m_maps.end()) {
                made.map = &map->second;
                const bool whole = opcode.find(".tile::") == std::string_view::npos
                    && opcode.find(".im2col") == std::string_view::npos;
                if (whole && map->second.elements != 0 && map->second.elementBytes != 0) {
                    made.bytes = map->second.elements * static_cast<std::uint64_t>(map->second.elementBytes);
                }
            }
        }
        return made;
    }

    void alignment(const Copy& copy)
    {
        const auto& one = *copy.statement;
        const auto operand = m_program.operand(one, 0);
        const auto place = m_values.placeOf(one, operand);
        const auto* variable = place ? sharedNamed(m_function, m_context.facts, place->symbol) : nullptr;
        if (variable == nullptr) {
            return;
        }
        std::int64_t needed = copy.isTensor ? 128 : 16;
        std::string why = copy.isTensor ? "TMA" : "a bulk copy";
        if (copy.map != nullptr && copy.map->swizzleBytes != 0) {
            needed = std::max<std::int64_t>(needed, std::int64_t{8} * copy.map->swizzleBytes);
            why = fmt::format("a {}-byte swizzle", copy.map->swizzleBytes);
        }
        const std::int64_t declared =
            variable->alignment != 0 ? variable->alignment : variable->typeAlignment;
        if (declared % needed == 0 && place->offset % needed != 0) {
            m_sink.addOfInstruction("shared-alignment", one, operand.first, operand.end,
                fmt::format("{} + {} is no multiple of {}, which {} needs", variable->name, place->offset,
                    needed, why));
        } else if (declared % needed != 0 && variable->isExtern && needed > 16
            && !m_context.facts.isGenerated) { // compilers declare dynamic shared memory as its type asks
            m_sink.addOfInstruction("shared-alignment", one, operand.first, operand.end,
                fmt::format("'{}' is dynamic shared memory declared .align {}: nothing makes it start at a "
                            "multiple of {}, which {} needs. Declare it so, or round its address up",
                    variable->name, declared, needed, why));
        } else if (declared % needed != 0 && !variable->isExtern) {
            m_sink.addOfInstruction("shared-alignment", one, operand.first, operand.end,
                fmt::format("'{}' is declared .align {}, but {} needs a multiple of {}", variable->name,
                    declared, why, needed));
        }
    }

    // Operand tokens as text: the barrier's name within a block.
    std::string spelled(const Operand& operand) const
    {
        std::string text;
        for (auto at = operand.first; at < operand.end; ++at) {
            text += m_program.text(at);
        }
        return text;
    }

    struct Stage {
        std::string barrier{};
        std::string guard{};
        const Statement* first = nullptr;
        Operand amount{};
        std::optional<std::uint64_t> expected{0};
        std::optional<std::uint64_t> brought{0};
        int copies = 0;
    };

    std::string guardOf(const Statement& one) const
    {
        return one.guard == none
            ? std::string()
            : std::string(m_program.text(one.first)) + std::string(m_program.text(one.guard));
    }

    // Only where each copy of the function stands in one block with the expectation of its barrier.
    void countBytes()
    {
        std::vector<Stage> wrong;
        const auto& flow = *m_context.flow;
        for (const auto& block : flow.blocks) {
            std::vector<Stage> open;
            for (auto i = block.first; i < block.end; ++i) {
                const auto& one = m_program.statements[i];
                const auto opcode = m_program.opcode(one);
                const auto copy = copyOf(one, opcode);
                if (copy.statement != nullptr) {
                    if (!bring(one, copy, open)) {
                        return;
                    }
                } else if (isNamed(opcode, "mbarrier.arrive.expect_tx")
                    || isNamed(opcode, "mbarrier.expect_tx")) {
                    if (!expect(one, open)) {
                        return;
                    }
                } else if (!changes(one, open)) {
                    return;
                }
            }
            for (auto& stage : open) {
                if (stage.copies == 0) {
                    return; // its bytes come from elsewhere
                }
                if (stage.expected && stage.brought && *stage.expected != *stage.brought) {
                    wrong.push_back(std::move(stage));
                }
            }
        }
        for (const auto& stage : wrong) {
            auto& made =
                m_sink.addOfInstruction("tx-count", *stage.first, stage.amount.first, stage.amount.end,
                    fmt::format("{} bytes are expected, but the {} that follow{} bring{} {}", *stage.expected,
                        stage.copies == 1 ? "copy" : fmt::format("{} copies", stage.copies),
                        stage.copies == 1 ? "s" : "", stage.copies == 1 ? "s" : "", *stage.brought));
            if (stage.amount.end == stage.amount.first + 1
                && m_program.tokens[stage.amount.first].kind == TokenKind::Number) {
                made.fixTitle = fmt::format("expect {} bytes", *stage.brought);
                made.edits.push_back(
                    m_sink.replace(stage.amount.first, stage.amount.end, std::to_string(*stage.brought)));
            }
        }
    }

    bool bring(const Statement& one, const Copy& copy, std::vector<Stage>& open) const
    {
        const auto barrier = spelled(m_program.operand(one, copy.barrierOperand));
        const auto stage = std::find_if(
            open.begin(), open.end(), [&](const Stage& known) { return known.barrier == barrier; });
        if (stage == open.end() || stage->guard != guardOf(one)) {
            return false;
        }
        ++stage->copies;
        if (!copy.bytes || !stage->brought) {
            stage->brought.reset();
        } else {
            *stage->brought += *copy.bytes;
        }
        return true;
    }

    bool expect(const Statement& one, std::vector<Stage>& open) const
    {
        const auto count = m_program.operandCount(one);
        if (count < 2) {
            return false;
        }
        const auto amount = m_program.operand(one, count - 1);
        Stage made{.barrier = spelled(m_program.operand(one, count - 2)),
            .guard = guardOf(one),
            .first = &one,
            .amount = amount};
        const auto value = m_values.constantOf(one, amount);
        made.expected = value;
        for (const auto& stage : open) {
            if (stage.barrier == made.barrier) {
                return false; // twice the same: which copies belong to which?
            }
        }
        open.push_back(std::move(made));
        return true;
    }

    // A register of an open stage's name is written: its name means another barrier from here on.
    bool changes(const Statement& one, const std::vector<Stage>& open) const
    {
        if (open.empty() || m_program.operandCount(one) == 0) {
            return true;
        }
        const auto operand = m_program.operand(one, 0);
        if (m_program.is(operand.first, '[')) {
            return true;
        }
        for (auto at = operand.first; at < operand.end; ++at) {
            const auto kind = m_program.tokens[at].kind;
            if (kind != TokenKind::Register && kind != TokenKind::Identifier) {
                continue;
            }
            for (const auto& stage : open) {
                const auto name = m_program.text(at);
                if (stage.barrier.find(name) != std::string::npos
                    || stage.guard.find(name) != std::string::npos) {
                    return false;
                }
            }
        }
        return true;
    }

    std::map<std::string_view, TensorMapFacts> m_maps;
};

} // namespace

void checkTma(Function& function, const Context& context, Sink& sink)
{
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        if (context.program.text(context.program.statements[i].opcode).starts_with("cp.async.bulk")) {
            Tma(function, context, sink).check();
            return;
        }
    }
}

} // namespace ptxwb::lint
