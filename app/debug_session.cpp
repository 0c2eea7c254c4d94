// SPDX-License-Identifier: Apache-2.0
#include "app/debug_session.h"

#include "core/emulator/run_plan.h"
#include "core/emulator/task_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace ptxwb {

using namespace emulator;

namespace {

/// Tensors from the plan where it declares them, else from the task.
Result<void> fill(const DebugStart& start, EmulatorRequest& request)
{
    auto declared = resolveDeclaredPlan(start.text);
    if (declared) {
        auto buffers = makePlanBuffers(*declared, start.inputSeed, start.directory);
        if (!buffers) {
            return buffers.error();
        }
        request.plan = std::move(declared->plan);
        request.buffers = std::move(*buffers);
        return {};
    }
    if (!start.task) {
        return declared.error();
    }
    const auto workload = start.task->workload(start.workload);
    if (!workload) {
        return workload.error();
    }
    auto plan = resolveLaunchPlan(start.text, *start.task, **workload);
    if (!plan) {
        return plan.error();
    }
    auto buffers = makeTaskBuffers(
        {.text = start.text, .task = *start.task, .workload = **workload, .seed = start.inputSeed}, *plan,
        std::max(1U, std::thread::hardware_concurrency()));
    if (!buffers) {
        return buffers.error();
    }
    request.plan = std::move(*plan);
    request.buffers = std::move(*buffers);
    return {};
}

/// What cannot hold is said: a register that the kernel does not have never meets a condition.
std::string setBreakpoints(Debugger& debugger, const std::vector<LineBreakpoint>& wanted)
{
    std::string problem;
    const std::vector<Breakpoint> before = debugger.breakpoints();
    const auto isWanted = [&](const Breakpoint& one) {
        return std::find(wanted.begin(), wanted.end(), LineBreakpoint{one.line, one.condition})
            != wanted.end();
    };
    for (const Breakpoint& one : before) {
        if (!isWanted(one)) {
            debugger.remove(one.number);
        }
    }
    for (const LineBreakpoint& point : wanted) {
        const bool known = std::any_of(before.begin(), before.end(), [&](const Breakpoint& one) {
            return one.line == point.line && one.condition == point.condition;
        });
        if (!known) {
            debugger.addBreakpoint(point.line, point.condition);
        }
        const auto names = debugger.registerNames();
        if (point.condition && std::find(names.begin(), names.end(), point.condition->name) == names.end()) {
            problem =
                fmt::format("the breakpoint at line {} never stops: {} is no register that the kernel uses",
                    point.line, point.condition->name);
        }
    }
    return problem;
}

DebugMemory memoryOf(const Debugger& debugger, const MemoryQuery& query)
{
    DebugMemory memory;
    if (query.place.empty()) {
        return memory;
    }
    if (query.matrix) {
        MatrixQuery asked = *query.matrix;
        asked.from = query.place;
        const auto named = asked.layout == MatrixLayout::Rows ? debugger.locate(query.place)
                                                              : Result<MemoryPlace>(MemoryPlace{});
        asked.dtype = query.dtype.value_or(named ? named->dtype.value_or(Dtype::Bfloat16) : Dtype::Bfloat16);
        auto view = debugger.matrix(asked);
        if (!view) {
            memory.problem = describe(view.error());
            return memory;
        }
        memory.name = std::move(view->title);
        memory.dtype = view->dtype;
        memory.bytes = std::move(view->bytes);
        memory.columns = view->columns;
        memory.isMatrix = true;
        return memory;
    }
    const auto place = debugger.locate(query.place);
    if (!place) {
        memory.problem = describe(place.error());
        return memory;
    }
    memory.name = place->name;
    memory.words = !query.dtype && !place->dtype;
    memory.dtype = query.dtype.value_or(place->dtype.value_or(Dtype::Int32));
    // As much as there is, up to this.
    for (std::size_t elements = 256; elements > 0; elements /= 2) {
        auto bytes = debugger.read(*place, elements * static_cast<std::size_t>(dtypeBytes(memory.dtype)));
        if (bytes) {
            memory.bytes = std::move(*bytes);
            memory.problem.clear();
            return memory;
        }
        memory.problem = describe(bytes.error());
    }
    return memory;
}

} // namespace

Result<std::shared_ptr<DebugSession>> DebugSession::open(const DebugStart& start, const std::stop_token& stop)
{
    EmulatorRequest request;
    request.text = start.text;
    request.displayName = start.displayName;
    request.policy = start.policy;
    request.seed = start.seed;
    if (auto filled = fill(start, request); !filled) {
        return filled.error();
    }
    if (request.plan.launches.empty()) {
        return Error{.code = ErrorCode::NotFound, .message = "the plan launches nothing"};
    }
    const auto& launch = request.plan.launches.front();
    auto session = std::make_shared<DebugSession>();
    session->m_launch = fmt::format("{}: grid {} x {} x {}, block {} x {} x {}, {}, seed {}, CTA {}",
        launch.kernel, launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0], launch.block[1],
        launch.block[2], policyName(start.policy), start.seed, start.cta);
    auto opened = Debugger::open(std::move(request), 0, start.cta);
    if (!opened) {
        return opened.error();
    }
    session->m_debugger = std::move(*opened);
    if (start.report && !session->m_debugger->goToReport(*start.report, stop)) {
        session->m_debugger->restart();
        return Error{.code = ErrorCode::NotFound, .message = "the report does not come again in this launch"};
    }
    return session;
}

DebugSnapshot DebugSession::perform(
    const Command& command, const std::vector<LineBreakpoint>& breakpoints, const MemoryQuery& memory)
{
    const std::lock_guard lock(m_mutex);
    const std::string problem = setBreakpoints(*m_debugger, breakpoints);
    std::string note;
    Stop stop = command(*m_debugger, note);
    note = note.empty() ? problem : note;
    return snapshotOf(std::move(stop), std::move(note), memory);
}

emulator::Timeline DebugSession::timeline(bool whole, const std::stop_token& stop)
{
    const std::lock_guard lock(m_mutex);
    return m_debugger->timeline(whole, stop);
}

DebugSnapshot DebugSession::snapshot(const MemoryQuery& memory)
{
    const std::lock_guard lock(m_mutex);
    return snapshotOf({m_debugger->round() == 0 ? StopCause::Start : StopCause::Step, {}}, {}, memory);
}

DebugSnapshot DebugSession::snapshotOf(Stop stop, std::string note, const MemoryQuery& memory) const
{
    const Debugger& debugger = *m_debugger;
    DebugSnapshot now{.stop = std::move(stop),
        .launch = m_launch,
        .current = debugger.current(),
        .running = debugger.runningWarp(),
        .line = debugger.line(),
        .round = debugger.round(),
        .instructions = debugger.instructions(),
        .over = debugger.isOver(),
        .warps = debugger.warps(),
        .barriers = debugger.barriers(),
        .namedBarriers = debugger.namedBarriers(),
        .pending = debugger.pending(),
        .watches = debugger.watches(),
        .reports = debugger.reports(),
        .note = std::move(note)};
    now.memory = memoryOf(debugger, memory);
    for (const Watchpoint& watch : now.watches) {
        now.watchValues.push_back(debugger.valueText(watch.place));
    }
    for (const std::string& name : debugger.registerNames()) {
        if (auto view = debugger.registerOf(name)) {
            now.registers.push_back(std::move(*view));
        }
    }
    return now;
}

} // namespace ptxwb
