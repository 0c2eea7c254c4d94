// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/debugger_state.h"

#include "core/emulator/loop_watch.h"
#include "core/emulator/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptxwb::emulator {

namespace {

void copyInto(std::vector<std::vector<std::byte>>& to, const std::vector<std::vector<std::byte>>& from)
{
    for (std::size_t i = 0; i < to.size(); ++i) { // in place: the memory knows these addresses
        std::memcpy(to[i].data(), from[i].data(), from[i].size());
    }
}

bool compare(std::int64_t x, std::string_view comparison, std::int64_t y)
{
    return comparison == "==" ? x == y
        : comparison == "!="  ? x != y
        : comparison == "<"   ? x < y
        : comparison == "<="  ? x <= y
        : comparison == ">"   ? x > y
                              : x >= y;
}

} // namespace

void Debugger::State::restart()
{
    copyInto(request.buffers, base);
    copyInto(globals.storage, globalsBase);
    sink.take();
    reports.clear();
    launch.lowestFault.store(~std::uint64_t{0});
    active.clear();
    cluster.reset();
    stepper.reset();
    nextPosition = 0;
    roundsBefore = 0;
    over.reset();
    beginTurn();
    for (auto& watch : watches) {
        watch.last = valueText(watch.place);
    }
}

/// Takes the cluster whose turn it is, as runLaunch() does on one thread.
void Debugger::State::beginTurn()
{
    for (;;) {
        if (!program->communicates) {
            if (nextPosition++ != 0) {
                over = StopCause::Finished;
                return;
            }
            cluster = makeCluster(launch, alone);
        } else {
            if (active.size() < residentClusters(launch) && nextPosition < order.total) {
                auto made = makeCluster(launch, order.at(nextPosition));
                made->position = nextPosition++;
                active.push_front(std::move(made));
            }
            if (active.empty()) {
                over = StopCause::Finished;
                return;
            }
            cluster = std::move(active.front());
            active.pop_front();
        }
        stepper = std::make_unique<ClusterStepper>(
            *cluster, program->communicates ? quantumOfCommunicating : ~std::uint64_t{0});
        const auto end = stepper->advance(0);
        if (!end) {
            return;
        }
        endTurn(*end);
        if (over) {
            return;
        }
    }
}

void Debugger::State::endTurn(ClusterEnd end)
{
    roundsBefore += stepper->rounds();
    stepper.reset();
    switch (end) {
    case ClusterEnd::Quantum:
        if ((nextPosition >= order.total || active.size() + 1 >= residentClusters(launch))
            && allAreStuck(active, *cluster)) {
            cluster->repeats = true;
            reportLivelock(*cluster);
            over = StopCause::Livelock;
            break;
        }
        active.push_back(std::move(cluster));
        break;
    case ClusterEnd::Done:
        break;
    case ClusterEnd::Deadlock:
        reportDeadlock(*cluster);
        over = StopCause::Deadlock;
        break;
    case ClusterEnd::Livelock:
        reportLivelock(*cluster);
        over = StopCause::Livelock;
        break;
    case ClusterEnd::Stopped:
    case ClusterEnd::Cancelled:
        over = StopCause::Fault;
        break;
    }
}

void Debugger::State::collect()
{
    if (sink.size() != 0) {
        addReports(reports, sink.take());
    }
}

void Debugger::State::advance(std::uint64_t rounds)
{
    const std::uint64_t target = round() + rounds;
    while (!over && round() < target) {
        if (const auto end = stepper->advance(target - round())) {
            endTurn(*end);
            if (!over) {
                beginTurn();
            }
        }
    }
    collect();
}

void Debugger::State::goTo(std::uint64_t target)
{
    if (target < round() || over) {
        restart();
    }
    advance(target - round());
    for (auto& watch : watches) {
        watch.last = valueText(watch.place);
    }
}

bool Debugger::State::isThere(const Cluster* wanted) const
{
    return wanted != nullptr
        && (cluster.get() == wanted || std::any_of(active.begin(), active.end(), [&](const auto& one) {
               return one.get() == wanted;
           }));
}

const Instr* Debugger::State::nextInstruction() const
{
    auto* warp = stepper ? stepper->nextWarp() : nullptr;
    if (warp == nullptr || warp->splits.empty()) {
        return nullptr;
    }
    const auto& split = warp->split();
    return split.pc >= warp->stopPc ? nullptr : &warp->program->code[split.pc];
}

std::optional<WarpName> Debugger::State::nextName() const
{
    const auto* warp = stepper ? stepper->nextWarp() : nullptr;
    return warp == nullptr ? std::nullopt : std::optional(WarpName{warp->cta->linear, warp->index});
}

std::optional<std::string> Debugger::State::breakpointHit() const
{
    const auto* in = nextInstruction();
    if (in == nullptr) {
        return std::nullopt;
    }
    for (const auto& point : breakpoints) {
        if (point.line != in->line) {
            continue;
        }
        auto& warp = *stepper->nextWarp();
        if (!point.condition) {
            return fmt::format("breakpoint {}", point.number);
        }
        const auto view = viewRegister(warp, point.condition->name);
        for (std::uint32_t l = 0; view && l < laneCount; ++l) {
            const auto bits = view->values[l];
            const auto value = view->bits == 32 ? std::int64_t{static_cast<std::int32_t>(bits)}
                                                : static_cast<std::int64_t>(bits);
            if ((warp.split().mask >> l & 1U) != 0
                && compare(value, point.condition->comparison, point.condition->value)) {
                return fmt::format("breakpoint {}: {} is {} in lane {}", point.number, view->name, value, l);
            }
        }
    }
    return std::nullopt;
}

std::optional<std::string> Debugger::State::watchHit()
{
    for (auto& watch : watches) {
        auto now = valueText(watch.place);
        if (now != watch.last) {
            const auto text =
                fmt::format("watch {}: {}: {} -> {}", watch.number, watch.text, watch.last, now);
            watch.last = std::move(now);
            return text;
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::emulator
