// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/find_bar.h"

#include "widgets/editor/ptx_editor.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace ptxwb {

namespace {

using Sci = QsciScintillaBase;

/// More matches than this are not counted: the number is of no use and the search would be felt.
constexpr std::size_t mostCountedMatches = 9999;

QToolButton* button(QWidget* parent, const QString& text, const QString& toolTip)
{
    auto* result = new QToolButton(parent);
    result->setText(text);
    result->setToolTip(toolTip);
    return result;
}

} // namespace

FindBar::FindBar(PtxEditor* editor, QWidget* parent)
    : QWidget(parent)
    , m_editor(editor)
    , m_needle(new QLineEdit(this))
    , m_replacement(new QLineEdit(this))
    , m_caseSensitive(new QCheckBox(tr("Match &case"), this))
    , m_wholeWord(new QCheckBox(tr("Whole &word"), this))
    , m_regex(new QCheckBox(tr("Rege&x"), this))
    , m_status(new QLabel(this))
    , m_replaceRow(new QWidget(this))
{
    setObjectName(QStringLiteral("findBar"));
    m_needle->setPlaceholderText(tr("Find"));
    m_needle->setAccessibleName(tr("Find"));
    m_needle->setClearButtonEnabled(true);
    m_replacement->setPlaceholderText(tr("Replace with"));
    m_replacement->setAccessibleName(tr("Replace with"));
    m_status->setMinimumWidth(110);

    auto* previous = button(this, QStringLiteral("▲"), tr("Previous match (Shift+F3)"));
    auto* next = button(this, QStringLiteral("▼"), tr("Next match (F3)"));
    auto* close = button(this, QStringLiteral("✕"), tr("Close (Esc)"));
    auto* findRow = new QHBoxLayout;
    findRow->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{
             m_needle, previous, next, m_status, m_caseSensitive, m_wholeWord, m_regex, close}) {
        findRow->addWidget(widget, widget == m_needle ? 1 : 0);
    }

    auto* replace = button(this, tr("Replace"), tr("Replace this match and go to the next one"));
    auto* all = button(this, tr("Replace all"), tr("Replace every match, as one step of undo"));
    auto* replaceLayout = new QHBoxLayout(m_replaceRow);
    replaceLayout->setContentsMargins(0, 0, 0, 0);
    replaceLayout->addWidget(m_replacement, 1);
    replaceLayout->addWidget(replace);
    replaceLayout->addWidget(all);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(findRow);
    layout->addWidget(m_replaceRow);
    setTabOrder(m_needle, m_replacement);

    connect(m_needle, &QLineEdit::textChanged, this, [this] { find(true, true); });
    for (QCheckBox* box : {m_caseSensitive, m_wholeWord, m_regex}) {
        connect(box, &QCheckBox::toggled, this, [this] { find(true, true); });
    }
    connect(previous, &QToolButton::clicked, this, &FindBar::findPrevious);
    connect(next, &QToolButton::clicked, this, &FindBar::findNext);
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        m_editor->setFocus();
    });
    connect(replace, &QToolButton::clicked, this, &FindBar::replaceOne);
    connect(all, &QToolButton::clicked, this, &FindBar::replaceAll);
    hide();
}

void FindBar::open(bool withReplace)
{
    m_replaceRow->setVisible(withReplace);
    const QString selected = m_editor->selectedText();
    if (!selected.isEmpty() && !selected.contains(QLatin1Char('\n'))) {
        const QSignalBlocker blocker(m_needle);
        m_needle->setText(selected);
    }
    show();
    m_needle->setFocus();
    m_needle->selectAll();
    showCount();
}

void FindBar::openFind()
{
    open(false);
}

void FindBar::openReplace()
{
    open(true);
}

void FindBar::setNeedle(const QString& text)
{
    m_needle->setText(text);
}

QString FindBar::statusText() const
{
    return m_status->text();
}

unsigned FindBar::searchFlags() const
{
    unsigned flags = 0;
    flags |= m_caseSensitive->isChecked() ? unsigned{Sci::SCFIND_MATCHCASE} : 0U;
    flags |= m_wholeWord->isChecked() ? unsigned{Sci::SCFIND_WHOLEWORD} : 0U;
    flags |= m_regex->isChecked() ? unsigned{Sci::SCFIND_REGEXP} | unsigned{Sci::SCFIND_CXX11REGEX} : 0U;
    return flags;
}

