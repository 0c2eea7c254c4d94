// SPDX-License-Identifier: Apache-2.0
// What the window's actions do.
#include "app/build_controller.h"
#include "app/command_palette.h"
#include "app/comparison_controller.h"
#include "app/debug_controller.h"
#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/fix_controller.h"
#include "app/help_texts.h"
#include "app/layouts.h"
#include "app/main_window.h"
#include "app/name_controller.h"
#include "app/pane_navigation.h"
#include "app/welcome_controller.h"
#include "core/support/files.h"
#include "widgets/debugger/debugger_pane.h"
#include "widgets/debugger/timeline_pane.h"
#include "widgets/diff/diff_view.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/find_bar.h"
#include "widgets/editor/notice_bar.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/plots/speedup_pane.h"
#include "widgets/sass/sass_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QDesktopServices>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QTabWidget>
#include <QUrl>

namespace ptxwb {

void MainWindow::connectActions()
{
    connectFileActions();
    connectEditActions();
    connectViewActions();
    connect(m_actions.compile, &QAction::triggered, m_builds, &BuildController::buildNow);
    connect(m_actions.evaluate, &QAction::triggered, this, &MainWindow::evaluate);
    connect(m_actions.cancel, &QAction::triggered, this, &MainWindow::cancelAll);
    connect(m_actions.liveCompile, &QAction::toggled, this, [this](bool on) {
        m_settings.setLiveCompile(on);
        m_builds->setLive(on);
    });
    connect(m_actions.compareFile, &QAction::triggered, this, &MainWindow::chooseFileToCompare);
    connect(m_actions.compareLast, &QAction::triggered, this, &MainWindow::compareWithLastBuild);
    connect(m_actions.palette, &QAction::triggered, this, [this] {
        CommandPalette palette(m_actions.all(), this);
        palette.exec();
    });
    connect(m_actions.shortcuts, &QAction::triggered, this,
        [this] { m_prompts->showText(tr("Keyboard shortcuts"), shortcutsHtml(m_actions.all())); });
    connect(m_actions.doctor, &QAction::triggered, this, [this] {
        m_prompts->showText(tr("What is here"),
            doctorHtml(m_environment.compiler ? &m_environment.compiler->toolchain() : nullptr, m_gpu));
    });
    connect(m_actions.about, &QAction::triggered, this,
        [this] { m_prompts->showText(tr("About PTX Workbench"), aboutHtml()); });
    connect(m_panes.speedup, &SpeedupPane::exportRequested, this,
        [this](SpeedupPane::Export format) { exportPlot(static_cast<int>(format)); });
    connect(m_panes.debugger->timeline(), &TimelinePane::exportRequested, this, [this] {
        const QString path = m_prompts->fileToSave(
            tr("Save the timeline"), QStringLiteral("timeline.json"), QStringLiteral("*.json"));
        if (!path.isEmpty()) {
            m_debug->saveTrace(path);
        }
    });
    connect(m_panes.editor->editor(), &PtxEditor::linkActivated, this,
        [](const QString& url) { QDesktopServices::openUrl(QUrl(url)); });
}

void MainWindow::connectFileActions()
{
    setAcceptDrops(true);
    connect(m_panes.editor->editor(), &PtxEditor::fileDropped, m_files, &FileController::open);
    connect(m_actions.newFile, &QAction::triggered, m_files, &FileController::newFile);
    connect(m_actions.open, &QAction::triggered, m_files, &FileController::chooseAndOpen);
    connect(m_actions.save, &QAction::triggered, m_files, &FileController::save);
    connect(m_actions.saveAs, &QAction::triggered, m_files, &FileController::saveAs);
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!PtxEditor::draggedFile(event->mimeData()).isEmpty()) {
        event->acceptProposedAction();
    }
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    m_files->open(PtxEditor::draggedFile(event->mimeData()));
}

