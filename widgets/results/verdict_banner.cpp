// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/verdict_banner.h"

#include "widgets/results/verdict_words.h"

#include <QHBoxLayout>
#include <QLabel>

namespace ptxwb {

VerdictBanner::VerdictBanner(QWidget* parent)
    : QFrame(parent)
    , m_glyph(new QLabel(this))
    , m_word(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_provenance(new QLabel(this))
{
    setObjectName(QStringLiteral("verdictBanner"));
    setFrameShape(QFrame::NoFrame);
    setAutoFillBackground(true);
    QFont big = font();
    big.setBold(true);
    big.setPointSizeF(big.pointSizeF() * 1.2);
    m_glyph->setFont(big);
    m_word->setFont(big);
    m_word->setAccessibleName(tr("Verdict"));
    m_sentence->setWordWrap(true);
    QFont italic = font();
    italic.setItalic(true);
    m_provenance->setFont(italic);
    m_provenance->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_provenance->setWordWrap(true);
    for (QLabel* label : {m_word, m_sentence, m_provenance}) {
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 6);
    layout->setSpacing(10);
    layout->addWidget(m_glyph);
    layout->addWidget(m_word);
    layout->addWidget(m_sentence, 5);
    layout->addWidget(m_provenance, 3);
    paint();
}

void VerdictBanner::setColours(const StatusColours& colours)
{
    m_colours = colours;
    paint();
}

void VerdictBanner::showVerdict(Verdict verdict, const QString& sentence, const QString& provenance)
{
    show(VerdictWords::tone(verdict), VerdictWords::word(verdict), sentence, provenance);
}

void VerdictBanner::showVerdictOfAnotherText(
    Verdict verdict, const QString& sentence, const QString& provenance)
{
    show(Tone::Neutral, VerdictWords::word(verdict), sentence, provenance);
}

void VerdictBanner::showMessage(Tone tone, const QString& word, const QString& sentence)
{
    show(tone, word, sentence, {});
}

void VerdictBanner::show(Tone tone, const QString& word, const QString& sentence, const QString& provenance)
{
    m_tone = tone;
    m_word->setText(word);
    m_sentence->setText(sentence);
    m_sentence->setToolTip(sentence);
    m_provenance->setText(provenance);
    m_provenance->setVisible(!provenance.isEmpty());
    paint();
}

void VerdictBanner::paint()
{
    m_glyph->setText(glyphOf(m_tone));
    QPalette colours = palette();
    colours.setColor(QPalette::Window, m_colours.fill(m_tone));
    colours.setColor(QPalette::WindowText, m_colours.ink(m_tone));
    setPalette(colours);
}

QString VerdictBanner::word() const
{
    return m_word->text();
}

QString VerdictBanner::sentence() const
{
    return m_sentence->text();
}

QString VerdictBanner::provenance() const
{
    return m_provenance->text();
}

} // namespace ptxwb
