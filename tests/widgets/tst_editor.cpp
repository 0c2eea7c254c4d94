// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/completion_list.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/find_bar.h"
#include "widgets/editor/hover_text.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/editor/ptx_styling.h"
#include "widgets/editor/symbol_marks.h"
#include "widgets/editor/text_position.h"

#include <QSignalSpy>
#include <QTest>

using namespace ptxwb;

namespace {

PtxStyle styleAt(const std::vector<unsigned char>& styles, std::string_view line, std::string_view word)
{
    return static_cast<PtxStyle>(styles[line.find(word)]);
}

Diagnostic diagnosticAt(int line, int column, int endColumn)
{
    Diagnostic diagnostic;
    diagnostic.line = line;
    diagnostic.column = column;
    diagnostic.endColumn = endColumn;
    diagnostic.message = "Unknown symbol 'foo'";
    return diagnostic;
}

/// The text under an indicator.
QByteArray underIndicator(const PtxEditor& editor, int indicator)
{
    QByteArray found;
    const QByteArray text = editor.utf8();
    for (long at = 0; at < text.size(); ++at) {
        if (editor.SendScintilla(
                QsciScintillaBase::SCI_INDICATORVALUEAT, static_cast<unsigned long>(indicator), at)
            != 0) {
            found.append(text[static_cast<int>(at)]);
        }
    }
    return found;
}

} // namespace

class TestEditor : public QObject {
    Q_OBJECT

private slots:
    void columnsAreCodePointsAndOffsetsAreBytes()
    {
        const std::string_view line = "// \xC3\xA9\xE2\x82\xAC x\r\n";
        QCOMPARE(byteOffsetOfColumn(line, 1), 0);
        QCOMPARE(byteOffsetOfColumn(line, 4), 3);
        QCOMPARE(byteOffsetOfColumn(line, 5), 5);
        QCOMPARE(byteOffsetOfColumn(line, 6), 8);
        QCOMPARE(byteOffsetOfColumn(line, 99), 10);
        QCOMPARE(columnOfByteOffset(line, 3), 4);
        QCOMPARE(columnOfByteOffset(line, 5), 5);
        QCOMPARE(columnOfByteOffset(line, 8), 6);
        QCOMPARE(columnOfByteOffset("", 0), 1);
        QCOMPARE(columnOfByteOffset("ab", 2), 3);
    }

    void familiesHaveTheirOwnStyles()
    {
        const std::string_view line =
            "@p wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%f0}, %rd1, 1; // x\n";
        std::vector<unsigned char> styles(line.size());
        stylePtxLine(line, {}, styles.data());
        QCOMPARE(styleAt(styles, line, "@"), PtxStyle::Predicate);
        QCOMPARE(styleAt(styles, line, "wgmma"), PtxStyle::OpcodeTensor);
        QCOMPARE(styleAt(styles, line, ".sync"), PtxStyle::Modifier);
        QCOMPARE(styleAt(styles, line, "%rd1"), PtxStyle::Register);
        QCOMPARE(styleAt(styles, line, "// x"), PtxStyle::Comment);
        for (const auto& [text, style] :
            {std::pair{"cp.async.bulk.tensor.2d.shared::cluster.global [%r1];\n", PtxStyle::OpcodeCopy},
                std::pair{"mbarrier.init.shared.b64 [%r1], 1;\n", PtxStyle::OpcodeSync},
                std::pair{"setmaxnreg.dec.sync.aligned.u32 40;\n", PtxStyle::OpcodeSetmaxnreg},
                std::pair{"tcgen05.mma.cta_group::1.kind::f16 [%r1];\n", PtxStyle::OpcodeTcgen05},
                std::pair{"add.s32 %r1, %r2, 1;\n", PtxStyle::Opcode}}) {
            std::vector<unsigned char> found(std::string_view(text).size());
            stylePtxLine(text, {}, found.data());
            QCOMPARE(static_cast<PtxStyle>(found[0]), style);
        }
    }

    void theLaunchPlanIsStyledInsideItsComment()
    {
        StylingState state;
        std::vector<unsigned char> styles(64);
        state = stylePtxLine("/* @launch {\n", state, styles.data()).after;
        QVERIFY(state.inLaunchPlan);
        const std::string_view line = "  \"kernel\": \"gemm\", 3\n";
        state = stylePtxLine(line, state, styles.data()).after;
        QCOMPARE(styleAt(styles, line, "\"kernel"), PtxStyle::LaunchKey);
        QCOMPARE(styleAt(styles, line, "\"gemm"), PtxStyle::LaunchValue);
        state = stylePtxLine("} */\n", state, styles.data()).after;
        QVERIFY(!state.inLaunchPlan);
        QCOMPARE(state.lexer, LineState::Code);
    }

