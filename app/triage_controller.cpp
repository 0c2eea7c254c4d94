// SPDX-License-Identifier: Apache-2.0
#include "app/triage_controller.h"

#include "app/file_controller.h"
#include "app/panes.h"
#include "core/records/extraction.h"
#include "core/records/triage_log.h"
#include "core/support/files.h"
#include "core/support/sandbox.h"
#include "core/support/sha256.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/triage/triage_pane.h"

#include <QTabWidget>

#include <algorithm>

namespace ptxwb {

using records::TriageResult;
using records::TriageRow;
using records::TriageRun;

namespace {

/// What was done of this folder is read back from there, also after a run that was stopped.
Result<records::TriageLog> logOf(const std::filesystem::path& root)
{
    std::error_code ignored;
    const auto folder = userCacheDirectory() / "triage";
    std::filesystem::create_directories(folder, ignored);
    const auto name = sha256Hex(std::filesystem::weakly_canonical(root, ignored).string());
    return records::TriageLog::open(folder / (name + ".jsonl"));
}

} // namespace

TriageController::TriageController(Panes& panes, FileController& files, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_files(files)
    , m_job(new BackgroundJob(this))
    , m_openJob(new BackgroundJob(this))
{
    connect(m_panes.triage, &TriagePane::folderRequested, this, &TriageController::folderRequested);
    connect(m_panes.triage, &TriagePane::cancelRequested, this, &TriageController::cancel);
    connect(m_panes.triage, &TriagePane::rowActivated, this, &TriageController::open);
    connect(m_job, &BackgroundJob::started, this, &TriageController::runningChanged);
    connect(m_job, &BackgroundJob::ended, this, [this](int, BackgroundJob::Ending ending) {
        if (ending == BackgroundJob::Ending::Cancelled) {
            m_panes.triage->stopRun(tr("Stopped: these are the answers that were ready."));
        }
        emit runningChanged();
    });
}

void TriageController::start(const QString& path)
{
    if (!m_compiler) {
        emit stateChanged(tr("Still looking for the tools; try again in a moment."));
        return;
    }
    m_root = path.toStdString();
    m_panes.triage->startRun(path);
    m_job->start<Result<TriageRun>>(
        [this, compiler = m_compiler, root = m_root](std::stop_token stop) -> Result<TriageRun> {
            auto files = records::findAnswerFiles(root, stop);
            if (!files) {
                return files.error();
            }
            const auto onRow = [this, stop](const records::TriageProgress& now) {
                QMetaObject::invokeMethod(
                    this,
                    [this, stop, row = *now.row, read = now.filesRead, all = now.files] {
                        if (!stop.stop_requested()) { // of a run that was stopped
                            m_panes.triage->addRow(row, read, all);
                        }
                    },
                    Qt::QueuedConnection);
            };
            auto log = logOf(root); // without one, everything is done again
            return records::runTriage(records::AnswerSource(*std::move(files)),
                {.sassCache = userCacheDirectory() / "sass",
                    .root = root,
                    .sandboxed = sandboxAvailable().has_value()},
                *compiler, 0, log ? &*log : nullptr, onRow, stop);
        },
        [this](Result<TriageRun> run) { land(std::move(run)); });
}

void TriageController::cancel()
{
    m_job->cancel();
}

void TriageController::land(Result<TriageRun> run)
{
    if (!run) {
        m_panes.triage->stopRun(QString::fromStdString(describe(run.error())));
        return;
    }
    if (run->rows.empty()) {
        m_panes.triage->stopRun(tr("No answers are in %1. Wanted: .ptx, .cu, Markdown with code blocks, "
                                   "trajectories (.json), or JSON lines.")
                                    .arg(QString::fromStdString(m_root.string())));
        return;
    }
    const auto count = [&](TriageResult result) {
        return static_cast<int>(std::count_if(run->rows.begin(), run->rows.end(),
            [result](const TriageRow& row) { return row.result == result; }));
    };
    const QString summary = tr("%1: answers %2, compile %3, do not %4, without code %5, not compiled %6")
                                .arg(QString::fromStdString(m_root.string()))
                                .arg(run->rows.size())
                                .arg(count(TriageResult::Compiles))
                                .arg(count(TriageResult::DoesNotCompile))
                                .arg(count(TriageResult::NoCode))
                                .arg(count(TriageResult::NotCompiled));
    m_panes.triage->endRun(std::move(run->rows), summary);
    emit stateChanged(summary);
}

void TriageController::open(const TriageRow& row)
{
    m_openJob->start<Result<AnswerCode>>(
        [root = m_root, row](std::stop_token stop) { return codeOfRow(root, row, stop); },
        [this, row](Result<AnswerCode> code) {
            if (!code) {
                emit stateChanged(QString::fromStdString(describe(code.error())));
                return;
            }
            const bool opened = code->file.empty()
                ? m_files.openText(QByteArray::fromStdString(code->text), code->language)
                : m_files.open(QString::fromStdString(code->file.string()));
            if (!opened) {
                return;
            }
            m_panes.centre->setCurrentIndex(0);
            if (row.cause && row.cause->line) {
                m_panes.editor->editor()->goTo(*row.cause->line);
            }
            m_panes.editor->editor()->setFocus();
            const QString title =
                QString::fromStdString(records::answerTitle(row.path, row.fileLine, row.turn));
            emit stateChanged(row.cause ? QStringLiteral("%1: %2").arg(
                                  title, QString::fromStdString(row.cause->message).simplified())
                                        : title);
        });
}

Result<AnswerCode> codeOfRow(
    const std::filesystem::path& root, const TriageRow& row, const std::stop_token& stop)
{
    auto found = records::findAnswerFiles(root, stop);
    if (!found) {
        return found.error();
    }
    std::erase_if(found->files, [&](const records::AnswerFile& file) { return file.shown != row.path; });
    const Error gone{.code = ErrorCode::NotFound,
        .message = "the answer is no longer there as it was looked through",
        .hint = "look through the folder again",
        .path = records::answerTitle(row.path, row.fileLine, row.turn)};
    if (found->files.empty()) {
        return gone;
    }
    const std::filesystem::path file = found->files.front().path;
    records::AnswerSource source(*std::move(found));
    while (const auto answer = source.next(stop)) {
        if (answer->line != row.fileLine || answer->turn != row.turn) {
            continue;
        }
        if (answer->problem) {
            return *answer->problem;
        }
        if (sha256Hex(answer->text) != row.answerSha256) {
            return gone;
        }
        if (answer->isCode) {
            return AnswerCode{.file = file};
        }
        const records::Extraction extraction = records::extractCode(*answer);
        const records::FoundCode* code = extraction.code();
        if (code == nullptr) {
            return AnswerCode{.text = answer->text}; // no code in it: the answer itself
        }
        return AnswerCode{.text = code->text, .language = code->language};
    }
    return gone;
}

} // namespace ptxwb
