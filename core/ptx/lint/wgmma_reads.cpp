// SPDX-License-Identifier: Apache-2.0
// Accumulators that are used, and registers of A that are overwritten, while the wgmma still runs. Over the
// whole flow graph; what is in flight on one path only is not said, but for the way round a loop.
#include "core/ptx/lint/function_rule.h"

#include <algorithm>
#include <map>

namespace ptxwb::lint {

namespace {

// Of one list of accumulators, or of registers of A: the last wgmma that has it, and the commits since, its
// own included.
struct InFlight {
    int commits = -1; ///< -1: not in flight
    Index statement = none; ///< the first of several

    friend bool operator==(const InFlight&, const InFlight&) = default;
};

using State = std::vector<InFlight>; ///< by list; empty: not reached yet

class Reads : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    /// Whether anything was said.
    bool check()
    {
        if (!isFlowKnown()) {
            return false;
        }
        findLists();
        constexpr std::size_t most = 64; // every block keeps a state of each
        if (m_lists.empty() || m_lists.size() > most) {
            return false;
        }
        std::vector<State> atStart(m_flow.blocks.size());
        atStart[0].resize(m_lists.size());
        std::vector<Index> open{0};
        while (!open.empty()) {
            const auto b = open.back();
            open.pop_back();
            auto state = atStart[b];
            for (auto i = m_flow.blocks[b].first; i < m_flow.blocks[b].end; ++i) {
                step(m_program.statements[i], i, state);
            }
            for (const auto to : m_flow.blocks[b].successors) {
                if (meet(atStart[to], state)) {
                    open.push_back(to);
                }
            }
        }
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            if (!atStart[b].empty()) {
                findAccess(m_flow.blocks[b], atStart[b], m_accesses);
            }
        }
        roundLoops(atStart);
        behindLoops(atStart);
        for (const auto& [mma, accesses] : m_accesses) {
            say(mma, accesses);
        }
        return !m_accesses.empty();
    }

private:
    // Registers that hold A; compilers rename what they write, and their names prove nothing.
    std::vector<Index> fragmentsOf(const Statement& one) const
    {
        return m_isGenerated || m_program.operandCount(one) < 2
                || !m_program.is(m_program.operand(one, 1).first, '{')
            ? std::vector<Index>()
            : registersIn(one, 1, 2);
    }

