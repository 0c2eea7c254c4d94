// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/asm_lint.h"
#include "core/ptx/asm_template.h"
#include "core/ptx/text_places.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

using namespace ptxwb;

/// PTX inside the asm strings of CUDA C++, read alone.
class TestAsmLint : public QObject {
    Q_OBJECT
private slots:
    void textsAreFound_data();
    void textsAreFound();
    void bytesKnowTheirOrigin();
    void findings_data();
    void findings();
    void ordinaryCodeIsSilent_data();
    void ordinaryCodeIsSilent();
    void whatCannotBeReadIsSaid_data();
    void whatCannotBeReadIsSaid();
    void brokenTextNeverFails();
    void aCorpusIsSilent();
};

namespace {

QString told(const AsmLint& lint)
{
    QStringList lines;
    for (const auto& one : lint.findings) {
        lines << QStringLiteral("%1:%2-%3 %4")
                     .arg(one.range.line)
                     .arg(one.range.column)
                     .arg(one.range.endColumn)
                     .arg(QString::fromLatin1(one.rule->id.data(), static_cast<int>(one.rule->id.size())));
    }
    return lines.join("; ");
}

const char* const everything =
    "asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 \"\n"
    "  \"{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\"\n"
    "  : \"+f\"(d[0]), \"+f\"(d[1]), \"+f\"(d[2]), \"+f\"(d[3])\n"
    "  : \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3]), \"r\"(b[0]), \"r\"(b[1]));";

} // namespace

void TestAsmLint::textsAreFound_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("text");
    QTest::newRow("pieces") << R"cc(asm volatile("a;\n\t" /* x */ "b;" :: "r"(x));)cc"
                            << "a;\n\tb;";
    QTest::newRow("no operands") << R"cc(__asm__("a\x41\101;");)cc"
                                 << "aAA;";
    QTest::newRow("raw") << "asm(R\"x(a;\n)\"b)x\");"
                         << "a;\n)\"b";
    QTest::newRow("comment") << "// asm(\"no\")\n/* asm(\"no\") */ asm(\"yes;\");"
                             << "yes;";
    QTest::newRow("string") << "const char* s = \"asm(\\\"no\\\")\"; asm(\"yes;\");"
                            << "yes;";
    QTest::newRow("character") << "char c = '\"'; int m = 1'000; asm(\"yes;\");"
                               << "yes;";
    QTest::newRow("#if 0") << "#if 0\nasm(\"no\");\n#else\nasm(\"yes;\");\n#endif\n"
                           << "yes;";
    QTest::newRow("macro body") << "#define F(x) do { \\\n  asm(\"yes %0;\" :: \"r\"(x)); } while (0)\n"
                                << "yes %0;";
    QTest::newRow("spliced line") << "asm(\"ye\\\ns;\");"
                                  << "yes;";
}

void TestAsmLint::textsAreFound()
{
    QFETCH(QString, source);
    QFETCH(QString, text);
    const auto bytes = source.toStdString();
    const auto found = findAsm(bytes);
    QCOMPARE(found.statements.size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(found.statements[0].text), text);
    QVERIFY(found.statements[0].notRead.empty());
}

void TestAsmLint::bytesKnowTheirOrigin()
{
    const std::string source = "int ü;\nasm(\"ab\\n\"\n    \"cd\" : \"=r\"(x[f(1, 2)]) , \"+l\" (y) : "
                               "\"n\"(sizeof(int)) : \"memory\");";
    const auto found = findAsm(source);
    const auto& one = found.statements.at(0);
    const TextPlaces places(source);
    QCOMPARE(places.lineOf(one.origins[3]), 3);
    QCOMPARE(places.columnOf(one.origins[3]), 6);
    QCOMPARE(one.operands.size(), std::size_t{3});
    QCOMPARE(std::string(one.operands[0].expression), std::string("x[f(1, 2)]"));
    QCOMPARE(one.operands[1].constraint, std::string("+l"));
    QCOMPARE(constraintLetter(one, 2), 'n');
    QCOMPARE(one.line, 2);
    QCOMPARE(one.endLine, 3);
}

