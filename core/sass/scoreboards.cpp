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

} // namespace

std::vector<std::vector<ScoreboardWait>> scoreboardWaits(const SassKernel& kernel, const ControlFlow& flow)
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
        walk(kernel, flow.blocks[index], state, [](int, int, const Setters&) {});
        for (const int successor : flow.blocks[index].successors) {
            const auto next = static_cast<std::size_t>(successor);
            bool changed = false;
            for (std::size_t i = 0; i < barrierCount; ++i) {
                changed = entry[next][i].add(state[i]) || changed;
            }
            if (changed && !isOpen[next]) {
                isOpen[next] = true;
                open.push_back(successor);
            }
        }
    }
    std::vector<std::vector<ScoreboardWait>> waits(kernel.instructions.size());
    for (std::size_t index = 0; index < flow.blocks.size(); ++index) {
        walk(kernel, flow.blocks[index], entry[index], [&](int row, int barrier, const Setters& setters) {
            waits[static_cast<std::size_t>(row)].push_back(
                {.barrier = barrier, .setters = setters.rows, .more = setters.more});
        });
    }
    return waits;
}

} // namespace ptxwb
