// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/ptxas_messages.h"

#include "tests/toolchain/toolchain_test.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

struct Block {
    QString command;
    QString file;
    QStringList output;
    int status = 0;
};

// TRANSCRIPT.txt: "$ tool 'option'... 'file'", the output, "[rc=N]".
QList<Block> transcript()
{
    QList<Block> blocks;
    for (const auto& line : QString::fromStdString(dataFile("TRANSCRIPT.txt")).split('\n')) {
        if (line.startsWith("$ ")) {
            const auto words = line.split('\'');
            blocks << Block{line, words.at(words.size() - 2), {}, 0};
        } else if (line.startsWith("[rc=")) {
            if (!blocks.isEmpty()) {
                blocks.last().status = line.mid(4, line.size() - 5).toInt();
                blocks << Block{};
            }
        } else if (!blocks.isEmpty() && !blocks.last().file.isEmpty()) {
            blocks.last().output << line;
        }
    }
    blocks.removeIf([](const Block& block) { return block.file.isEmpty(); });
    return blocks;
}

CompilerMessages parse(
    const QString& output, const QString& file = "k.ptx", const QString& userFile = "k.ptx")
{
    static std::string text; // the parser keeps nothing of it, but a view must live while it runs
    text = output.toStdString();
    return parseCompilerMessages(text, file.toStdString(), userFile.toStdString());
}

} // namespace

class TestPtxasMessages : public QObject {
    Q_OBJECT
private slots:
    void losesNoMessageOfTheTranscript_data();
    void losesNoMessageOfTheTranscript();
    void theFiveShapes_data();
    void theFiveShapes();
    void reportsTheUsersName();
    void keepsForeignNames();
    void ranksRootCauses();
    void notesAreKnownByTheirWords();
    void performanceNotes();
    void resourcesOfSeveralKernels();
    void sharedMemoryAndBarriers();
    void cudaErrors();
    void includeChains();
    void linkerErrors();
    void keepsWhatItDoesNotKnow();
    void neverFailsOnACutText();
};

void TestPtxasMessages::losesNoMessageOfTheTranscript_data()
{
    QTest::addColumn<int>("index");
    const auto blocks = transcript();
    QVERIFY(blocks.size() > 40);
    for (int i = 0; i < blocks.size(); ++i) {
        QTest::newRow(qPrintable(blocks[i].command)) << i;
    }
}

void TestPtxasMessages::losesNoMessageOfTheTranscript()
{
    QFETCH(int, index);
    const auto block = transcript().at(index);
    const auto messages = parse(block.output.join('\n'), block.file, "user's file.ptx");
    const QRegularExpression problem("(error   |fatal   |warning ): |: warning: ");
    const auto problems = block.output.filter(problem);
    QCOMPARE(shown(messages.diagnostics).size(), problems.size());
    QCOMPARE(static_cast<int>(messages.notes.size()), static_cast<int>(block.output.filter("(C75").size()));
    QCOMPARE(static_cast<int>(messages.kernels.size()),
        static_cast<int>(block.output.filter("Compiling entry function").size()));
    QVERIFY(messages.unparsed.empty());
    for (int i = 0; i < problems.size(); ++i) {
        const auto& said = messages.diagnostics[static_cast<std::size_t>(i)];
        QVERIFY(!said.message.empty());
        const auto line =
            QRegularExpression("(?:, line |on line |:)(\\d+)[;:\\n]|on line (\\d+)$").match(problems[i]);
        if (line.hasMatch() && !problems[i].contains("<macro util>")) { // a line that the user does not have
            const auto number = line.captured(1).isEmpty() ? line.captured(2) : line.captured(1);
            QCOMPARE(said.line.value_or(0), number.toInt());
        } else {
            QVERIFY(!said.line.has_value());
        }
        QCOMPARE(problems[i].contains("fatal"), said.severity == Severity::Fatal);
    }
    if (block.status != 0) {
        QVERIFY(
            std::any_of(messages.diagnostics.begin(), messages.diagnostics.end(), [](const Diagnostic& said) {
                return said.rootCause
                    && (said.severity == Severity::Error || said.severity == Severity::Fatal);
            }));
    }
}

