// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/context_bar.h"

#include "widgets/chat/flow_layout.h"

#include <QLocale>
#include <QMenu>
#include <QToolButton>

namespace ptxwb {

ContextBar::ContextBar(QWidget* parent)
    : QWidget(parent)
    , m_add(new QToolButton(this))
    , m_menu(new QMenu(this))
{
    setLayout(new FlowLayout);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    m_add->setText(tr("+ Context"));
    m_add->setToolTip(tr("Send again what was removed"));
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setMenu(m_menu);
    m_add->setObjectName(QStringLiteral("addContext"));
    rebuild();
}

void ContextBar::setChips(const std::vector<ContextChip>& chips)
{
    if (chips != m_chips) {
        m_chips = chips;
        rebuild();
    }
}

QStringList ContextBar::includedIds() const
{
    QStringList ids;
    for (const auto& chip : m_chips) {
        if (!m_removed.contains(chip.id)) {
            ids << chip.id;
        }
    }
    return ids;
}

void ContextBar::setRemoved(const QString& id, bool removed)
{
    m_removed.removeAll(id);
    if (removed) {
        m_removed << id;
    }
    // Later: the button that was clicked is among the widgets that are rebuilt.
    QMetaObject::invokeMethod(this, &ContextBar::rebuild, Qt::QueuedConnection);
    emit includedChanged();
}

void ContextBar::rebuild()
{
    while (auto* item = layout()->takeAt(0)) {
        if (item->widget() != m_add) {
            delete item->widget();
        }
        delete item;
    }
    m_menu->clear();
    for (const auto& chip : m_chips) {
        const auto id = chip.id;
        const auto label = tr("%1 (%2)").arg(chip.title, QLocale().formattedDataSize(chip.bytes, 1));
        if (m_removed.contains(id)) {
            auto* action = m_menu->addAction(label);
            connect(action, &QAction::triggered, this, [this, id] { setRemoved(id, false); });
            continue;
        }
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("chip"));
        button->setText(label + QStringLiteral("  ✕"));
        button->setToolTip(chip.toolTip.isEmpty()
                ? tr("Goes with your question; click to leave it out")
                : tr("%1\nGoes with your question; click to leave it out").arg(chip.toolTip));
        button->setAccessibleName(tr("Leave out %1").arg(chip.title));
        connect(button, &QToolButton::clicked, this, [this, id] { setRemoved(id, true); });
        layout()->addWidget(button);
    }
    layout()->addWidget(m_add);
    m_add->setVisible(!m_menu->isEmpty());
    setVisible(!m_chips.empty());
    updateGeometry();
}

} // namespace ptxwb
