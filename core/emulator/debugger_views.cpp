// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/debugger_views.h"

#include "core/emulator/cluster_run.h"
#include "core/emulator/diagnose.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::emulator {

namespace {

constexpr std::uint32_t offsetMask = (1U << clusterRankShift) - 1U;

WarpName nameOf(const Warp& warp)
{
    return {warp.cta->linear, warp.index};
}

std::string opcodeAtLine(const Program& program, int line)
{
    const auto found = std::find_if(
        program.code.begin(), program.code.end(), [&](const Instr& in) { return in.line == line; });
    return found == program.code.end() ? std::string() : program.opcodes[found->opcode];
}

/// Rows of 32 bits that a named register takes: the next row is its own when it has no name and no preset.
std::uint32_t rowsOf(const Program& program, std::uint32_t row)
{
    std::uint32_t count = 1;
    while (row + count < program.rowCount && program.names[row + count].empty()
        && std::none_of(program.presets.begin(), program.presets.end(),
            [&](const PresetRow& preset) { return preset.row == row + count; })) {
        ++count;
    }
    return count;
}

} // namespace

std::vector<WarpView> viewWarps(const Cluster& cluster)
{
    std::vector<WarpView> views;
    for (const auto& cta : cluster.ctas) {
        for (auto& warp : cta->warps) {
            WarpView view{.name = nameOf(warp), .ctaId = cta->id, .live = warp.live};
            for (const auto& split : warp.splits) {
                const auto& in = warp.program->code[split.pc];
                view.splits.push_back({.lanes = split.mask,
                    .line = in.line,
                    .opcode = warp.program->opcodes[in.opcode],
                    .waits = waitText(warp, split)});
            }
            views.push_back(std::move(view));
        }
    }
    return views;
}

std::vector<BarrierView> viewBarriers(const Cluster& cluster)
{
    std::vector<BarrierView> views;
    for (const auto& cta : cluster.ctas) {
        for (const auto& barrier : cta->shared.mbarriers()) {
            if (!barrier.live) {
                continue;
            }
            BarrierView view{.cta = cta->linear,
                .address = barrier.address,
                .place = describe(sharedPlace(*cta, barrier.address)),
                .phase = barrier.phase,
                .pending = barrier.pending,
                .expected = barrier.expected,
                .missingBytes = barrier.txBytes,
                .expectedBytes = barrier.expectedBytes,
                .deliveredBytes = barrier.deliveredBytes,
                .initLine = barrier.initLine,
                .arriveLine = barrier.arriveLine,
                .expectLine = barrier.expectLine,
                .deliverLine = barrier.deliverLine};
            for (const auto& other : cluster.ctas) {
                for (const auto& warp : other->warps) {
                    for (const auto& split : warp.splits) {
                        if (split.wait == Wait::Mbarrier && split.waitOn >> clusterRankShift == cta->rank
                            && (split.waitOn & offsetMask) == barrier.address) {
                            view.waiting.push_back(nameOf(warp));
                        }
                    }
                }
            }
            views.push_back(std::move(view));
        }
    }
    return views;
}

std::vector<NamedBarrierView> viewNamedBarriers(const Cluster& cluster)
{
    std::vector<NamedBarrierView> views;
    for (const auto& cta : cluster.ctas) {
        for (std::size_t i = 0; i < cta->barriers.size(); ++i) {
            const auto& barrier = cta->barriers[i];
            if (barrier.generation == 0 && barrier.arrived == 0) {
                continue;
            }
            NamedBarrierView view{.cta = cta->linear,
                .number = static_cast<int>(i),
                .arrived = barrier.arrived,
                .expected = barrier.expected};
            for (const auto& warp : cta->warps) {
                for (const auto& split : warp.splits) {
                    if (split.wait == Wait::NamedBarrier && split.waitOn == i) {
                        view.waiting.push_back(nameOf(warp));
                    }
                }
            }
            views.push_back(std::move(view));
        }
    }
    return views;
}

std::vector<PendingView> viewPending(const Cluster& cluster)
{
    std::vector<PendingView> views;
    for (const auto& op : cluster.queue.pending()) {
        PendingView view{.line = op->line, .sourceRead = op->readDone};
        view.opcode = opcodeAtLine(*cluster.launch->program, op->line);
        if (op->warp != nullptr) {
            view.warp = nameOf(*op->warp);
        }
        views.push_back(std::move(view));
    }
    return views;
}

std::vector<std::string> viewRegisterNames(const Cluster& cluster)
{
    std::vector<std::string> names;
    for (const auto& name : cluster.launch->program->names) {
        if (!name.empty()) {
            names.push_back(name);
        }
    }
    return names;
}

Result<RegisterView> viewRegister(const Warp& warp, const std::string& name)
{
    const auto& program = *warp.program;
    const auto found = std::find(program.names.begin(), program.names.end(), name);
    if (name.empty() || found == program.names.end()) {
        return Error{.code = ErrorCode::NotFound,
            .message = fmt::format("{} is no register that the kernel uses", name),
            .hint = "info registers lists them"};
    }
    const auto index = static_cast<std::uint32_t>(found - program.names.begin());
    RegisterView view{.name = name, .defined = warp.defined[index] & warp.started};
    if (index >= program.rowCount) {
        view.bits = 1;
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            view.values[l] = warp.predicates[index - program.rowCount] >> l & 1U;
        }
        return view;
    }
    const bool wide = rowsOf(program, index) > 1;
    view.bits = wide ? 64 : 32;
    for (std::uint32_t l = 0; l < laneCount; ++l) {
        view.values[l] = wide ? warp.row64(index)[l] : warp.row(index)[l];
    }
    return view;
}

} // namespace ptxwb::emulator
