// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/debugger.h"

#include "core/emulator/debugger_state.h"
#include "core/emulator/launch.h"
#include "core/emulator/schedules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ptxwb::emulator {

namespace {

constexpr std::uint64_t roundsBetweenChecks = 4096; ///< of the stop token

Error firstSentence(ReportSink& sink, std::string_view what)
{
    const auto reports = sink.take();
    return {.code = ErrorCode::InvalidArgument,
        .message = fmt::format("{}: {}", what, reports.empty() ? "no reason given" : located(reports[0]))};
}

/// The warp that a report names: "cta (0,0,0) warp 4".
std::optional<WarpName> warpOf(const Report& report)
{
    const auto at = report.warp.rfind(' ');
    WarpName name{.cta = report.cta};
    const auto* end = report.warp.data() + report.warp.size();
    return at != std::string::npos && std::from_chars(report.warp.data() + at + 1, end, name.warp).ptr == end
        ? std::optional(name)
        : std::nullopt;
}

bool isSame(const Report& x, const Report& y)
{
    return x.rule == y.rule && x.lines == y.lines;
}

} // namespace

Debugger::Debugger(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}

Debugger::~Debugger() = default;

Result<std::unique_ptr<Debugger>> Debugger::open(
    EmulatorRequest request, std::size_t launchIndex, std::uint64_t cta)
{
    auto state = std::make_unique<State>();
    auto& s = *state;
    s.request = std::move(request);
    if (auto fits = checkBuffers(s.request); !fits) {
        return fits.error();
    }
    if (launchIndex >= s.request.plan.launches.size()) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("the plan has {} launches, there is no launch {}",
                s.request.plan.launches.size(), launchIndex)};
    }
    auto module = parseModule(s.request.text);
    if (!module) {
        auto error = module.error();
        error.path = s.request.displayName;
        return error;
    }
    s.module = std::move(*module);
    for (std::size_t b = 0; b < s.request.buffers.size(); ++b) {
        const auto& spec = s.request.plan.buffers[b];
        s.addresses.push_back(s.memory.add(spec.name, s.request.buffers[b].data(),
            s.request.buffers[b].size(), spec.role != BufferRole::Input));
    }
    s.globals = placeGlobals(s.module, s.memory);
    for (std::size_t l = 0; l <= launchIndex; ++l) {
        const auto& planned = s.request.plan.launches[l];
        auto program = decodeKernel(s.module, planned.kernel);
        if (!program) {
            return kernelError(program.error(), s.request, l);
        }
        s.program = std::move(*program);
        auto& launch = s.launch;
        launch.program = s.program.get();
        launch.memory = &s.memory;
        launch.grid = planned.grid;
        launch.block = planned.block;
        launch.cluster = planned.cluster;
        launch.dynamicSharedBytes = planned.dynamicSharedBytes;
        launch.globalAddresses = s.globals.addresses;
        launch.gridBarrier = planned.cooperative ? s.globals.gridBarrier : 0;
        launch.policy = s.request.policy;
        launch.seed = s.request.seed;
        launch.checks = s.request.checks;
        launch.maxSteps = s.request.limits.stepsPerCluster;
        launch.maxCtas = s.request.limits.ctas;
        launch.reports = &s.sink;
        launch.fileName = s.request.displayName;
        launch.deadline = std::chrono::steady_clock::time_point::max();
        launch.lowestFault.store(~std::uint64_t{0});
        if (!checkLaunch(launch, planned) || !packArguments(launch, planned, s.request, s.addresses)) {
            return firstSentence(s.sink, "the launch cannot start");
        }
        if (l < launchIndex) {
            ExecutedCounts counts;
            if (runLaunch(launch, 1, counts, {}) != EmulatorEnd::Completed) {
                return firstSentence(s.sink, fmt::format("launch {} fails before it", l));
            }
        }
    }
    const auto& grid = s.launch.grid;
    const auto& size = s.launch.cluster;
    if (cta >= std::uint64_t{grid[0]} * grid[1] * grid[2]) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format(
                "there is no cta {}: the grid has {}", cta, std::uint64_t{grid[0]} * grid[1] * grid[2])};
    }
    const std::uint64_t x = cta % grid[0] / size[0];
    const std::uint64_t y = cta / grid[0] % grid[1] / size[1];
    const std::uint64_t z = cta / grid[0] / grid[1] / size[2];
    s.alone = x + std::uint64_t{grid[0] / size[0]} * (y + std::uint64_t{grid[1] / size[1]} * z);
    s.launch.races = s.launch.checks ? &s.races : nullptr;
    s.order = clusterOrder(s.launch);
    s.base = s.request.buffers;
    s.globalsBase = s.globals.storage;
    s.currentWarp = {cta, 0};
    auto debugger = std::unique_ptr<Debugger>(new Debugger(std::move(state)));
    debugger->restart();
    return debugger;
}

