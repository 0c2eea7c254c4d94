// SPDX-License-Identifier: Apache-2.0
#include "core/sass/control_flow.h"

#include "core/sass/families.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace ptxwb {

namespace {

std::string_view baseOf(std::string_view opcode)
{
    return opcode.substr(0, opcode.find('.'));
}

bool isJump(std::string_view base)
{
    return base == "BRA" || base == "JMP";
}
bool isIndirect(std::string_view base)
{
    return base == "BRX" || base == "BRXU" || base == "JMX" || base == "JMXU" || base == "RET";
}

bool isConditional(const SassInstruction& row)
{
    // "BRA.U UP0, `(.L_x_3)": the condition may also be an operand.
    return !row.predicate.empty() || operandsShown(row).find(',') != std::string_view::npos
        || row.opcode.find(".DIV") != std::string_view::npos;
}

constexpr std::string_view tableOpen = "(*\"BRANCH_TARGETS ";

/// The names of `BRX R2 -0x210 (*"BRANCH_TARGETS .L_x_18,.L_x_19"*)`.
std::vector<std::string_view> tableNames(std::string_view operands)
{
    std::vector<std::string_view> names;
    const auto open = operands.find(tableOpen);
    if (open == std::string_view::npos) {
        return names;
    }
    auto list = operands.substr(open + tableOpen.size());
    list = list.substr(0, list.find('"'));
    while (!list.empty()) {
        const auto end = std::min(list.find_first_of(", "), list.size());
        if (end > 0) {
            names.push_back(list.substr(0, end));
        }
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return names;
}

bool endsBlock(const SassInstruction& row)
{
    const auto base = baseOf(row.opcode);
    return isJump(base) || isIndirect(base) || base == "EXIT" || base == "CALL";
}

class Builder {
public:
    explicit Builder(const SassKernel& kernel)
        : m_rows(kernel.instructions)
    {
        findTargets(kernel);
        splitBlocks();
        connect();
        nestLoops();
    }

    ControlFlow take() { return std::move(m_flow); }

private:
    void findTargets(const SassKernel& kernel)
    {
        std::unordered_map<std::string_view, std::uint64_t> labels;
        for (const auto& [address, name] : kernel.labels) {
            labels.emplace(name, address);
        }
        m_flow.target.assign(m_rows.size(), -1);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            std::vector<int> table;
            std::vector<int> entries;
            for (const auto target : tableNames(m_rows[i].operands)) {
                const auto at = labels.find(target);
                const int row = at == labels.end() ? -1 : rowAt(at->second);
                entries.push_back(row);
                if (row >= 0 && std::ranges::find(table, row) == table.end()) {
                    table.push_back(row);
                }
            }
            if (!table.empty()) {
                m_flow.tables.emplace_back(static_cast<int>(i), std::move(table));
                m_flow.tableEntries.emplace_back(static_cast<int>(i), std::move(entries));
            }
            const auto name = branchTargetText(m_rows[i]);
            if (name.empty() || baseOf(m_rows[i].opcode) == "RET") {
                continue;
            }
            if (const auto at = labels.find(name); at != labels.end()) {
                m_flow.target[i] = rowAt(at->second);
            } else if (name.starts_with("0x")) {
                std::uint64_t address = 0;
                std::from_chars(name.data() + 2, name.data() + name.size(), address, 16);
                m_flow.target[i] = rowAt(address);
            }
        }
    }

    int rowAt(std::uint64_t address) const
    {
        const auto at = std::ranges::lower_bound(m_rows, address, {}, &SassInstruction::address);
        return at != m_rows.end() && at->address == address ? static_cast<int>(at - m_rows.begin()) : -1;
    }

    void splitBlocks()
    {
        std::vector<char> leader(m_rows.size() + 1, 0);
        if (!m_rows.empty()) {
            leader[0] = 1;
        }
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (m_flow.target[i] >= 0) {
                leader[static_cast<std::size_t>(m_flow.target[i])] = 1;
            }
            if (endsBlock(m_rows[i])) {
                leader[i + 1] = 1;
            }
        }
        for (const auto& [branch, targets] : m_flow.tables) {
            for (const int target : targets) {
                leader[static_cast<std::size_t>(target)] = 1;
            }
        }
        m_flow.blockOf.resize(m_rows.size());
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const int row = static_cast<int>(i);
            if (leader[i] != 0) {
                m_flow.blocks.push_back({row, row, {}, 0});
            }
            m_flow.blocks.back().last = row;
            m_flow.blockOf[i] = static_cast<int>(m_flow.blocks.size()) - 1;
        }
    }

    void connect()
    {
        const int count = static_cast<int>(m_flow.blocks.size());
        m_predecessors.resize(m_flow.blocks.size());
        for (int b = 0; b < count; ++b) {
            auto& block = m_flow.blocks[static_cast<std::size_t>(b)];
            const auto last = static_cast<std::size_t>(block.last);
            const auto& row = m_rows[last];
            const auto base = baseOf(row.opcode);
            const bool jumps = isJump(base) || base == "CALL";
            const bool stops = (isJump(base) || isIndirect(base) || base == "EXIT") && !isConditional(row);
            if (jumps && m_flow.target[last] >= 0) {
                addEdge(b, m_flow.blockOf[static_cast<std::size_t>(m_flow.target[last])]);
            }
            if (!stops && b + 1 < count) {
                addEdge(b, b + 1);
            }
        }
        for (const auto& [branch, targets] : m_flow.tables) {
            for (const int target : targets) {
                addEdge(m_flow.blockOf[static_cast<std::size_t>(branch)],
                    m_flow.blockOf[static_cast<std::size_t>(target)]);
            }
        }
    }

    void addEdge(int from, int to)
    {
        auto& successors = m_flow.blocks[static_cast<std::size_t>(from)].successors;
        if (std::ranges::find(successors, to) == successors.end()) {
            successors.push_back(to);
            m_predecessors[static_cast<std::size_t>(to)].push_back(from);
        }
    }

    /// Reverse postorder from the entry; unreached blocks stay at -1.
    void number()
    {
        const auto count = m_flow.blocks.size();
        m_order.assign(count, -1);
        std::vector<std::pair<int, std::size_t>> stack;
        std::vector<char> seen(count, 0);
        std::vector<int> postorder;
        if (count > 0) {
            stack.emplace_back(0, 0);
            seen[0] = 1;
        }
        while (!stack.empty()) {
            auto& [block, next] = stack.back();
            const auto& successors = m_flow.blocks[static_cast<std::size_t>(block)].successors;
            if (next == successors.size()) {
                postorder.push_back(block);
                stack.pop_back();
                continue;
            }
            const int to = successors[next++];
            if (seen[static_cast<std::size_t>(to)] == 0) {
                seen[static_cast<std::size_t>(to)] = 1;
                stack.emplace_back(to, 0);
            }
        }
        m_reverse.assign(postorder.rbegin(), postorder.rend());
        for (std::size_t i = 0; i < m_reverse.size(); ++i) {
            m_order[static_cast<std::size_t>(m_reverse[i])] = static_cast<int>(i);
        }
    }

    /// Immediate dominators by Cooper, Harvey and Kennedy's iteration.
    void dominate()
    {
        m_dominator.assign(m_flow.blocks.size(), -1);
        if (m_reverse.empty()) {
            return;
        }
        m_dominator[0] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 1; i < m_reverse.size(); ++i) {
                const auto block = static_cast<std::size_t>(m_reverse[i]);
                int best = -1;
                for (const int from : m_predecessors[block]) {
                    if (m_dominator[static_cast<std::size_t>(from)] >= 0) {
                        best = best < 0 ? from : intersect(from, best);
                    }
                }
                if (m_dominator[block] != best) {
                    m_dominator[block] = best;
                    changed = true;
                }
            }
        }
    }

    int intersect(int a, int b) const
    {
        const auto order = [this](int block) { return m_order[static_cast<std::size_t>(block)]; };
        while (a != b) {
            while (order(a) > order(b)) {
                a = m_dominator[static_cast<std::size_t>(a)];
            }
            while (order(b) > order(a)) {
                b = m_dominator[static_cast<std::size_t>(b)];
            }
        }
        return a;
    }

    bool dominates(int above, int block) const
    {
        while (m_order[static_cast<std::size_t>(block)] > m_order[static_cast<std::size_t>(above)]) {
            block = m_dominator[static_cast<std::size_t>(block)];
        }
        return block == above;
    }

    void nestLoops()
    {
        number();
        dominate();
        std::vector<int> visited(m_flow.blocks.size(), -1);
        for (const int header : m_reverse) {
            std::vector<int> work;
            for (const int from : m_predecessors[static_cast<std::size_t>(header)]) {
                // A branch to itself is the trap that ptxas puts behind the last EXIT.
                const bool trap = from == header
                    && m_flow.blocks[static_cast<std::size_t>(from)].first
                        == m_flow.blocks[static_cast<std::size_t>(from)].last;
                if (!trap && m_order[static_cast<std::size_t>(from)] >= 0 && dominates(header, from)) {
                    work.push_back(from);
                }
            }
            if (work.empty()) {
                continue;
            }
            SassLoop loop{.header = header, .latch = *std::ranges::max_element(work), .blocks = {header}};
            visited[static_cast<std::size_t>(header)] = header;
            ++m_flow.blocks[static_cast<std::size_t>(header)].loopDepth;
            while (!work.empty()) {
                const int block = work.back();
                work.pop_back();
                if (visited[static_cast<std::size_t>(block)] == header) {
                    continue;
                }
                visited[static_cast<std::size_t>(block)] = header;
                loop.blocks.push_back(block);
                ++m_flow.blocks[static_cast<std::size_t>(block)].loopDepth;
                for (const int from : m_predecessors[static_cast<std::size_t>(block)]) {
                    if (m_order[static_cast<std::size_t>(from)] >= 0) {
                        work.push_back(from);
                    }
                }
            }
            std::ranges::sort(loop.blocks);
            m_flow.loops.push_back(std::move(loop));
        }
    }

    const std::vector<SassInstruction>& m_rows;
    ControlFlow m_flow;
    std::vector<std::vector<int>> m_predecessors;
    std::vector<int> m_order;
    std::vector<int> m_reverse;
    std::vector<int> m_dominator;
};

} // namespace

std::string_view branchTargetText(const SassInstruction& instruction)
{
    if (!contains(familiesOf(instruction.opcode), SassFamily::Branch)) {
        return {};
    }
    const auto operands = operandsShown(instruction);
    if (const auto open = operands.find("`("); open != std::string_view::npos) {
        const auto name = operands.substr(open + 2);
        return name.substr(0, name.rfind(')'));
    }
    const auto start = operands.find_last_of(" ,");
    const auto word = start == std::string_view::npos ? operands : operands.substr(start + 1);
    return word.starts_with("0x") ? word : std::string_view{};
}

std::string_view operandsShown(const SassInstruction& instruction)
{
    auto shown = instruction.operands.substr(0, instruction.operands.find(tableOpen));
    return shown.substr(0, shown.find_last_not_of(" \t") + 1);
}

ControlFlow controlFlow(const SassKernel& kernel)
{
    return Builder(kernel).take();
}

} // namespace ptxwb
