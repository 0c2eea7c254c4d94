// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/ptx_lexer.h"

#include "widgets/editor/ptx_styling.h"

#include <Qsci/qsciscintilla.h>

#include <algorithm>
#include <vector>

namespace ptxwb {

namespace {

using Sci = QsciScintillaBase;

/// Sets the fold level of a line and returns the level of the next one.
int setFoldLevel(QsciScintilla* editor, long line, int level, const StyledLine& styled)
{
    constexpr int deepest = Sci::SC_FOLDLEVELNUMBERMASK - 1;
    const int here = std::clamp(level, 0, deepest - Sci::SC_FOLDLEVELBASE);
    int flags = Sci::SC_FOLDLEVELBASE + here;
    if (styled.braceDelta > 0) {
        flags |= Sci::SC_FOLDLEVELHEADERFLAG;
    }
    if (styled.isBlank) {
        flags |= Sci::SC_FOLDLEVELWHITEFLAG;
    }
    if (editor->SendScintilla(Sci::SCI_GETFOLDLEVEL, static_cast<unsigned long>(line)) != flags) {
        editor->SendScintilla(
            Sci::SCI_SETFOLDLEVEL, static_cast<unsigned long>(line), static_cast<long>(flags));
    }
    return std::max(here + styled.braceDelta, 0);
}

/// The level that the line above hands down. Its own brace delta is kept in the upper bits of its line state.
int levelAfter(QsciScintilla* editor, long line)
{
    if (line < 0) {
        return 0;
    }
    const long state = editor->SendScintilla(Sci::SCI_GETLINESTATE, static_cast<unsigned long>(line));
    return static_cast<int>(state >> 9);
}

} // namespace

PtxLexer::PtxLexer(QObject* parent)
    : QsciLexerCustom(parent)
{
}

void PtxLexer::setColours(const EditorColours& colours, const QFont& font)
{
    m_colours = colours;
    QFont bold = font;
    bold.setBold(true);
    QFont italic = font;
    italic.setItalic(true);
    setDefaultColor(colours.text);
    setDefaultPaper(colours.paper);
    setDefaultFont(font);
    for (std::size_t i = 0; i < ptxStyleCount; ++i) {
        const auto style = static_cast<PtxStyle>(i);
        const QColor& colour = colours.styles[i];
        setColor(colour.isValid() ? colour : colours.text, static_cast<int>(i));
        setPaper(colours.paper, static_cast<int>(i));
        setFont(isBoldStyle(style) ? bold : style == PtxStyle::Comment ? italic : font, static_cast<int>(i));
    }
}

QString PtxLexer::description(int style) const
{
    return style >= 0 && style < static_cast<int>(ptxStyleCount)
        ? QString::fromLatin1(ptxStyleName(static_cast<PtxStyle>(style)))
        : QString();
}

const char* PtxLexer::wordCharacters() const
{
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%.";
}

void PtxLexer::styleText(int start, int end)
{
    QsciScintilla* sci = editor();
    if (sci == nullptr || end <= start) {
        return;
    }
    const long firstLine = sci->SendScintilla(Sci::SCI_LINEFROMPOSITION, start);
    const long from = sci->SendScintilla(Sci::SCI_POSITIONFROMLINE, firstLine);
    const long lastLine = sci->SendScintilla(Sci::SCI_LINEFROMPOSITION, end - 1);
    const long length = sci->SendScintilla(Sci::SCI_GETLENGTH);
    long to = sci->SendScintilla(Sci::SCI_POSITIONFROMLINE, lastLine + 1);
    to = to < 0 ? length : std::min(to, length);

    const QByteArray bytes = sci->bytes(static_cast<int>(from), static_cast<int>(to));
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(to - from));
    std::vector<unsigned char> styles(text.size());

    const long above = firstLine > 0
        ? sci->SendScintilla(Sci::SCI_GETLINESTATE, static_cast<unsigned long>(firstLine - 1))
        : 0;
    StylingState state = StylingState::unpacked(static_cast<int>(above));
    int level = levelAfter(sci, firstLine - 1);
    std::size_t at = 0;
    for (long line = firstLine; line <= lastLine && at < text.size(); ++line) {
        std::size_t lineEnd = text.find_first_of("\r\n", at);
        if (lineEnd == std::string_view::npos) {
            lineEnd = text.size();
        } else {
            lineEnd +=
                text[lineEnd] == '\r' && lineEnd + 1 < text.size() && text[lineEnd + 1] == '\n' ? 2 : 1;
        }
        const StyledLine styled = stylePtxLine(text.substr(at, lineEnd - at), state, styles.data() + at);
        state = styled.after;
        level = setFoldLevel(sci, line, level, styled);
        sci->SendScintilla(Sci::SCI_SETLINESTATE, static_cast<unsigned long>(line),
            static_cast<long>(state.packed() | (std::min(level, 0xFFFF) << 9)));
        at = lineEnd;
    }
    sci->SendScintilla(Sci::SCI_STARTSTYLING, static_cast<unsigned long>(from));
    sci->SendScintilla(Sci::SCI_SETSTYLINGEX, static_cast<unsigned long>(styles.size()),
        reinterpret_cast<const char*>(styles.data()));
}

} // namespace ptxwb
