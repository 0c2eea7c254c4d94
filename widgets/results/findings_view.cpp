// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/findings_view.h"

#include "widgets/editor/roomy_delegate.h"
#include "widgets/results/findings_model.h"

#include <QAction>
#include <QHeaderView>

namespace ptxwb {

FindingsView::FindingsView(FindingsModel* model, QWidget* parent)
    : QTreeView(parent)
{
    setModel(model);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(40); // else its pane would push up the whole row of docks
    setItemDelegate(new RoomyDelegate(this));
    setAccessibleName(tr("Findings of the emulator"));
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(FindingsModel::MessageColumn, QHeaderView::Stretch);
    header()->setSectionResizeMode(FindingsModel::FixColumn, QHeaderView::Stretch);
    connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const int line = index.data(FindingsModel::LineRole).toInt(); line > 0) {
            emit lineActivated(line);
        }
    });
    auto* debug = new QAction(tr("Open in the debugger, at its step"), this);
    debug->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_F9));
    debug->setShortcutContext(Qt::WidgetShortcut);
    addAction(debug);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(debug, &QAction::triggered, this, [this, model] {
        const emulator::Report* report = model->report(currentIndex().row());
        if (report != nullptr && !report->bySanitizer) { // of a GPU there is nothing to step
            emit debugRequested(*report);
        }
    });
}

} // namespace ptxwb