void MainWindow::fillRecentMenu()
{
    m_actions.recentMenu->clear();
    const QStringList files = m_settings.recentFiles();
    m_welcome->setRecent(files);
    for (const QString& file : files) {
        QAction* action = m_actions.recentMenu->addAction(file);
        connect(action, &QAction::triggered, this, [this, file] { m_files->open(file); });
    }
    m_actions.recentMenu->setEnabled(!files.isEmpty());
    if (!files.isEmpty()) {
        m_actions.recentMenu->addSeparator();
        connect(m_actions.recentMenu->addAction(tr("&Forget these")), &QAction::triggered, this, [this] {
            m_settings.clearRecentFiles();
            fillRecentMenu();
        });
    }
}

void MainWindow::connectEditActions()
{
    PtxEditor* editor = m_panes.editor->editor();
    FindBar* bar = m_panes.editor->findBar();
    connect(m_actions.undo, &QAction::triggered, editor, &QsciScintilla::undo);
    connect(m_actions.redo, &QAction::triggered, editor, &QsciScintilla::redo);
    connect(m_actions.cut, &QAction::triggered, editor, &QsciScintilla::cut);
    connect(m_actions.copy, &QAction::triggered, editor, &QsciScintilla::copy);
    connect(m_actions.paste, &QAction::triggered, editor, &QsciScintilla::paste);
    connect(m_actions.find, &QAction::triggered, this, [this, bar] {
        // In every pane Ctrl+F searches that pane.
        if (m_panes.sass->isAncestorOf(QApplication::focusWidget())) {
            m_panes.sass->openFind();
        } else {
            m_panes.centre->setCurrentIndex(0);
            bar->openFind();
        }
    });
    connect(m_actions.replace, &QAction::triggered, bar, &FindBar::openReplace);
    connect(m_actions.findNext, &QAction::triggered, bar, &FindBar::findNext);
    connect(m_actions.findPrevious, &QAction::triggered, bar, &FindBar::findPrevious);
    connect(m_actions.goToLine, &QAction::triggered, this, [this, editor] {
        const int line = m_prompts->lineToGoTo(editor->currentLine(), std::max(1, editor->lines()));
        if (line > 0) {
            editor->goTo(line);
            editor->setFocus();
        }
    });
    connect(m_actions.nextProblem, &QAction::triggered, this, [this] { goToProblem(true); });
    connect(m_actions.previousProblem, &QAction::triggered, this, [this] { goToProblem(false); });
    auto* fixes = new FixController(m_panes, *m_builds, *m_files, this);
    connect(fixes, &FixController::stateChanged, this, &MainWindow::showState);
    connect(m_actions.fixProblem, &QAction::triggered, fixes, &FixController::offerFixes);
    connect(m_actions.fixAll, &QAction::triggered, fixes, &FixController::applyAll);
    connect(m_actions.toggleComment, &QAction::triggered, editor, &PtxEditor::toggleComment);
    connect(m_actions.foldAll, &QAction::triggered, editor, [editor] { editor->foldAll(true); });
    connect(m_actions.hover, &QAction::triggered, editor, &PtxEditor::showHoverAtCaret);
    auto* names = new NameController(*editor, m_actions, m_settings, *m_prompts, this);
    connect(names, &NameController::stateChanged, this, &MainWindow::showState);
}

void MainWindow::goToProblem(bool forward)
{
    PtxEditor* editor = m_panes.editor->editor();
    const ProblemsModel* problems = m_panes.problems->model();
    const int row = problems->nextRow(editor->currentLine(), editor->currentColumn(), forward);
    if (row < 0) {
        showState(tr("There is no problem to go to."));
        return;
    }
    const QModelIndex index = problems->index(row, ProblemsModel::MessageColumn);
    m_panes.centre->setCurrentIndex(0);
    m_panes.problems->setCurrentRow(row);
    editor->goTo(index.data(ProblemsModel::LineRole).toInt(),
        std::max(1, index.data(ProblemsModel::ColumnRole).toInt()));
    editor->setFocus();
    showState(index.data().toString());
}

