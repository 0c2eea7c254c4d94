// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/ptx_editor.h"

#include "widgets/editor/completion_list.h"
#include "widgets/editor/cuda_lexer.h"
#include "widgets/editor/hover_card.h"
#include "widgets/editor/ptx_lexer.h"
#include "widgets/editor/symbol_marks.h"

#include <Qsci/qscicommandset.h>

#include <QFontDatabase>
#include <QWheelEvent>

namespace ptxwb {

PtxEditor::PtxEditor(QWidget* parent)
    : QsciScintilla(parent)
    , m_ptxLexer(new PtxLexer(this))
    , m_cudaLexer(new CudaLexer(this))
    , m_hoverCard(new HoverCard(viewport()))
    , m_completion(new CompletionList(this))
    , m_symbols(new SymbolMarks(this))
    , m_font(QFontDatabase::systemFont(QFontDatabase::FixedFont))
{
    setObjectName(QStringLiteral("ptxEditor"));
    setAccessibleName(tr("Kernel text"));
    configureView();
    freeKeysOfTheWindow();
    setLexer(m_ptxLexer);
    applyColours();

    connect(this, &QsciScintilla::linesChanged, this, &PtxEditor::updateLineNumberWidth);
    connect(this, &QsciScintilla::cursorPositionChanged, this, [this](int line, int) {
        if (line != m_lastLine) {
            m_lastLine = line;
            emit cursorLineChanged(line + 1);
        }
    });
    connect(this, &QsciScintillaBase::SCN_DWELLSTART, this,
        [this](int position, int, int) { showHover(position); });
    connect(this, &QsciScintillaBase::SCN_DWELLEND, this, [this] { hideHover(); });
    connect(this, &QsciScintilla::textChanged, m_hoverCard, &QWidget::hide);
    connect(this, &QsciScintilla::marginClicked, this, [this](int margin, int line, Qt::KeyboardModifiers) {
        if (margin == 1) {
            toggleBreakpoint(line + 1);
        }
    });
    connect(m_hoverCard, &HoverCard::linkActivated, this, &PtxEditor::linkActivated);
}

PtxEditor::~PtxEditor()
{
    setLexer(nullptr);
}

void PtxEditor::configureView()
{
    setUtf8(true);
    setEolMode(QsciScintilla::EolUnix);
    setTabWidth(4);
    setIndentationsUseTabs(false);
    setAutoIndent(true);
    setBackspaceUnindents(true);
    setBraceMatching(QsciScintilla::SloppyBraceMatch);
    setCaretLineVisible(true);
    SendScintilla(SCI_SETCARETLINEVISIBLEALWAYS, 1UL);
    setCaretWidth(2);
    setScrollWidth(200);
    setScrollWidthTracking(true);
    SendScintilla(SCI_SETENDATLASTLINE, 0UL);
    SendScintilla(SCI_SETMULTIPLESELECTION, 1UL);
    SendScintilla(SCI_SETADDITIONALSELECTIONTYPING, 1UL);
    SendScintilla(SCI_SETMOUSEDWELLTIME, 400UL);
    SendScintilla(SCI_SETLAYOUTCACHE, static_cast<unsigned long>(SC_CACHE_PAGE));

    setMarginType(0, QsciScintilla::NumberMargin);
    setMarginLineNumbers(0, true);
    setMarginType(1, QsciScintilla::SymbolMargin);
    setMarginWidth(1, 14);
    setMarginMarkerMask(1,
        (1 << errorMarker) | (1 << warningMarker) | (1 << noteMarker) | (1 << linkedArrowMarker)
            | (1 << breakpointMarker) | (1 << conditionMarker) | (1 << executionArrowMarker));
    setMarginSensitivity(1, true);
    setFolding(QsciScintilla::PlainFoldStyle, 2);

    // Shapes differ, so that severity does not hang on hue: disc, triangle, small square, arrow.
    markerDefine(QsciScintilla::Circle, errorMarker);
    markerDefine(QsciScintilla::RightTriangle, warningMarker);
    markerDefine(QsciScintilla::SmallRectangle, noteMarker);
    markerDefine(QsciScintilla::Background, linkedMarker);
    markerDefine(QsciScintilla::RightArrow, linkedArrowMarker);
    markerDefine(QsciScintilla::Bookmark, breakpointMarker);
    markerDefine('?', conditionMarker); // over the breakpoint: it does not always stop
    markerDefine(QsciScintilla::Background, executionMarker);
    markerDefine(QsciScintilla::ThreeRightArrows, executionArrowMarker);
    indicatorDefine(QsciScintilla::SquiggleIndicator, errorIndicator);
    indicatorDefine(QsciScintilla::SquiggleLowIndicator, warningIndicator);
    indicatorDefine(QsciScintilla::DotsIndicator, noteIndicator);
    indicatorDefine(QsciScintilla::StraightBoxIndicator, SymbolMarks::indicator);
    setIndicatorDrawUnder(true, SymbolMarks::indicator);
    updateLineNumberWidth();
}

void PtxEditor::freeKeysOfTheWindow()
{
    for (const int key : {static_cast<int>(Qt::Key_Escape), int{Qt::CTRL} | int{Qt::Key_Slash},
             int{Qt::CTRL} | int{Qt::Key_Return}, int{Qt::CTRL} | int{Qt::Key_D},
             int{Qt::CTRL} | int{Qt::Key_T}}) {
        if (QsciCommand* command = standardCommands()->boundTo(key)) {
            if (command->key() == key) {
                command->setKey(0);
            }
            if (command->alternateKey() == key) {
                command->setAlternateKey(0);
            }
        }
    }
}

void PtxEditor::setIsaTable(const IsaTable* table)
{
    m_isaTable = table;
    m_completion->setIsaTable(table);
}

void PtxEditor::setSyntax(Syntax syntax)
{
    m_syntax = syntax;
    switch (syntax) {
    case Syntax::Ptx:
        setLexer(m_ptxLexer);
        break;
    case Syntax::Cuda:
        setLexer(m_cudaLexer);
        break;
    case Syntax::Plain:
        setLexer(nullptr);
        break;
    }
    applyColours();
}

void PtxEditor::setColours(const EditorColours& colours)
{
    m_colours = colours;
    applyColours();
}

void PtxEditor::setEditorFont(const QFont& font)
{
    m_font = font;
    applyColours();
    updateLineNumberWidth();
}

void PtxEditor::applyColours()
{
    m_ptxLexer->setColours(m_colours, m_font);
    m_cudaLexer->setColours(m_colours, m_font);
    SendScintilla(SCI_STYLESETVISIBLE, static_cast<unsigned long>(PtxStyle::LongLineRest),
        m_syntax == Syntax::Ptx ? 0L : 1L);
    setFont(m_font);
    setPaper(m_colours.paper);
    setColor(m_colours.text);
    setCaretForegroundColor(m_colours.text);
    setCaretLineBackgroundColor(m_colours.caretLine);
    setSelectionBackgroundColor(m_colours.selection);
    SendScintilla(SCI_SETSELFORE, 0UL, 0L);
    setMarginsBackgroundColor(m_colours.marginPaper);
    setMarginsForegroundColor(m_colours.marginText);
    setMarginsFont(m_font);
    setFoldMarginColors(m_colours.marginPaper, m_colours.marginPaper);
    setMatchedBraceBackgroundColor(m_colours.braceMatch);
    setMatchedBraceForegroundColor(m_colours.text);
    setUnmatchedBraceBackgroundColor(m_colours.paper);
    setUnmatchedBraceForegroundColor(m_colours.error);
    for (const auto& [marker, colour] :
        {std::pair{errorMarker, m_colours.error}, std::pair{warningMarker, m_colours.warning},
            std::pair{noteMarker, m_colours.info}, std::pair{linkedArrowMarker, m_colours.info},
            std::pair{breakpointMarker, m_colours.error}, std::pair{executionArrowMarker, m_colours.text}}) {
        setMarkerBackgroundColor(colour, marker);
        setMarkerForegroundColor(colour, marker);
    }
    setMarkerForegroundColor(m_colours.paper, conditionMarker);
    setMarkerBackgroundColor(m_colours.error, conditionMarker);
    setMarkerBackgroundColor(m_colours.linkedLine, linkedMarker);
    setMarkerBackgroundColor(m_colours.braceMatch, executionMarker);
    for (int marker = int{SC_MARKNUM_FOLDEREND}; marker <= int{SC_MARKNUM_FOLDEROPEN}; ++marker) {
        setMarkerForegroundColor(m_colours.marginText, marker);
        setMarkerBackgroundColor(m_colours.marginPaper, marker);
    }
    setIndicatorForegroundColor(m_colours.error, errorIndicator);
    setIndicatorForegroundColor(m_colours.warning, warningIndicator);
    setIndicatorForegroundColor(m_colours.info, noteIndicator);
    QColor marked = m_colours.info;
    marked.setAlpha(m_colours.dark ? 90 : 50);
    setIndicatorForegroundColor(marked, SymbolMarks::indicator);
    updateLineNumberWidth();
}

void PtxEditor::updateLineNumberWidth()
{
    const int digits = std::max(3, static_cast<int>(QString::number(lines()).size()));
    setMarginWidth(0, QString(digits + 1, QLatin1Char('8')));
}

int PtxEditor::currentLine() const
{
    int line = 0;
    int index = 0;
    getCursorPosition(&line, &index);
    return line + 1;
}

void PtxEditor::wheelEvent(QWheelEvent* event)
{
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        if (event->angleDelta().y() > 0) {
            zoomIn();
        } else if (event->angleDelta().y() < 0) {
            zoomOut();
        }
        updateLineNumberWidth();
        event->accept();
        return;
    }
    m_hoverCard->hide();
    QsciScintilla::wheelEvent(event);
}

bool PtxEditor::event(QEvent* event)
{
    // Esc closes the list; without this the window's own Esc would come first.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape
        && m_completion->isShown()) {
        event->accept();
        return true;
    }
    return QsciScintilla::event(event);
}

void PtxEditor::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_completion->isShown()) {
        m_completion->hide();
        return;
    }
    if (m_hoverCard->isVisible()) {
        m_hoverCard->hide();
        if (event->key() == Qt::Key_Escape) {
            return;
        }
    }
    QsciScintilla::keyPressEvent(event);
}

void PtxEditor::mousePressEvent(QMouseEvent* event)
{
    m_hoverCard->hide();
    QsciScintilla::mousePressEvent(event);
}

void PtxEditor::leaveEvent(QEvent* event)
{
    hideHover();
    QsciScintilla::leaveEvent(event);
}

} // namespace ptxwb
