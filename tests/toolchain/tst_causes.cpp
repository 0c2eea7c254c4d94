// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/isa_table.h"
#include "core/support/error.h"
#include "core/toolchain/causes.h"
#include "core/toolchain/ptxas_messages.h"
#include "core/toolchain/target_matrix.h"

#include "tests/toolchain/toolchain_test.h"

#include <QTest>

#include <algorithm>
#include <map>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

// A kernel whose body is `body`; its first line is line 6.
std::string kernel(
    const std::string& body, const std::string& target = "sm_90a", const std::string& version = "8.0")
{
    return ".version " + version + "\n.target " + target
        + "\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" + body + "}\n";
}

} // namespace

class TestCauses : public QObject {
    Q_OBJECT
private slots:
    void groupsOverAllLines();
    void oneRootPerGroup_data();
    void oneRootPerGroup();
    void everyFixCompiles_data();
    void everyFixCompiles();
    void theBrokenGemmHasTwoCauses();
    void noFixWhereThereIsNoMechanicalOne_data();
    void noFixWhereThereIsNoMechanicalOne();
    void explanationsNameThePlace_data();
    void explanationsNameThePlace();
    void sharedMemoryIsExplained();
    void aLimitThatIsNoneIsExplained();
    void foreignLinesGetNoEdits();
    void appliesEdits_data();
    void appliesEdits();
    void truncatedTextsAreSafe();
    void everyTargetAnswers();
    void oneMistakeHasOnePlace_data();
    void oneMistakeHasOnePlace();

private:
    Compiler m_compiler{realToolchain()};
};

void TestCauses::oneMistakeHasOnePlace_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("line");
    QTest::addColumn<QString>("words"); // of the explanation
    QTest::newRow("#line") << ".version 8.0\n.target sm_90a\n.address_size 64\n#line 100 \"a.cu\"\n"
                              ".visible .entry k()\n{\n.reg .b32 %r<2>;\nmvo.b32 %r1, 5;\nret;\n}\n"
                           << "" << 8 << "Did you mean mov?";
    QTest::newRow("target above") << ".version 8.0\n.target sm_80\n.address_size 64\n"
                                     ".visible .entry k()\n{\nret;\n}\n"
                                  << "sm_75" << 2 << "--target sm_80";
    QTest::newRow("no name") << ".version 8.0\n.target\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n"
                             << "sm_90a" << 2 << "nothing stands behind .target";
}

void TestCauses::oneMistakeHasOnePlace()
{
    QFETCH(QString, text);
    QFETCH(QString, target);
    CompileRequest request{.displayName = "k.ptx", .text = text.toStdString()};
    if (!target.isEmpty()) {
        request.target = target.toStdString();
    }
    const auto outcome = m_compiler.compile(request);
    QVERIFY(outcome && !outcome->ok);
    const auto roots = rootErrors(outcome->diagnostics);
    QCOMPARE(roots.size(), std::size_t{1});
    QTEST(roots.front()->line.value_or(0), "line");
    QCOMPARE(QString::fromStdString(roots.front()->file), QString("k.ptx"));
    QFETCH(QString, words);
    QVERIFY2(QString::fromStdString(roots.front()->explanation.value_or("")).contains(words),
        roots.front()->explanation.value_or("").c_str());
}

void TestCauses::groupsOverAllLines()
{
    const auto messages = parseCompilerMessages(
        "ptxas k.ptx, line 8; error   : Arguments mismatch for instruction 'mov'\n"
        "ptxas k.ptx, line 9; error   : Arguments mismatch for instruction 'add'\n"
        "ptxas k.ptx, line 10; error   : Instruction 'wgmma.fence' not supported on .target 'sm_90'\n"
        "ptxas k.ptx, line 11; error   : Feature '.x' not supported on .target 'sm_90'\n"
        "ptxas k.ptx, line 8; error   : Unknown symbol '%r9'\n"
        "ptxas k.ptx, line 9; error   : Unknown symbol '%r9'\n"
        "ptxas k.ptx, line 12; error   : Unknown modifier '.a'\n"
        "ptxas k.ptx, line 12; error   : Unknown modifier '.b'\n"
        "ptxas fatal   : Ptx assembly aborted due to errors\n",
        "k.ptx", "k.ptx");
    QList<int> groups;
    QList<bool> roots;
    for (const auto& said : messages.diagnostics) {
        groups << said.group;
        roots << said.rootCause;
    }
    QCOMPARE(groups, (QList<int>{1, 1, 2, 2, 1, 1, 3, 4, 4}));
    QCOMPARE(roots, (QList<bool>{false, false, true, false, true, false, true, true, false}));
}

