// SPDX-License-Identifier: Apache-2.0
#include "core/sass/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace ptxwb {

namespace {

constexpr int warpThreads = 32;
constexpr int quarters = 4;
constexpr int registersOfQuarter = 16384;
constexpr int registerUnit = 256; ///< per warp
constexpr int sharedUnit = 128;
constexpr int reservedShared = 1024; ///< of each CTA, for the system

struct TargetLimits {
    int version;
    MultiprocessorLimits limits;
};

constexpr std::array knownTargets = std::to_array<TargetLimits>({
    {80, {.warps = 64, .blocks = 32, .sharedBytes = 164 << 10}},
    {86, {.warps = 48, .blocks = 16, .sharedBytes = 100 << 10}},
    {87, {.warps = 48, .blocks = 16, .sharedBytes = 164 << 10}},
    {89, {.warps = 48, .blocks = 24, .sharedBytes = 100 << 10}},
    {90, {.warps = 64, .blocks = 32, .barriers = 64, .sharedBytes = 228 << 10}},
    {100, {.warps = 64, .blocks = 32, .barriers = 64, .sharedBytes = 228 << 10}},
    {103, {.warps = 64, .blocks = 32, .barriers = 64, .sharedBytes = 228 << 10}},
    {110, {.warps = 48, .blocks = 24, .barriers = 24, .sharedBytes = 228 << 10}},
    {120, {.warps = 48, .blocks = 24, .barriers = 24, .sharedBytes = 100 << 10}},
    {121, {.warps = 48, .blocks = 24, .barriers = 24, .sharedBytes = 100 << 10}},
});

int roundedUp(int value, int unit)
{
    return (value + unit - 1) / unit * unit;
}

std::optional<int> threadsOf(const std::optional<KernelFacts::Dimensions>& dimensions)
{
    if (!dimensions) {
        return {};
    }
    const auto threads =
        std::int64_t{(*dimensions)[0]} * std::max((*dimensions)[1], 1) * std::max((*dimensions)[2], 1);
    constexpr int mostThreads = 1024;
    return threads > 0 && threads <= mostThreads ? std::optional(static_cast<int>(threads)) : std::nullopt;
}

} // namespace

std::optional<MultiprocessorLimits> multiprocessorLimits(std::string_view target)
{
    int version = 0;
    if (!target.starts_with("sm_")
        || std::from_chars(target.data() + 3, target.data() + target.size(), version).ec != std::errc()) {
        return {};
    }
    const auto* const at = std::ranges::find(knownTargets, version, &TargetLimits::version);
    return at == knownTargets.end() ? std::nullopt : std::optional(at->limits);
}

std::optional<Occupancy> occupancyOf(const KernelFacts& kernel, std::string_view target)
{
    const auto limits = multiprocessorLimits(target);
    if (!limits || !kernel.registers) {
        return {};
    }
    const int ofWarp = roundedUp(std::max(*kernel.registers, 1) * warpThreads, registerUnit);
    const int warpsOfRegisters = registersOfQuarter / ofWarp * quarters;
    Occupancy occupancy{
        .mostWarps = limits->warps, .warpsByRegisters = std::min(limits->warps, warpsOfRegisters)};
    occupancy.threads = threadsOf(kernel.requiredThreads);
    if (!occupancy.threads) {
        occupancy.threads = threadsOf(kernel.mostThreads);
        occupancy.threadsAreMost = occupancy.threads.has_value();
    }
    if (!occupancy.threads) {
        return occupancy;
    }
    const int warps = (*occupancy.threads + warpThreads - 1) / warpThreads;
    // The launch is refused unless the quarters hold the CTA's warps evenly.
    const bool fits = roundedUp(warps, quarters) * ofWarp <= registersOfQuarter * quarters;
    occupancy.limits = {{"registers", fits ? warpsOfRegisters / warps : 0},
        {"shared memory", limits->sharedBytes / roundedUp(kernel.sharedBytes + reservedShared, sharedUnit)},
        {"threads", limits->warps / warps}};
    if (kernel.barriers > 0 && limits->barriers > 0) {
        occupancy.limits.push_back({"named barriers", limits->barriers / kernel.barriers});
    }
    occupancy.limits.push_back({"CTAs", limits->blocks});
    std::ranges::stable_sort(occupancy.limits, {}, &OccupancyLimit::ctas);
    occupancy.ctas = occupancy.limits.front().ctas;
    occupancy.warps = *occupancy.ctas * warps;
    return occupancy;
}

std::vector<std::string> occupancyText(const KernelFacts& kernel, const Occupancy& occupancy)
{
    std::vector<std::string> lines;
    const auto things = [](int number, std::string_view what) {
        return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
    };
    if (!occupancy.ctas) {
        lines.push_back(fmt::format(
            "{} a thread: by registers alone room for {} of {} warps on a multiprocessor; how many threads a "
            "CTA has is not known (no .reqntid, .maxntid)",
            things(kernel.registers.value_or(0), "register"), occupancy.warpsByRegisters,
            occupancy.mostWarps));
        return lines;
    }
    std::string text =
        fmt::format("at most {} of {} on a multiprocessor: {} of {} warps", things(*occupancy.ctas, "CTA"),
            occupancy.threadsAreMost
                ? fmt::format("{} (.maxntid, a launch may have fewer)", things(*occupancy.threads, "thread"))
                : things(*occupancy.threads, "thread"),
            *occupancy.warps, occupancy.mostWarps);
    std::vector<std::string> parts;
    for (const auto& limit : occupancy.limits) {
        const auto what = limit.by == "registers"
            ? things(kernel.registers.value_or(0), "register") + " a thread"
            : limit.by == "shared memory"  ? things(kernel.sharedBytes, "byte") + " of static shared memory"
            : limit.by == "named barriers" ? things(kernel.barriers, "named barrier")
            : limit.by == "CTAs"           ? std::string("CTAs that a multiprocessor takes")
                                           : std::string("threads of a CTA");
        parts.push_back(fmt::format("{} ({})", limit.ctas, what));
    }
    const auto tightest = occupancy.limits.front();
    std::string by(tightest.by);
    for (std::size_t i = 1; i < occupancy.limits.size() && occupancy.limits[i].ctas == tightest.ctas; ++i) {
        by += fmt::format(" and {}", occupancy.limits[i].by);
    }
    lines.push_back(text + "; limited by " + by);
    std::string all;
    for (const auto& part : parts) {
        all += (all.empty() ? "" : ", ") + part;
    }
    lines.push_back(
        "CTAs by each limit: " + all + "; dynamic shared memory, given at launch, is not counted");
    return lines;
}

} // namespace ptxwb
