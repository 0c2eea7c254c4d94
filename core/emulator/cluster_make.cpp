// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/cluster_run.h"
#include "core/emulator/loop_watch.h"

#include <algorithm>

namespace ptxwb::emulator {

namespace {

std::uint32_t specialValue(const Cta& cta, SpecialRegister which, std::uint32_t warp, std::uint32_t lane)
{
    using S = SpecialRegister;
    const auto& launch = *cta.cluster->launch;
    const std::uint32_t thread = warp * laneCount + lane;
    const auto& block = launch.block;
    const auto& cluster = launch.cluster;
    switch (which) {
    case S::TidX:
        return thread % block[0];
    case S::TidY:
        return thread / block[0] % block[1];
    case S::TidZ:
        return thread / block[0] / block[1];
    case S::NtidX:
    case S::NtidY:
    case S::NtidZ:
        return block[static_cast<std::size_t>(which) - static_cast<std::size_t>(S::NtidX)];
    case S::CtaidX:
    case S::CtaidY:
    case S::CtaidZ:
        return cta.id[static_cast<std::size_t>(which) - static_cast<std::size_t>(S::CtaidX)];
    case S::NctaidX:
    case S::NctaidY:
    case S::NctaidZ:
        return launch.grid[static_cast<std::size_t>(which) - static_cast<std::size_t>(S::NctaidX)];
    case S::LaneId:
        return lane;
    case S::WarpId:
        return warp;
    case S::NwarpId:
        return 64;
    case S::SmId:
        return static_cast<std::uint32_t>(cta.linear % 132);
    case S::NsmId:
        return 132;
    case S::LanemaskEq:
        return 1U << lane;
    case S::LanemaskLe:
        return (2U << lane) - 1U;
    case S::LanemaskLt:
        return (1U << lane) - 1U;
    case S::LanemaskGe:
        return ~((1U << lane) - 1U);
    case S::LanemaskGt:
        return ~((2U << lane) - 1U);
    case S::ClusterIdX:
    case S::ClusterIdY:
    case S::ClusterIdZ: {
        const auto i = static_cast<std::size_t>(which) - static_cast<std::size_t>(S::ClusterIdX);
        return cta.id[i] / cluster[i];
    }
    case S::NclusterIdX:
    case S::NclusterIdY:
    case S::NclusterIdZ: {
        const auto i = static_cast<std::size_t>(which) - static_cast<std::size_t>(S::NclusterIdX);
        return launch.grid[i] / cluster[i];
    }
    case S::ClusterCtaidX:
    case S::ClusterCtaidY:
    case S::ClusterCtaidZ: {
        const auto i = static_cast<std::size_t>(which) - static_cast<std::size_t>(S::ClusterCtaidX);
        return cta.id[i] % cluster[i];
    }
    case S::ClusterNctaidX:
    case S::ClusterNctaidY:
    case S::ClusterNctaidZ:
        return cluster[static_cast<std::size_t>(which) - static_cast<std::size_t>(S::ClusterNctaidX)];
    case S::ClusterCtarank:
        return cta.rank;
    case S::ClusterNctarank:
        return cluster[0] * cluster[1] * cluster[2];
    case S::TotalSmem:
        return cta.shared.bytes();
    case S::AggrSmem:
        return cta.shared.bytes() + sharedBase;
    case S::DynamicSmem:
        return launch.dynamicSharedBytes;
    case S::GridBarrierLow:
        return static_cast<std::uint32_t>(launch.gridBarrier);
    case S::GridBarrierHigh:
        return static_cast<std::uint32_t>(launch.gridBarrier >> 32);
    case S::GridId:
    case S::Zero:
        break;
    }
    return 0;
}

void fillPresets(Warp& warp)
{
    auto& cta = *warp.cta;
    const auto& program = *warp.program;
    for (const auto& preset : program.presets) {
        std::uint64_t bits = preset.bits;
        if (preset.kind == PresetRow::Kind::Symbol) {
            const auto v = static_cast<std::size_t>(preset.variable);
            const auto space = program.variables[v].space;
            bits += space == Space::Global || space == Space::Const ? cta.cluster->launch->globalAddresses[v]
                                                                    : program.placements[v].address;
            bits |= space == Space::Shared ? std::uint64_t{cta.rank} << clusterRankShift : 0;
        }
        warp.defined[preset.row] = allLanes;
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            if (preset.kind == PresetRow::Kind::Special) {
                warp.row(preset.row)[l] = specialValue(cta, preset.special, warp.index, l);
            } else if (preset.wide) {
                warp.row64(preset.row)[l] = bits;
            } else {
                warp.row(preset.row)[l] = static_cast<std::uint32_t>(bits);
            }
        }
    }
    warp.predicates[truePredicate] = allLanes;
    warp.defined[program.rowCount + truePredicate] = allLanes;
}

void makeWarps(Cta& cta)
{
    const auto& program = *cta.cluster->launch->program;
    const std::uint32_t count = (cta.threads + laneCount - 1) / laneCount;
    const std::size_t rows = std::size_t{program.rowCount} * laneCount;
    const std::size_t small = program.predicateCount + program.rowCount + program.predicateCount;
    const std::size_t stride = (rows + small + 15) / 16 * 16;
    cta.registerFile.assign(stride * count + 16, 0);
    auto* base = cta.registerFile.data();
    const auto misaligned = reinterpret_cast<std::uintptr_t>(base) % 64;
    base += misaligned == 0 ? 0 : (64 - misaligned) / 4;
    cta.warps.resize(count);
    cta.liveWarps = count;
    for (std::uint32_t w = 0; w < count; ++w) {
        auto& warp = cta.warps[w];
        warp.cta = &cta;
        warp.program = &program;
        warp.index = w;
        warp.rows = base + stride * w;
        warp.predicates = warp.rows + rows;
        warp.defined = warp.predicates + program.predicateCount;
        const std::uint32_t threads = std::min(laneCount, cta.threads - w * laneCount);
        warp.live = threads == laneCount ? allLanes : (1U << threads) - 1U;
        warp.started = warp.live;
        warp.splits.push_back({.pc = program.entry, .mask = warp.live});
        fillPresets(warp);
    }
}

/// Registers per thread at entry, as ptxas would give them, for setmaxnreg.
void makeRegisterPool(Cta& cta)
{
    constexpr std::uint32_t registersOfSm = 65536;
    const auto& program = *cta.cluster->launch->program;
    const auto threads = static_cast<std::uint32_t>(cta.warps.size()) * laneCount;
    const std::uint32_t ctas = std::max(program.minCtas, 1U);
    std::uint32_t each = program.registersDeclared != 0
        ? program.registersDeclared
        : std::min(registersOfSm / ctas / std::max(threads, 1U), 255U) / 8 * 8;
    each = std::max(each, 24U);
    for (auto& warp : cta.warps) {
        warp.maxRegisters = each;
    }
    cta.registerPool = 0; // setmaxnreg moves registers within what the CTA got at launch
}

} // namespace

