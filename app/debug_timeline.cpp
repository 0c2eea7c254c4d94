// SPDX-License-Identifier: Apache-2.0
#include "app/debug_controller.h"
#include "app/file_controller.h"
#include "app/panes.h"
#include "core/support/files.h"
#include "widgets/debugger/debugger_pane.h"
#include "widgets/debugger/timeline_pane.h"

namespace ptxwb {

using namespace emulator;

void DebugController::connectTimeline()
{
    TimelinePane* pane = m_panes.debugger->timeline();
    connect(pane, &TimelinePane::recordingRequested, this, &DebugController::record);
    connect(pane, &TimelinePane::roundActivated, this, [this](quint64 round) {
        perform(tr("Going to round %L1… (Esc interrupts)").arg(round),
            [round](Debugger& debugger, std::string&, std::stop_token) { return debugger.goTo(round); });
    });
}

void DebugController::record(bool whole)
{
    if (!m_session || m_job->isRunning()) {
        return;
    }
    using Recorded = std::pair<Timeline, DebugSnapshot>;
    m_interrupt = {};
    m_panes.debugger->setBusy(tr("Recording the timeline… (Esc interrupts)"));
    m_job->start<Recorded>(
        [session = m_session, whole, stop = m_interrupt.get_token(), memory = m_memory](
            std::stop_token) -> Recorded {
            auto timeline = session->timeline(whole, stop);
            return {std::move(timeline), session->snapshot(memory)};
        },
        [this](Recorded recorded) {
            DebugSnapshot& now = recorded.second;
            if (const auto& shown = m_panes.debugger->shown()) {
                now.stop = shown->stop; // it stands where it stood, for the same reason
            }
            m_panes.debugger->timeline()->show(std::move(recorded.first));
            land(now);
        });
}

void DebugController::saveTrace(const QString& path)
{
    if (m_job->isRunning()) {
        emit stateChanged(tr("Not saved: the debugger is at work"));
        return;
    }
    m_job->start<Result<void>>(
        [timeline = m_panes.debugger->timeline()->timeline(), path = path.toStdString(),
            title = m_files.document().displayName().toStdString()](
            std::stop_token stop) { return writeFileAtomically(path, traceJson(timeline, title), stop); },
        [this, path](const Result<void>& written) {
            emit stateChanged(
                written ? tr("Written: %1").arg(path) : QString::fromStdString(describe(written.error())));
        });
}

} // namespace ptxwb
