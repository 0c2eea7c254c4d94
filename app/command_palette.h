// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <QList>

class QAction;
class QLineEdit;
class QListWidget;

namespace ptxwb {

/// Finds a command by a part of its name and runs it.
class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const QList<QAction*>& actions, QWidget* parent);

    /// Property of an action whose text needs its menu to be understood: the name to show here.
    static constexpr const char* titleProperty = "commandTitle";
    /// Name of an action without its menu's mnemonics.
    static QString title(const QAction& action);
    /// Whether every word of `wanted` is in `title`, in any order.
    static bool matches(const QString& title, const QString& wanted);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& wanted);
    void run();

    QList<QAction*> m_actions;
    QLineEdit* m_wanted;
    QListWidget* m_list;
};

} // namespace ptxwb
