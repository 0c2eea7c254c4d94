// SPDX-License-Identifier: Apache-2.0
// The part of PtxEditor that changes the text.
#include "widgets/editor/ptx_editor.h"

#include <QDragEnterEvent>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace ptxwb {

namespace {

QsciScintilla::EolMode dominantEolMode(const QByteArray& utf8)
{
    const auto feeds = utf8.count('\n');
    const auto pairs = utf8.count("\r\n");
    if (feeds == 0 && utf8.contains('\r')) {
        return QsciScintilla::EolMac;
    }
    return pairs * 2 > feeds ? QsciScintilla::EolWindows : QsciScintilla::EolUnix;
}

/// The range, widened so that it cuts neither a code point nor a "\r\n" in two.
std::pair<qsizetype, qsizetype> wholeCharacters(const QByteArray& text, qsizetype from, qsizetype to)
{
    const auto cuts = [&text](qsizetype at) {
        return at > 0 && at < text.size()
            && ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U
                || (text[at] == '\n' && text[at - 1] == '\r'));
    };
    while (cuts(from)) {
        --from;
    }
    while (cuts(to)) {
        ++to;
    }
    return {from, to};
}

} // namespace

void PtxEditor::loadText(const QByteArray& utf8)
{
    setDiagnostics({});
    setLinkedLines({}, false);
    setExecutionLine(0);
    markerDeleteAll(breakpointMarker);
    markerDeleteAll(conditionMarker);
    m_conditions.clear();
    setEolMode(dominantEolMode(utf8));
    SendScintilla(SCI_CLEARALL);
    SendScintilla(SCI_ADDTEXT, static_cast<unsigned long>(utf8.size()), utf8.constData());
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    SendScintilla(SCI_SETSAVEPOINT);
    SendScintilla(SCI_GOTOPOS, 0UL);
    m_lastLine = -1;
    updateLineNumberWidth();
}

QByteArray PtxEditor::utf8() const
{
    const auto length = static_cast<int>(SendScintilla(SCI_GETLENGTH));
    return bytes(0, length).left(length);
}

void PtxEditor::replaceAllText(const QByteArray& utf8)
{
    const int line = currentLine();
    const int column = currentColumn();
    const int top = firstVisibleLine();
    // Only what differs is touched, so that folds and marks elsewhere stay.
    const QByteArray before = this->utf8();
    const auto shorter = std::min(before.size(), utf8.size());
    const auto same =
        std::mismatch(before.cbegin(), before.cbegin() + shorter, utf8.cbegin()).first - before.cbegin();
    const auto tail =
        std::mismatch(before.crbegin(), before.crbegin() + (shorter - same), utf8.crbegin()).first
        - before.crbegin();
    const auto [from, to] = wholeCharacters(before, same, before.size() - tail);
    const QByteArray put = utf8.mid(from, utf8.size() - (before.size() - to) - from);
    beginUndoAction();
    SendScintilla(SCI_SETTARGETRANGE, static_cast<unsigned long>(from), static_cast<long>(to));
    SendScintilla(SCI_REPLACETARGET, static_cast<unsigned long>(put.size()), put.constData());
    endUndoAction();
    goTo(std::min(line, std::max(1, lines())), column);
    setFirstVisibleLine(top);
}

void PtxEditor::toggleComment()
{
    int fromLine = 0;
    int fromIndex = 0;
    int toLine = 0;
    int toIndex = 0;
    if (hasSelectedText()) {
        getSelection(&fromLine, &fromIndex, &toLine, &toIndex);
        if (toIndex == 0 && toLine > fromLine) {
            --toLine;
        }
    } else {
        getCursorPosition(&fromLine, &fromIndex);
        toLine = fromLine;
    }
    bool allComments = true;
    int indentBytes = 1 << 20;
    for (int line = fromLine; line <= toLine; ++line) {
        const QByteArray text = lineBytes(line);
        const QByteArray trimmed = text.trimmed();
        if (trimmed.isEmpty()) {
            continue;
        }
        allComments = allComments && trimmed.startsWith("//");
        indentBytes = std::min(indentBytes, static_cast<int>(text.indexOf(trimmed)));
    }
    beginUndoAction();
    for (int line = fromLine; line <= toLine; ++line) {
        const QByteArray text = lineBytes(line);
        if (text.trimmed().isEmpty()) {
            continue;
        }
        const long start = SendScintilla(SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
        if (allComments) {
            const auto at = static_cast<long>(text.indexOf("//"));
            const long length = text.mid(static_cast<int>(at) + 2).startsWith(' ') ? 3 : 2;
            SendScintilla(SCI_DELETERANGE, static_cast<unsigned long>(start + at), length);
        } else {
            SendScintilla(SCI_INSERTTEXT, static_cast<unsigned long>(start + indentBytes), "// ");
        }
    }
    endUndoAction();
}

QString PtxEditor::draggedFile(const QMimeData* data)
{
    const QList<QUrl> urls = data->hasUrls() ? data->urls() : QList<QUrl>();
    return urls.size() == 1 ? urls.first().toLocalFile() : QString();
}

void PtxEditor::dragEnterEvent(QDragEnterEvent* event)
{
    if (draggedFile(event->mimeData()).isEmpty()) {
        QsciScintilla::dragEnterEvent(event);
    } else {
        event->acceptProposedAction();
    }
}

void PtxEditor::dragMoveEvent(QDragMoveEvent* event)
{
    if (draggedFile(event->mimeData()).isEmpty()) {
        QsciScintilla::dragMoveEvent(event);
    } else {
        event->acceptProposedAction();
    }
}

void PtxEditor::dropEvent(QDropEvent* event)
{
    // A file is opened; its name is never written into the text.
    if (const QString file = draggedFile(event->mimeData()); !file.isEmpty()) {
        event->acceptProposedAction();
        emit fileDropped(file);
    } else {
        QsciScintilla::dropEvent(event);
    }
}

} // namespace ptxwb
