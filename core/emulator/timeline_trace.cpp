// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/timeline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace ptxwb::emulator {

namespace {

using Json = nlohmann::ordered_json;

constexpr int firstBarrierThread = 1000; ///< rows of barriers come behind those of the warps

Json named(std::string_view what, std::uint64_t process, int thread, const std::string& name)
{
    Json event{{"ph", "M"}, {"name", what}, {"pid", process}};
    if (thread >= 0) {
        event["tid"] = thread;
    }
    event["args"] = {{"name", name}};
    return event;
}

} // namespace

std::string traceJson(const Timeline& timeline, const std::string& title)
{
    auto events = Json::array();
    std::set<std::uint64_t> ctas;
    for (const auto& warp : timeline.warps) {
        if (ctas.insert(warp.cta).second) {
            events.push_back(named("process_name", warp.cta, -1, fmt::format("CTA {}", warp.cta)));
        }
        events.push_back(
            named("thread_name", warp.cta, static_cast<int>(warp.warp), fmt::format("warp {}", warp.warp)));
    }
    for (std::size_t b = 0; b < timeline.barriers.size(); ++b) {
        events.push_back(named("thread_name", timeline.barriers[b].cta,
            firstBarrierThread + static_cast<int>(b), "mbarrier " + timeline.barriers[b].place));
    }
    for (const auto& span : timeline.spans) {
        const auto& warp = timeline.warps[span.warp];
        events.push_back({{"ph", "X"},
            {"name", fmt::format("{} line {}", span.waits ? "waits at" : "runs", span.line)},
            {"cat", span.waits ? "wait" : "run"}, {"pid", warp.cta}, {"tid", warp.warp}, {"ts", span.begin},
            {"dur", span.end - span.begin}, {"args", {{"line", span.line}, {"last_line", span.lastLine}}}});
    }
    for (std::size_t i = 0; i < timeline.operations.size(); ++i) {
        const auto& operation = timeline.operations[i];
        const auto& warp = timeline.warps[operation.warp];
        Json event{{"ph", "b"}, {"name", timeline.opcodes[operation.opcode]}, {"cat", "asynchronous"},
            {"id", i}, {"pid", warp.cta}, {"tid", warp.warp}, {"ts", operation.begin},
            {"args", {{"line", operation.line}, {"ended", operation.ended}}}};
        events.push_back(event);
        event["ph"] = "e";
        event["ts"] = operation.end;
        event.erase("args");
        events.push_back(std::move(event));
    }
    for (const auto& phase : timeline.phases) {
        events.push_back({{"ph", "X"}, {"name", fmt::format("phase {}", phase.phase)}, {"cat", "mbarrier"},
            {"pid", timeline.barriers[phase.barrier].cta},
            {"tid", firstBarrierThread + static_cast<int>(phase.barrier)}, {"ts", phase.begin},
            {"dur", phase.end - phase.begin}});
    }
    const Json document{
        {"otherData",
            {{"title", title}, {"unit", "a microsecond here is a round of the emulator: an order, not time"},
                {"rounds", timeline.rounds}, {"whole", timeline.isWhole}, {"cut", timeline.isCut}}},
        {"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace ptxwb::emulator
