// SPDX-License-Identifier: Apache-2.0
// The part of PtxEditor that marks places in the text: squiggles, margin symbols, linked lines, hover cards.
#include "widgets/editor/hover_card.h"
#include "widgets/editor/hover_text.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/editor/symbol_marks.h"
#include "widgets/editor/text_position.h"

#include <algorithm>

namespace ptxwb {

namespace {

std::string_view view(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// Where the text of a line starts behind its indentation, and its end: what is underlined when no column is
/// known.
std::pair<int, int> visibleRange(std::string_view line)
{
    line = withoutLineEnd(line);
    const std::size_t from = line.find_first_not_of(" \t");
    if (from == std::string_view::npos) {
        return {0, static_cast<int>(line.size())};
    }
    return {static_cast<int>(from), static_cast<int>(line.size())};
}

int indicatorOf(Severity severity)
{
    switch (severity) {
    case Severity::Fatal:
    case Severity::Error:
        return PtxEditor::errorIndicator;
    case Severity::Warning:
        return PtxEditor::warningIndicator;
    case Severity::Info:
        return PtxEditor::noteIndicator;
    }
    return PtxEditor::noteIndicator;
}

} // namespace

QByteArray PtxEditor::lineBytes(int zeroBasedLine) const
{
    const long from = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(zeroBasedLine));
    const long length = SendScintilla(SCI_LINELENGTH, static_cast<unsigned long>(zeroBasedLine));
    return from < 0
        ? QByteArray()
        : bytes(static_cast<int>(from), static_cast<int>(from + length)).left(static_cast<int>(length));
}

void PtxEditor::setDiagnostics(const std::vector<Diagnostic>& diagnostics)
{
    m_diagnostics = diagnostics;
    for (const int marker : {errorMarker, warningMarker, noteMarker}) {
        markerDeleteAll(marker);
    }
    const auto length = static_cast<long>(SendScintilla(SCI_GETLENGTH));
    for (const int indicator : {errorIndicator, warningIndicator, noteIndicator}) {
        SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
        SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, length);
    }
    for (const Diagnostic& diagnostic : diagnostics) {
        markDiagnostic(diagnostic);
    }
}

void PtxEditor::markDiagnostic(const Diagnostic& diagnostic)
{
    if (!diagnostic.line || *diagnostic.line < 1 || *diagnostic.line > lines()) {
        return;
    }
    const int line = *diagnostic.line - 1;
    const int indicator = indicatorOf(diagnostic.severity);
    markerAdd(line,
        indicator == errorIndicator         ? errorMarker
            : indicator == warningIndicator ? warningMarker
                                            : noteMarker);
    const QByteArray text = lineBytes(line);
    auto [from, to] = visibleRange(view(text));
    if (diagnostic.column) {
        from = byteOffsetOfColumn(view(text), *diagnostic.column);
        to = diagnostic.endColumn ? byteOffsetOfColumn(view(text), *diagnostic.endColumn)
                                  : from + static_cast<int>(dottedWordAround(view(text), from).size());
        to = std::max(to, from + 1);
    }
    const long lineStart = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
    SendScintilla(SCI_SETINDICATORCURRENT, static_cast<unsigned long>(indicator));
    SendScintilla(
        SCI_INDICATORFILLRANGE, static_cast<unsigned long>(lineStart + from), static_cast<long>(to - from));
}

void PtxEditor::setLinkedLines(const std::vector<int>& lines, bool reveal)
{
    markerDeleteAll(linkedMarker);
    markerDeleteAll(linkedArrowMarker);
    for (const int line : lines) {
        if (line >= 1 && line <= this->lines()) {
            markerAdd(line - 1, linkedMarker);
            markerAdd(line - 1, linkedArrowMarker);
        }
    }
    if (reveal && !lines.empty()) {
        this->reveal(lines.front());
    }
}

void PtxEditor::reveal(int line)
{
    const long top = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    const long shown = SendScintilla(SCI_LINESONSCREEN);
    ensureLineVisible(line - 1);
    const long displayed = SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line - 1));
    if (displayed < top || displayed >= top + shown) {
        setFirstVisibleLine(static_cast<int>(std::max(0L, displayed - shown / 2)));
    }
}

std::vector<int> PtxEditor::breakpoints() const
{
    std::vector<int> found;
    for (int line = markerFindNext(0, 1U << breakpointMarker); line >= 0;
         line = markerFindNext(line + 1, 1U << breakpointMarker)) {
        found.push_back(line + 1);
    }
    return found;
}

void PtxEditor::toggleBreakpoint(int line)
{
    if (line < 1 || line > lines()) {
        return;
    }
    if ((markersAtLine(line - 1) & (1U << breakpointMarker)) != 0) {
        markerDelete(line - 1, breakpointMarker);
        markerDelete(line - 1, conditionMarker);
    } else {
        markerAdd(line - 1, breakpointMarker);
    }
    emit breakpointsChanged();
}

QString PtxEditor::breakpointCondition(int line) const
{
    const auto found = std::find_if(m_conditions.begin(), m_conditions.end(),
        [this, line](const auto& one) { return markerLine(one.first) == line - 1; });
    return found == m_conditions.end() ? QString() : found->second;
}

