// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeySequence>
#include <QTableView>

#include <functional>

namespace ptxwb {

/// The table that panes of machine code share: dense rows of whole instructions in the fixed font, no
/// editing, actions in its context menu.
class ListingTable : public QTableView {
    Q_OBJECT
public:
    ListingTable(QAbstractItemModel* model, const QString& accessibleName, QWidget* parent = nullptr);

    /// The system's fixed font in the size of `like`.
    static QFont monospace(const QFont& like);
    /// Rows as high as this font asks for.
    void setRowFont(const QFont& font);
    /// Makes the row current and puts it in the middle.
    void goTo(const QModelIndex& index);
    /// An action in the context menu; its shortcut holds in all of `pane`.
    void addPaneAction(
        QWidget* pane, const QString& title, const QKeySequence& keys, const std::function<void()>& work);
};

} // namespace ptxwb