void TestCauses::oneRootPerGroup_data()
{
    QTest::addColumn<QString>("output");
    const auto transcript = QString::fromStdString(dataFile("TRANSCRIPT.txt")).split("\n$ ");
    for (int i = 1; i < transcript.size(); ++i) {
        QTest::addRow("run %d", i) << transcript[i].mid(transcript[i].indexOf('\n') + 1);
    }
}

void TestCauses::oneRootPerGroup()
{
    QFETCH(QString, output);
    const auto text = output.toStdString();
    const auto messages = parseCompilerMessages(text, "k.ptx", "k.ptx");
    std::map<int, int> roots;
    for (const auto& said : messages.diagnostics) {
        QVERIFY(said.group >= 1);
        roots[said.group] += said.rootCause ? 1 : 0;
    }
    for (const auto& [group, count] : roots) {
        QVERIFY2(count == 1, qPrintable(QString("group %1 has %2 roots").arg(group).arg(count)));
    }
}

void TestCauses::everyFixCompiles_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("line"); // of the only root cause; 0: none
    QTest::addColumn<QString>("tool");
    QTest::addColumn<QString>("title");
    const auto row = [](const char* name, const std::string& text, int line, const char* tool,
                         const char* title) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << line << tool << title;
    };
    const std::string regs = ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .pred %p;\n";
    row("semicolon", kernel(regs + "mov.u32 %r1, 5 // here\nadd.u32 %r2, %r1, %r1;\nret;\n"), 9, "ptxwb",
        "Insert ';' at the end of line 9");
    row("semicolon before a blank line", kernel(regs + "mov.u32 %r1, 5\n\n/* x */\nret;\n"), 9, "ptxwb",
        "Insert ';' at the end of line 9");
    row("semicolon before a label", kernel(regs + "mov.u32 %r1, 5\nL:\nret;\n"), 9, "ptxwb",
        "Insert ';' at the end of line 9");
    row("semicolon before a brace", kernel(regs + "ret\n"), 9, "ptxwb", "Insert ';' at the end of line 9");
    row("semicolon of a declaration", kernel(".reg .b32 %r<4>\nmov.u32 %r1, 5;\nret;\n"), 6, "ptxwb",
        "Insert ';' at the end of line 6");
    row("semicolon behind a vector", kernel(regs + "mov.b64 %rd1,\n {%r1, %r2}\nret;\n"), 10, "ptxwb",
        "Insert ';' at the end of line 10");
    row("brace", ".version 8.0\n.target sm_90a\n.address_size 64\n.entry k()\n{\nret;\n", 5, "ptxwb",
        "Close the block at the end");
    row("register beyond its range", kernel(regs + "mov.u32 %r9, 5;\nmov.u32 %r7, %r9;\nret;\n"), -1, "ptxas",
        "Enlarge the range to %r<10>");
    row("predicate", kernel(regs + "setp.eq.u32 %q, %r1, 3;\n@%q bra L;\n@!%q ret;\nL: ret;\n"), 9, "ptxas",
        "Declare %q as .pred");
    row("address", kernel("ld.param.u64 %a, [p];\nret;\n"), 6, "ptxas", "Declare %a as .b64");
    row("wide product", kernel(regs + "mul.wide.u32 %w, %r1, %r2;\nret;\n"), 9, "ptxas",
        "Declare %w as .b64");
    row("conversion", kernel(regs + "cvt.rn.f16.f32 %h, 0f00000000;\nret;\n"), 9, "ptxas",
        "Declare %h as .b16");
    row("float", kernel("add.f32 %f1, 0f00000000, 0f00000000;\nret;\n"), 6, "ptxas", "Declare %f1 as .f32");
    row("halves of a vector", kernel(regs + "mov.b64 {%lo, %r1}, %rd1;\nret;\n"), 9, "ptxas",
        "Declare %lo as .b32");
    row("shift amount", kernel(regs + "shl.b64 %rd1, %rd1, %s;\nret;\n"), 9, "ptxas", "Declare %s as .b32");
    row("misspelt register",
        kernel(".reg .b32 %tileRow;\nmov.u32 %tileRow, 1;\nmov.u32 %tileRow, %tileRwo;\nret;\n"), 8, "ptxas",
        "Change '%tileRwo' to '%tileRow'");
    row("cvta of a variable",
        kernel(regs + ".shared .align 16 .b8 buf[64];\n@%p cvta.to.shared.u64 %rd1, buf;\nret;\n"), 10,
        "ptxas", "Take the address of 'buf' with mov");
    row("cvta of a parameter", kernel(regs + "@%p cvta.to.global.u64 %rd1, p;\nret;\n"), 9, "ptxas",
        "Load 'p' with ld.param, then convert it");
    row("target", kernel("wgmma.fence.sync.aligned;\nwgmma.commit_group.sync.aligned;\nret;\n", "sm_90"), 6,
        "ptxas", "Change .target to sm_90a");
    row("target of Blackwell", kernel("tcgen05.fence::before_thread_sync;\nret;\n", "sm_100", "8.7"), 6,
        "ptxas", "Change .target to sm_100a");
    row("target and version", kernel("wgmma.fence.sync.aligned;\nret;\n", "sm_80", "7.0"), 6, "ptxas",
        "Change .target to sm_90a and .version to 8.0");
    row("version too old", kernel("barrier.cluster.arrive;\nret;\n", "sm_90", "7.0"), 6, "ptxas",
        "Change .version to 7.8");
    row("version too old for the target", kernel("ret;\n", "sm_100a", "8.0"), 2, "ptxas",
        "Change .version to 8.6");
    row("version too new", kernel("ret;\n", "sm_90a", "9.9"), 1, "ptxas", "Change .version to 9.0");
    row("byte order mark", "\xEF\xBB\xBF" + kernel("ret;\n"), 1, "ptxas", "Replace 1 character beyond ASCII");
    row("dashes and quotes",
        kernel("// \u201Cfast\u201D \u2014 \u2264 3 \U0001F680\n.reg .b32 %r;\nmov.b32 %r, \u2212"
               "1;\nret;\n"),
        6, "ptxas", "Replace 6 characters beyond ASCII");
    row("bytes of another encoding", kernel("// caf\xE9 \x80\x80\nret;\n"), 6, "ptxas", "");
    row("fence", "Here it is:\n\n```ptx\n" + kernel("ret;\n") + "```\nIt is fast.\n", 1, "ptxas",
        "Remove the Markdown fence");
    row("fence that is never closed", "```\n" + kernel("ret;\n"), 1, "ptxas", "Remove the Markdown fence");
    row("no version", ".target sm_90a\n.entry k() { ret; }\n", 2, "ptxas",
        "Insert .version 8.0 at the start");
    row("NUL", kernel("ret;\n") + '\0', 8, "ptxas", "Remove the NUL byte at the end");
    row("misspelt modifier", kernel(regs + "fma.rn.ftzz.f32 %r1, %r1, %r1, %r1;\nret;\n"), 9, "ptxas",
        "Change .ftzz to .ftz");
    row("misspelt modifier on two lines",
        kernel("wgmma.fence.sinc.aligned;\nwgmma.fence.sinc.aligned;\nret;\n"), 6, "ptxas",
        "Change .sinc to .sync");
    row("misspelt part of a mnemonic", kernel("cp.async.bulk.comit_group;\nret;\n"), 6, "ptxas",
        "Change .comit_group to .commit_group");
    row("misspelt second part", kernel("cp.asinc.bulk.commit_group;\nret;\n"), 6, "ptxas",
        "Change .asinc to .async");
    row("misspelt instruction", kernel("wgma.fence.sync.aligned;\nret;\n"), 6, "ptxas",
        "Change wgma to wgmma");
    row("misspelt and read as a variable", kernel(regs + "mul.low.s32 %r1, %r1, %r1;\nret;\n"), 9, "ptxas",
        "Change .low to .lo");
    row("rounding", kernel(".reg .f32 %f<3>;\nfma.f32 %f1, %f1, %f1, %f2;\nret;\n"), 7, "ptxas",
        "Change fma to fma.rn");
    row("rounding of a quotient", kernel(".reg .f32 %f<3>;\ndiv.f32 %f1, %f1, %f2;\nret;\n"), 7, "ptxas",
        "Change div to div.rn");
    row("rounding to an integer", kernel(regs + ".reg .f32 %f;\ncvt.s32.f32 %r1, %f;\nret;\n"), 10, "ptxas",
        "Change cvt to cvt.rzi");
    row("misspelt target", kernel("wgmma.fence.sync.aligned;\nret;\n", "sm_90b"), 2, "ptxwb",
        "Write .target sm_90a");
    row("carriage returns", "\xEF\xBB\xBF.version 8.0\r\n.target sm_90a\r\n.entry k() { ret; }\r\n", 1,
        "ptxas", "Replace 1 character beyond ASCII");
}

