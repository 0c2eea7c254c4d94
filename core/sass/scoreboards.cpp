// SPDX-License-Identifier: Apache-2.0
#include "core/sass/scoreboards.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ptxwb {

namespace {

constexpr std::size_t barrierCount = 6;
constexpr std::size_t mostSetters = 8;

struct Setters {
    std::vector<int> rows{};
    bool more = false;

    /// Whether something was new.
    bool add(int row)
    {
        const auto at = std::lower_bound(rows.begin(), rows.end(), row);
        if (at != rows.end() && *at == row) {
            return false;
        }
        if (rows.size() == mostSetters) {
            return !std::exchange(more, true);
        }
        rows.insert(at, row);
        return true;
    }

    bool add(const Setters& other)
    {
        bool changed = other.more && !std::exchange(more, true);
        for (const int row : other.rows) {
            changed = add(row) || changed;
        }
        return changed;
    }
};

using State = std::array<Setters, barrierCount>;

/// "DEPBAR.LE SB0, 0x1" waits for a scoreboard that counts; the row's wait mask does not name it.
struct CountedWait {
    std::size_t barrier = barrierCount;
    bool forAll = false; ///< "0x0": nothing of it is under way behind the row
};

CountedWait countedWaitOf(const SassInstruction& instruction)
{
    const auto operands = instruction.operands;
    if (!instruction.opcode.starts_with("DEPBAR") || operands.size() < 3 || !operands.starts_with("SB")
        || operands[2] < '0' || operands[2] >= static_cast<char>('0' + barrierCount)) {
        return {};
    }
    return {.barrier = static_cast<std::size_t>(operands[2] - '0'),
        .forAll = operands.substr(3).starts_with(", 0x0") && operands.size() == 8};
}

/// Walks the rows of a block from `state` on; tells `seen` of every wait.
template <class Seen> void walk(const SassKernel& kernel, const SassBlock& block, State& state, Seen seen)
{
    for (int row = block.first; row <= block.last; ++row) {
        const auto& instruction = kernel.instructions[static_cast<std::size_t>(row)];
        if (!instruction.hasEncoding) {
            continue;
        }
        const auto control = decodeControl(instruction.encoding);
        const auto counted = countedWaitOf(instruction);
        for (std::size_t i = 0; i < barrierCount; ++i) {
            const bool masked = ((control.waitMask >> i) & 1) != 0;
            if (masked || counted.barrier == i) {
                seen(row, static_cast<int>(i), state[i]);
            }
            if (masked || (counted.barrier == i && counted.forAll)) {
                state[i] = {};
            }
        }
        for (const int barrier : {control.writeBarrier, control.readBarrier}) {
            if (barrier >= 0 && static_cast<std::size_t>(barrier) < barrierCount) {
                state[static_cast<std::size_t>(barrier)].add(row);
            }
        }
    }
}

/// Entry states of all blocks to a fixed point; `walk` carries a state through a block, `join` adds one to
/// another and says whether that was new.
template <class State, class Walk, class Join>
std::vector<State> entryStates(const ControlFlow& flow, Walk walkBlock, Join join)
{
    std::vector<State> entry(flow.blocks.size());
    std::vector<int> open;
    std::vector<bool> isOpen(flow.blocks.size(), true);
    for (auto block = static_cast<int>(flow.blocks.size()) - 1; block >= 0; --block) {
        open.push_back(block);
    }
    while (!open.empty()) {
        const auto index = static_cast<std::size_t>(open.back());
        open.pop_back();
        isOpen[index] = false;
        State state = entry[index];
        walkBlock(flow.blocks[index], state);
        for (const int successor : flow.blocks[index].successors) {
            const auto next = static_cast<std::size_t>(successor);
            if (join(entry[next], state) && !isOpen[next]) {
                isOpen[next] = true;
                open.push_back(successor);
            }
        }
    }
    return entry;
}

/// Adds the sets of `more` to those of `to`, place by place. Whether something was new.
template <std::size_t Count>
bool addAll(std::array<Setters, Count>& to, const std::array<Setters, Count>& more)
{
    bool changed = false;
    for (std::size_t i = 0; i < Count; ++i) {
        changed = to[i].add(more[i]) || changed;
    }
    return changed;
}

constexpr std::size_t mostGroups = 8; ///< wgmma.wait_group takes up to 7
/// Products that end a group under way: those of the latest first; in the last place, of all older ones.
using Groups = std::array<Setters, mostGroups + 1>;

bool isGroupWait(const SassInstruction& row)
{
    return row.opcode.starts_with("WARPGROUP.DEPBAR");
}

/// The N of "gsb0, 0x1".
std::size_t groupsLeft(std::string_view operands)
{
    const auto at = operands.rfind("0x");
    const auto digit = at == std::string_view::npos || at + 3 != operands.size() ? '8' : operands[at + 2];
    return digit >= '0' && digit <= '7' ? static_cast<std::size_t>(digit - '0') : mostGroups;
}

template <class Seen>
void walkGroups(const SassKernel& kernel, const SassBlock& block, Groups& state, Seen seen)
{
    for (int row = block.first; row <= block.last; ++row) {
        const auto& instruction = kernel.instructions[static_cast<std::size_t>(row)];
        if (isGroupWait(instruction)) {
            const auto left = groupsLeft(instruction.operands);
            Setters waitedFor;
            for (auto i = left; i < state.size(); ++i) {
                waitedFor.add(state[i]);
                state[i] = {};
            }
            seen(row, waitedFor);
        } else if (instruction.operands.ends_with("gsb0")) {
            state[mostGroups].add(state[mostGroups - 1]);
            std::move_backward(state.begin(), state.begin() + mostGroups - 1, state.begin() + mostGroups);
            state[0] = {};
            state[0].add(row);
        }
    }
}

void addGroupWaits(
    const SassKernel& kernel, const ControlFlow& flow, std::vector<std::vector<ScoreboardWait>>& waits)
{
    if (std::ranges::none_of(kernel.instructions, isGroupWait)) {
        return;
    }
    const auto entry = entryStates<Groups>(
        flow,
        [&kernel](const SassBlock& block, Groups& state) {
            walkGroups(kernel, block, state, [](int, const Setters&) {});
        },
        [](Groups& to, const Groups& more) { return addAll(to, more); });
    for (std::size_t index = 0; index < flow.blocks.size(); ++index) {
        auto state = entry[index];
        walkGroups(kernel, flow.blocks[index], state, [&waits](int row, const Setters& setters) {
            waits[static_cast<std::size_t>(row)].push_back(
                {.barrier = ScoreboardWait::groups, .setters = setters.rows, .more = setters.more});
        });
    }
}

} // namespace

std::vector<std::vector<ScoreboardWait>> scoreboardWaits(const SassKernel& kernel, const ControlFlow& flow)
{
    const auto entry = entryStates<State>(
        flow,
        [&kernel](const SassBlock& block, State& state) {
            walk(kernel, block, state, [](int, int, const Setters&) {});
        },
        [](State& to, const State& more) { return addAll(to, more); });
    std::vector<std::vector<ScoreboardWait>> waits(kernel.instructions.size());
    for (std::size_t index = 0; index < flow.blocks.size(); ++index) {
        auto state = entry[index];
        walk(kernel, flow.blocks[index], state, [&](int row, int barrier, const Setters& setters) {
            waits[static_cast<std::size_t>(row)].push_back(
                {.barrier = barrier, .setters = setters.rows, .more = setters.more});
        });
    }
    addGroupWaits(kernel, flow, waits);
    return waits;
}

} // namespace ptxwb
