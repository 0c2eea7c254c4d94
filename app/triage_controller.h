// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/background_job.h"
#include "core/records/triage_run.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>

namespace ptxwb {

class FileController;
class TriagePane;
struct Panes;

/// Looks through a folder of answers in the background and opens a chosen one in the editor.
class TriageController : public QObject {
    Q_OBJECT
public:
    TriageController(Panes& panes, FileController& files, QObject* parent = nullptr);

    void setCompiler(std::shared_ptr<const Compiler> compiler) { m_compiler = std::move(compiler); }
    void start(const QString& path);
    void cancel();
    bool isRunning() const { return m_job->isRunning() || m_openJob->isRunning(); }

signals:
    /// The user wants another folder.
    void folderRequested();
    /// A run began or ended.
    void runningChanged();
    /// One line for the status bar.
    void stateChanged(const QString& text);

private:
    void land(Result<records::TriageRun> run);
    void open(const records::TriageRow& row);

    Panes& m_panes;
    FileController& m_files;
    std::shared_ptr<const Compiler> m_compiler;
    BackgroundJob* m_job;
    BackgroundJob* m_openJob;
    std::filesystem::path m_root;
};

/// The code of the answer that a row speaks of, read anew. Blocks. Errors: NotFound when it is no longer
/// there or has changed, those of reading.
struct AnswerCode {
    std::string text{};
    Language language = Language::Ptx;
    std::filesystem::path file{}; ///< set where the answer is a file of code, which opens as it is
};
Result<AnswerCode> codeOfRow(
    const std::filesystem::path& root, const records::TriageRow& row, const std::stop_token& stop);

} // namespace ptxwb
