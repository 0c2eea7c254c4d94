// SPDX-License-Identifier: Apache-2.0
#include "app/status_display.h"

#include "app/build_controller.h"
#include "app/file_controller.h"
#include "app/panes.h"
#include "app/task_chooser.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/elided_label.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"

#include <QLabel>
#include <QStatusBar>

namespace ptxwb {

StatusDisplay::StatusDisplay(QStatusBar& bar, Panes& panes, BuildController& builds, FileController& files,
    TaskChooser& tasks, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_builds(builds)
    , m_files(files)
    , m_tasks(tasks)
    , m_state(new ElidedLabel(&bar))
    , m_problems(new QLabel(&bar))
    , m_position(new QLabel(&bar))
    , m_language(new QLabel(&bar))
    , m_target(new QLabel(&bar))
    , m_gpu(new QLabel(tr("Looking for a GPU…"), &bar))
{
    m_state->setObjectName(QStringLiteral("stateLabel"));
    m_state->setContentsMargins(6, 0, 6, 0);
    bar.addWidget(m_state, 1);
    m_target->setObjectName(QStringLiteral("targetLabel"));
    for (QLabel* label : {m_problems, m_position, m_language, m_target, m_gpu}) {
        label->setContentsMargins(8, 0, 8, 0);
        bar.addPermanentWidget(label);
    }
    m_position->setToolTip(tr("Line and column of the caret (Ctrl+G goes to a line)"));
    m_language->setToolTip(tr("Language of the text, by the file's name"));
    const PtxEditor* editor = m_panes.editor->editor();
    connect(editor, &QsciScintilla::cursorPositionChanged, this, &StatusDisplay::showPosition);
    connect(&m_files, &FileController::documentChanged, this, &StatusDisplay::showLanguage);
    connect(&m_files, &FileController::documentChanged, this, &StatusDisplay::showTarget);
    connect(&m_tasks, &TaskChooser::targetChanged, this, &StatusDisplay::showTarget);
    connect(&m_builds, &BuildController::buildFinished, this, &StatusDisplay::showTarget);
    connect(m_panes.problems->model(), &QAbstractItemModel::modelReset, this, &StatusDisplay::showProblems);
    showPosition();
    showLanguage();
    showTarget();
    showProblems();
}

void StatusDisplay::setState(const QString& text)
{
    m_state->setText(text);
    m_state->setToolTip(text);
}

QString StatusDisplay::stateText() const
{
    return m_state->text();
}

void StatusDisplay::setGpu(const QString& name, const QString& problem)
{
    m_gpu->setText(name.isEmpty() ? tr("No GPU") : name);
    m_gpu->setToolTip(name.isEmpty() ? problem : tr("The GPU on which kernels are checked and timed"));
}

void StatusDisplay::showPosition()
{
    const PtxEditor* editor = m_panes.editor->editor();
    m_position->setText(tr("Ln %1, Col %2").arg(editor->currentLine()).arg(editor->currentColumn()));
}

void StatusDisplay::showLanguage()
{
    m_language->setText(
        m_files.document().language() == Language::Cuda ? QStringLiteral("CUDA C++") : QStringLiteral("PTX"));
}

void StatusDisplay::showTarget()
{
    const std::optional<std::string> chosen = m_tasks.target();
    const std::shared_ptr<const Build> build = m_builds.current();
    if (chosen) {
        m_target->setText(QString::fromStdString(*chosen));
        m_target->setToolTip(tr("Target chosen in the tool bar"));
    } else if (build && !build->compile.target.empty()) {
        m_target->setText(QString::fromStdString(build->compile.target));
        m_target->setToolTip(tr("Target of the last build, chosen automatically"));
    } else {
        m_target->setText(tr("target: automatic"));
        m_target->setToolTip(tr("The GPU's target, sm_90a without a GPU, or the one that the text names"));
    }
}

void StatusDisplay::showProblems()
{
    const ProblemsModel* model = m_panes.problems->model();
    const int errors = model->countOf(Severity::Fatal) + model->countOf(Severity::Error);
    const int warnings = model->countOf(Severity::Warning);
    m_problems->setText(tr("✗ %1  ⚠ %2").arg(errors).arg(warnings));
    m_problems->setToolTip(tr("Errors and warnings of the last build (F8 goes to the next)"));
}

} // namespace ptxwb
