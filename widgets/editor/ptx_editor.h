// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/isa_table.h"
#include "core/toolchain/diagnostic.h"
#include "widgets/editor/theme_colours.h"

#include <Qsci/qsciscintilla.h>

#include <map>
#include <vector>

namespace ptxwb {

class CompletionList;
class CudaLexer;
class HoverCard;
class PtxLexer;
class SymbolMarks;

/// The text editor for PTX and CUDA. Lines and columns in its interface count from 1; columns are code
/// points.
class PtxEditor : public QsciScintilla {
    Q_OBJECT
public:
    enum class Syntax { Ptx, Cuda, Plain };

    explicit PtxEditor(QWidget* parent = nullptr);
    ~PtxEditor() override;

    void setSyntax(Syntax syntax);
    Syntax syntax() const { return m_syntax; }
    void setColours(const EditorColours& colours);
    void setEditorFont(const QFont& font);
    /// For hover cards and completion; may be null.
    void setIsaTable(const IsaTable* table);
    CompletionList* completion() const { return m_completion; }
    SymbolMarks* symbols() const { return m_symbols; }

    /// A new document: replaces everything, forgets undo, keeps the line ends that the text has.
    void loadText(const QByteArray& utf8);
    QByteArray utf8() const;
    /// One undo step, the caret stays on its line.
    void replaceAllText(const QByteArray& utf8);
    /// Comments the selected lines out with "//", or back in where all of them are.
    void toggleComment();

    void setDiagnostics(const std::vector<Diagnostic>& diagnostics);
    const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }
    /// Marks the lines linked with another pane; empty clears. Scrolls to the first one if `reveal`.
    void setLinkedLines(const std::vector<int>& lines, bool reveal);
    /// Lines on which the debugger is to stop, ascending; they move with the text.
    std::vector<int> breakpoints() const;
    void toggleBreakpoint(int line);
    /// What must hold for the breakpoint of the line to stop; empty: always, or no breakpoint there.
    QString breakpointCondition(int line) const;
    /// Sets a breakpoint where there is none.
    void setBreakpointCondition(int line, const QString& condition);
    /// The line at which a debugged kernel stands, scrolled to; 0: none.
    void setExecutionLine(int line);
    void goTo(int line, int column = 1);
    /// Byte offset in the text of a line and column; clamped to the line's end.
    long positionOf(int line, int column) const;
    int currentLine() const;
    int currentColumn() const;
    /// Below the caret, in the coordinates of the viewport.
    QPoint caretPoint() const;
    /// Shows the hover card for the caret (F1, Ctrl+K Ctrl+I).
    void showHoverAtCaret();
    /// The file of a drag that carries exactly one; empty for any other drag.
    static QString draggedFile(const QMimeData* data);

    static constexpr int errorIndicator = 8;
    static constexpr int warningIndicator = 9;
    static constexpr int noteIndicator = 10;
    static constexpr int errorMarker = 1;
    static constexpr int warningMarker = 2;
    static constexpr int noteMarker = 3;
    static constexpr int linkedMarker = 4;
    static constexpr int linkedArrowMarker = 5;
    static constexpr int breakpointMarker = 6;
    static constexpr int conditionMarker = 9;
    static constexpr int executionMarker = 7;
    static constexpr int executionArrowMarker = 8;

signals:
    void cursorLineChanged(int line);
    void breakpointsChanged();
    void linkActivated(const QString& url);
    void fileDropped(const QString& path);

protected:
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void configureView();
    void freeKeysOfTheWindow();
    void applyColours();
    void showHover(long position);
    void hideHover();
    void markDiagnostic(const Diagnostic& diagnostic);
    void reveal(int line);
    QByteArray lineBytes(int zeroBasedLine) const;
    QString hoverHtml(long position) const;
    void updateLineNumberWidth();

    Syntax m_syntax = Syntax::Ptx;
    std::map<int, QString>
        m_conditions; ///< of breakpoints, by the handle of the marker, which follows its line
    PtxLexer* m_ptxLexer;
    CudaLexer* m_cudaLexer;
    HoverCard* m_hoverCard;
    CompletionList* m_completion;
    SymbolMarks* m_symbols;
    const IsaTable* m_isaTable = nullptr;
    EditorColours m_colours;
    QFont m_font;
    std::vector<Diagnostic> m_diagnostics;
    int m_lastLine = -1;
};

} // namespace ptxwb
