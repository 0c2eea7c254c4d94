// SPDX-License-Identifier: Apache-2.0
#include "app/command_palette.h"

#include "widgets/editor/roomy_delegate.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>

namespace ptxwb {

namespace {

constexpr int keyRole = Qt::UserRole + 1;

/// The command at the left, its key at the right.
class CommandDelegate : public RoomyDelegate {
public:
    using RoomyDelegate::RoomyDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        RoomyDelegate::paint(painter, option, index);
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        painter->setPen(
            option.palette.color(selected ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
            index.data(keyRole).toString());
    }
};

} // namespace

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent)
    , m_wanted(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setWindowTitle(tr("Find a command"));
    for (QAction* action : actions) {
        if (action->isEnabled()) {
            m_actions << action;
        }
    }
    m_wanted->setPlaceholderText(tr("Type a part of its name"));
    m_wanted->installEventFilter(this);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_wanted);
    layout->addWidget(m_list);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    resize(560, 420);
    if (parent != nullptr) {
        const QPoint top(std::max(0, (parent->width() - width()) / 2), parent->height() / 12);
        move(parent->mapToGlobal(top));
    }
    connect(m_wanted, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_wanted, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemActivated, this, &CommandPalette::run);
    filter({});
}

QString CommandPalette::title(const QAction& action)
{
    if (const QString whole = action.property(titleProperty).toString(); !whole.isEmpty()) {
        return whole;
    }
    QString text = action.text().section(QLatin1Char('\t'), 0, 0);
    return text.remove(QLatin1Char('&'));
}

bool CommandPalette::matches(const QString& title, const QString& wanted)
{
    const QStringList words = wanted.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
        [&title](const QString& word) { return title.contains(word, Qt::CaseInsensitive); });
}

void CommandPalette::filter(const QString& wanted)
{
    m_list->clear();
    for (int i = 0; i < m_actions.size(); ++i) {
        const QString name = title(*m_actions[i]);
        if (matches(name, wanted)) {
            const QString key = m_actions[i]->shortcut().toString(QKeySequence::NativeText);
            auto* item = new QListWidgetItem(name, m_list);
            item->setData(Qt::UserRole, i);
            item->setData(keyRole, key);
        }
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::run()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr) {
        return;
    }
    QAction* action = m_actions[item->data(Qt::UserRole).toInt()];
    accept();
    // After the dialog is gone, so that the command finds the focus where it was.
    QTimer::singleShot(0, action, &QAction::trigger);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_wanted && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            const int step = key == Qt::Key_Down ? 1 : -1;
            m_list->setCurrentRow(
                std::clamp(m_list->currentRow() + step, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace ptxwb