void PtxEditor::setBreakpointCondition(int line, const QString& condition)
{
    if (line < 1 || line > lines()) {
        return;
    }
    // The handle of a marker is known only from adding it.
    markerDelete(line - 1, breakpointMarker);
    markerDelete(line - 1, conditionMarker);
    std::erase_if(m_conditions, [this](const auto& one) { return markerLine(one.first) < 0; });
    const int handle = markerAdd(line - 1, breakpointMarker);
    if (!condition.isEmpty()) {
        markerAdd(line - 1, conditionMarker);
        m_conditions[handle] = condition;
    }
    emit breakpointsChanged();
}

void PtxEditor::setExecutionLine(int line)
{
    markerDeleteAll(executionMarker);
    markerDeleteAll(executionArrowMarker);
    if (line >= 1 && line <= lines()) {
        markerAdd(line - 1, executionMarker);
        markerAdd(line - 1, executionArrowMarker);
        reveal(line);
    }
}

void PtxEditor::goTo(int line, int column)
{
    const int target = std::clamp(line, 1, std::max(1, lines())) - 1;
    const long position = positionOf(line, column);
    ensureLineVisible(target);
    const long top = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    const long displayed = SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(target));
    const bool isShown = displayed >= top && displayed < top + SendScintilla(SCI_LINESONSCREEN);
    SendScintilla(SCI_GOTOPOS, static_cast<unsigned long>(position));
    if (!isShown) {
        // With what stands around it, instead of at the edge.
        SendScintilla(SCI_VERTICALCENTRECARET);
    }
}

long PtxEditor::positionOf(int line, int column) const
{
    const int target = std::clamp(line, 1, std::max(1, lines())) - 1;
    const QByteArray text = lineBytes(target);
    return SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(target))
        + byteOffsetOfColumn(view(text), column);
}

int PtxEditor::currentColumn() const
{
    const long position = SendScintilla(SCI_GETCURRENTPOS);
    const long line = SendScintilla(SCI_LINEFROMPOSITION, position);
    const long start = SendScintilla(SCI_POSITIONFROMLINE, line);
    return columnOfByteOffset(view(lineBytes(static_cast<int>(line))), static_cast<int>(position - start));
}

QPoint PtxEditor::caretPoint() const
{
    const long position = SendScintilla(SCI_GETCURRENTPOS);
    const auto x = static_cast<int>(SendScintilla(SCI_POINTXFROMPOSITION, 0UL, position));
    const auto y = static_cast<int>(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, position));
    return {x, y + textHeight(currentLine() - 1)};
}

QString PtxEditor::hoverHtml(long position) const
{
    const long line = SendScintilla(SCI_LINEFROMPOSITION, position);
    const long start = SendScintilla(SCI_POSITIONFROMLINE, line);
    const QByteArray text = lineBytes(static_cast<int>(line));
    const int offset = static_cast<int>(position - start);
    std::vector<const Diagnostic*> here;
    for (const Diagnostic& diagnostic : m_diagnostics) {
        if (diagnostic.line == static_cast<int>(line) + 1
            && SendScintilla(SCI_INDICATORVALUEAT,
                   static_cast<unsigned long>(indicatorOf(diagnostic.severity)), position)
                != 0) {
            here.push_back(&diagnostic);
        }
    }
    const IsaInstruction* instruction = nullptr;
    const std::string_view word = dottedWordAround(view(text), offset);
    // In CUDA text only dotted words can be PTX (inside asm strings); "add" is an ordinary name there.
    const bool mayBePtx = m_syntax == Syntax::Ptx || word.find('.') != std::string_view::npos;
    if (m_isaTable != nullptr && mayBePtx && !word.empty() && word.front() != '.' && word.front() != '%') {
        instruction = m_isaTable->find(word);
    }
    QString html = hoverText(here, instruction);
    if (instruction == nullptr && m_syntax == Syntax::Ptx && !word.empty()) {
        if (const auto symbol = m_symbols->at(position)) {
            html += symbolText(*symbol);
        } else if (const IsaName* name = m_isaTable != nullptr ? m_isaTable->name(word) : nullptr) {
            html += nameText(*name);
        }
    }
    return html;
}

void PtxEditor::showHover(long position)
{
    if (position < 0) {
        return;
    }
    const QString html = hoverHtml(position);
    if (html.isEmpty()) {
        m_hoverCard->hideSoon();
        return;
    }
    const auto x = static_cast<int>(SendScintilla(SCI_POINTXFROMPOSITION, 0UL, position));
    const auto y = static_cast<int>(SendScintilla(SCI_POINTYFROMPOSITION, 0UL, position));
    const long line = SendScintilla(SCI_LINEFROMPOSITION, position);
    m_hoverCard->showFor(QRect(x, y, 10, textHeight(static_cast<int>(line))), html);
}

void PtxEditor::showHoverAtCaret()
{
    showHover(SendScintilla(SCI_GETCURRENTPOS));
}

void PtxEditor::hideHover()
{
    m_hoverCard->hideSoon();
}

} // namespace ptxwb
