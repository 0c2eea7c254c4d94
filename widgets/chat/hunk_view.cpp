// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/hunk_view.h"

#include "widgets/chat/chat_colours.h"
#include "widgets/chat/code_text.h"

#include <QCheckBox>
#include <QEvent>
#include <QLabel>
#include <QTextBlock>
#include <QVBoxLayout>

namespace ptxwb {

namespace {

// A longer hunk scrolls inside its frame.
constexpr int mostLines = 40;
constexpr int mostLinesUnsuggested = 10;

QString titleOf(const llm::Hunk& hunk)
{
    const auto line = static_cast<int>(hunk.firstLine) + 1;
    const auto removed = static_cast<int>(hunk.removed.size());
    const auto added = static_cast<int>(hunk.added.size());
    const auto place = removed > 1 ? HunkView::tr("Lines %1–%2").arg(line).arg(line + removed - 1)
        : removed == 1             ? HunkView::tr("Line %1").arg(line)
                                   : HunkView::tr("Before line %1").arg(line);
    QStringList what;
    if (removed > 0) {
        what << HunkView::tr("−%1").arg(removed);
    }
    if (added > 0) {
        what << HunkView::tr("+%1").arg(added);
    }
    return HunkView::tr("%1   %2").arg(place, what.join(QLatin1Char(' ')));
}

QString noteOf(const llm::Hunk& hunk)
{
    if (hunk.conflicts) {
        return HunkView::tr("⚠ You changed this place since the question: not applied.");
    }
    return hunk.suggested ? QString()
                          : HunkView::tr("Only missing from the answer: stays unless you check this.");
}

} // namespace

HunkView::HunkView(
    const llm::Hunk& hunk, const QStringList& before, const QStringList& after, QWidget* parent)
    : QFrame(parent)
    , m_check(new QCheckBox(titleOf(hunk), this))
    , m_note(new QLabel(this))
    , m_text(new CodeText(this))
    , m_conflicts(hunk.conflicts)
{
    setFrameShape(QFrame::StyledPanel);
    m_check->setChecked(hunk.suggested && !hunk.conflicts);
    m_check->setEnabled(!hunk.conflicts);
    QStringList lines;
    for (const auto& line : before) {
        lines << QStringLiteral("  ") + line;
    }
    for (const auto& line : hunk.removed) {
        lines << QStringLiteral("- ") + QString::fromStdString(line);
    }
    for (const auto& line : hunk.added) {
        lines << QStringLiteral("+ ") + QString::fromStdString(line);
    }
    for (const auto& line : after) {
        lines << QStringLiteral("  ") + line;
    }
    m_text->setCode(lines.join(QLatin1Char('\n')));
    m_text->setMostLines(hunk.suggested ? mostLines : mostLinesUnsuggested);
    m_text->setAccessibleName(m_check->text());
    const auto note = noteOf(hunk);
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_note->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(2);
    layout->addWidget(m_check);
    layout->addWidget(m_note);
    layout->addWidget(m_text);
    connect(m_check, &QCheckBox::toggled, this, &HunkView::acceptedChanged);
    colourLines();
}

bool HunkView::isAccepted() const
{
    return m_check->isChecked();
}

void HunkView::setAccepted(bool accepted)
{
    m_check->setChecked(accepted && !m_conflicts);
}

void HunkView::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_colouring) {
        colourLines();
    }
}

void HunkView::colourLines()
{
    m_colouring = true;
    const auto colours = chatColoursFor(palette());
    auto note = m_note->palette();
    note.setColor(QPalette::WindowText, colours.warningText);
    m_note->setPalette(note);
    QList<QTextEdit::ExtraSelection> selections;
    for (auto block = m_text->document()->begin(); block.isValid(); block = block.next()) {
        const bool added = block.text().startsWith(QLatin1Char('+'));
        if (added || block.text().startsWith(QLatin1Char('-'))) {
            QTextEdit::ExtraSelection selection;
            selection.cursor = QTextCursor(block);
            selection.format.setBackground(added ? colours.addedFill : colours.removedFill);
            selection.format.setProperty(QTextFormat::FullWidthSelection, true);
            selections << selection;
        }
    }
    m_text->setExtraSelections(selections);
    m_colouring = false;
}

} // namespace ptxwb