Stop Debugger::restart()
{
    auto& s = *m_state;
    s.restart();
    if (const auto next = s.nextName(); next && !s.chosen) {
        s.currentWarp = *next;
    }
    return {StopCause::Start, {}};
}

namespace {

/// Runs round by round. `before` is asked in front of each round but the first, `after` behind each; a text
/// stops.
template <class State, class Before, class After>
Stop runRounds(State& s, bool stopsAtReports, std::stop_token stop, Before before, After after)
{
    for (std::uint64_t n = 0;; ++n) {
        if (s.over) {
            const bool reported = !s.reports.empty();
            return {*s.over, reported ? s.reports.back().message : std::string()};
        }
        if (n % roundsBetweenChecks == 0 && stop.stop_requested()) {
            return {StopCause::Interrupted, {}};
        }
        if (n != 0) {
            if (auto stopped = before()) {
                return std::move(*stopped);
            }
            if (auto hit = s.breakpointHit()) {
                return {StopCause::Breakpoint, std::move(*hit)};
            }
        }
        const auto known = s.reports.size();
        s.advance(1);
        if (auto hit = s.watches.empty() ? std::nullopt : s.watchHit()) {
            return {StopCause::Watch, std::move(*hit)};
        }
        if (stopsAtReports && !s.over && s.reports.size() > known) {
            return {StopCause::Report, s.reports.back().message};
        }
        if (auto stopped = after()) {
            return s.over ? Stop{*s.over, s.reports.empty() ? std::string() : s.reports.back().message}
                          : std::move(*stopped);
        }
    }
}

std::optional<Stop> never()
{
    return std::nullopt;
}

} // namespace

Stop Debugger::resume(std::stop_token stop)
{
    auto& s = *m_state;
    auto stopped = runRounds(s, stopsAtReports, stop, never, never);
    if (const auto next = s.nextName(); next && stopped.cause != StopCause::Watch) {
        s.currentWarp = *next;
    } else if (const auto named = s.reports.empty() ? std::nullopt : warpOf(s.reports.back())) {
        s.currentWarp = *named;
    }
    return stopped;
}

Stop Debugger::step(std::stop_token stop)
{
    auto& s = *m_state;
    bool mine = false;
    const auto note = [&] { mine = s.nextInstruction() != nullptr && s.nextName() == s.currentWarp; };
    note();
    return runRounds(
        s, stopsAtReports, stop,
        [&]() -> std::optional<Stop> {
            note();
            return std::nullopt;
        },
        [&] {
            return mine ? std::optional(Stop{StopCause::Step, {}}) : std::nullopt;
        });
}

Stop Debugger::nextWarp(std::stop_token stop)
{
    auto& s = *m_state;
    const auto from = s.nextName();
    auto stopped = runRounds(
        s, stopsAtReports, stop,
        [&]() -> std::optional<Stop> {
            const auto now = s.nextName();
            return now && now != from ? std::optional(Stop{StopCause::Step, {}}) : std::nullopt;
        },
        never);
    if (const auto next = s.nextName()) {
        s.currentWarp = *next;
    }
    return stopped;
}

Stop Debugger::untilLine(int wanted, std::stop_token stop)
{
    auto& s = *m_state;
    return runRounds(
        s, stopsAtReports, stop,
        [&]() -> std::optional<Stop> {
            const auto* in = s.nextInstruction();
            return in != nullptr && in->line == wanted && s.nextName() == s.currentWarp
                ? std::optional(Stop{StopCause::Step, {}})
                : std::nullopt;
        },
        never);
}

Stop Debugger::back(std::stop_token stop)
{
    auto& s = *m_state;
    const auto now = s.round();
    std::optional<std::uint64_t> last;
    s.restart();
    for (std::uint64_t n = 0; !s.over && s.round() < now; ++n) {
        if (n % roundsBetweenChecks == 0 && stop.stop_requested()) {
            break;
        }
        if (s.nextInstruction() != nullptr && s.nextName() == s.currentWarp) {
            last = s.round();
        }
        s.advance(1);
    }
    s.goTo(last.value_or(0));
    return {last ? StopCause::Step : StopCause::Start, {}};
}

std::optional<Stop> Debugger::backToChange(const WatchPlace& place, std::stop_token stop)
{
    auto& s = *m_state;
    const auto now = s.round();
    std::optional<std::uint64_t> last;
    std::string change;
    std::optional<WarpName> who;
    s.restart();
    auto value = s.valueText(place);
    for (std::uint64_t n = 0; !s.over && s.round() < now; ++n) {
        if (n % roundsBetweenChecks == 0 && stop.stop_requested()) {
            break;
        }
        const auto at = s.round();
        const auto name = s.nextName();
        s.advance(1);
        if (auto after = s.valueText(place); after != value) {
            last = at;
            change = fmt::format("{} -> {}", value, after);
            who = name;
            value = std::move(after);
        }
    }
    s.goTo(last.value_or(now));
    if (!last) {
        return std::nullopt;
    }
    if (who) {
        s.currentWarp = *who;
    }
    return Stop{StopCause::Watch,
        who ? fmt::format("the next instruction changes it: {}", change)
            : fmt::format("an asynchronous operation comes next and changes it: {}", change)};
}

