// SPDX-License-Identifier: Apache-2.0
#include "app/run_controller.h"

#include "app/file_controller.h"
#include "app/panes.h"
#include "core/evaluation/emulated_source.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/run/run_pane.h"

#include <QDockWidget>
#include <QTabWidget>

#include <chrono>

namespace ptxwb {

RunController::RunController(Panes& panes, FileController& files, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_files(files)
    , m_job(new BackgroundJob(this))
{
    connect(m_panes.run, &RunPane::runRequested, this, &RunController::run);
    connect(m_panes.run, &RunPane::cancelRequested, this, &RunController::cancel);
    connect(m_panes.run, &RunPane::insertPlanRequested, this, &RunController::insertPlan);
    connect(m_panes.run, &RunPane::lineActivated, this, &RunController::goTo);
    connect(m_job, &BackgroundJob::started, this, &RunController::runningChanged);
    connect(m_job, &BackgroundJob::ended, this, [this](int, BackgroundJob::Ending ending) {
        if (ending == BackgroundJob::Ending::Cancelled) {
            m_panes.run->stopRun();
            emit stateChanged(tr("Run stopped"));
        }
        emit runningChanged();
    });
}

void RunController::run()
{
    m_panes.runDock->show();
    m_panes.runDock->raise();
    const Document& document = m_files.document();
    if (m_panes.editor->editor()->length() == 0) {
        m_panes.run->showFailure(tr("The editor is empty. Open a kernel (Ctrl+O) or write one."), false);
        return;
    }
    if (document.language() != Language::Ptx && !m_compiler) {
        m_panes.run->showFailure(
            tr("A CUDA source is emulated as the PTX that nvcc makes of it, and there is no nvcc "
               "here. Help > What is here (doctor) tells what to install."),
            false);
        return;
    }
    CompileRequest source{.displayName = document.displayName().toStdString(),
        .text = m_files.fileBytes(),
        .language = document.language(),
        .directory = document.directory()};
    emulator::PlanRunRequest request{.planText = source.text,
        .displayName = document.displayName().toStdString(),
        .directory = document.directory(),
        .seed = m_panes.run->seed(),
        .seeds = m_panes.run->seeds(),
        .limits = {.wall = std::chrono::seconds(m_panes.run->limitSeconds())}};
    m_sha256 = m_files.sha256();
    m_seed = request.seed;
    m_panes.run->startRun();
    emit stateChanged(tr("Running…"));
    m_job->start<Result<emulator::PlanRunOutcome>>(
        [this, request = std::move(request), source = std::move(source), compiler = m_compiler](
            std::stop_token stop) mutable -> Result<emulator::PlanRunOutcome> {
            if (source.language == Language::Ptx) {
                request.text = std::move(source.text);
            } else {
                auto emulated = emulatedSource(*compiler, std::move(source), stop);
                if (!emulated) {
                    return emulated.error();
                }
                request.text = std::move(emulated->ptx);
                request.execute = std::move(emulated->execute);
            }
            std::uint64_t told = 0; // a thousandth at a time is enough for the eye
            const auto progress = [this, stop, &told](std::uint64_t done, std::uint64_t total) {
                const std::uint64_t now = total > 0 ? done * 1000 / total : 0;
                if (now != told) {
                    told = now;
                    QMetaObject::invokeMethod(
                        this,
                        [this, stop, done, total] {
                            if (!stop.stop_requested()) {
                                m_panes.run->setProgress(done, total);
                            }
                        },
                        Qt::QueuedConnection);
                }
            };
            return emulator::runPlan(request, progress, stop);
        },
        [this](Result<emulator::PlanRunOutcome> outcome) { land(std::move(outcome)); });
}

void RunController::cancel()
{
    m_job->cancel();
}

void RunController::land(Result<emulator::PlanRunOutcome> outcome)
{
    if (!outcome) {
        const Error& error = outcome.error();
        const bool noPlan = error.hint.find("@launch") != std::string::npos && m_files.sha256() == m_sha256;
        m_examplePlan = noPlan ? error.hint.substr(error.hint.find('\n') + 1) : std::string();
        QString text = QString::fromStdString(error.message);
        if (error.line) {
            text = tr("Line %1: %2").arg(*error.line).arg(text);
        }
        // The hint for a missing plan is a whole plan: the button puts it into the text.
        if (!noPlan && !error.hint.empty()) {
            text += QStringLiteral("\n\n") + QString::fromStdString(error.hint);
        }
        m_panes.run->showFailure(text, noPlan);
        emit stateChanged(tr("Not run: %1").arg(text.section(QLatin1Char('\n'), 0, 0)));
        return;
    }
    m_panes.run->showOutcome(*outcome);
    m_panes.run->setStale(m_files.sha256() != m_sha256);
    emit stateChanged(outcome->verdict == Verdict::Unverified
            ? tr("Run: nothing was reported")
            : tr("Run: %n finding(s)", nullptr, static_cast<int>(outcome->reports.size())));
}

void RunController::insertPlan()
{
    PtxEditor* editor = m_panes.editor->editor();
    // Behind the lines that must come first in PTX there is no such place: comments may stand before them.
    editor->replaceAllText(QByteArray::fromStdString(m_examplePlan + "\n") + editor->utf8());
    editor->goTo(1);
    m_panes.centre->setCurrentIndex(0);
    editor->setFocus();
    emit stateChanged(tr("A plan was put in at the top. Correct shapes and grid, then run (Ctrl+F5)."));
}

bool RunController::isOfThisText()
{
    if (m_files.sha256() == m_sha256) {
        return true;
    }
    emit stateChanged(tr("The text has changed since this run, so its lines may have moved. Run again "
                         "(Ctrl+F5)."));
    return false;
}

void RunController::goTo(int line)
{
    if (!isOfThisText()) {
        return;
    }
    m_panes.centre->setCurrentIndex(0);
    m_panes.editor->editor()->goTo(line);
    m_panes.editor->editor()->setFocus();
}

void RunController::textChanged(bool other)
{
    if (m_job->isRunning()) {
        return; // it lands, and says of which text it is
    }
    if (other) {
        m_panes.run->clear();
        m_sha256.clear();
    } else if (!m_sha256.empty()) {
        m_panes.run->setStale(m_files.sha256() != m_sha256);
    }
}

} // namespace ptxwb
