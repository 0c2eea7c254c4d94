// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_messages.h"

#include "tests/toolchain/toolchain_test.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

// "column-endColumn" of one message on one line of text; "-" when none was found.
QString place(const std::string& source, int line, const std::string& message)
{
    std::vector<Diagnostic> diagnostics{{.message = message, .file = "k.ptx", .line = line, .tool = "ptxas"}};
    locateColumns(diagnostics, source);
    const auto& said = diagnostics.front();
    return said.column ? QStringLiteral("%1-%2").arg(*said.column).arg(said.endColumn.value_or(0))
                       : QString("-");
}

} // namespace

class TestColumns : public QObject {
    Q_OBJECT
private slots:
    void findsTheQuotedWord_data();
    void findsTheQuotedWord();
    void sameMessageTwiceMeansTwoPlaces();
    void atTheCaretOfNvcc();
    void gccColumnsCountTabsAndUmlauts();
    void wholeTranscriptGetsColumns();
};

void TestColumns::findsTheQuotedWord_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("place");
    const QString mov = "    mov.u32 %r1, %r9;";
    QTest::newRow("register") << mov << 1 << "Unknown symbol '%r9'"
                              << "18-21";
    QTest::newRow("opcode") << mov << 1 << "Arguments mismatch for instruction 'mov'"
                            << "5-8";
    QTest::newRow("not within a longer word") << "  add.s32 %r11, %r1, 1;" << 1 << "Unknown symbol '%r1'"
                                              << "17-20";
    QTest::newRow("modifier") << "wgmma.mma_async.sync.aligned.m64n7k16.f32 x;" << 1
                              << "Unknown modifier '.m64n7k16'"
                              << "29-38";
    QTest::newRow("opcode with words behind it")
        << "  wgmma.mma_async.sync.aligned x;" << 1
        << "Instruction 'wgmma.mma_async with floating point types' not supported on .target 'sm_90'"
        << "3-18";
    QTest::newRow("part of a root") << "  cp.async.bulk.tensor x;" << 1
                                    << "Instruction 'cp.async.bulk' not supported"
                                    << "3-16";
    QTest::newRow("second quoted word") << "  ld.foo.u32 a;" << 1 << "Modifier 'x' clashes with '.foo'"
                                        << "5-9";
    QTest::newRow("behind non-ASCII text")
        << QString::fromUtf8("/* Größe ≤ 😀 */ addd x;") << 1 << "Not a name of any known instruction: 'addd'"
        << "17-21";
    QTest::newRow("a tab is one column")
        << "\t\taddd x;" << 1 << "Not a name of any known instruction: 'addd'"
        << "3-7";
    QTest::newRow("not in the comment before it")
        << "/* addd */ addd x; // addd" << 1 << "Not a name of any known instruction: 'addd'"
        << "12-16";
    QTest::newRow("second statement of the line")
        << "add.s32 a, b, c; addd d;" << 1 << "Not a name of any known instruction: 'addd'"
        << "18-22";
    QTest::newRow("CRLF") << "ret;\r\n addd x;\r\n"
                          << 2 << "Not a name of any known instruction: 'addd'"
                          << "2-6";
    QTest::newRow("lone carriage return")
        << "ret;\r addd x;" << 2 << "Not a name of any known instruction: 'addd'"
        << "2-6";
    QTest::newRow("non-ASCII byte") << QString::fromUtf8("ret; // — dash") << 1
                                    << "Unexpected non-ASCII character encountered on line 1"
                                    << "9-10";
    QTest::newRow("version without quotes")
        << "  .version 9.9" << 1 << "Unsupported .version 9.9; current version is '9.0'"
        << "3-11";
    QTest::newRow("empty word") << "ret;" << 1 << "Parsing error near '': syntax error"
                                << "-";
    QTest::newRow("word is not there") << "ret;" << 1 << "Unknown symbol 'x'"
                                       << "-";
    QTest::newRow("line is not there") << "ret;" << 9 << "Unknown symbol 'ret'"
                                       << "-";
    QTest::newRow("line zero") << "ret;" << 0 << "Unknown symbol 'ret'"
                               << "-";
    QTest::newRow("inside a string of asm")
        << "asm(\"bogus.op %0;\");" << 1 << "Not a name of any known instruction: 'bogus'"
        << "6-11";
}

