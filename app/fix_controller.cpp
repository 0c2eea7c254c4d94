// SPDX-License-Identifier: Apache-2.0
#include "app/fix_controller.h"

#include "app/build_controller.h"
#include "app/file_controller.h"
#include "app/panes.h"
#include "core/toolchain/causes.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>

#include <algorithm>

namespace ptxwb {

FixController::FixController(Panes& panes, BuildController& builds, FileController& files, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_builds(builds)
    , m_files(files)
{
    connect(m_panes.problems, &ProblemsView::fixRequested, this, &FixController::apply);
    connect(m_panes.problems, &ProblemsView::allFixesRequested, this, &FixController::applyAll);
}

bool FixController::isOfThisText()
{
    const auto build = m_builds.current();
    if (build && build->sourceSha256 == m_files.sha256()) {
        return true;
    }
    emit stateChanged(tr("Nothing was changed: the problems are those of an earlier text. Compile again "
                         "(Ctrl+Enter), then apply the fix."));
    return false;
}

void FixController::apply(const Fix& fix)
{
    if (!isOfThisText() || fix.edits.empty()) {
        return;
    }
    m_files.setFileBytes(applyFix(m_builds.current()->source, fix));
    const auto first = std::min_element(fix.edits.begin(), fix.edits.end(),
        [](const TextEdit& a, const TextEdit& b) { return a.line < b.line; });
    m_panes.editor->editor()->goTo(first->line, first->startColumn);
    m_builds.buildNow();
    emit stateChanged(tr("Applied: %1").arg(QString::fromStdString(fix.title)));
}

void FixController::applyAll()
{
    if (!isOfThisText()) {
        return;
    }
    const auto build = m_builds.current();
    const FixedText fixed = applyFirstFixes(build->source, build->compile.diagnostics);
    if (fixed.applied.empty()) {
        emit stateChanged(tr("No cause here has a fix."));
        return;
    }
    m_files.setFileBytes(fixed.text);
    m_builds.buildNow();
    QString said = tr("Applied %n fix(es) as one step", nullptr, static_cast<int>(fixed.applied.size()));
    if (!fixed.leftOut.empty()) {
        said += QStringLiteral("; ")
            + tr("%n left out, changing the same place as another", nullptr,
                static_cast<int>(fixed.leftOut.size()));
    }
    emit stateChanged(said);
}

std::vector<int> FixController::problemsAtCaret() const
{
    const ProblemsModel* model = m_panes.problems->model();
    if (m_panes.problems->isAncestorOf(QApplication::focusWidget())) {
        const int row = m_panes.problems->currentRow();
        return row >= 0 ? std::vector<int>{row} : std::vector<int>{};
    }
    std::vector<int> rows;
    const int line = m_panes.editor->editor()->currentLine();
    for (int row = 0; row < model->rowCount(); ++row) {
        if (model->index(row, 0).data(ProblemsModel::LineRole).toInt() == line) {
            rows.push_back(row);
        }
    }
    return rows;
}

void FixController::offerFixes()
{
    if (!isOfThisText()) {
        return;
    }
    PtxEditor* editor = m_panes.editor->editor();
    auto* menu = new QMenu(m_panes.window);
    menu->setObjectName(QStringLiteral("fixMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const int row : problemsAtCaret()) {
        for (const Fix& fix :
            m_panes.problems->model()->problems()[static_cast<std::size_t>(row)].cause.fixes) {
            QAction* action = menu->addAction(
                QStringLiteral("&%1  %2")
                    .arg(menu->actions().size() + 1)
                    .arg(QString::fromStdString(fix.title).replace(QLatin1Char('&'), QStringLiteral("&&"))));
            connect(action, &QAction::hovered, this, [this, row] { m_panes.problems->setCurrentRow(row); });
            connect(action, &QAction::triggered, this, [this, fix] { apply(fix); });
        }
    }
    if (menu->isEmpty()) {
        delete menu;
        emit stateChanged(tr("No fix is known for this line. F8 goes to the next problem."));
        return;
    }
    if (m_panes.problems->model()->fixableCount() > 1) {
        menu->addSeparator();
        menu->addAction(tr("Apply &all fixes"), this, &FixController::applyAll);
    }
    // The preview of what is about to be chosen stands there.
    m_panes.raiseQuietly(m_panes.problemsDock);
    menu->setActiveAction(menu->actions().constFirst());
    QWidget* focus = QApplication::focusWidget();
    const QPoint at = m_panes.problems->isAncestorOf(focus)
        ? focus->mapToGlobal(QPoint(40, 40))
        : editor->viewport()->mapToGlobal(editor->caretPoint());
    menu->popup(at);
}

} // namespace ptxwb
