// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/notice_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace ptxwb {

NoticeBar::NoticeBar(QWidget* parent)
    : QFrame(parent)
    , m_glyph(new QLabel(this))
    , m_text(new QLabel(this))
    , m_buttons(new QHBoxLayout)
{
    setObjectName(QStringLiteral("noticeBar"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::ToolTipBase);
    for (QLabel* label : {m_glyph, m_text}) {
        label->setForegroundRole(QPalette::ToolTipText);
    }
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(this);
    close->setText(QStringLiteral("✕"));
    close->setToolTip(tr("Close"));
    close->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 4, 4);
    layout->addWidget(m_glyph);
    layout->addWidget(m_text, 1);
    layout->addLayout(m_buttons);
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    hide();
}

void NoticeBar::showNotice(Tone tone, const QString& text, const std::vector<Choice>& choices)
{
    m_glyph->setText(tone == Tone::Information ? QStringLiteral("ℹ")
            : tone == Tone::Warning            ? QStringLiteral("⚠")
                                               : QStringLiteral("✗"));
    m_text->setText(text);
    while (QLayoutItem* item = m_buttons->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const Choice& choice : choices) {
        auto* button = new QPushButton(choice.label, this);
        m_buttons->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, chosen = choice.chosen] {
            hide();
            if (chosen) {
                chosen();
            }
        });
    }
    show();
}

QString NoticeBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

} // namespace ptxwb