void TestAsmLint::findings_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* source, const char* expected) {
        QTest::newRow(name) << source << expected;
    };
    row("instruction", R"(asm("mvo.b32 %0, %1;" : "=r"(a) : "r"(b));)", "1:6-9 unknown-instruction");
    row("modifier in the second piece",
        "asm(\"mov.b32 %0, %1;\\n\"\n    \"add.satt.s32 %0, %0, 1;\" : \"=r\"(a) : \"r\"(b));",
        "2:9-14 unknown-modifier");
    row("width", R"(asm("add.s32 %0, %1, %2;" : "=r"(a) : "r"(b), "l"(c));)", "1:22-24 operand-type");
    row("float in an integer", R"(asm("add.u32 %0, %1, 1;" : "=r"(a) : "f"(b));)", "1:18-20 operand-type");
    row("open block", R"(asm("{ .reg .b32 %%t; mov.b32 %%t, %0;" :: "r"(a)); asm("{}");)", "1:6-7 asm-brace");
    row("operands", R"(asm("add.s32 %0, %1;" : "=r"(a) : "r"(b));)", "1:6-20 operand-count");
    row("no such operand", R"(asm("add.s32 %0, %1, %2;" : "=r"(a) : "r"(b));)", "1:22-24 asm-operand");
    row("named", R"(asm("add.s32 %[o], 1, 2;" : [o] "=r"(a));)", "1:14-18 asm-operand");
    row("percent", R"(asm("mov.u32 %0, %r1;" : "=r"(a));)", "1:18-21 asm-percent");
    row("two percents", R"(asm("mov.u32 a, %%tid.x;");)", "1:17-19 asm-percent");
    row("semicolon", R"(asm("add.s32 %0, %1, 1" : "=r"(a) : "r"(b));)", "1:22-23 asm-semicolon");
    row("comment", "asm(\"add.s32 %0, %0, 1; // one\"\n    \"add.s32 %0, %0, 2;\" : \"+r\"(a));",
        "1:25-31 asm-comment");
    row("guard", R"(asm("@p mov.b32 %0, 1;" : "+r"(a));)", "1:7-8 undeclared-register");
    row("wait",
        R"(asm("{wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0; add.f32 %0, %0, %1;}" : "+f"(a),"+f"(b),"+f"(c),"+f"(d):"l"(x),"l"(y));)",
        "1:97-115 wgmma-wait");
}

void TestAsmLint::findings()
{
    QFETCH(QString, source);
    QFETCH(QString, expected);
    const auto lint = lintCudaAsm(source.toStdString());
    QVERIFY(lint.has_value());
    QCOMPARE(told(*lint), expected);
}

void TestAsmLint::ordinaryCodeIsSilent_data()
{
    QTest::addColumn<QString>("source");
    const auto row = [](const char* name, const char* source) { QTest::newRow(name) << source; };
    row("mma", everything);
    row("predicate in a block",
        R"(asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %0, 0;\n\t@p cp.async.cg.shared.global [%1], [%2], %3;\n\t}\n" :: "r"((int)pred), "r"(s), "l"(g), "n"(16));)");
    row("labels",
        R"(asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" :: "r"(b), "r"(p));)");
    row("special register", R"(asm("mov.u32 %0, %%laneid;" : "=r"(lane));)");
    row("special register, plain", R"(asm volatile("{.reg .u32 a; mov.u32 a, %laneid;}");)");
    row("declared elsewhere", R"(asm(".reg .b32 t;"); asm("add.s32 t, %0, 1;" :: "r"(a));)");
    row("a variable", "__device__ int v; void f() { asm(\"ld.global.u32 %0, [v];\" : \"=r\"(a)); }");
    row("half in a short", R"(asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));)");
    row("setmaxnreg", R"(asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" :: "n"(RegCount));)");
    row("a target's", R"(asm volatile("tcgen05.wait::ld.sync.aligned;");)");
    row("only a comment", R"(asm volatile("// here");)");
    row("empty", R"(asm volatile("" ::: "memory");)");
    row("matching constraint", R"(asm("add.s32 %0, %1, 1;" : "=r"(a) : "0"(b));)");
    row("bf16 pairs", R"(asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(a) : "r"(b), "r"(c), "r"(d));)");
    row("another alphabet's semicolon is left to ptxas", "asm(\"add.s32 %0, %0, 1\uFF1B\" : \"+r\"(a));");
    row("vector",
        R"(asm volatile("ld.global.nc.L1::no_allocate.v4.s32 {%0,%1,%2,%3}, [%4];" : "=r"(a),"=r"(b),"=r"(c),"=r"(d) : "l"(p));)");
    row("a symbol's name", R"(extern int f() asm("clock32");)");
    row("a comment in two strings", "asm(\"add.s32 %0, %0, 1; // \"\n    \"one.\" : \"+r\"(a));");
    row("reduction",
        R"(asm("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32 [%0], [%1], %2, [%3];" :: "r"(a), "r"(b), "r"(c), "r"(d));)");
    row("prefetch",
        R"(asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;" :: "r"(a), "l"(b));)");
    row("allowed", "// ptxwb: allow unknown-instruction\nasm(\"mvo.b32 %0, %1;\" : \"=r\"(a) : \"r\"(b));");
}

