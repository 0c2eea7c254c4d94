// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/symbol_marks.h"

#include "widgets/editor/ptx_editor.h"
#include "widgets/editor/text_position.h"

#include <QTimer>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr int restMs = 200;
constexpr long textLimitAtRest = 2 << 20; ///< bytes; larger texts are read only when asked
constexpr std::size_t mostMarks = 5000;

} // namespace

SymbolMarks::SymbolMarks(PtxEditor* editor)
    : QObject(editor)
    , m_editor(editor)
    , m_rest(new QTimer(this))
{
    m_rest->setSingleShot(true);
    m_rest->setInterval(restMs);
    connect(m_rest, &QTimer::timeout, this, &SymbolMarks::mark);
    const auto restart = [this] {
        clear();
        m_rest->start();
    };
    connect(editor, &QsciScintilla::cursorPositionChanged, this, restart);
    connect(editor, &QsciScintilla::textChanged, this, restart);
}

std::optional<PtxSymbol> SymbolMarks::at(long position) const
{
    if (position < 0 || m_editor->syntax() != PtxEditor::Syntax::Ptx) {
        return std::nullopt;
    }
    const QByteArray text = m_editor->utf8();
    return ptxSymbolAt(
        {text.constData(), static_cast<std::size_t>(text.size())}, static_cast<std::uint32_t>(position));
}

void SymbolMarks::clear()
{
    if (m_isMarked) {
        m_isMarked = false;
        const long length = m_editor->SendScintilla(QsciScintillaBase::SCI_GETLENGTH);
        m_editor->SendScintilla(
            QsciScintillaBase::SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
        m_editor->SendScintilla(QsciScintillaBase::SCI_INDICATORCLEARRANGE, 0UL, length);
    }
}

void SymbolMarks::mark()
{
    clear();
    if (!m_editor->isVisible() || m_editor->hasSelectedText()
        || m_editor->SendScintilla(QsciScintillaBase::SCI_GETLENGTH) > textLimitAtRest) {
        return;
    }
    const auto symbol = at(m_editor->SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS));
    if (!symbol || symbol->uses.size() < 2) {
        return;
    }
    m_isMarked = true;
    m_editor->SendScintilla(
        QsciScintillaBase::SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
    const auto count = std::min(symbol->uses.size(), mostMarks);
    for (std::size_t i = 0; i < count; ++i) {
        const long from = m_editor->positionOf(symbol->uses[i].line, symbol->uses[i].column);
        const long to = m_editor->positionOf(symbol->uses[i].endLine, symbol->uses[i].endColumn);
        m_editor->SendScintilla(
            QsciScintillaBase::SCI_INDICATORFILLRANGE, static_cast<unsigned long>(from), to - from);
    }
}

void SymbolMarks::goTo(const TextRange& place)
{
    m_editor->goTo(place.line, place.column);
    m_editor->setFocus();
}

bool SymbolMarks::goToDeclaration()
{
    const auto symbol = at(m_editor->SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS));
    if (symbol) {
        goTo(symbol->declaration);
    }
    return symbol.has_value();
}

bool SymbolMarks::goToUse(bool forward)
{
    const auto symbol = at(m_editor->SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS));
    if (!symbol || symbol->uses.empty()) {
        return false;
    }
    const std::pair caret(m_editor->currentLine(), m_editor->currentColumn());
    const auto startOf = [](const TextRange& one) { return std::pair(one.line, one.column); };
    const auto& uses = symbol->uses;
    if (forward) {
        const auto next = std::find_if(
            uses.begin(), uses.end(), [&](const TextRange& one) { return startOf(one) > caret; });
        goTo(next == uses.end() ? uses.front() : *next);
    } else {
        const auto before = std::find_if(uses.rbegin(), uses.rend(),
            [&](const TextRange& one) { return std::pair(one.endLine, one.endColumn) < caret; });
        goTo(before == uses.rend() ? uses.back() : *before);
    }
    return true;
}

} // namespace ptxwb
