// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/placeholder_pane.h"

#include <QLabel>

namespace ptxwb {

PlaceholderPane::PlaceholderPane(QWidget* content, QWidget* parent)
    : QStackedWidget(parent)
    , m_label(new QLabel(this))
    , m_content(content)
{
    m_label->setAlignment(Qt::AlignCenter);
    m_label->setWordWrap(true);
    m_label->setMargin(16);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    addWidget(content);
    addWidget(m_label);
    setFocusProxy(content);
}

void PlaceholderPane::setPlaceholder(const QString& text)
{
    m_label->setText(text);
    setCurrentWidget(text.isEmpty() ? m_content : m_label);
    setFocusProxy(currentWidget());
}

QString PlaceholderPane::placeholder() const
{
    return currentWidget() == m_label ? m_label->text() : QString();
}

} // namespace ptxwb