bool Debugger::goToReport(const Report& report, std::stop_token stop)
{
    auto& s = *m_state;
    s.restart();
    const auto there = [&] {
        return std::any_of(
            s.reports.begin(), s.reports.end(), [&](const Report& r) { return isSame(r, report); });
    };
    for (std::uint64_t n = 0; !s.over && !there(); ++n) {
        if (n % roundsBetweenChecks == 0 && stop.stop_requested()) {
            return false;
        }
        s.advance(1);
    }
    const bool found = there();
    const auto filed = s.round();
    if (found && filed > 0 && (!s.over || *s.over == StopCause::Fault)) {
        s.goTo(filed - 1);
    }
    if (const auto named = found ? warpOf(report) : std::nullopt) {
        s.currentWarp = *named;
    }
    return found;
}

int Debugger::addBreakpoint(int line, std::optional<BreakCondition> condition)
{
    m_state->breakpoints.push_back({++m_state->lastNumber, line, std::move(condition)});
    return m_state->lastNumber;
}

Result<int> Debugger::addWatch(const std::string& text)
{
    auto place = m_state->watchPlace(text);
    if (!place) {
        return place.error();
    }
    auto value = m_state->valueText(*place);
    m_state->watches.push_back({++m_state->lastNumber, text, std::move(*place), std::move(value)});
    return m_state->lastNumber;
}

bool Debugger::remove(int number)
{
    const auto is = [&](const auto& point) { return point.number == number; };
    return std::erase_if(m_state->breakpoints, is) + std::erase_if(m_state->watches, is) != 0;
}

const std::vector<Breakpoint>& Debugger::breakpoints() const
{
    return m_state->breakpoints;
}

const std::vector<Watchpoint>& Debugger::watches() const
{
    return m_state->watches;
}

WarpName Debugger::current() const
{
    return m_state->currentWarp;
}

Result<void> Debugger::choose(WarpName warp)
{
    if (m_state->warpOf(warp) == nullptr) {
        return Error{.code = ErrorCode::NotFound,
            .message = fmt::format("cta {} warp {} does not run now", warp.cta, warp.warp),
            .hint = "info warps lists them"};
    }
    m_state->currentWarp = warp;
    m_state->chosen = true;
    return {};
}

std::uint64_t Debugger::round() const
{
    return m_state->round();
}

std::uint64_t Debugger::instructions() const
{
    return m_state->cluster ? m_state->cluster->step - 1 : 0;
}

bool Debugger::isOver() const
{
    return m_state->over.has_value();
}

bool Debugger::ctasTalk() const
{
    return m_state->program->communicates;
}

const std::vector<Report>& Debugger::reports() const
{
    return m_state->reports;
}

int Debugger::line() const
{
    const auto* warp = m_state->warpOf(m_state->currentWarp);
    if (warp == nullptr || warp->splits.empty()) {
        return 0;
    }
    const auto at = std::min(warp->current, warp->splits.size() - 1);
    return warp->program->code[warp->splits[at].pc].line;
}

std::optional<WarpName> Debugger::runningWarp() const
{
    return m_state->nextName();
}

std::vector<WarpView> Debugger::warps() const
{
    return m_state->cluster ? viewWarps(*m_state->cluster) : std::vector<WarpView>();
}

std::vector<BarrierView> Debugger::barriers() const
{
    return m_state->cluster ? viewBarriers(*m_state->cluster) : std::vector<BarrierView>();
}

std::vector<NamedBarrierView> Debugger::namedBarriers() const
{
    return m_state->cluster ? viewNamedBarriers(*m_state->cluster) : std::vector<NamedBarrierView>();
}

std::vector<PendingView> Debugger::pending() const
{
    return m_state->cluster ? viewPending(*m_state->cluster) : std::vector<PendingView>();
}

std::vector<std::string> Debugger::registerNames() const
{
    return m_state->cluster ? viewRegisterNames(*m_state->cluster) : std::vector<std::string>();
}

Result<RegisterView> Debugger::registerOf(const std::string& name) const
{
    const auto* warp = m_state->warpOf(m_state->currentWarp);
    if (warp == nullptr) {
        return Error{.code = ErrorCode::NotFound, .message = "the current warp does not run now"};
    }
    return viewRegister(*warp, name);
}

Result<MemoryPlace> Debugger::locate(const std::string& text) const
{
    return m_state->locate(text);
}

Result<std::vector<std::byte>> Debugger::read(const MemoryPlace& place, std::size_t bytes) const
{
    return m_state->read(place, bytes);
}

Result<WatchPlace> Debugger::watchPlace(const std::string& text) const
{
    return m_state->watchPlace(text);
}

std::string Debugger::valueText(const WatchPlace& place) const
{
    return m_state->valueText(place);
}

} // namespace ptxwb::emulator