void TestCauses::everyFixCompiles()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    QFETCH(QByteArray, text);
    QFETCH(int, line);
    QFETCH(QString, tool);
    QFETCH(QString, title);
    const auto broken = m_compiler.compile(ptxRequest(text.toStdString()));
    QVERIFY2(broken, broken ? "" : describe(broken.error()).c_str());
    QVERIFY(!broken->ok);
    const auto roots = rootErrors(broken->diagnostics);
    QVERIFY(!roots.empty());
    if (line >= 0) {
        QVERIFY2(roots.size() == 1, qPrintable(shown(broken->diagnostics).join('\n')));
        QCOMPARE(roots[0]->line.value_or(0), line);
    }
    QCOMPARE(QString::fromStdString(roots[0]->tool), tool);
    QVERIFY(roots[0]->explanation && !roots[0]->explanation->empty());
    QVERIFY2(!roots[0]->fixes.empty(), qPrintable(shown(broken->diagnostics).join('\n')));
    if (!title.isEmpty()) {
        QCOMPARE(QString::fromStdString(roots[0]->fixes[0].title), title);
    }
    const auto fixed = applyFirstFixes(text.toStdString(), broken->diagnostics);
    QVERIFY(fixed.leftOut.empty());
    const auto mended = m_compiler.compile(ptxRequest(fixed.text));
    QVERIFY(mended);
    QVERIFY2(
        mended->ok, qPrintable(QString::fromStdString(fixed.text) + shown(mended->diagnostics).join('\n')));
}

