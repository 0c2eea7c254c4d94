// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/diagnose.h"

#include <fmt/format.h>

#include <bit>

namespace ptxwb::emulator {

std::string Cta::describe(const Warp& warp) const
{
    return fmt::format("cta ({},{},{}) warp {}", id[0], id[1], id[2], warp.index);
}

void file(Warp& warp, int line, Finding finding)
{
    const auto& cta = *warp.cta;
    auto& cluster = *cta.cluster;
    const auto& launch = *cluster.launch;
    Report report;
    report.rule = finding.rule;
    report.severity = finding.severity;
    report.message = std::move(finding.message);
    report.lines.push_back({launch.fileName, line});
    if (finding.otherLine != 0) {
        report.lines.push_back({launch.fileName, finding.otherLine});
    }
    report.kernel = launch.program->kernel;
    report.warp = cta.describe(warp);
    report.agent = std::move(finding.agent);
    report.address = std::move(finding.address);
    report.policy = launch.policy == AsyncPolicy::Early ? "early"
        : launch.policy == AsyncPolicy::Late            ? "late"
                                                        : "random";
    report.seed = launch.seed;
    report.step = cluster.step;
    report.fix = std::move(finding.fix);
    report.cta = cta.linear;
    const auto seen = launch.reports->add(std::move(report), launch.firstPosition + cluster.position);
    if (launch.mostRepetitions != 0 && seen >= launch.mostRepetitions
        && finding.severity == ReportSeverity::Error) {
        cluster.stopped = true;
        cluster.decided = true;
    }
}

Step stopWith(Warp& warp, const Instr& in, Finding finding)
{
    file(warp, in.line, std::move(finding));
    warp.cta->cluster->stopped = true;
    return Step::Stop;
}

ReportAddress sharedPlace(const Cta& cta, std::uint32_t address)
{
    const auto& program = *cta.cluster->launch->program;
    const std::uint32_t offset = address & ((1U << clusterRankShift) - 1U);
    ReportAddress place{"shared", "", offset};
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
        const auto& variable = program.variables[v];
        const auto& at = program.placements[v];
        if (variable.space != Space::Shared || at.address == 0) {
            continue;
        }
        const bool isLast = at.isExternShared;
        if (offset >= at.address && (isLast || offset < at.address + variable.bytes)) {
            return {"shared", variable.name, offset - at.address};
        }
    }
    return place;
}

ReportAddress globalPlace(const GlobalMemory& memory, std::uint64_t address)
{
    const auto* allocation = memory.find(address);
    if (allocation == nullptr) {
        allocation = memory.nearest(address);
    }
    if (allocation == nullptr) {
        return {"global", "", address};
    }
    return {"global", allocation->name, address - allocation->address};
}

std::string describe(const ReportAddress& address)
{
    const auto signedOffset = static_cast<std::int64_t>(address.offset);
    const auto name = address.symbol.empty() ? address.space : address.symbol;
    if (address.symbol.empty() && address.space == "global") {
        return fmt::format("global address 0x{:x}", address.offset);
    }
    return signedOffset < 0 ? fmt::format("{} - {}", name, -signedOffset)
                            : fmt::format("{} + {}", name, address.offset);
}

std::string lanesText(std::uint32_t mask)
{
    if (mask == allLanes) {
        return "all lanes";
    }
    const int count = std::popcount(mask);
    return count == 1 ? fmt::format("lane {}", std::countr_zero(mask))
                      : fmt::format("{} lanes from {}", count, std::countr_zero(mask));
}

} // namespace ptxwb::emulator