    void findLists()
    {
        std::map<std::vector<Index>, Index> known;
        const auto listOf = [&](std::vector<Index> registers, bool isFragment) {
            registers.push_back(isFragment ? none : none - 1); // no register: tells the kinds apart
            const auto [at, isNew] = known.emplace(std::move(registers), static_cast<Index>(m_lists.size()));
            if (isNew) {
                m_lists.push_back({.registers = at->first, .isFragment = isFragment});
                m_lists.back().registers.pop_back();
            }
            return at->second;
        };
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            if (isNamed(m_program.opcode(one), "wgmma.mma_async")) {
                m_listOf.emplace(i, listOf(registersIn(one, 0, 1), false));
                if (auto fragments = fragmentsOf(one); !fragments.empty()) {
                    m_fragmentsOf.emplace(i, listOf(std::move(fragments), true));
                }
            }
        }
        m_listsOf.clear();
        for (Index list = 0; list < m_lists.size(); ++list) {
            for (const auto number : m_lists[list].registers) {
                m_listsOf[number].push_back(list);
            }
        }
    }

    void step(const Statement& one, Index i, State& state) const
    {
        const auto opcode = m_program.opcode(one);
        if (opcode.starts_with("call")) {
            state.assign(m_lists.size(), {});
        } else if (const auto mma = m_listOf.find(i); mma != m_listOf.end()) {
            if (one.guard == none) {
                const auto start = [&](InFlight& list) {
                    list = {.commits = 0, .statement = list.commits == 0 ? list.statement : i};
                };
                start(state[mma->second]);
                if (const auto fragments = m_fragmentsOf.find(i); fragments != m_fragmentsOf.end()) {
                    start(state[fragments->second]);
                }
            }
        } else if (isNamed(opcode, "wgmma.commit_group")) {
            constexpr int enough = 16; // more than any wait leaves running
            for (auto& list : state) {
                list.commits = list.commits < 0 ? -1 : std::min(list.commits + 1, enough);
            }
        } else if (isNamed(opcode, "wgmma.wait_group")) {
            const auto left = m_program.operandCount(one) == 1
                ? literalValue(m_program.text(m_program.operand(one, 0).first))
                : std::nullopt;
            for (auto& list : state) {
                if (!left || one.guard != none || list.commits > *left) {
                    list = {};
                }
            }
        }
    }

    // In flight behind both, and as old as the older: the nearer to being waited for.
    static bool meet(State& at, const State& from)
    {
        if (at.empty()) {
            at = from;
            return true;
        }
        bool changed = false;
        for (std::size_t i = 0; i < at.size(); ++i) {
            InFlight made;
            if (at[i].commits >= 0 && from[i].commits >= 0) {
                made = {.commits = std::max(at[i].commits, from[i].commits),
                    .statement = std::min(at[i].statement, from[i].statement)};
            }
            changed = changed || !(made == at[i]);
            at[i] = made;
        }
        return changed;
    }

    struct Access {
        Index statement = 0;
        bool isCommitted = false;
        bool isFragment = false;
    };
    using Accesses = std::map<Index, std::vector<Access>>; ///< by the wgmma that still runs, one per block

    // The registers of an instruction that it may not touch while a wgmma runs that writes them. A move of
    // registers only renames, and compilers put moves anywhere around a wgmma: theirs prove nothing.
    std::vector<Index> touched(const Statement& one, Index i) const
    {
        if (m_listOf.contains(i)) {
            return registersIn(one, 1, 2); // A: accumulators may be in line for the next, A must be there
        }
        const auto root = m_program.text(one.opcode);
        if (root.starts_with("wgmma") || (root == "mov" && m_isGenerated)) {
            return {};
        }
        return registersIn(one, 0, m_program.operandCount(one));
    }

    bool overwrites(const Statement& one, Index i, Index number) const
    {
        const auto root = m_program.text(one.opcode);
        if (m_listOf.contains(i) || root.starts_with("st") || root == "red" || root.starts_with("bar")
            || m_program.operandCount(one) == 0 || m_program.is(m_program.operand(one, 0).first, '[')) {
            return false;
        }
        const auto written = registersIn(one, 0, 1);
        return std::binary_search(written.begin(), written.end(), number);
    }

    // The first of a block; the rest follows from it.
    void findAccess(const Block& block, State state, Accesses& accesses, bool alsoGuarded = true) const
    {
        for (auto i = block.first; i < block.end; ++i) {
            const auto& one = m_program.statements[i];
            const bool runs = std::any_of(
                state.begin(), state.end(), [](const InFlight& list) { return list.commits >= 0; });
            const bool counts = runs && (alsoGuarded || one.guard == none);
            for (const auto number : counts ? touched(one, i) : std::vector<Index>()) {
                const auto lists = m_listsOf.find(number);
                if (lists == m_listsOf.end()) {
                    continue;
                }
                for (const auto list : lists->second) {
                    const bool isFragment = m_lists[list].isFragment;
                    if (state[list].commits >= 0 && (!isFragment || overwrites(one, i, number))) {
                        accesses[state[list].statement].push_back({.statement = i,
                            .isCommitted = state[list].commits > 0,
                            .isFragment = isFragment});
                        return;
                    }
                }
            }
            step(one, i, state);
        }
    }

    State behind(const Block& block, State state) const
    {
        for (auto i = block.first; i < block.end; ++i) {
            step(m_program.statements[i], i, state);
        }
        return state;
    }

    // From the second round on, a loop begins with what its end leaves running. Only what comes by in every
    // round counts: a branch may lead past it in all but the first.
    void roundLoops(const std::vector<State>& atStart)
    {
        int budget = 64; // each looks over the loop
        for (Index from = 0; from < m_flow.blocks.size(); ++from) {
            for (const auto head : m_flow.blocks[from].successors) {
                if (head > from || atStart[from].empty()) {
                    continue;
                }
                auto left = behind(m_flow.blocks[from], atStart[from]);
                bool isMore = false;
                for (std::size_t list = 0; list < left.size(); ++list) {
                    isMore = isMore || (left[list].commits >= 0 && atStart[head][list].commits < 0);
                }
                if (isMore && --budget >= 0) {
                    roundLoop(head, from, std::move(left));
                }
            }
        }
    }

    void roundLoop(Index head, Index last, State left)
    {
        std::vector<bool> end(m_flow.blocks.size());
        end[last] = true;
        auto body = reaches(m_flow, end);
        body[last] = true;
        std::vector<State> atStart(m_flow.blocks.size());
        atStart[head] = std::move(left);
        std::vector<Index> open{head};
        while (!open.empty()) {
            const auto b = open.back();
            open.pop_back();
            const auto state = behind(m_flow.blocks[b], atStart[b]);
            for (const auto to : m_flow.blocks[b].successors) {
                if (to != head && body[to] && b != last && meet(atStart[to], state)) {
                    open.push_back(to);
                }
            }
        }
        Accesses found;
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            Accesses here;
            if (!atStart[b].empty()) {
                findAccess(m_flow.blocks[b], std::move(atStart[b]), here, false);
            }
            if (here.empty() || --m_waysLeft < 0 || !isOnEveryWay(b, head, last)) {
                continue;
            }
            for (auto& [mma, accesses] : here) {
                found[mma].insert(found[mma].end(), accesses.begin(), accesses.end());
            }
        }
        for (auto& [mma, accesses] : found) {
            m_accesses.emplace(mma, std::move(accesses)); // unless it was found without the loop
        }
    }

    // What a loop leaves running is in flight behind it, though a way leads past the loop. Only where every
    // run that comes by the wgmma comes there, and on each of its ways without a wait.
    void behindLoops(const std::vector<State>& atStart)
    {
        int budget = 64; // each looks over the graph
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            if (atStart[b].empty()) {
                continue; // no way leads there
            }
            State left(m_lists.size());
            for (auto i = m_flow.blocks[b].first; i < m_flow.blocks[b].end; ++i) {
                step(m_program.statements[i], i, left);
            }
            const bool runs =
                std::any_of(left.begin(), left.end(), [](const InFlight& list) { return list.commits >= 0; });
            if (runs && --budget >= 0) {
                followFrom(b, std::move(left));
            }
        }
    }

    void followFrom(Index from, State left)
    {
        std::vector<State> atStart(m_flow.blocks.size());
        std::vector<Index> open;
        const auto leave = [&](Index block, const State& state) {
            for (const auto to : m_flow.blocks[block].successors) {
                if (meet(atStart[to], state)) {
                    open.push_back(to);
                }
            }
        };
        leave(from, left);
        while (!open.empty()) {
            const auto b = open.back();
            open.pop_back();
            leave(b, behind(m_flow.blocks[b], atStart[b]));
        }
        Accesses found;
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            Accesses here;
            if (b != from && !atStart[b].empty()) {
                findAccess(m_flow.blocks[b], std::move(atStart[b]), here, false);
            }
            if (here.empty() || --m_waysLeft < 0 || !endsBehind(b, from)) {
                continue;
            }
            for (auto& [mma, accesses] : here) {
                if (accesses.front().isCommitted) { // else it is the commit that is missing
                    found[mma].insert(found[mma].end(), accesses.begin(), accesses.end());
                }
            }
        }
        for (auto& [mma, accesses] : found) {
            m_accesses.emplace(mma, std::move(accesses)); // unless it was found otherwise
        }
    }

    // Whether no way leads from a block to the function's end but by another.
    bool endsBehind(Index block, Index from) const
    {
        std::vector<bool> seen(m_flow.blocks.size());
        std::vector<Index> open{from};
        seen[block] = true;
        while (!open.empty()) {
            const auto& here = m_flow.blocks[open.back()];
            open.pop_back();
            if (here.successors.empty() || leavesEarly(here)) {
                return false;
            }
            for (const auto next : here.successors) {
                if (!seen[next]) {
                    seen[next] = true;
                    open.push_back(next);
                }
            }
        }
        return true;
    }

    // "@%p ret": a way that the graph has no edge for.
    bool leavesEarly(const Block& block) const
    {
        const auto root = m_program.text(m_program.statements[block.end - 1].opcode);
        return root == "ret" || root == "exit" || root == "trap";
    }

    bool isOnEveryWay(Index block, Index from, Index to) const
    {
        if (block == from || block == to) {
            return true;
        }
        std::vector<bool> seen(m_flow.blocks.size());
        std::vector<Index> open{from};
        seen[block] = true;
        while (!open.empty()) {
            const auto b = open.back();
            open.pop_back();
            if (b == to) {
                return false;
            }
            for (const auto next : m_flow.blocks[b].successors) {
                if (!seen[next]) {
                    seen[next] = true;
                    open.push_back(next);
                }
            }
        }
        return true;
    }

    // One missing wait is one finding, at the first place behind its wgmma that needs it.
    void say(Index mma, const std::vector<Access>& accesses)
    {
        const auto rank = [&](const Access& one) {
            return std::pair(one.statement < mma, one.statement); // a loop leads upwards last
        };
        const auto first = *std::min_element(accesses.begin(), accesses.end(),
            [&](const Access& a, const Access& b) { return rank(a) < rank(b); });
        const auto& one = m_program.statements[first.statement];
        auto& made = m_sink.addBeside("wgmma-wait", one.opcode, one.end,
            first.isFragment ? "this overwrites a register of the matrix A that the wgmma in line <line> may "
                               "still read: no wgmma.wait_group that covers it stands between"
                             : "this uses an accumulator of the wgmma in line <line>, and no "
                               "wgmma.wait_group that covers it stands between",
            m_program.statements[mma].opcode);
        if (m_offered || !first.isCommitted) {
            return;
        }
        m_offered = true; // where it waits once, what follows needs no other
        if (accesses.size() == 1) {
            made.fixTitle = "put wgmma.wait_group before it";
            made.edits.push_back(m_sink.insertBefore(one.first, "wgmma.wait_group.sync.aligned 0;\n    "));
        } else if (const auto commit = commitBehind(mma); commit != none) { // on the way to all of them
            made.fixTitle = "put wgmma.wait_group behind the commit";
            made.edits.push_back(m_sink.insertBehind(
                m_program.statements[commit].end, "\n    wgmma.wait_group.sync.aligned 0;"));
        }
    }

    Index commitBehind(Index mma) const
    {
        const auto& block = m_flow.blocks[m_flow.blockOf[mma - m_function.statementsFirst]];
        for (auto i = mma + 1; i < block.end; ++i) {
            const auto& one = m_program.statements[i];
            if (isNamed(m_program.opcode(one), "wgmma.commit_group")) {
                return m_program.is(one.end, ';') ? i : none;
            }
        }
        return none;
    }

    struct List {
        std::vector<Index> registers{}; ///< sorted
        bool isFragment = false; ///< of A, else accumulators
    };

    std::vector<List> m_lists;
    std::unordered_map<Index, Index> m_listOf; ///< statement -> accumulators
    std::unordered_map<Index, Index> m_fragmentsOf; ///< statement -> registers of A
    std::unordered_map<Index, std::vector<Index>> m_listsOf; ///< register -> lists
    Accesses m_accesses;
    bool m_offered = false;
    int m_waysLeft = 256; ///< each looks over the graph
};

} // namespace

bool checkAccumulatorReads(const Function& function, const Context& context, Sink& sink)
{
    return Reads(function, context, sink).check();
}

} // namespace ptxwb::lint