Warp::Warp() = default;
Warp::~Warp() = default;
Warp::Warp(Warp&&) noexcept = default;
Warp& Warp::operator=(Warp&&) noexcept = default;

std::uint32_t Cluster::totalThreads() const
{
    std::uint32_t threads = 0;
    for (const auto& cta : ctas) {
        threads += cta->threads;
    }
    return threads;
}

std::unique_ptr<Cluster> makeCluster(LaunchContext& launch, std::uint64_t index)
{
    auto cluster = std::make_unique<Cluster>();
    cluster->launch = &launch;
    cluster->effects = launch.program->communicates ? &launch.effects : &cluster->ownEffects;
    cluster->random.seed(launch.seed * 0x9E3779B97F4A7C15ULL + index);
    const auto& size = launch.cluster;
    const std::uint64_t across = launch.grid[0] / size[0];
    const std::uint64_t down = launch.grid[1] / size[1];
    const std::array<std::uint64_t, 3> at{index % across, index / across % down, index / across / down};
    const std::uint32_t count = size[0] * size[1] * size[2];
    for (std::uint32_t rank = 0; rank < count; ++rank) {
        auto cta = std::make_unique<Cta>();
        cta->cluster = cluster.get();
        cta->rank = rank;
        const std::array<std::uint32_t, 3> inside{
            rank % size[0], rank / size[0] % size[1], rank / size[0] / size[1]};
        for (std::size_t i = 0; i < 3; ++i) {
            cta->id[i] = static_cast<std::uint32_t>(at[i] * size[i]) + inside[i];
        }
        cta->linear = cta->id[0]
            + std::uint64_t{launch.grid[0]} * (cta->id[1] + std::uint64_t{launch.grid[1]} * cta->id[2]);
        cta->threads = launch.block[0] * launch.block[1] * launch.block[2];
        cta->shared.resize(
            static_cast<std::uint32_t>(launch.program->staticSharedBytes) + launch.dynamicSharedBytes);
        cta->executed.assign(launch.program->code.size(), 0);
        cta->executedThreads.assign(launch.program->code.size(), 0);
        makeWarps(*cta);
        makeRegisterPool(*cta);
        cta->collecting.resize((cta->warps.size() + 3) / 4);
        cta->collected.resize(cta->collecting.size(), 0);
        cluster->ctas.push_back(std::move(cta));
    }
    if (launch.checks) {
        const auto warps = static_cast<std::uint32_t>(cluster->ctas[0]->warps.size());
        const auto bytes = cluster->ctas[0]->shared.bytes();
        cluster->races = std::make_unique<RaceDetector>(count, warps, bytes);
        cluster->lanes = std::make_unique<LaneOrder>(count, warps, bytes);
        cluster->trace = launch.races != nullptr ? std::make_unique<GlobalTrace>(*launch.races) : nullptr;
    }
    return cluster;
}

} // namespace ptxwb::emulator
