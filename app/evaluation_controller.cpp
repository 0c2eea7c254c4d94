// SPDX-License-Identifier: Apache-2.0
#include "app/evaluation_controller.h"

#ifdef PTXWB_HAVE_HISTORY
#include "core/records/kept_evaluations.h"
#endif

#include <QFileInfo>

#include <algorithm>

namespace ptxwb {

EvaluationController::EvaluationController(QObject* parent)
    : QObject(parent)
    , m_job(new BackgroundJob(this))
    , m_recordedJob(new BackgroundJob(this))
{
    connect(m_job, &BackgroundJob::ended, this, [this](int, BackgroundJob::Ending ending) {
        if (ending == BackgroundJob::Ending::Cancelled) {
            emit cancelled();
        }
    });
}

void EvaluationController::evaluate(std::shared_ptr<const Compiler> compiler, EvaluationRequest request)
{
    m_job->start<Made>(
        [this, compiler = std::move(compiler), request = std::move(request), history = m_historyFile](
            std::stop_token stop) mutable {
            // Progress of a run that was stopped must not reach the strip of the next one.
            const auto report = [this, stop](const EvaluationProgress& progress) {
                QMetaObject::invokeMethod(
                    this,
                    [this, stop, progress] {
                        if (!stop.stop_requested()) {
                            emit progressed(progress);
                        }
                    },
                    Qt::QueuedConnection);
            };
            // F5 is a wish for a new answer: the history is added to, not asked.
            std::string work;
#ifdef PTXWB_HAVE_HISTORY
            request.known = [&](const Evaluation& begun) -> std::optional<Evaluation> {
                work = records::workOf(request, begun);
                return std::nullopt;
            };
#endif
            Made made{.evaluation = Evaluator(*compiler).evaluate(request, report, stop)};
#ifdef PTXWB_HAVE_HISTORY
            if (made.evaluation && !history.empty() && !stop.stop_requested()) {
                made.kept = records::keepEvaluation(history, *made.evaluation, request.text, work);
            }
#endif
            return made;
        },
        [this](Made made) { land(std::move(made)); });
    emit started();
}

void EvaluationController::cancel()
{
    m_job->cancel();
}

void EvaluationController::land(Made made)
{
    if (!made.evaluation) {
        emit failed(made.evaluation.error());
        return;
    }
    m_made.insert(m_made.begin(), std::make_shared<const Evaluation>(*std::move(made.evaluation)));
    emit finished();
    emit runsChanged();
    if (made.kept && *made.kept) {
        emit kept(**made.kept);
    } else if (made.kept) {
        emit notKept(made.kept->error());
    }
}

std::shared_ptr<const Evaluation> EvaluationController::addKept(Evaluation evaluation)
{
    const auto sameRun = [&evaluation](const std::shared_ptr<const Evaluation>& other) {
        return other->madeUtc == evaluation.madeUtc && other->candidateSha256 == evaluation.candidateSha256
            && other->workload.uuid == evaluation.workload.uuid;
    };
    for (const auto* runs : {&m_made, &m_kept}) {
        if (const auto found = std::find_if(runs->begin(), runs->end(), sameRun); found != runs->end()) {
            return *found;
        }
    }
    m_kept.insert(m_kept.begin(), std::make_shared<const Evaluation>(std::move(evaluation)));
    emit runsChanged();
    return m_kept.front();
}

void EvaluationController::loadRecorded(const Task& task)
{
    m_task = task.name;
    m_recorded.clear();
    m_recordedProblems.clear();
    emit runsChanged();
    m_recordedJob->start<RecordedRuns>([task](std::stop_token) { return loadRecordedRuns(task); },
        [this](RecordedRuns recorded) {
            for (RecordedRun& run : recorded.runs) {
                m_recorded.push_back(std::make_shared<const Evaluation>(std::move(run.evaluation)));
            }
            m_recordedProblems = std::move(recorded.problems);
            emit runsChanged();
        });
}

void EvaluationController::setCurrentText(const std::string& sha256, const std::string& name)
{
    m_textSha256 = sha256;
    m_textName = name;
}

RunEntry EvaluationController::entryOf(
    const std::shared_ptr<const Evaluation>& evaluation, RunOrigin origin) const
{
    RunEntry entry;
    entry.evaluation = evaluation;
    entry.sameText = evaluation->candidateSha256 == m_textSha256;
    // Of another file: neither this text nor an earlier state of it.
    const bool earlier = !entry.sameText && evaluation->candidatePath == m_textName;
    entry.origin = origin == RunOrigin::Live && earlier ? RunOrigin::EarlierText : origin;
    return entry;
}

std::vector<RunEntry> EvaluationController::runs() const
{
    std::vector<RunEntry> entries;
    for (const auto& evaluation : m_made) {
        if (evaluation->task == m_task) {
            entries.push_back(entryOf(evaluation, RunOrigin::Live));
        }
    }
    for (const auto& evaluation : m_kept) {
        if (evaluation->task == m_task) {
            entries.push_back(entryOf(evaluation, RunOrigin::Kept));
        }
    }
    for (const auto& evaluation : m_recorded) {
        entries.push_back(entryOf(evaluation, RunOrigin::Recorded));
    }
    return entries;
}

int EvaluationController::preferredRun(const QString& fileName, const std::string& workloadUuid) const
{
    const std::vector<RunEntry> entries = runs();
    for (const bool sameText : {true, false}) {
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const bool made =
                entries[i].origin == RunOrigin::Live || entries[i].origin == RunOrigin::EarlierText;
            if (made && (sameText ? entries[i].sameText : entries[i].origin == RunOrigin::EarlierText)) {
                return static_cast<int>(i);
            }
        }
    }
    // The text counts more than the name, and the workload decides between runs of one of them.
    int best = -1;
    int bestRank = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Evaluation& evaluation = *entries[i].evaluation;
        const QString name = QFileInfo(QString::fromStdString(evaluation.candidatePath)).fileName();
        const bool sameName = !fileName.isEmpty() && name == fileName;
        if (!entries[i].sameText && !sameName) {
            continue;
        }
        const int rank =
            1 + (entries[i].sameText ? 2 : 0) + (evaluation.workload.uuid == workloadUuid ? 1 : 0);
        if (rank > bestRank) {
            bestRank = rank;
            best = static_cast<int>(i);
        }
    }
    return best;
}

} // namespace ptxwb