std::vector<std::pair<long, long>> FindBar::matches() const
{
    std::vector<std::pair<long, long>> found;
    const QByteArray needle = m_needle->text().toUtf8();
    if (needle.isEmpty()) {
        return found;
    }
    const long length = m_editor->SendScintilla(Sci::SCI_GETLENGTH);
    m_editor->SendScintilla(Sci::SCI_SETSEARCHFLAGS, static_cast<unsigned long>(searchFlags()));
    long from = 0;
    while (from <= length && found.size() < mostCountedMatches) {
        m_editor->SendScintilla(Sci::SCI_SETTARGETRANGE, static_cast<unsigned long>(from), length);
        const long at = m_editor->SendScintilla(
            Sci::SCI_SEARCHINTARGET, static_cast<unsigned long>(needle.size()), needle.constData());
        if (at < 0) {
            break;
        }
        const long end = m_editor->SendScintilla(Sci::SCI_GETTARGETEND);
        found.emplace_back(at, end);
        from = end > at ? end : end + 1;
    }
    return found;
}

bool FindBar::find(bool forward, bool fromSelectionStart)
{
    const std::vector<std::pair<long, long>> found = matches();
    if (found.empty()) {
        showCount();
        return false;
    }
    const long selectionStart = m_editor->SendScintilla(Sci::SCI_GETSELECTIONSTART);
    const long selectionEnd = m_editor->SendScintilla(Sci::SCI_GETSELECTIONEND);
    const long from = fromSelectionStart ? selectionStart : selectionEnd;
    const std::pair<long, long>* chosen = nullptr;
    if (forward) {
        for (const auto& match : found) {
            if (match.first >= from) {
                chosen = &match;
                break;
            }
        }
        chosen = chosen != nullptr ? chosen : &found.front();
    } else {
        for (const auto& match : found) {
            if (match.first < selectionStart) {
                chosen = &match;
            }
        }
        chosen = chosen != nullptr ? chosen : &found.back();
    }
    m_editor->SendScintilla(Sci::SCI_ENSUREVISIBLE,
        static_cast<unsigned long>(m_editor->SendScintilla(Sci::SCI_LINEFROMPOSITION, chosen->first)));
    m_editor->SendScintilla(Sci::SCI_SETSEL, static_cast<unsigned long>(chosen->first), chosen->second);
    m_editor->SendScintilla(Sci::SCI_SCROLLCARET);
    showCount();
    return true;
}

void FindBar::showCount()
{
    if (m_needle->text().isEmpty()) {
        m_status->clear();
        return;
    }
    const std::vector<std::pair<long, long>> found = matches();
    if (found.empty()) {
        m_status->setText(tr("No match"));
        return;
    }
    const long selectionStart = m_editor->SendScintilla(Sci::SCI_GETSELECTIONSTART);
    std::size_t index = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i].first == selectionStart) {
            index = i + 1;
        }
    }
    const QString total = found.size() >= mostCountedMatches ? tr("%1 or more").arg(mostCountedMatches)
                                                             : QString::number(found.size());
    m_status->setText(index > 0 ? tr("%1 of %2").arg(index).arg(total)
                                : tr("%n match(es)", nullptr, static_cast<int>(found.size())));
}

void FindBar::findNext()
{
    find(true, false);
}

void FindBar::findPrevious()
{
    find(false, false);
}

void FindBar::replaceOne()
{
    const long start = m_editor->SendScintilla(Sci::SCI_GETSELECTIONSTART);
    for (const auto& [from, to] : matches()) {
        if (from == start && to == m_editor->SendScintilla(Sci::SCI_GETSELECTIONEND)) {
            const QByteArray text = m_replacement->text().toUtf8();
            m_editor->SendScintilla(Sci::SCI_SETTARGETRANGE, static_cast<unsigned long>(from), to);
            m_editor->SendScintilla(
                Sci::SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.constData());
            m_editor->SendScintilla(Sci::SCI_GOTOPOS, static_cast<unsigned long>(from + text.size()));
            break;
        }
    }
    find(true, true);
}

int FindBar::replaceAll()
{
    const std::vector<std::pair<long, long>> found = matches();
    const QByteArray text = m_replacement->text().toUtf8();
    m_editor->beginUndoAction();
    for (auto match = found.rbegin(); match != found.rend(); ++match) {
        m_editor->SendScintilla(
            Sci::SCI_SETTARGETRANGE, static_cast<unsigned long>(match->first), match->second);
        m_editor->SendScintilla(
            Sci::SCI_REPLACETARGET, static_cast<unsigned long>(text.size()), text.constData());
    }
    m_editor->endUndoAction();
    m_status->setText(tr("%n replaced", nullptr, static_cast<int>(found.size())));
    return static_cast<int>(found.size());
}

void FindBar::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        hide();
        m_editor->setFocus();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_replacement->hasFocus()) {
            replaceOne();
        } else if ((event->modifiers() & Qt::ShiftModifier) != 0) {
            findPrevious();
        } else {
            findNext();
        }
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace ptxwb