void TestPtxasMessages::theFiveShapes_data()
{
    QTest::addColumn<QString>("output");
    QTest::addColumn<QString>("expected");
    QTest::newRow("error with line") << "ptxas k.ptx, line 7; error   : Unknown symbol 'x'"
                                     << "error 7:0 Unknown symbol 'x'";
    QTest::newRow("fatal with line") << "ptxas k.ptx, line 1; fatal   : Unsupported .version 9.9"
                                     << "fatal 1:0 Unsupported .version 9.9";
    QTest::newRow("warning with line") << "ptxas k.ptx, line 3; warning : Something odd"
                                       << "warning 3:0 Something odd";
    QTest::newRow("error alone") << "ptxas error   : Entry function 'k' uses too much shared data"
                                 << "error 0:0 Entry function 'k' uses too much shared data";
    QTest::newRow("fatal alone") << "ptxas fatal   : Value 'sm_42' is not defined for option 'gpu-name'"
                                 << "fatal 0:0 Value 'sm_42' is not defined for option 'gpu-name'";
    QTest::newRow("fatal with its line at the end") << "ptxas fatal   : Unexpected EOF encountered on line 10"
                                                    << "fatal 10:0 Unexpected EOF encountered on line 10";
    QTest::newRow("warning alone") << "ptxas warning : Conflicting options"
                                   << "warning 0:0 Conflicting options";
    QTest::newRow("info alone") << "ptxas info    : Overriding maximum register limit"
                                << "info 0:0 Overriding maximum register limit";
    QTest::newRow("carriage return") << "ptxas k.ptx, line 7; error   : Unknown symbol 'x'\r\n"
                                     << "error 7:0 Unknown symbol 'x'";
    QTest::newRow("name like a message")
        << "ptxas a, line 2; error : b.ptx, line 7; error   : Unknown symbol 'x'"
        << "error 2:0 b.ptx, line 7; error   : Unknown symbol 'x'";
    QTest::newRow("nvcc") << "nvcc fatal   : Unknown option '--bogus'"
                          << "fatal 0:0 Unknown option '--bogus'";
    QTest::newRow("cudafe++ behind the last line")
        << "At end of source: error: expected a \")\"\n\n1 error detected in "
           "the compilation of \"k.cu\"."
        << "error 0:0 expected a \")\"";
    QTest::newRow("warning of cudafe++ behind the last line")
        << "At end of source: warning #12-D: parsing restarts here"
        << "warning 0:0 parsing restarts here";
    QTest::newRow("catastrophe") << "k.cu(3): catastrophic error: cannot open source file \"x.h\""
                                 << "fatal 3:0 cannot open source file \"x.h\"";
    QTest::newRow("end of source in a message") << "k.cu(3): error: At end of source: error: x"
                                                << "error 3:0 At end of source: error: x";
}

void TestPtxasMessages::theFiveShapes()
{
    QFETCH(QString, output);
    QFETCH(QString, expected);
    const auto messages = parse(output);
    QCOMPARE(shown(messages.diagnostics), QStringList{expected});
    QVERIFY(messages.unparsed.empty());
}

void TestPtxasMessages::reportsTheUsersName()
{
    const QString output =
        "ptxas source.ptx, line 1; fatal   : Missing .version directive at start of file 'source.ptx'";
    const auto messages = parse(output, "source.ptx", "my, line 3; kernel.ptx");
    QCOMPARE(messages.diagnostics.size(), std::size_t{1});
    QCOMPARE(messages.diagnostics[0].file, std::string("my, line 3; kernel.ptx"));
    QVERIFY(messages.diagnostics[0].message.find("'my, line 3; kernel.ptx'") != std::string::npos);
    const auto odd =
        parse("ptxas a, line 2; error : b.ptx, line 7; error   : X", "a, line 2; error : b.ptx", "b.ptx");
    QCOMPARE(shown(odd.diagnostics), QStringList{"error 7:0 X"});
    QCOMPARE(odd.diagnostics[0].file, std::string("b.ptx"));
}

void TestPtxasMessages::keepsForeignNames()
{
    const auto messages =
        parse("ptxas <macro util>, line 2; error   : PTX .version 8.8 does not support .target sm_110a\n"
              "ptxas orig.cu, line 105; error   : Unknown symbol 'x'");
    QVERIFY(messages.diagnostics[0].isOfToolText);
    QVERIFY(!messages.diagnostics[0].line);
    QVERIFY(messages.diagnostics[0].explanation.value_or("").find("<macro util>") != std::string::npos);
    QCOMPARE(messages.diagnostics[1].file, std::string("orig.cu"));
}

