// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

#include <vector>

class QMenu;
class QToolButton;

namespace ptxwb {

/// Evidence that can go with a question.
struct ContextChip {
    QString id{};
    QString title{};
    qint64 bytes = 0;
    QString toolTip{};
    bool operator==(const ContextChip&) const = default;
};

/// The evidence that goes with the next question: one chip each, removable, and a menu that brings removed
/// ones back.
class ContextBar : public QWidget {
    Q_OBJECT
public:
    explicit ContextBar(QWidget* parent = nullptr);

    /// A chip that the user removed stays removed under its id.
    void setChips(const std::vector<ContextChip>& chips);
    /// Ids of the chips that are not removed, in order.
    QStringList includedIds() const;

signals:
    void includedChanged();

private:
    void rebuild();
    void setRemoved(const QString& id, bool removed);

    std::vector<ContextChip> m_chips;
    QStringList m_removed;
    QToolButton* m_add;
    QMenu* m_menu;
};

} // namespace ptxwb
