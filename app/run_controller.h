// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/background_job.h"
#include "core/emulator/run_plan.h"
#include "core/toolchain/compiler.h"

#include <QObject>
#include <QString>

#include <string>

namespace ptxwb {

class FileController;
struct Panes;

/// Runs the editor's kernel by its own plan on the emulator, in the background.
class RunController : public QObject {
    Q_OBJECT
public:
    RunController(Panes& panes, FileController& files, QObject* parent = nullptr);

    /// Makes the PTX of CUDA C++; nullptr: there is no toolkit, or it is not known yet.
    void setCompiler(std::shared_ptr<const Compiler> compiler) { m_compiler = std::move(compiler); }
    void run();
    void cancel();
    bool isRunning() const { return m_job->isRunning(); }
    /// Says so in the status bar where it is not.
    bool isOfThisText();
    quint64 seed() const { return m_seed; } ///< of the random tensors of the last run
    /// The text changed; `other`: another document came.
    void textChanged(bool other);

signals:
    void runningChanged();
    /// One line for the status bar.
    void stateChanged(const QString& text);

private:
    void land(Result<emulator::PlanRunOutcome> outcome);
    void insertPlan();
    void goTo(int line);

    Panes& m_panes;
    FileController& m_files;
    BackgroundJob* m_job;
    std::shared_ptr<const Compiler> m_compiler{};
    std::string m_sha256; ///< of the text that runs or ran
    std::string m_examplePlan; ///< for the text that has none
    quint64 m_seed = 1;
};

} // namespace ptxwb
