// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/background_job.h"
#include "core/evaluation/evaluator.h"
#include "core/evaluation/recorded_run.h"
#include "widgets/results/run_entry.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace ptxwb {

/// Runs evaluations one at a time and keeps those that were made, with the recorded ones of the chosen task.
/// A result always lands, under the hash of the text that it was made of; it is "of an earlier text" when the
/// editor moved on.
class EvaluationController : public QObject {
    Q_OBJECT
public:
    explicit EvaluationController(QObject* parent = nullptr);

    /// A run that is under way is cancelled by a new start.
    void evaluate(std::shared_ptr<const Compiler> compiler, EvaluationRequest request);
    void cancel();
    /// Evaluations made from now on are kept in this file; empty: none is.
    void setHistoryFile(std::filesystem::path file) { m_historyFile = std::move(file); }
    /// One that was made at another time stands among the runs of its task.
    std::shared_ptr<const Evaluation> addKept(Evaluation evaluation);
    bool isRunning() const { return m_job->isRunning(); }

    /// Reads tasks/**/recorded of a task in the background.
    void loadRecorded(const Task& task);
    bool isLoading() const { return m_recordedJob->isRunning(); }

    /// What the editor holds now; decides which runs are of this text. `name` as in the evaluation's request.
    /// Emits nothing.
    void setCurrentText(const std::string& sha256, const std::string& name);

    /// Runs of the chosen task: made here, newest first, then those from the history, then recorded ones.
    std::vector<RunEntry> runs() const;
    /// The run to show by itself: the newest one made here of this text, or of an earlier state of it, else
    /// the recorded one of this very text or of a candidate of this file name, of the workload before others
    /// (may be empty: any); -1 for none.
    int preferredRun(const QString& fileName, const std::string& workloadUuid) const;
    /// Files in recorded/ that could not be read.
    const std::vector<Error>& recordedProblems() const { return m_recordedProblems; }

signals:
    void started();
    void progressed(const ptxwb::EvaluationProgress& progress);
    void finished();
    void failed(const ptxwb::Error& error);
    void cancelled();
    void runsChanged();
    /// Whether the newest evaluation is in the history; after `finished`.
    void kept(qint64 id);
    void notKept(const ptxwb::Error& error);

private:
    /// What the background work brings back.
    struct Made {
        Result<Evaluation> evaluation;
        std::optional<Result<std::int64_t>> kept{}; ///< nothing where there is no history
    };
    void land(Made made);
    RunEntry entryOf(const std::shared_ptr<const Evaluation>& evaluation, RunOrigin origin) const;

    BackgroundJob* m_job;
    BackgroundJob* m_recordedJob;
    std::vector<std::shared_ptr<const Evaluation>> m_made;
    std::vector<std::shared_ptr<const Evaluation>> m_kept;
    std::vector<std::shared_ptr<const Evaluation>> m_recorded;
    std::vector<Error> m_recordedProblems;
    std::filesystem::path m_historyFile;
    std::string m_task;
    std::string m_textSha256;
    std::string m_textName;
};

} // namespace ptxwb