void TestColumns::findsTheQuotedWord()
{
    QFETCH(QString, source);
    QFETCH(int, line);
    QFETCH(QString, message);
    QFETCH(QString, place);
    QCOMPARE(::place(source.toStdString(), line, message.toStdString()), place);
}

void TestColumns::sameMessageTwiceMeansTwoPlaces()
{
    const std::string source = "foo a; foo b;";
    const Diagnostic foo{
        .message = "Not a name of any known instruction: 'foo'", .file = "k.ptx", .line = 1, .tool = "ptxas"};
    std::vector<Diagnostic> diagnostics{foo, foo, foo};
    locateColumns(diagnostics, source);
    QCOMPARE(diagnostics[0].column.value_or(0), 1);
    QCOMPARE(diagnostics[1].column.value_or(0), 8);
    QCOMPARE(diagnostics[2].column.value_or(0), 8); // no third place: the last one
}

void TestColumns::atTheCaretOfNvcc()
{
    const auto source = dataFile("nvcc-cxx.cu");
    auto messages = parseCompilerMessages(dataFile("nvcc-cxx.txt"), "args.cu", "args.cu");
    std::erase_if(messages.diagnostics, [](const Diagnostic& said) { return said.file != "args.cu"; });
    locateColumns(messages.diagnostics, source);
    QCOMPARE(shown(messages.diagnostics).filter("undefinedThing"),
        QStringList{"error 8:9 identifier \"undefinedThing\" is undefined"});
    QCOMPARE(messages.diagnostics[0].column.value_or(0), 9); // f("text")
    QCOMPARE(messages.diagnostics[0].endColumn.value_or(0), 10);
    QCOMPARE(
        messages.diagnostics[1].column.value_or(0), 16); // f behind __device__, which nvcc prints expanded
}

void TestColumns::gccColumnsCountTabsAndUmlauts()
{
    std::vector<Diagnostic> diagnostics{
        {.message = "#error stop", .file = "k.cu", .line = 1, .column = 10, .tool = "gcc"}};
    locateColumns(diagnostics, "\t#error stop");
    QCOMPARE(
        diagnostics[0].column.value_or(0), 3); // display column 10 is the second character behind the tab
}

void TestColumns::wholeTranscriptGetsColumns()
{
    const auto source = dataFile("06_cascade_unknown_op.ptx");
    auto messages =
        parseCompilerMessages("ptxas f.ptx, line 7; error   : Arguments mismatch for instruction 'mov'\n"
                              "ptxas f.ptx, line 8; error   : Unknown modifier '.m64n7k16'\n"
                              "ptxas f.ptx, line 10; error   : Unknown modifier '.bar'\n"
                              "ptxas f.ptx, line 10; error   : Not a name of any known instruction: 'foo'\n"
                              "ptxas f.ptx, line 7; error   : Unknown symbol '%r9'\n",
            "f.ptx", "f.ptx");
    locateColumns(messages.diagnostics, source);
    const auto lines = QString::fromStdString(source).split('\n');
    for (const auto& said : messages.diagnostics) {
        QVERIFY2(said.column.has_value(), said.message.c_str());
        const auto word = lines[*said.line - 1].mid(*said.column - 1, *said.endColumn - *said.column);
        QVERIFY2(QString::fromStdString(said.message).contains("'" + word + "'"), qPrintable(word));
    }
}

QTEST_APPLESS_MAIN(TestColumns)
#include "tst_columns.moc"
