// SPDX-License-Identifier: Apache-2.0
// mbarriers as objects in memory: eight bytes at a multiple of eight, made by mbarrier.init with a count that
// it takes, before anything waits for them or arrives at them.
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/values.h"

#include <fmt/format.h>

#include <set>

namespace ptxwb::lint {

namespace {

constexpr std::uint64_t largestCount = (std::uint64_t{1} << 20U) - 1;
constexpr std::int64_t objectBytes = 8;

class BarrierObjects : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            m_calls = m_calls || opcode.starts_with("call");
            const auto barrier = barrierOf(one, opcode);
            if (!barrier) {
                continue;
            }
            const auto place = placeOf(one, *barrier);
            if (place) {
                layout(one, *barrier, *place);
            }
            if (isNamed(opcode, "mbarrier.init")) {
                count(one);
                m_allKnown = m_allKnown && place.has_value();
                if (place) {
                    m_made.insert(*place);
                }
            } else if (place) {
                m_uses.push_back({.statement = i, .barrier = *barrier, .place = *place});
            }
        }
        if (m_function.isEntry && !m_calls && m_allKnown && m_said.empty()) {
            neverMade();
        }
    }

private:
    using Named = std::pair<std::string, std::int64_t>; ///< variable and offset

    struct Use {
        Index statement = 0;
        Operand barrier{};
        Named place{};
    };

    // The operand that holds an mbarrier's address.
    std::optional<Operand> barrierOf(const Statement& one, std::string_view opcode) const
    {
        const auto count = m_program.operandCount(one);
        if (opcode.starts_with("cp.async.bulk")
            && opcode.find(".mbarrier::complete_tx::bytes") != std::string_view::npos) {
            const std::size_t place = isNamed(opcode, "cp.async.bulk.tensor") ? 2 : 3;
            return count > place ? std::optional(m_program.operand(one, place)) : std::nullopt;
        }
        const bool isBarrier = opcode.starts_with("mbarrier.") || isNamed(opcode, "cp.async.mbarrier")
            || isNamed(opcode, "tcgen05.commit");
        for (std::size_t i = 0; isBarrier && i < std::min<std::size_t>(count, 2); ++i) {
            if (m_program.is(m_program.operand(one, i).first, '[')) {
                return m_program.operand(one, i);
            }
        }
        return std::nullopt;
    }

    std::optional<Named> placeOf(const Statement& one, const Operand& operand) const
    {
        const auto place = m_values.placeOf(one, operand);
        const auto* variable = place ? sharedNamed(m_function, m_context.facts, place->symbol) : nullptr;
        if (variable == nullptr || place->offset < 0) {
            return std::nullopt;
        }
        // All dynamic arrays begin at one place.
        return Named{variable->isExtern ? std::string() : variable->name, place->offset};
    }

    void layout(const Statement& one, const Operand& operand, const Named& place)
    {
        const auto& [name, offset] = place;
        const auto* variable = sharedNamed(m_function, m_context.facts, name);
        if (variable != nullptr && variable->bytes != 0
            && offset + objectBytes > static_cast<std::int64_t>(variable->bytes)) {
            if (m_said.insert(name).second) {
                m_sink.addOfInstruction("out-of-bounds", one, operand.first, operand.end,
                    fmt::format("an mbarrier of {} bytes at {} of '{}', which has {}", objectBytes, offset,
                        name, variable->bytes));
            }
            return;
        }
        if (offset % objectBytes != 0) {
            m_sink.addOfInstruction("mbarrier-alignment", one, operand.first, operand.end,
                fmt::format("{}{} is no multiple of {}", name.empty() ? "offset " : name + " + ", offset,
                    objectBytes));
        } else if (variable != nullptr && variable->alignedTo() % objectBytes != 0
            && m_said.insert(name).second) {
            m_sink.addOfInstruction("mbarrier-alignment", one, operand.first, operand.end,
                fmt::format("'{}' is declared .align {}: nothing makes it start at a multiple of {}", name,
                    variable->alignedTo(), objectBytes));
        }
    }

    void count(const Statement& one)
    {
        if (m_program.operandCount(one) != 2) {
            return;
        }
        const auto operand = m_program.operand(one, 1);
        const auto value = m_values.constantOf(one, operand);
        if (value && (*value == 0 || *value > largestCount)) {
            m_sink.addOfInstruction("mbarrier-count", one, operand.first, operand.end,
                fmt::format("{} arrivals: the count is 1 to {}", *value, largestCount));
        }
    }

    bool isPrivate(const std::string& name) const
    {
        const auto isIt = [&](const Variable& one) { return name.empty() ? one.isExtern : one.name == name; };
        const auto& own = m_function.shared;
        return std::any_of(own.begin(), own.end(), isIt) || m_context.facts.functions == 1;
    }

    // Stored, passed on or mapped to another CTA, an address may be made a barrier by whoever gets it.
    bool isHandedOn() const
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto root = m_program.text(one.opcode);
            if (root.starts_with("mapa") || root.starts_with("getctarank")) {
                return true;
            }
            const bool stores = root == "st" || root == "atom" || root == "red";
            for (std::size_t k = 1; stores && k < m_program.operandCount(one); ++k) {
                const auto place = m_values.placeOf(one, m_program.operand(one, k));
                if (place && sharedNamed(m_function, m_context.facts, place->symbol) != nullptr
                    && !m_program.is(m_program.operand(one, k).first, '[')) {
                    return true;
                }
            }
        }
        return false;
    }

    void neverMade()
    {
        std::set<Named> said;
        for (const auto& use : m_uses) {
            if (m_made.contains(use.place) || !isPrivate(use.place.first)) {
                continue;
            }
            if (said.empty() && isHandedOn()) {
                return;
            }
            if (!said.insert(use.place).second) {
                continue;
            }
            const auto& one = m_program.statements[use.statement];
            m_sink.addOfInstruction("mbarrier-missing", one, use.barrier.first, use.barrier.end,
                m_made.empty()
                    ? std::string("the kernel has no mbarrier.init: this is memory with any content")
                    : fmt::format("no mbarrier.init of the kernel makes a barrier of {}", nameOf(use.place)));
        }
    }

    std::string nameOf(const Named& place) const
    {
        const auto name =
            place.first.empty() ? std::string("dynamic shared memory") : "'" + place.first + "'";
        return place.second == 0 ? name : fmt::format("{} + {}", name, place.second);
    }

    std::set<Named> m_made;
    std::vector<Use> m_uses;
    std::set<std::string> m_said;
    bool m_allKnown = true; ///< where every mbarrier.init makes one
    bool m_calls = false;
};

} // namespace

void checkBarrierObjects(Function& function, const Context& context, Sink& sink)
{
    if (!function.wellFormed || !function.isComplete) {
        return;
    }
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        const auto opcode = context.program.opcode(context.program.statements[i]);
        if (opcode.starts_with("mbarrier.") || opcode.starts_with("cp.async.bulk")
            || isNamed(opcode, "tcgen05.commit")) {
            BarrierObjects(function, context, sink).check();
            return;
        }
    }
}

} // namespace ptxwb::lint
