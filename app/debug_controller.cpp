// SPDX-License-Identifier: Apache-2.0
#include "app/debug_controller.h"

#include "app/file_controller.h"
#include "app/panes.h"
#include "app/task_chooser.h"
#include "core/emulator/schedules.h"
#include "widgets/debugger/debugger_pane.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"

#include <QDockWidget>
#include <QTabWidget>

namespace ptxwb {

using namespace emulator;

DebugController::DebugController(Panes& panes, FileController& files, TaskChooser& tasks, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_files(files)
    , m_tasks(tasks)
    , m_job(new BackgroundJob(this))
{
    DebuggerPane* pane = m_panes.debugger;
    connect(pane, &DebuggerPane::warpChosen, this, [this](const WarpName& warp) {
        perform(
            tr("Looking at another warp…"), [warp](Debugger& debugger, std::string& note, std::stop_token) {
                if (auto chosen = debugger.choose(warp); !chosen) {
                    note = chosen.error().message;
                }
                return Stop{StopCause::Step, {}};
            });
    });
    connect(pane, &DebuggerPane::barrierActivated, this, [this](const BarrierView& barrier) {
        perform(tr("Going back to the barrier's last change…"),
            [barrier, none = tr("The barrier has not changed since the start").toStdString()](
                Debugger& debugger, std::string& note, std::stop_token stop) {
                WatchPlace place;
                place.kind = WatchPlace::Kind::Barrier;
                place.memory = {
                    .shared = true, .cta = barrier.cta, .address = barrier.address, .name = barrier.place};
                const auto there = debugger.backToChange(place, stop);
                note = there ? std::string() : none;
                return there.value_or(Stop{StopCause::Step, {}});
            });
    });
    connect(pane, &DebuggerPane::watchRequested, this, [this](const QString& place) {
        perform(tr("Setting a watch…"),
            [place = place.toStdString()](Debugger& debugger, std::string& note, std::stop_token) {
                if (auto added = debugger.addWatch(place); !added) {
                    note = describe(added.error());
                }
                return Stop{StopCause::Step, {}};
            });
    });
    connect(pane, &DebuggerPane::unwatchRequested, this, [this](int number) {
        perform(tr("Removing a watch…"), [number](Debugger& debugger, std::string&, std::stop_token) {
            debugger.remove(number);
            return Stop{StopCause::Step, {}};
        });
    });
    connect(pane, &DebuggerPane::backRequested, this, [this](const QString& text) {
        perform(tr("Going back to its last change…"),
            [text = text.toStdString(),
                none = tr("%1 has not changed since the start").arg(text).toStdString()](
                Debugger& debugger, std::string& note, std::stop_token stop) {
                const auto place = debugger.watchPlace(text);
                if (!place) {
                    note = describe(place.error());
                    return Stop{StopCause::Step, {}};
                }
                const auto there = debugger.backToChange(*place, stop);
                note = there ? std::string() : none;
                return there.value_or(Stop{StopCause::Step, {}});
            });
    });
    connect(pane, &DebuggerPane::memoryQueryChanged, this, [this](const MemoryQuery& query) {
        m_memory = query;
        if (m_session) {
            perform(tr("Reading memory…"), [](Debugger&, std::string&, std::stop_token) {
                return Stop{StopCause::Step, {}};
            });
        }
    });
    connect(pane, &DebuggerPane::reportActivated, this, [this](int number) {
        const auto& shown = m_panes.debugger->shown();
        if (shown && number >= 0 && static_cast<std::size_t>(number) < shown->reports.size()) {
            perform(tr("Going to the report…"),
                [report = shown->reports[static_cast<std::size_t>(number)],
                    gone = tr("It does not come again in this launch").toStdString()](
                    Debugger& debugger, std::string& note, std::stop_token stop) {
                    note = debugger.goToReport(report, stop) ? report.message : gone;
                    return Stop{StopCause::Step, {}};
                });
        }
    });
    connect(pane, &DebuggerPane::lineActivated, this, [this](int line) {
        if (line > 0 && m_files.sha256() == m_sha256) {
            m_panes.editor->editor()->goTo(line);
        }
    });
    connectTimeline();
    connect(m_job, &BackgroundJob::started, this, &DebugController::runningChanged);
    connect(m_job, &BackgroundJob::ended, this, &DebugController::runningChanged);
}

DebugController::~DebugController()
{
    m_interrupt.request_stop();
}

DebugStart DebugController::startOfNow() const
{
    const Document& document = m_files.document();
    const DebuggerPane* pane = m_panes.debugger;
    DebugStart start{.text = m_files.fileBytes(),
        .displayName = document.displayName().toStdString(),
        .directory = document.directory(),
        .policy = pane->policy(),
        .seed = pane->seed(),
        .inputSeed = pane->seed(),
        .cta = pane->cta()};
    if (const Task* task = m_tasks.task()) {
        start.task = *task;
    }
    return start;
}

void DebugController::start()
{
    m_workload.clear();
    open(startOfNow());
}

void DebugController::openReport(const Report& report, quint64 inputSeed, const std::string& workload)
{
    m_panes.debugger->setSchedule(
        policyByName(report.policy).value_or(AsyncPolicy::Early), report.seed, report.cta);
    DebugStart start = startOfNow();
    start.report = report;
    start.inputSeed = inputSeed;
    m_workload = workload;
    open(std::move(start));
}

void DebugController::open(DebugStart start)
{
    m_panes.debuggerDock->show();
    m_panes.debuggerDock->raise();
    DebuggerPane* pane = m_panes.debugger;
    end();
    if (start.text.empty()) {
        pane->showReason(tr("The editor is empty. Open a kernel (Ctrl+O) or write one."));
        return;
    }
    if (m_files.document().language() != Language::Ptx) {
        pane->showReason(tr("The window steps PTX. `ptxwb debug FILE.cu` steps the PTX that nvcc makes of a "
                            "CUDA source; `ptxwb ptx FILE.cu` writes it."));
        return;
    }
    if (!m_workload.empty()) {
        start.workload = m_workload;
    }
    m_sha256 = m_files.sha256();
    m_interrupt = {};
    pane->setBusy(tr("Preparing the tensors and the kernel…"));
    emit stateChanged(tr("Starting the debugger…"));
    using Opened = Result<std::pair<std::shared_ptr<DebugSession>, DebugSnapshot>>;
    m_job->start<Opened>(
        [start = std::move(start), stop = m_interrupt.get_token(), memory = m_memory](
            std::stop_token) -> Opened {
            auto session = DebugSession::open(start, stop);
            if (!session) {
                return session.error();
            }
            DebugSnapshot snapshot = (*session)->snapshot(memory);
            if (start.report) {
                snapshot.note = start.report->message;
            }
            return std::pair(*std::move(session), std::move(snapshot));
        },
        [this](Opened opened) {
            if (!opened) {
                const Error& error = opened.error();
                QString text = QString::fromStdString(error.message);
                if (error.line) {
                    text = tr("Line %1: %2").arg(*error.line).arg(text);
                }
                m_panes.debugger->showReason(tr("Cannot be debugged: %1\n\nThe launch plan must declare its "
                                                "tensors (Ctrl+F5 offers one), or a task must be chosen that "
                                                "gives them.")
                                                 .arg(text));
                emit stateChanged(tr("Cannot be debugged: %1").arg(text.section(QLatin1Char('\n'), 0, 0)));
                return;
            }
            m_session = opened->first;
            land(opened->second);
        });
}

void DebugController::perform(
    const QString& what, std::function<Stop(Debugger&, std::string&, std::stop_token)> command)
{
    if (!m_session) {
        if (!m_job->isRunning()) {
            start(); // the first step of a kernel that is not debugged yet starts it
        }
        return;
    }
    if (m_job->isRunning()) {
        return;
    }
    m_interrupt = {};
    m_panes.debugger->setBusy(what);
    m_job->start<DebugSnapshot>(
        [session = m_session, command = std::move(command), stop = m_interrupt.get_token(),
            lines = breakpoints(), memory = m_memory](std::stop_token) {
            return session->perform(
                [&](Debugger& debugger, std::string& note) { return command(debugger, note, stop); }, lines,
                memory);
        },
        [this](const DebugSnapshot& snapshot) { land(snapshot); });
}

void DebugController::land(const DebugSnapshot& snapshot)
{
    m_panes.debugger->show(snapshot);
    const bool stale = m_files.sha256() != m_sha256;
    m_panes.debugger->setStale(stale);
    m_panes.editor->editor()->setExecutionLine(stale ? 0 : snapshot.line);
    emit stateChanged(m_panes.debugger->stateText().section(QLatin1Char('\n'), 0, 0));
}

std::vector<LineBreakpoint> DebugController::breakpoints()
{
    if (m_files.sha256() == m_sha256) {
        const PtxEditor* editor = m_panes.editor->editor();
        m_breakpoints.clear();
        for (const int line : editor->breakpoints()) {
            LineBreakpoint& point = m_breakpoints.emplace_back(LineBreakpoint{.line = line});
            if (auto condition = parseBreakCondition(editor->breakpointCondition(line).toStdString())) {
                point.condition = std::move(*condition);
            }
        }
    }
    return m_breakpoints; // of a text that has changed: those of before
}

void DebugController::resume()
{
    perform(tr("Running… (Esc interrupts)"),
        [](Debugger& debugger, std::string&, std::stop_token stop) { return debugger.resume(stop); });
}

void DebugController::step()
{
    perform(tr("Stepping…"),
        [](Debugger& debugger, std::string&, std::stop_token stop) { return debugger.step(stop); });
}

void DebugController::nextWarp()
{
    perform(tr("Stepping…"),
        [](Debugger& debugger, std::string&, std::stop_token stop) { return debugger.nextWarp(stop); });
}

void DebugController::back()
{
    perform(tr("Stepping back…"),
        [](Debugger& debugger, std::string&, std::stop_token stop) { return debugger.back(stop); });
}

void DebugController::runToCaret()
{
    const int line = m_panes.editor->editor()->currentLine();
    perform(tr("Running to line %1… (Esc interrupts)").arg(line),
        [line](Debugger& debugger, std::string&, std::stop_token stop) {
            return debugger.untilLine(line, stop);
        });
}

void DebugController::interrupt()
{
    m_interrupt.request_stop();
}

void DebugController::end()
{
    m_interrupt.request_stop();
    m_job->cancel();
    m_session.reset();
    m_sha256.clear();
    m_panes.editor->editor()->setExecutionLine(0);
    m_panes.debugger->showReason(tr("Nothing is debugged. Alt+F5 starts the kernel on the CPU at its first "
                                    "instruction; F10 steps it, F11 steps it backwards, F9 sets a breakpoint "
                                    "on the line of the caret."));
}

void DebugController::textChanged(bool other)
{
    if (other) {
        end();
    } else if (m_session) {
        const bool stale = m_files.sha256() != m_sha256;
        m_panes.debugger->setStale(stale);
        if (stale) {
            m_panes.editor->editor()->setExecutionLine(0);
        }
    }
}

} // namespace ptxwb