    void aVeryLongLineIsPlain()
    {
        const std::string line(longestStyledLineBytes + 1, 'a');
        std::vector<unsigned char> styles(line.size());
        stylePtxLine(line, {}, styles.data());
        QCOMPARE(static_cast<PtxStyle>(styles.front()), PtxStyle::LongLine);
        QCOMPARE(static_cast<PtxStyle>(styles.back()), PtxStyle::LongLine);
        // "é" across the limit stays whole.
        std::string longer(longestDrawnLineBytes - 1, 'a');
        longer += "\xC3\xA9zz";
        styles.resize(longer.size());
        stylePtxLine(longer, {}, styles.data());
        QCOMPARE(static_cast<PtxStyle>(styles[longestDrawnLineBytes]), PtxStyle::LongLine);
        QCOMPARE(static_cast<PtxStyle>(styles.back()), PtxStyle::LongLineRest);
    }

    void theEditorStylesWhatIsShown()
    {
        PtxEditor editor;
        editor.loadText("/* a\nb */ mov.b32 %r1, %tid.x;\n.entry k()\n{\n ret;\n}\n");
        editor.SendScintilla(QsciScintillaBase::SCI_COLOURISE, 0UL, -1L);
        const auto style = [&editor](int at) {
            return static_cast<PtxStyle>(
                editor.SendScintilla(QsciScintillaBase::SCI_GETSTYLEAT, static_cast<unsigned long>(at)));
        };
        QCOMPARE(style(5), PtxStyle::Comment);
        QCOMPARE(style(10), PtxStyle::Opcode);
        QCOMPARE(style(static_cast<int>(editor.utf8().indexOf("%tid"))), PtxStyle::SpecialRegister);
        QVERIFY((editor.SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL, 3UL)
                    & QsciScintillaBase::SC_FOLDLEVELHEADERFLAG)
            != 0);
        QCOMPARE(static_cast<int>(editor.SendScintilla(QsciScintillaBase::SCI_GETFOLDLEVEL, 4UL)
                     & QsciScintillaBase::SC_FOLDLEVELNUMBERMASK),
            QsciScintillaBase::SC_FOLDLEVELBASE + 1);
    }

    void squigglesStandRightBehindNonAsciiText()
    {
        PtxEditor editor;
        editor.loadText("// caf\xC3\xA9\n/* \xC3\xA9\xC3\xA9 */ mov.b32 foo, 1;\n");
        // Column of "foo": 9 characters of comment and blank, then "mov.b32 ".
        editor.setDiagnostics({diagnosticAt(2, 18, 21)});
        QCOMPARE(underIndicator(editor, PtxEditor::errorIndicator), QByteArray("foo"));
        QVERIFY((editor.markersAtLine(1) & (1U << PtxEditor::errorMarker)) != 0);
        editor.setDiagnostics({});
        QCOMPARE(underIndicator(editor, PtxEditor::errorIndicator), QByteArray());
        QCOMPARE(editor.markersAtLine(1), 0U);
    }

    void aDiagnosticWithoutColumnUnderlinesTheLine()
    {
        PtxEditor editor;
        editor.loadText("  ret;  \n");
        Diagnostic diagnostic;
        diagnostic.line = 1;
        diagnostic.severity = Severity::Warning;
        editor.setDiagnostics({diagnostic});
        QCOMPARE(underIndicator(editor, PtxEditor::warningIndicator), QByteArray("ret;  "));
    }

    void goToCountsCodePoints()
    {
        PtxEditor editor;
        editor.loadText("\xC3\xA9\xC3\xA9x\nnext\n");
        editor.goTo(1, 3);
        QCOMPARE(editor.SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS), 4L);
        QCOMPARE(editor.currentColumn(), 3);
        QSignalSpy spy(&editor, &PtxEditor::cursorLineChanged);
        editor.show();
        QTRY_COMPARE(spy.count(), 1);
        spy.clear();
        editor.goTo(2);
        QTRY_COMPARE(spy.count(), 1);
        QCOMPARE(spy.first().first().toInt(), 2);
    }

    void lineEndsAndBytesAreKept()
    {
        PtxEditor editor;
        const QByteArray text = "a\r\nb\r\nc\n\xC3\xA9";
        editor.loadText(text);
        QCOMPARE(editor.utf8(), text);
        QVERIFY(!editor.isModified());
        QCOMPARE(editor.eolMode(), QsciScintilla::EolWindows);
    }

    void replacingAllTextIsOneUndoStep()
    {
        PtxEditor editor;
        editor.loadText("one\ntwo\n");
        editor.goTo(2, 2);
        editor.replaceAllText("three\nfour\nfive\n");
        QCOMPARE(editor.utf8(), QByteArray("three\nfour\nfive\n"));
        QCOMPARE(editor.currentLine(), 2);
        editor.undo();
        QCOMPARE(editor.utf8(), QByteArray("one\ntwo\n"));
        QVERIFY(!editor.isUndoAvailable());
    }

    void commentsToggleOnAndOff()
    {
        PtxEditor editor;
        editor.loadText("    mov;\n\n    add;\n");
        editor.selectAll();
        editor.toggleComment();
        QCOMPARE(editor.utf8(), QByteArray("    // mov;\n\n    // add;\n"));
        editor.selectAll();
        editor.toggleComment();
        QCOMPARE(editor.utf8(), QByteArray("    mov;\n\n    add;\n"));
        editor.undo();
        QCOMPARE(editor.utf8(), QByteArray("    // mov;\n\n    // add;\n"));
    }

    void findCountsAndReplacesInOneStep()
    {
        EditorPane pane;
        PtxEditor* editor = pane.editor();
        editor->loadText("\xC3\xA9 add add\nadd\n");
        FindBar* bar = pane.findBar();
        bar->setNeedle(QStringLiteral("add"));
        QCOMPARE(editor->selectedText(), QStringLiteral("add"));
        QVERIFY(bar->statusText().startsWith(QLatin1String("1")));
        bar->findNext();
        bar->findNext();
        QVERIFY(bar->statusText().startsWith(QLatin1String("3")));
        bar->findNext();
        QVERIFY2(bar->statusText().startsWith(QLatin1String("1")), "the search wraps");
        QCOMPARE(bar->replaceAll(), 3);
        QCOMPARE(editor->utf8(), QByteArray("\xC3\xA9  \n\n"));
        editor->undo();
        QCOMPARE(editor->utf8(), QByteArray("\xC3\xA9 add add\nadd\n"));
        bar->setNeedle(QStringLiteral("nowhere"));
        QVERIFY(!bar->statusText().isEmpty());
    }

    void hoverFindsTheDottedWordAndSaysWhatItNeeds()
    {
        const std::string_view line = "  wgmma.mma_async.sync.aligned %f1;";
        QCOMPARE(dottedWordAround(line, 10), std::string_view("wgmma.mma_async.sync.aligned"));
        QVERIFY(dottedWordAround(line, 0).empty());
        QVERIFY(dottedWordAround(line, 500).empty());
        IsaInstruction instruction;
        instruction.mnemonic = "wgmma.mma_async";
        instruction.minPtx = "8.0";
        instruction.minTarget = "sm_90a";
        instruction.manualUrl = "https://docs.nvidia.com/x";
        const QString html = hoverText({}, &instruction);
        QVERIFY(html.contains(QLatin1String("8.0")) && html.contains(QLatin1String("sm_90a")));
        QVERIFY(html.contains(QLatin1String("href=\"https://docs.nvidia.com/x\"")));
        QVERIFY(hoverText({}, nullptr).isEmpty());
        Diagnostic diagnostic;
        diagnostic.message = "a < b";
        QVERIFY(hoverText({&diagnostic}, nullptr).contains(QLatin1String("a &lt; b")));
    }

    void hoverTellsWhereANameIsDeclared()
    {
        PtxSymbol symbol{.name = "%acc7", .declaredAs = ".reg .f32 %acc<128>"};
        symbol.declaration = {13, 15, 13, 19};
        symbol.uses.resize(3);
        const QString html = symbolText(symbol);
        QVERIFY(html.contains(QLatin1String(".reg .f32 %acc&lt;128&gt;")));
        QVERIFY(html.contains(QLatin1String("13")) && html.contains(QLatin1String("2 ")));
        QVERIFY(nameText({"%laneid", "lane in the warp"}).contains(QLatin1String("lane in the warp")));
    }

    void aListOffersWhatMayFollowAndWritesOnlyTheWord()
    {
        const auto isa = IsaTable::load(PTXWB_SOURCE_ROOT "/resources/isa/ptx-instructions.json");
        QVERIFY(isa);
        PtxEditor editor;
        editor.setIsaTable(&*isa);
        editor.resize(600, 400);
        editor.show();
        editor.loadText(".version 8.0\n.target sm_90a\n.entry k()\n{\n    wgmma.f\n}\n");
        editor.goTo(5, 12);
        QVERIFY(editor.completion()->showNow());
        QVERIFY(editor.completion()->isShown());
        QTest::keyClick(&editor, Qt::Key_Return);
        QVERIFY(!editor.completion()->isShown());
        QVERIFY2(editor.utf8().contains("    wgmma.fence\n}"), editor.utf8().constData());
        editor.undo();
        QVERIFY(editor.utf8().contains("    wgmma.f\n"));
        editor.goTo(2, 15);
        QVERIFY2(!editor.completion()->showNow(), "a finished line");
    }

    void typingShowsTheListAndEscapeClosesIt()
    {
        const auto isa = IsaTable::load(PTXWB_SOURCE_ROOT "/resources/isa/ptx-instructions.json");
        PtxEditor editor;
        editor.setIsaTable(&*isa);
        editor.resize(600, 400);
        editor.show();
        editor.loadText(".version 8.0\n.target sm_90a\n.entry k()\n{\n    \n}\n");
        editor.goTo(5, 5);
        QTest::keyClicks(&editor, QStringLiteral("s"));
        QVERIFY2(!editor.completion()->isShown(), "one letter says too little");
        QTest::keyClicks(&editor, QStringLiteral("e"));
        QVERIFY(editor.completion()->isShown());
        QTest::keyClicks(&editor, QStringLiteral("tm"));
        QVERIFY2(editor.completion()->isShown(), "only what still fits");
        QTest::keyClick(&editor, Qt::Key_Tab);
        QVERIFY2(editor.utf8().contains("    setmaxnreg\n"), editor.utf8().constData());
        QTest::keyClicks(&editor, QStringLiteral("."));
        QVERIFY2(editor.completion()->isShown(), "a dot asks for the next part");
        QTest::keyClick(&editor, Qt::Key_Escape);
        QVERIFY(!editor.completion()->isShown());
        QVERIFY(editor.utf8().contains("    setmaxnreg.\n"));
        editor.completion()->setWhileTyping(false);
        QTest::keyClicks(&editor, QStringLiteral("t"));
        QVERIFY(!editor.completion()->isShown());
        QTest::keyClicks(&editor, QStringLiteral(" // wg"));
        QVERIFY2(!editor.completion()->showNow(), "within a comment");
        editor.setSyntax(PtxEditor::Syntax::Plain);
        QVERIFY(!editor.completion()->showNow());
    }

    void theCaretGoesToDeclarationAndUses()
    {
        PtxEditor editor;
        editor.resize(600, 400);
        editor.show();
        editor.loadText(".version 8.0\n.target sm_90a\n.entry k()\n{\n    .reg .b32 %r;\n    mov.b32 %r, 1;\n"
                        "    add.s32 %r, %r, 1;\n}\n");
        editor.goTo(7, 17);
        QVERIFY(editor.symbols()->goToDeclaration());
        QCOMPARE(std::pair(editor.currentLine(), editor.currentColumn()), std::pair(5, 15));
        QVERIFY(editor.symbols()->goToUse(true));
        QCOMPARE(editor.currentLine(), 6);
        QVERIFY(editor.symbols()->goToUse(false));
        QCOMPARE(editor.currentLine(), 5);
        QVERIFY2(editor.symbols()->goToUse(false), "round");
        QCOMPARE(std::pair(editor.currentLine(), editor.currentColumn()), std::pair(7, 17));
        const long use = editor.positionOf(6, 13);
        const auto marked = [&] {
            return editor.SendScintilla(QsciScintillaBase::SCI_INDICATORVALUEAT,
                       static_cast<unsigned long>(SymbolMarks::indicator), use)
                != 0;
        };
        QTRY_VERIFY(marked());
        editor.goTo(1);
        QTRY_VERIFY(!marked());
        QVERIFY(!editor.symbols()->goToDeclaration());
    }

    void linkedLinesAreMarked()
    {
        PtxEditor editor;
        editor.loadText("a\nb\nc\n");
        editor.setLinkedLines({2}, true);
        QVERIFY((editor.markersAtLine(1) & (1U << PtxEditor::linkedMarker)) != 0);
        editor.setLinkedLines({}, false);
        QCOMPARE(editor.markersAtLine(1), 0U);
    }
};

QTEST_MAIN(TestEditor)
#include "tst_editor.moc"
