// SPDX-License-Identifier: Apache-2.0
// Addresses of one state space in an instruction of another. Followed from block to block where there is one
// way only; else by registers that are written once.
#include "core/ptx/lint/function_rule.h"

#include <fmt/format.h>

#include <array>

namespace ptxwb::lint {

namespace {

enum class Space : std::uint8_t {
    Unknown,
    Global,
    Shared,
    Remote, ///< of mapa: in the window of the cluster
    Local,
    Const,
    Param,
    Generic, ///< a generic address of what is not global memory
};

std::string_view nameOf(Space space)
{
    constexpr std::array<std::string_view, 8> names{
        "", ".global", ".shared", ".shared::cluster", ".local", ".const", ".param", "generic"};
    return names[static_cast<std::size_t>(space)];
}

Space spaceNamed(std::string_view word)
{
    return word == "global" ? Space::Global
        : word == "shared"  ? Space::Shared
        : word == "local"   ? Space::Local
        : word == "const"   ? Space::Const
        : word == "param"   ? Space::Param
                            : Space::Unknown;
}

struct Known {
    Space space = Space::Unknown;
    Index origin = none; ///< the statement that made it one
};

struct Need {
    std::size_t operand = 0;
    Space space = Space::Unknown;
    bool ofCluster = false; ///< .shared::cluster takes both
};

class AddressSpaces : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        const auto blocks = m_flow.blocks.size();
        std::vector<Index> onlyBefore(blocks, none);
        std::vector<int> ways(blocks);
        for (Index b = 0; b < blocks; ++b) {
            for (const auto to : m_flow.blocks[b].successors) {
                ++ways[to];
                onlyBefore[to] = b;
            }
        }
        constexpr std::size_t most = std::size_t{1} << 22U; // entries that are kept
        const bool keeps = m_flow.isKnown && blocks * m_function.registerCount <= most;
        countWrites();
        m_once.resize(m_function.registerCount);
        std::vector<std::vector<Known>> atEnd(keeps ? blocks : 0);
        for (Index b = 0; b < blocks; ++b) {
            const auto before = onlyBefore[b];
            const bool follows = keeps && b != 0 && ways[b] == 1 && before < b;
            m_now = follows ? atEnd[before] : m_once;
            for (auto i = m_flow.blocks[b].first; i < m_flow.blocks[b].end; ++i) {
                uses(m_program.statements[i]);
                step(i);
            }
            if (keeps) {
                atEnd[b] = m_now;
            }
        }
    }

private:
    void countWrites()
    {
        m_writes.resize(m_function.registerCount);
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            forEachResult(m_program.statements[i], [&](Index number) { ++m_writes[number]; });
        }
    }

    template <typename Action> void forEachResult(const Statement& one, Action action) const
    {
        if (m_program.operandCount(one) == 0) {
            return;
        }
        const auto operand = m_program.operand(one, 0);
        for (auto at = operand.first; at < operand.end && !m_program.is(operand.first, '['); ++at) {
            if (const auto number = m_function.registerOf(at); number != none) {
                action(number);
            }
        }
    }

    Known knownOf(const Operand& operand) const
    {
        const auto number = operand.end == operand.first + 1 ? m_function.registerOf(operand.first) : none;
        return number == none ? Known{} : m_now[number];
    }

    // "[%r+16]" or "%r": the register's; of a sum only one side is an address.
    Known addressIn(const Operand& operand) const
    {
        const auto first = operand.first + (m_program.is(operand.first, '[') ? 1 : 0);
        const auto number = m_function.registerOf(first);
        return number == none ? Known{} : m_now[number];
    }

    Space spaceOfSymbol(Index token) const
    {
        if (m_program.tokens[token].kind != TokenKind::Identifier || m_function.registerOf(token) != none) {
            return Space::Unknown;
        }
        const auto* variable = variableNamed(m_function, m_context.facts, m_program.text(token));
        if (variable == nullptr || (variable->space == "param" && !m_function.isEntry)) {
            return Space::Unknown;
        }
        return spaceNamed(variable->space);
    }

    // "cvta.to.global.u64" -> "global"
    static std::string_view wordAt(std::string_view opcode, std::size_t i)
    {
        for (; i > 0 && !opcode.empty(); --i) {
            opcode.remove_prefix(std::min(opcode.find('.'), opcode.size() - 1) + 1);
        }
        return opcode.substr(0, opcode.find('.'));
    }

    Known resultOf(Index i) const
    {
        const auto& one = m_program.statements[i];
        const auto opcode = m_program.opcode(one);
        const auto root = opcode.substr(0, opcode.find('.'));
        const auto count = m_program.operandCount(one);
        if (root == "cvta" && count == 2) {
            if (opcode.starts_with("cvta.to.")) {
                return {.space = spaceNamed(wordAt(opcode, 2)), .origin = i};
            }
            const auto space = spaceNamed(wordAt(opcode, 1));
            const bool isWindow = space == Space::Shared || space == Space::Local;
            return isWindow ? Known{.space = Space::Generic, .origin = i} : Known{};
        }
        if (opcode.starts_with("mapa.shared::cluster")) {
            return {.space = Space::Remote, .origin = i};
        }
        if (root == "mov" && count == 2) {
            const auto operand = m_program.operand(one, 1);
            const auto space = operand.end > operand.first ? spaceOfSymbol(operand.first) : Space::Unknown;
            return space != Space::Unknown ? Known{.space = space, .origin = i} : knownOf(operand);
        }
        if (root == "cvt" && count == 2) {
            return knownOf(m_program.operand(one, 1));
        }
        if ((root == "add" || root == "mad") && count >= 3) {
            // A sum of two addresses is none.
            const auto a = root == "add" ? knownOf(m_program.operand(one, 1)) : Known{};
            const auto b = knownOf(m_program.operand(one, count - 1));
            return a.space == Space::Unknown ? b : (b.space == Space::Unknown ? a : Known{});
        }
        return {};
    }

    void step(Index i)
    {
        const auto& one = m_program.statements[i];
        const auto made = one.guard == none ? resultOf(i) : Known{};
        const bool isOne = m_program.operandCount(one) > 0
            && m_program.operand(one, 0).end == m_program.operand(one, 0).first + 1;
        forEachResult(one, [&](Index number) {
            m_now[number] = isOne ? made : Known{};
            if (m_writes[number] == 1) {
                m_once[number] = m_now[number];
            }
        });
    }

    // Which operands of an instruction are addresses of one space.
    std::vector<Need> needsOf(const Statement& one, std::string_view opcode) const
    {
        const auto root = opcode.substr(0, opcode.find('.'));
        const auto has = [&](std::string_view word) { return opcode.find(word) != std::string_view::npos; };
        const auto count = m_program.operandCount(one);
        const Need sharedHere{.space = Space::Shared, .ofCluster = has(".shared::cluster")};
        const auto at = [](Need need, std::size_t operand) {
            need.operand = operand;
            return need;
        };
        if (root == "ld" || root == "st" || root == "atom" || root == "red" || root == "mbarrier"
            || root == "ldmatrix" || root == "stmatrix" || root == "prefetch" || root == "ldu") {
            std::size_t operand = 0;
            while (operand < std::min<std::size_t>(count, 2)
                && !m_program.is(m_program.operand(one, operand).first, '[')) {
                ++operand;
            }
            if (has(".shared")) {
                return {at(sharedHere, operand)};
            }
            for (const auto space : {Space::Global, Space::Local, Space::Const}) {
                const auto name = nameOf(space);
                const auto found = opcode.find(name);
                const auto end = found == std::string_view::npos ? 0 : found + name.size();
                if (end != 0 && (end == opcode.size() || opcode[end] == '.')) {
                    return {{.operand = operand, .space = space}};
                }
            }
            return {};
        }
        const Need global{.space = Space::Global};
        if (isNamed(opcode, "cp.async.ca") || isNamed(opcode, "cp.async.cg")) {
            return {at({.space = Space::Shared}, 0), at(global, 1)};
        }
        const bool isTensor = isNamed(opcode, "cp.async.bulk.tensor");
        if (opcode.starts_with("cp.async.bulk.")
            && (has(".shared::cluster.global") || has(".shared::cta.global"))) {
            return isTensor ? std::vector<Need>{at(sharedHere, 0), at(sharedHere, 2)}
                            : std::vector<Need>{at(sharedHere, 0), at(global, 1), at(sharedHere, 3)};
        }
        if (opcode.starts_with("cp.async.bulk.") && has(".global.shared::cta")) {
            return isTensor ? std::vector<Need>{at({.space = Space::Shared}, 1)}
                            : std::vector<Need>{at(global, 0), at({.space = Space::Shared}, 1)};
        }
        return {};
    }

    static bool agree(const Need& need, Space space)
    {
        if (space == Space::Unknown || space == need.space) {
            return true;
        }
        return space == Space::Remote && need.space == Space::Shared && need.ofCluster;
    }

    void uses(const Statement& one)
    {
        if (!one.wellFormed) {
            return;
        }
        const auto opcode = m_program.opcode(one);
        if (opcode.starts_with("cvta.to.") && m_program.operandCount(one) == 2) {
            const Need need{.operand = 1, .space = spaceNamed(wordAt(opcode, 2))};
            const auto known = knownOf(m_program.operand(one, 1));
            if (known.space != Space::Generic && need.space != Space::Shared && !agree(need, known.space)) {
                say(one, need, known);
            }
            return;
        }
        for (const auto& need : needsOf(one, opcode)) {
            if (need.operand < m_program.operandCount(one)) {
                const auto known = addressIn(m_program.operand(one, need.operand));
                if (!agree(need, known.space)) {
                    say(one, need, known);
                }
            }
        }
    }

    void say(const Statement& one, const Need& need, const Known& known)
    {
        const auto operand = m_program.operand(one, need.operand);
        const auto first = operand.first + (m_program.is(operand.first, '[') ? 1 : 0);
        const auto& origin = m_program.statements[known.origin];
        if (!m_said.insert(known.origin).second) {
            return;
        }
        m_sink.addBeside("address-space", operand.first, operand.end,
            fmt::format("'{}' is a {} address, made so in line <line>; this takes a {} one",
                m_program.text(first), nameOf(known.space),
                need.ofCluster ? std::string_view(".shared") : nameOf(need.space)),
            origin.opcode);
    }

    std::vector<int> m_writes; ///< of each register
    std::vector<Known> m_once; ///< of those that are written once
    std::vector<Known> m_now;
    std::unordered_set<Index> m_said;
};

} // namespace

void checkAddressSpaces(Function& function, const Context& context, Sink& sink)
{
    AddressSpaces(function, context, sink).check();
}

} // namespace ptxwb::lint
