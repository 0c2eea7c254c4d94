// SPDX-License-Identifier: Apache-2.0
#include "app/cli/debug_session.h"

#include "core/support/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ptxwb::cli {

using namespace emulator;

namespace {

struct WarpRounds {
    std::uint64_t runs = 0;
    std::uint64_t waits = 0;
    std::uint64_t longest = 0;
    int longestLine = 0;
};

std::string summaryOf(const Timeline& timeline)
{
    std::vector<WarpRounds> warps(timeline.warps.size());
    for (const auto& span : timeline.spans) {
        auto& warp = warps[span.warp];
        const auto rounds = span.end - span.begin;
        (span.waits ? warp.waits : warp.runs) += rounds;
        if (span.waits && rounds > warp.longest) {
            warp.longest = rounds;
            warp.longestLine = span.line;
        }
    }
    std::string text = fmt::format("{} rounds (an order, not time){}{}\n", timeline.rounds,
        timeline.isWhole ? ", to the end" : "", timeline.isCut ? ", cut: there was more" : "");
    text += fmt::format("{:>8}  {:>8}  {:>8}  longest wait\n", "warp", "ran", "waited");
    for (std::size_t w = 0; w < warps.size(); ++w) {
        text += fmt::format("{:>8}  {:>8}  {:>8}  {}\n",
            fmt::format("{}.{}", timeline.warps[w].cta, timeline.warps[w].warp), warps[w].runs,
            warps[w].waits,
            warps[w].longest == 0 ? "-"
                                  : fmt::format("{} at line {}", warps[w].longest, warps[w].longestLine));
    }
    std::map<std::pair<int, std::uint32_t>, std::pair<std::uint64_t, std::uint64_t>> operations;
    for (const auto& operation : timeline.operations) {
        auto& [count, rounds] = operations[{operation.line, operation.opcode}];
        ++count;
        rounds += operation.end - operation.begin;
    }
    for (const auto& [key, sum] : operations) {
        text += fmt::format("line {}: {} x {}, {} rounds under way on average\n", key.first, sum.first,
            timeline.opcodes[key.second], sum.second / sum.first);
    }
    for (std::size_t b = 0; b < timeline.barriers.size(); ++b) {
        const auto phases = std::count_if(timeline.phases.begin(), timeline.phases.end(),
            [&](const Timeline::BarrierPhase& phase) { return phase.barrier == b && phase.phase != 0; });
        text += fmt::format("mbarrier {} of CTA {}: {} phases\n", timeline.barriers[b].place,
            timeline.barriers[b].cta, phases);
    }
    return text;
}

} // namespace

std::string DebugSession::timeline(const Words& words)
{
    bool toTheEnd = false;
    std::string file;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "end") {
            toTheEnd = true;
        } else if (file.empty()) {
            file = words[i];
        } else {
            return "timeline [end] [FILE]\n";
        }
    }
    const auto timeline = m_debugger->timeline(toTheEnd, m_stop);
    if (file.empty()) {
        return summaryOf(timeline);
    }
    const auto written = writeFileAtomically(file, traceJson(timeline, m_target.request.displayName));
    return written ? fmt::format(
               "{}: a trace of {} rounds, for ui.perfetto.dev or chrome://tracing\n", file, timeline.rounds)
                   : describe(written.error()) + '\n';
}

} // namespace ptxwb::cli