void TestCauses::theBrokenGemmHasTwoCauses()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    const auto text =
        readAll(PTXWB_TEST_DATA "/../../tasks/gemm/gemm_n7168_k5120/failed/does_not_assemble.ptx");
    const auto broken = m_compiler.compile(ptxRequest(text));
    QVERIFY(broken && !broken->ok);
    const auto roots = rootErrors(broken->diagnostics);
    QCOMPARE(roots.size(), std::size_t{2});
    QVERIFY(!roots[0]->fixes.empty() && !roots[1]->fixes.empty());
    const auto mended = m_compiler.compile(ptxRequest(applyFirstFixes(text, broken->diagnostics).text));
    QVERIFY(mended && mended->ok);
    QVERIFY(mended->diagnostics.empty());
}

void TestCauses::noFixWhereThereIsNoMechanicalOne_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const std::string& body) {
        QTest::newRow(name) << QByteArray::fromStdString(kernel(body));
    };
    row("label", "bra NOWHERE;\nret;\n");
    row("function", "call foo;\nret;\n");
    row("types", ".reg .b32 %r;\n.reg .b64 %d;\nadd.u32 %d, %r, %r;\nret;\n");
    row("cut within a statement", ".reg .b32 %r;\nadd.u32 %r, ");
    row("two equally near",
        "wgmma.mma_async.sync.aligned.m64n7k16.f32.bf16.bf16 x, y, z, 1, 1, 1, 0, 0;\nret;\n");
}

void TestCauses::noFixWhereThereIsNoMechanicalOne()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    QFETCH(QByteArray, text);
    const auto broken = m_compiler.compile(ptxRequest(text.toStdString()));
    QVERIFY(broken && !broken->ok);
    const auto roots = rootErrors(broken->diagnostics);
    QVERIFY(!roots.empty());
    QVERIFY(roots[0]->fixes.empty());
    QVERIFY2(roots[0]->explanation.has_value(), roots[0]->message.c_str());
}