void TestPtxasMessages::ranksRootCauses()
{
    const auto messages =
        parse("ptxas k.ptx, line 7; error   : Arguments mismatch for instruction 'mov'\n"
              "ptxas k.ptx, line 8; error   : Arguments mismatch for instruction 'wgmma.mma_async'\n"
              "ptxas k.ptx, line 8; error   : Unknown modifier '.m64n7k16'\n"
              "ptxas k.ptx, line 10; error   : Not a name of any known instruction: 'foo'\n"
              "ptxas k.ptx, line 10; error   : Unknown modifier '.bar'\n"
              "ptxas k.ptx, line 7; error   : Unknown symbol '%r9'\n"
              "ptxas fatal   : Ptx assembly aborted due to errors\n");
    QList<bool> roots;
    QList<int> groups;
    for (const auto& said : messages.diagnostics) {
        roots << said.rootCause;
        groups << said.group;
    }
    QCOMPARE(roots, (QList<bool>{false, false, true, false, true, true, false}));
    QCOMPARE(groups, (QList<int>{1, 2, 2, 3, 3, 1, 3}));
}

void TestPtxasMessages::notesAreKnownByTheirWords()
{
    const auto notes =
        parse("ptxas info    : (C7599) Potential Performance Loss: wgmma.mma_async instructions are "
              "serialized due to "
              "ill formed pipeline stage in the function 'k'\n"
              "ptxas info    : (C7598) Potential Performance Loss: 'setmaxnreg' ignored to allow debugging.\n"
              "ptxas info    : (C7597) Potential Performance Loss: wgmma.mma_async instructions are "
              "serialized due to "
              "the moon in the function 'k'\n")
            .notes;
    QCOMPARE(notes.size(), std::size_t{3});
    QCOMPARE(notes[0].meaning, std::string(performanceNoteText("C7516").meaning));
    QVERIFY(notes[1].usualCause.find("-G") != std::string::npos);
    QVERIFY(!notes[2].meaning.empty() && notes[2].usualCause.empty());
    for (int code = 7508; code <= 7520; ++code) {
        const auto text = performanceNoteText("C" + std::to_string(code));
        QVERIFY2(!text.meaning.empty() && !text.usualCause.empty() && !text.lookFor.empty(),
            std::to_string(code).c_str());
    }
    QVERIFY(performanceNoteText("C9999").meaning.empty());
}

void TestPtxasMessages::performanceNotes()
{
    const auto messages =
        parse("ptxas info    : (C7519) warpgroup.arrive is injected in around line 62 by compiler to allow "
              "use of registers in GMMA in function 'k'\n"
              "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine "
              "register count at entry.\n"
              "ptxas info    : (C7599) Something of a later version in the function 'k2'\n");
    QCOMPARE(messages.notes.size(), std::size_t{3});
    QVERIFY(messages.diagnostics.empty());
    QCOMPARE(messages.notes[0].code, std::string("C7519"));
    QCOMPARE(messages.notes[0].kernel, std::string("k"));
    QCOMPARE(messages.notes[0].line.value_or(0), 62);
    QCOMPARE(messages.notes[0].lineBy, std::string("tool"));
    QVERIFY(!messages.notes[0].meaning.empty());
    QVERIFY(!messages.notes[1].line.has_value());
    QVERIFY(messages.notes[1].kernel.empty());
    QCOMPARE(messages.notes[2].kernel, std::string("k2"));
    QVERIFY(messages.notes[2].meaning.empty()); // nothing is made up for a code that is not known
    // A code on an error stays an error.
    const auto error = parse("ptxas error   : (C7602) Insufficient registers in function 'k'");
    QCOMPARE(shown(error.diagnostics), QStringList{"error 0:0 Insufficient registers in function 'k'"});
    QCOMPARE(error.diagnostics[0].code.value_or(""), std::string("C7602"));
}

void TestPtxasMessages::resourcesOfSeveralKernels()
{
    const auto messages = parse(QString::fromStdString(dataFile("v-two-kernels.txt")));
    QCOMPARE(messages.kernels.size(), std::size_t{2}); // a .func is no kernel
    const auto& second = messages.kernels[0];
    const auto& first = messages.kernels[1];
    QCOMPARE(second.name, std::string("second"));
    QCOMPARE(second.registers.value_or(-1), 4);
    QCOMPARE(second.barriers.value_or(-1), 1);
    QCOMPARE(second.sharedBytes.value_or(-1), 0);
    QCOMPARE(first.name, std::string("first"));
    QCOMPARE(first.registers.value_or(-1), 6);
    QCOMPARE(first.sharedBytes.value_or(-1), 4096);
    QCOMPARE(first.stackBytes.value_or(-1), 64);
    QVERIFY(messages.diagnostics.empty());
}