void MainWindow::connectViewActions()
{
    const std::pair<QAction*, Layout> layouts[] = {{m_actions.layoutEdit, Layout::Edit},
        {m_actions.layoutInspect, Layout::Inspect}, {m_actions.layoutCompare, Layout::Compare},
        {m_actions.layoutReset, Layout::Edit}};
    for (const auto& [action, layout] : layouts) {
        connect(action, &QAction::triggered, this,
            [this, chosen = layout] { applyLayout(*this, m_panes, chosen); });
    }
    for (int number = 0; number < m_actions.goToPane.size(); ++number) {
        if (QAction* action = m_actions.goToPane[number]) {
            connect(action, &QAction::triggered, this, [this, number] { m_navigation->goTo(number); });
        }
    }
    connect(m_actions.nextPane, &QAction::triggered, this, [this] { m_navigation->cycle(1); });
    connect(m_actions.previousPane, &QAction::triggered, this, [this] { m_navigation->cycle(-1); });
    connect(m_actions.themes, &QActionGroup::triggered, this, [this](const QAction* action) {
        m_settings.setTheme(action->data().toString());
        useTheme(action->data().toString());
    });
    connect(m_actions.zoomIn, &QAction::triggered, this, [this] { changeTextSize(1); });
    connect(m_actions.zoomOut, &QAction::triggered, this, [this] { changeTextSize(-1); });
    connect(m_actions.zoomReset, &QAction::triggered, this, [this] { changeTextSize(0); });
}

void MainWindow::changeTextSize(int step)
{
    const int now = fixedFont(m_settings.fontPoints()).pointSize();
    m_settings.setFontPoints(step == 0 ? 0 : std::clamp(now + step, 6, 40));
    m_panes.editor->editor()->zoomTo(0);
    m_panes.setCodeFont(fixedFont(m_settings.fontPoints()));
}

void MainWindow::cancelAll()
{
    m_evaluations->cancel();
    m_builds->cancel();
    m_comparisons->cancel();
    cancelRuns();
    updateBusy();
}

void MainWindow::chooseFileToCompare()
{
    const QString path = m_prompts->fileToOpen(
        tr("Compare the editor with"), QFileInfo(m_files->document().path()).absolutePath());
    if (!path.isEmpty()) {
        compareWithFile(path, ComparisonController::Order::FileFirst);
    }
}

void MainWindow::compareWithFile(const QString& path, ComparisonController::Order order)
{
    if (!m_environment.compiler) {
        showState(tr("Still looking for the tools; try again in a moment."));
        return;
    }
    m_panes.diff->setEmptyReason(tr("Comparing…"));
    m_panes.centre->setCurrentIndex(1);
    m_comparisons->compareWithFile(m_environment.compiler, path, buildRequest(), order);
    updateBusy();
}

void MainWindow::compareWithLastBuild()
{
    m_panes.centre->setCurrentIndex(1);
    if (!m_builds->previous() || !m_builds->current()) {
        m_panes.diff->setEmptyReason(
            tr("There is no earlier build to compare with yet: change the text and compile it. "
               "Then this shows what changed in the machine code."));
        return;
    }
    m_panes.diff->setEmptyReason(tr("Comparing…"));
    m_comparisons->compareBuilds(m_builds->previous(), m_builds->current());
}

void MainWindow::exportPlot(int format)
{
    const auto chosen = static_cast<SpeedupPane::Export>(format);
    const QString suffix = chosen == SpeedupPane::Export::Png ? QStringLiteral("png")
        : chosen == SpeedupPane::Export::Svg                  ? QStringLiteral("svg")
                                                              : QStringLiteral("csv");
    const QString path = m_prompts->fileToSave(tr("Export the speed-ups"),
        QStringLiteral("speedup.%1").arg(suffix), QStringLiteral("*.%1").arg(suffix));
    if (path.isEmpty()) {
        return;
    }
    const Result<void> written = writeFileAtomically(
        std::filesystem::path(path.toStdString()), m_panes.speedup->exported(chosen).toStdString());
    if (written) {
        showState(tr("Written: %1").arg(path));
    } else {
        m_panes.editor->notice()->showNotice(
            NoticeBar::Tone::Failure, QString::fromStdString(describe(written.error())));
    }
}

} // namespace ptxwb
