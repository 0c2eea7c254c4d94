// SPDX-License-Identifier: Apache-2.0
// Bulk copies out of shared memory: ordinary writes before them need a fence, and the last one a wait.
#include "core/ptx/lint/function_rule.h"
#include "core/ptx/lint/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace ptxwb::lint {

namespace {

bool isBulkStore(std::string_view opcode)
{
    return (opcode.starts_with("cp.async.bulk") || opcode.starts_with("cp.reduce.async.bulk"))
        && opcode.find(".global.shared::cta") != std::string_view::npos;
}

bool isSharedWrite(std::string_view opcode)
{
    return opcode.starts_with("st.shared") || opcode.starts_with("stmatrix")
        || opcode.starts_with("st.volatile.shared") || opcode.starts_with("st.weak.shared");
}

class BulkStores : private FunctionRule {
public:
    using FunctionRule::FunctionRule;

    void check()
    {
        if (!isFlowKnown() || anyCall()) {
            return; // a called function may write, fence or wait
        }
        findDefinitions();
        int left = 64; // stores that are looked at: each looks back over the kernel
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd && left > 0; ++i) {
            if (isBulkStore(m_program.opcode(m_program.statements[i]))) {
                fenced(i);
                --left;
            }
        }
        if (m_function.isEntry && committed()) {
            waited();
        }
    }

private:
    // Which registers an address is computed from: by arithmetic and moves, not by loads.
    void findDefinitions()
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            constexpr std::string_view arithmetic[] = {
                "add", "sub", "mad", "mov", "xor", "or", "cvt", "cvta", "selp", "lea"};
            const auto root = m_program.text(one.opcode);
            if (m_program.operandCount(one) < 2
                || std::find(std::begin(arithmetic), std::end(arithmetic), root) == std::end(arithmetic)) {
                continue;
            }
            const auto made = registersIn(one, 0, 1);
            if (made.size() == 1) {
                for (const auto from : registersIn(one, 1, m_program.operandCount(one))) {
                    m_leadsTo[from].push_back(*made.begin());
                }
            }
        }
    }

    // All that is computed from the register, itself included.
    const std::unordered_set<Index>& descendants(Index number)
    {
        auto& all = m_descendants[number];
        if (!all.empty()) {
            return all;
        }
        all.insert(number);
        std::vector<Index> open{number};
        while (!open.empty()) {
            const auto found = m_leadsTo.find(open.back());
            open.pop_back();
            if (found == m_leadsTo.end()) {
                continue;
            }
            for (const auto next : found->second) {
                if (all.insert(next).second) {
                    open.push_back(next);
                }
            }
        }
        return all;
    }

    bool derives(const std::vector<Index>& from, Index ancestor)
    {
        const auto& all = descendants(ancestor);
        return std::any_of(from.begin(), from.end(), [&](Index number) { return all.contains(number); });
    }

    // The register of the address in shared memory that a bulk store reads.
    std::optional<Index> sourceRegister(const Statement& one) const
    {
        if (m_program.operandCount(one) < 2) {
            return std::nullopt;
        }
        const auto found = registersIn(one, 1, 2);
        return found.size() == 1 ? std::optional(*found.begin()) : std::nullopt;
    }

    // A register that barriers or arriving copies are addressed by as well is no buffer of its own.
    bool isBuffer(Index number)
    {
        const auto [known, isNew] = m_isBuffer.emplace(number, false);
        if (isNew) {
            known->second = isAddressedAlone(number);
        }
        return known->second;
    }

    bool isAddressedAlone(Index number)
    {
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            const bool barrier = opcode.starts_with("mbarrier.");
            const bool arriving = opcode.starts_with("cp.async") && !isBulkStore(opcode);
            const bool reads = opcode.starts_with("ld.shared") || opcode.starts_with("ldmatrix");
            if ((barrier || arriving || reads) && derives(registersIn(one, 0, 4), number)) {
                return false;
            }
        }
        return true;
    }

    // A copy of all of an array: whatever was written there, it reads.
    bool isWhole(const Statement& one) const
    {
        const auto opcode = m_program.opcode(one);
        if (isNamed(opcode, "cp.async.bulk.tensor") || isNamed(opcode, "cp.reduce.async.bulk.tensor")
            || m_program.operandCount(one) < 3) {
            return false;
        }
        const auto place = m_values.placeOf(one, m_program.operand(one, 1));
        const auto* variable = place ? sharedNamed(m_function, m_context.facts, place->symbol) : nullptr;
        const auto bytes = m_values.constantOf(one, m_program.operand(one, 2));
        return variable != nullptr && !variable->isExtern && variable->bytes != 0 && place->offset == 0
            && bytes && *bytes >= variable->bytes;
    }

    // Backwards from the store: every way up to a fence must meet a write into the buffer first.
    void fenced(Index store)
    {
        const auto& one = m_program.statements[store];
        const auto buffer = sourceRegister(one);
        if (!buffer || (!isWhole(one) && !isBuffer(*buffer))) {
            return;
        }
        std::vector<std::vector<Index>> before(m_flow.blocks.size());
        for (Index b = 0; b < m_flow.blocks.size(); ++b) {
            for (const auto to : m_flow.blocks[b].successors) {
                before[to].push_back(b);
            }
        }
        std::set<Index> writes;
        std::vector<bool> seen(m_flow.blocks.size());
        // True: every path upwards ended at a write.
        const auto walk = [&](Index block, Index end, bool& isOver) {
            for (auto i = end; i-- > m_flow.blocks[block].first;) {
                const auto& at = m_program.statements[i];
                const auto opcode = m_program.opcode(at);
                if (isNamed(opcode, "fence.proxy")) {
                    return false;
                }
                if (at.guard == none && isSharedWrite(opcode) && derives(registersIn(at, 0, 1), *buffer)) {
                    writes.insert(i);
                    isOver = true;
                    return true;
                }
            }
            return true;
        };
        const auto home = blockOf(store);
        bool isOver = false;
        if (!walk(home, store, isOver)) {
            return;
        }
        std::vector<Index> open;
        const auto goUp = [&](Index block) {
            if (before[block].empty()) {
                return false; // the kernel's start
            }
            open.insert(open.end(), before[block].begin(), before[block].end());
            return block != 0;
        };
        if (!isOver && !goUp(home)) {
            return;
        }
        while (!open.empty()) {
            const auto block = open.back();
            open.pop_back();
            if (seen[block]) {
                continue;
            }
            seen[block] = true;
            isOver = false;
            if (!walk(block, m_flow.blocks[block].end, isOver) || (!isOver && !goUp(block))) {
                return;
            }
        }
        if (writes.empty()) {
            return;
        }
        const auto last = *writes.rbegin();
        const auto& write = m_program.statements[last];
        auto& made = m_sink.addBeside("proxy-fence", one.opcode, one.opcodeEnd,
            "this reads what line <line> wrote, and no fence.proxy.async stands between", write.opcode);
        if (writes.size() == 1 && m_program.is(write.end, ';')) {
            made.fixTitle = "put fence.proxy.async behind the write";
            made.edits.push_back(m_sink.insertBehind(write.end, "\n    fence.proxy.async.shared::cta;"));
        }
    }

    bool isGroupStore(const Statement& one) const
    {
        const auto opcode = m_program.opcode(one);
        return isBulkStore(opcode) && opcode.find(".bulk_group") != std::string_view::npos;
    }

    enum class Next { Commit, Wait, End, Loop };

    // What comes first within [from, end) behind a store.
    Next nextOf(const Statement& store, Index from, Index end) const
    {
        for (auto i = from; i < end; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (isNamed(opcode, "cp.async.bulk.commit_group")) {
                return Next::Commit;
            }
            if (isNamed(opcode, "cp.async.bulk.wait_group")
                && (one.guard == none
                    || (store.guard != none && m_program.text(one.guard) == m_program.text(store.guard)))) {
                return Next::Wait;
            }
        }
        return Next::Loop;
    }

    // On every way from the store: Commit if it comes first on any, else Wait if there is one.
    Next firstBehind(Index store) const
    {
        const auto& one = m_program.statements[store];
        const auto home = blockOf(store);
        auto found = Next::End;
        std::vector<bool> seen(m_flow.blocks.size());
        std::vector<Index> open;
        const auto look = [&](Index block, Index from) {
            const auto next = nextOf(one, from, m_flow.blocks[block].end);
            if (next == Next::Loop) {
                const auto& successors = m_flow.blocks[block].successors;
                open.insert(open.end(), successors.begin(), successors.end());
            } else if (next == Next::Wait) {
                found = Next::Wait;
            }
            return next == Next::Commit;
        };
        if (look(home, store + 1)) {
            return Next::Commit;
        }
        while (!open.empty()) {
            const auto block = open.back();
            open.pop_back();
            if (!seen[block]) {
                seen[block] = true;
                if (look(block, m_flow.blocks[block].first)) {
                    return Next::Commit;
                }
            }
        }
        return found;
    }

    // A store that no commit follows on any path, or a wait comes first on all. False if there is one.
    bool committed()
    {
        int left = 64; // stores that are looked at: each may look over the kernel
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd && left > 0; ++i) {
            const auto& one = m_program.statements[i];
            if (!isGroupStore(one)) {
                continue;
            }
            --left;
            const auto next = firstBehind(i);
            if (next == Next::Commit) {
                continue;
            }
            auto& made = m_sink.add("bulk-commit", one.opcode, one.opcodeEnd,
                next == Next::Wait
                    ? "no cp.async.bulk.commit_group stands between this and the next wait, which waits for "
                      "committed stores only"
                    : "no cp.async.bulk.commit_group follows this store on any path: no wait can wait for "
                      "it");
            if (m_program.is(one.end, ';')) {
                const auto guard = one.guard == none
                    ? std::string()
                    : fmt::format("{}{} ", m_program.text(one.first), m_program.text(one.guard));
                made.fixTitle = "put cp.async.bulk.commit_group behind it";
                made.edits.push_back(
                    m_sink.insertBehind(one.end, fmt::format("\n    {}cp.async.bulk.commit_group;", guard)));
            }
            return false;
        }
        return true;
    }

    // A kernel whose bulk stores nobody waits for to the last one, on any path.
    void waited()
    {
        Index last = none;
        for (auto i = m_function.statementsFirst; i < m_function.statementsEnd; ++i) {
            const auto& one = m_program.statements[i];
            const auto opcode = m_program.opcode(one);
            if (isNamed(opcode, "cp.async.bulk.wait_group")) {
                const auto left = m_program.operandCount(one) == 1
                    ? m_values.constantOf(one, m_program.operand(one, 0))
                    : std::nullopt;
                if (!left || *left == 0) {
                    return;
                }
            } else if (isBulkStore(opcode) && opcode.find(".bulk_group") != std::string_view::npos) {
                last = i;
            }
        }
        if (last != none) {
            const auto& one = m_program.statements[last];
            m_sink.add("bulk-wait", one.opcode, one.opcodeEnd,
                "the kernel has no cp.async.bulk.wait_group 0: it may end while this still reads shared "
                "memory");
        }
    }

    std::unordered_map<Index, std::vector<Index>> m_leadsTo;
    std::unordered_map<Index, std::unordered_set<Index>> m_descendants;
    std::unordered_map<Index, bool> m_isBuffer;
};

} // namespace

void checkBulkStores(Function& function, const Context& context, Sink& sink)
{
    for (auto i = function.statementsFirst; i < function.statementsEnd; ++i) {
        if (isBulkStore(context.program.opcode(context.program.statements[i]))) {
            BulkStores(function, context, sink).check();
            return;
        }
    }
}

} // namespace ptxwb::lint