void TestPtxasMessages::sharedMemoryAndBarriers()
{
    const auto messages =
        parse("ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
              "ptxas info    : Function properties for k\n"
              "    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads\n"
              "ptxas info    : Used 255 registers, used 16 barriers, 49152 bytes smem, 400 bytes cmem[0]\n"
              "ptxas info    : Function properties for helper\n"
              "    999 bytes stack frame, 999 bytes spill stores, 999 bytes spill loads\n");
    QCOMPARE(messages.kernels.size(), std::size_t{1});
    const auto& kernel = messages.kernels[0];
    QCOMPARE(kernel.registers.value_or(-1), 255);
    QCOMPARE(kernel.barriers.value_or(-1), 16);
    QCOMPARE(kernel.sharedBytes.value_or(-1), 49152);
    QCOMPARE(kernel.stackBytes.value_or(-1), 16);
    QCOMPARE(kernel.spillStoreBytes.value_or(-1), 12);
    QCOMPARE(kernel.spillLoadBytes.value_or(-1), 8);
}

void TestPtxasMessages::cudaErrors()
{
    const auto messages = parse(QString::fromStdString(dataFile("nvcc-cxx.txt")), "args.cu", "my file.cu");
    QCOMPARE(shown(messages.diagnostics),
        (QStringList{"error 2:0 identifier \"nothing\" is undefined",
            "error 7:0 no instance of overloaded function \"f\" matches the argument list\nargument types "
            "are: (const "
            "char [5])",
            "info 3:0 function \"f(float *)\" does not match because argument #1 does not match parameter",
            "info 2:0 number of parameters of function \"f(int, int)\" does not match the call",
            "error 8:0 identifier \"undefinedThing\" is undefined",
            "warning 6:0 variable \"unused\" was declared but never referenced"}));
    QVERIFY(messages.unparsed.empty());
    QCOMPARE(messages.diagnostics[0].file, std::string("args.h"));
    QCOMPARE(messages.diagnostics[1].file, std::string("my file.cu"));
    QCOMPARE(messages.diagnostics[5].code.value_or(""), std::string("177-D"));
    QCOMPARE(messages.diagnostics[4].textAtCaret, std::string("undefinedThing + 1;"));

    const auto templates =
        parse(QString::fromStdString(dataFile("nvcc-template.txt")), "dir with space/na me.cu", "u.cu");
    QCOMPARE(templates.diagnostics.size(), std::size_t{5});
    QVERIFY(templates.diagnostics[1].message.find("detected during instantiation") != std::string::npos);
    QCOMPARE(templates.diagnostics[1].file, std::string("u.cu"));
}

void TestPtxasMessages::includeChains()
{
    const auto messages = parse(QString::fromStdString(dataFile("nvcc-include.txt")), "inc.cu", "inc.cu");
    QCOMPARE(shown(messages.diagnostics), QStringList{"fatal 1:10 missing.h: No such file or directory"});
    QCOMPARE(messages.diagnostics[0].file, std::string("keepinc/inner.h"));
    QCOMPARE(messages.diagnostics[0].explanation.value_or(""), std::string("included from inc.cu:1"));
    QVERIFY(messages.unparsed.empty());
}

void TestPtxasMessages::linkerErrors()
{
    const auto messages = parse(QString::fromStdString(dataFile("nvcc-ld.txt")));
    QCOMPARE(shown(messages.diagnostics),
        (QStringList{"info 0:0 /tmp/tmpxft_000024f2_00000000-11_ld.o: in function `run':",
            "error 0:0 undefined reference to `missing()'", "error 0:0 ld returned 1 exit status"}));
    QVERIFY(messages.diagnostics[1].rootCause);
    QVERIFY(!messages.diagnostics[2].rootCause);
    QCOMPARE(shown(parse("/usr/bin/ld: cannot find -lnowhere: No such file or directory\n").diagnostics),
        QStringList{"error 0:0 cannot find -lnowhere: No such file or directory"});
}

void TestPtxasMessages::keepsWhatItDoesNotKnow()
{
    const auto messages = parse("something entirely new\nptxas k.ptx, line x; error   : no number\n");
    QCOMPARE(messages.unparsed.size(), std::size_t{2});
    QCOMPARE(messages.unparsed[0], std::string("something entirely new"));
}

void TestPtxasMessages::neverFailsOnACutText()
{
    for (const char* name :
        {"TRANSCRIPT.txt", "nvcc-cxx.txt", "nvcc-template.txt", "nvcc-ld.txt", "v-two-kernels.txt"}) {
        const auto text = dataFile(name);
        QVERIFY(!text.empty());
        for (std::size_t length = 0; length <= text.size(); length += text.size() > 5000 ? 17 : 1) {
            const auto cut = text.substr(0, length);
            const auto rest = text.substr(length);
            static_cast<void>(parseCompilerMessages(cut, "k.ptx", "k.ptx"));
            static_cast<void>(parseCompilerMessages(rest, "", ""));
        }
    }
}

QTEST_APPLESS_MAIN(TestPtxasMessages)
#include "tst_ptxas_messages.moc"