void TestCauses::explanationsNameThePlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, const std::string& body, const char* said) {
        QTest::newRow(name) << QByteArray::fromStdString(kernel(body)) << said;
    };
    const std::string regs = ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .f32 %f<4>;\n";
    row("type of an operand", regs + "mul.lo.u32 %rd2, %r3, 4;\nret;\n",
        "'%rd2' is declared .b64, but 'mul.lo.u32' needs .u32");
    row("type of every operand", regs + "fma.rn.f16 %f3, %f0, %f1, %f2;\nret;\n",
        "'%f2' is declared .f32, but 'fma.rn.f16' needs .f16");
    row("form of these types", regs + "fma.rn.f16 %f3, %f0, %f1, %f2;\nret;\n", "{.relu}{.oob}.type d,a,b,c");
    row("count of operands", regs + "add.u32 %r1, %r2;\nret;\n", "'add' takes 3 operands, here are 2");
    row("near name", regs + "ld.param.u64 %rd1, [pp];\nret;\n", "Did you mean p?");
    row("opcode behind a comma", regs + "mov.u32 %r1,\nret;\n", "'ret' is an instruction");
}

void TestCauses::explanationsNameThePlace()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    const auto broken = m_compiler.compile(ptxRequest(text.toStdString()));
    QVERIFY(broken && !broken->ok);
    const auto roots = rootErrors(broken->diagnostics);
    QVERIFY(!roots.empty() && roots[0]->explanation);
    const auto words = QString::fromStdString(*roots[0]->explanation);
    QVERIFY2(words.contains(said), qPrintable(words));
    QVERIFY2(!words.contains("No register ret"), qPrintable(words));
}

void TestCauses::sharedMemoryIsExplained()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    const auto outcome = m_compiler.compile(ptxRequest(
        kernel(".shared .b8 small[1000];\n.shared .b8 big[240000];\n.reg .b32 %r;\nld.shared.u32 %r, [big];\n"
               "st.shared.u32 [small], %r;\nret;\n")));
    QVERIFY(outcome && !outcome->ok);
    const auto roots = rootErrors(outcome->diagnostics);
    QCOMPARE(roots.size(), std::size_t{1});
    QVERIFY(roots[0]->fixes.empty());
    QCOMPARE(roots[0]->line.value_or(0), 7); // ours: what ptxas says stays without a line
    QCOMPARE(QString::fromStdString(roots[0]->tool), QString("ptxwb"));
    QVERIFY(std::any_of(outcome->diagnostics.begin(), outcome->diagnostics.end(), [](const Diagnostic& said) {
        return said.tool == "ptxas" && !said.line
            && said.message.find("too much shared") != std::string::npos;
    }));
    const auto words = QString::fromStdString(roots[0]->explanation.value_or(""));
    QVERIFY2(words.contains("232448") && words.contains("sm_90a"), qPrintable(words));
    QVERIFY2(words.contains("big 240000 (line 7), small 1000 (line 6)"), qPrintable(words));
}

void TestCauses::aLimitThatIsNoneIsExplained()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    const auto of = [&](const std::string& most) {
        return m_compiler.compile(
            ptxRequest(".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n"
                       ".reqntid 128\n.maxnreg "
                + most + "\n{\n    ret;\n}\n"));
    };
    const auto within = of("255");
    QVERIFY(within && within->ok && within->diagnostics.empty());
    const auto above = of("256");
    QVERIFY(above && above->ok);
    QCOMPARE(above->diagnostics.size(), std::size_t{1});
    QVERIFY(above->diagnostics[0].explanation.value_or("").find("255 registers") != std::string::npos);
}

void TestCauses::foreignLinesGetNoEdits()
{
    const auto text = kernel("mov.u32 %r9, 5;\nret;\n");
    auto messages =
        parseCompilerMessages("ptxas orig.cu, line 6; error   : Unknown symbol '%r9'\n", "k.ptx", "k.ptx");
    const auto outline = outlinePtx(text);
    explainCauses(messages.diagnostics,
        {.source = text, .outline = &outline, .displayName = "k.ptx", .target = "sm_90a"});
    QVERIFY(messages.diagnostics[0].fixes.empty());
    QVERIFY(messages.diagnostics[0].explanation.has_value());
}

void TestCauses::appliesEdits_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("start");
    QTest::addColumn<int>("endLine");
    QTest::addColumn<int>("end");
    QTest::addColumn<QString>("result");
    QTest::newRow("insert") << "ab\ncd" << 2 << 2 << 2 << 2 << "ab\ncXd";
    QTest::newRow("code points") << "\u00FC\U0001F680b" << 1 << 3 << 1 << 4 << "\u00FC\U0001F680X";
    QTest::newRow("over lines") << "ab\r\ncd\r\nef" << 1 << 3 << 3 << 1 << "abXef";
    QTest::newRow("lone return") << "ab\rcd" << 2 << 1 << 2 << 3 << "ab\rX";
    QTest::newRow("behind the end") << "ab" << 9 << 1 << 9 << 5 << "abX";
}