void TestAsmLint::ordinaryCodeIsSilent()
{
    QFETCH(QString, source);
    const auto lint = lintCudaAsm(source.toStdString());
    QVERIFY(lint.has_value());
    QCOMPARE(told(*lint), QString());
    for (const auto& one : lint->notLinted) {
        qWarning("%s", one.reason.c_str());
    }
    QVERIFY(lint->notLinted.empty());
}

void TestAsmLint::whatCannotBeReadIsSaid_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* name, const char* source, const char* reason) {
        QTest::newRow(name) << source << reason;
    };
    row("macro", R"(asm(OP " %0;" : "=r"(a));)", "'OP' stands in its text");
    row("stringised", "#define F(x) asm(\"mov.\" #x \" %0, 1;\" : \"=r\"(a))\n", "'#' stands in its text");
    row("operands of a macro", R"(asm("add.s32 %0, %0, 1;" : OUT(a));)", "'OUT' stands among its operands");
    row("text operand", R"(asm("add.%1 %0, %0, 1;" : "+r"(a) : "C"(type));)", "only the compiler knows");
    row("open brace", R"(asm("{ .reg .b32 t;");)", "another asm statement");
    row("missing operand", R"(asm("add.s32 %0, %1, 1;" : "=r"(a));)", "not there");
}

void TestAsmLint::whatCannotBeReadIsSaid()
{
    QFETCH(QString, source);
    QFETCH(QString, reason);
    const auto lint = lintCudaAsm(source.toStdString());
    QVERIFY(lint.has_value());
    QCOMPARE(lint->notLinted.size(), std::size_t{1});
    QVERIFY2(QString::fromStdString(lint->notLinted[0].reason).contains(reason),
        lint->notLinted[0].reason.c_str());
}

void TestAsmLint::brokenTextNeverFails()
{
    const std::string source = std::string(everything) + "\n#define X R\"q(\" \\\n asm(\"a\\x\" \"\\\"";
    for (std::size_t n = 0; n <= source.size(); ++n) {
        QVERIFY(lintCudaAsm(std::string_view(source).substr(0, n)).has_value());
        QVERIFY(lintCudaAsm(std::string_view(source).substr(n)).has_value());
    }
}

/// Any folder of CUDA C++: a finding is told, and an error fails.
void TestAsmLint::aCorpusIsSilent()
{
    const auto folder = qEnvironmentVariable("PTXWB_ASM_CORPUS");
    if (folder.isEmpty()) {
        QSKIP("PTXWB_ASM_CORPUS names no folder");
    }
    int statements = 0;
    int notLinted = 0;
    int alarms = 0;
    QDirIterator files(
        folder, {"*.h", "*.hpp", "*.cuh", "*.cu", "*.inl"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto lint = lintCudaAsm(file.readAll().toStdString());
        QVERIFY(lint.has_value());
        statements += lint->statements;
        notLinted += static_cast<int>(lint->notLinted.size());
        for (const auto& one : lint->findings) {
            alarms += one.rule->severity == LintSeverity::Info ? 0 : 1;
            qWarning("%s:%d:%d %s: %s", qPrintable(file.fileName()), one.range.line, one.range.column,
                std::string(one.rule->id).c_str(), one.message.c_str());
        }
    }
    qInfo("%d asm statements, %d not linted, %d findings above info", statements, notLinted, alarms);
    QCOMPARE(alarms, 0);
}

QTEST_APPLESS_MAIN(TestAsmLint)
#include "tst_asm_lint.moc"
