// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/sass_find_bar.h"

#include "widgets/sass/sass_model.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace ptxwb {

SassFindBar::SassFindBar(QAbstractItemModel* model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_needle(new QLineEdit(this))
    , m_status(new QLabel(this))
{
    auto* previous = new QToolButton(this);
    previous->setText(QStringLiteral("▲"));
    previous->setToolTip(tr("Previous (Shift+Enter)"));
    previous->setAccessibleName(tr("Previous match"));
    auto* next = new QToolButton(this);
    next->setText(QStringLiteral("▼"));
    next->setToolTip(tr("Next (Enter)"));
    next->setAccessibleName(tr("Next match"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_needle, 1);
    layout->addWidget(m_status);
    layout->addWidget(previous);
    layout->addWidget(next);
    m_needle->setPlaceholderText(tr("Find in the listing"));
    m_needle->setAccessibleName(tr("Find in the listing"));
    m_needle->setClearButtonEnabled(true);
    connect(m_needle, &QLineEdit::textChanged, this, [this] { find(true, true); });
    connect(previous, &QToolButton::clicked, this, &SassFindBar::findPrevious);
    connect(next, &QToolButton::clicked, this, &SassFindBar::findNext);
    hide();
}

void SassFindBar::open()
{
    show();
    m_needle->setFocus(Qt::ShortcutFocusReason);
    m_needle->selectAll();
}

void SassFindBar::close()
{
    hide();
    emit closed();
}

void SassFindBar::setNeedle(const QString& text)
{
    m_needle->setText(text);
}

QString SassFindBar::statusText() const
{
    return m_status->text();
}

void SassFindBar::findNext()
{
    find(true, false);
}

void SassFindBar::findPrevious()
{
    find(false, false);
}

std::vector<int> SassFindBar::matches() const
{
    std::vector<int> rows;
    const auto needle = m_needle->text().simplified();
    if (needle.isEmpty()) {
        return rows;
    }
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const auto text = m_model->index(row, 0).data(SassModel::RawRole).toString().simplified();
        const auto address =
            m_model->index(row, SassModel::AddressColumn).data().toString(); // with its label
        if (text.contains(needle, Qt::CaseInsensitive) || address.contains(needle, Qt::CaseInsensitive)) {
            rows.push_back(row);
        }
    }
    return rows;
}

void SassFindBar::find(bool forward, bool stay)
{
    const auto rows = matches();
    if (rows.empty()) {
        m_status->setText(m_needle->text().isEmpty() ? QString() : tr("Not found"));
        return;
    }
    auto at = rows.begin();
    if (forward) {
        at = stay ? std::ranges::lower_bound(rows, m_current) : std::ranges::upper_bound(rows, m_current);
        at = at == rows.end() ? rows.begin() : at;
    } else {
        at = std::ranges::lower_bound(rows, m_current);
        at = at == rows.begin() ? rows.end() - 1 : at - 1;
    }
    m_current = *at;
    m_status->setText(tr("%1 of %2").arg(at - rows.begin() + 1).arg(rows.size()));
    emit found(m_current);
}

void SassFindBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        close();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        find((event->modifiers() & Qt::ShiftModifier) == 0, false);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace ptxwb