void TestCauses::appliesEdits()
{
    QFETCH(QString, text);
    QFETCH(int, line);
    QFETCH(int, start);
    QFETCH(int, endLine);
    QFETCH(int, end);
    QFETCH(QString, result);
    const Fix fix{.title = "x", .edits = {{line, start, endLine, end, "X"}}};
    QCOMPARE(QString::fromStdString(applyFix(text.toStdString(), fix)), result);
}

void TestCauses::truncatedTextsAreSafe()
{
    const auto text = kernel(".reg .b32 %r<4>;\nmov.b32 %r9, {%r1, %r2};\n@%p bra L;\nL: ret;\n// \u2014\n");
    const std::string output =
        "ptxas k.ptx, line 7; error   : Unknown symbol '%r9'\n"
        "ptxas k.ptx, line 7; error   : Unknown modifier '.b23'\n"
        "ptxas k.ptx, line 8; error   : Unknown symbol '%p'\n"
        "ptxas k.ptx, line 9; error   : Unknown field '.b32'\n"
        "ptxas k.ptx, line 9; fatal   : Parsing error near 'ret': syntax error\n"
        "ptxas k.ptx, line 99; fatal   : Parsing error near '': syntax error\n"
        "ptxas k.ptx, line 7; error   : Argument 1 of instruction 'cvta.to': must be register\n"
        "ptxas fatal   : Unexpected non-ASCII character encountered on line 11\n"
        "ptxas k.ptx, line 1; fatal   : Missing .version directive at start of file 'k.ptx'\n"
        "ptxas k.ptx, line 2; error   : Instruction 'wgmma.fence' not supported on .target ''\n";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const auto part = text.substr(0, length);
        const auto lines = 1 + std::count(part.begin(), part.end(), '\n');
        auto messages = parseCompilerMessages(output, "k.ptx", "k.ptx");
        const auto outline = outlinePtx(part);
        explainCauses(messages.diagnostics,
            {.source = part, .outline = &outline, .displayName = "k.ptx", .target = "sm_90a"});
        for (const auto& said : messages.diagnostics) {
            QVERIFY(said.tool != "ptxwb" || (said.line && *said.line <= lines));
            for (const auto& fix : said.fixes) {
                applyFix(part, fix);
            }
        }
        applyFirstFixes(part, messages.diagnostics);
    }
}

void TestCauses::everyTargetAnswers()
{
    if (!realToolchain().ptxas) {
        QSKIP("no ptxas here");
    }
    const auto rows = compileForAllTargets(m_compiler,
        ptxRequest(kernel("wgmma.fence.sync.aligned;\nwgmma.commit_group.sync.aligned;\nret;\n")));
    QVERIFY2(rows, rows ? "" : describe(rows.error()).c_str());
    QCOMPARE(rows->size(), realToolchain().targets.size());
    for (const auto& row : *rows) {
        const bool own = row.target == "sm_90a";
        QCOMPARE(row.asWritten.ok, own);
        QCOMPARE(row.retargeted.ok, own);
        QCOMPARE(row.asWritten.cause.has_value(), !own);
        QCOMPARE(row.blocking.size(), std::size_t{own ? 0U : 1U});
        if (!own) {
            QCOMPARE(row.blocking[0].family, std::string(ptxFamilyName(PtxFamily::Wgmma)));
            QCOMPARE(row.blocking[0].instructions.size(), std::size_t{2});
            QCOMPARE(row.blocking[0].instructions[1].line.value_or(0), 7);
        }
    }
    const auto plain = compileForAllTargets(m_compiler, ptxRequest(kernel("ret;\n", "sm_80", "7.0")));
    QVERIFY(plain);
    for (const auto& row : *plain) {
        QVERIFY2(row.retargeted.ok, row.target.c_str()); // .version is raised where the target needs it
        QCOMPARE(row.asWritten.ok, row.target != "sm_75");
    }
}

QTEST_GUILESS_MAIN(TestCauses)
#include "tst_causes.moc"
