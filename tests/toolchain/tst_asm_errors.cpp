// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/causes.h"
#include "core/toolchain/compiler.h"

#include "tests/toolchain/toolchain_test.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;

/// What ptxas says of inline asm, at the user's line and column inside the string; with the nvcc of this
/// machine.
class TestAsmErrors : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void mistakes_data();
    void mistakes();
    void oneMistakeInlinedTwiceIsOne();
    void aMacrosTextIsSaidToBeOne();
};

namespace {

std::string around(const std::string& body)
{
    return "__global__ void k(int* x, float* f, unsigned long long* l)\n{\n  int n = x[0];\n  float g = "
           "f[0];\n"
           "  unsigned long long w = l[0];\n"
        + body + "  x[0] = n;\n  f[0] = g;\n  l[0] = w;\n}\n";
}

const Diagnostic* firstError(const CompileOutcome& outcome)
{
    for (const auto& said : outcome.diagnostics) {
        if (said.rootCause && (said.severity == Severity::Error || said.severity == Severity::Fatal)) {
            return &said;
        }
    }
    return nullptr;
}

} // namespace

void TestAsmErrors::initTestCase()
{
    if (!realToolchain().nvcc) {
        QSKIP("no nvcc on this machine");
    }
}

void TestAsmErrors::mistakes_data()
{
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<bool>("isMended");
    const auto row = [](const char* name, const char* body, int line, int column, bool isMended) {
        QTest::newRow(name) << body << line << column << isMended;
    };
    row("a name written wrong, in the second piece",
        "  asm volatile(\"add.s32 %0, %1, 1;\\n\\t\"\n"
        "               \"mvo.b32 %0, %1;\\n\"\n               : \"=r\"(n) : \"r\"(n));\n",
        7, 17, true);
    row("a name written wrong in a raw string",
        "  asm volatile(R\"(\n    add.s32 %0, %1, 1;\n    mvo.b32 %0, %1;\n  )\" : \"=r\"(n) : "
        "\"r\"(n));\n",
        8, 5, true);
    row("a semicolon missing at the end", "  asm(\"add.s32 %0, %1, 1\" : \"=r\"(n) : \"r\"(n));\n", 6, 24,
        true);
    row("a semicolon missing between two",
        "  asm(\"add.s32 %0, %1, 1\\n\\t\"\n      \"add.s32 %0, %0, 2;\" : \"=r\"(n) : \"r\"(n));\n", 6, 24,
        true);
    row("a block never closed", "  asm(\"{ add.s32 %0, %1, 1;\" : \"=r\"(n) : \"r\"(n));\n", 6, 8, true);
    row("a semicolon of full width", "  asm volatile(\"add.s32 %0, %1, 1\uFF1B\" : \"=r\"(n) : \"r\"(n));\n",
        6, 34, true);
    row("a semicolon of full width, inlined twice",
        "  auto bump = [&] { asm volatile(\"add.s32 %0, %0, 1\uFF1B\" : \"+r\"(n)); };\n  bump(); bump();\n",
        6, 52, true);
    row("a dot forgotten between two words",
        "  asm volatile(\"add.sats32 %0, %1, 1;\" : \"=r\"(n) : \"r\"(n));\n", 6, 20, true);
    row("a register with one percent sign", "  asm(\"{ add.u32 %0, %tmp, 1; }\" : \"=r\"(n));\n", 6, 22,
        true);
    row("a width that does not fit its constraint",
        "  asm(\"add.s32 %0, %1, %2;\" : \"=r\"(n) : \"r\"(n), \"l\"(w));\n", 6, 24, true);
    row("a count of 64 bits", "  asm(\"{ .reg .b32 a; prmt.b32 a, %0, %1, 0; }\" :: \"r\"(n), \"l\"(w));\n",
        6, 39, true);
    row("an undeclared predicate",
        "  asm(\"setp.ne.s32 %%p, %1, 0;\\n\\t\"\n      \"@%%p mov.b32 %0, 1;\" : \"+r\"(n) : \"r\"(n));\n",
        6, 21, true);
    row("%% without operands", "  asm volatile(\"{.reg .u32 a; mov.u32 a, %%tid.x;}\" ::: \"memory\");\n", 6,
        42, true);
    row("a register like an operand",
        "  asm(\"{.reg .u32 %r1; mov.u32 %r1, %1; mov.u32 %0, %%r1;}\" : \"=r\"(n) : \"r\"(n));\n", 6, 19,
        true);
    row("an operand that is not there", "  asm(\"add.s32 %0, %1, %2;\" : \"=r\"(n) : \"r\"(n));\n", 6, 24,
        false);
}

void TestAsmErrors::mistakes()
{
    QFETCH(QString, body);
    QFETCH(int, line);
    QFETCH(int, column);
    QFETCH(bool, isMended);
    const Compiler compiler(realToolchain());
    auto request = cudaRequest(around(body.toStdString()));
    const auto outcome = compiler.compile(request);
    QVERIFY(outcome && !outcome->ok);
    QVERIFY(outcome->isLinted && outcome->asmStatements == 1);
    const auto told = shown(outcome->diagnostics).join('\n');
    const bool isThere =
        std::any_of(outcome->diagnostics.begin(), outcome->diagnostics.end(), [&](const Diagnostic& said) {
            return said.rootCause && said.file == request.displayName && said.line == line
                && said.column == column
                && (said.severity == Severity::Error || said.severity == Severity::Fatal) && said.explanation;
        });
    QVERIFY2(isThere, qPrintable(told));
    for (const auto& said : outcome->diagnostics) { // a title speaks of the user's lines
        for (const auto& fix : said.fixes) {
            const auto title = QString::fromStdString(fix.title);
            QVERIFY2(
                !title.contains("line ") || title.contains(QString("line %1").arg(line)), qPrintable(title));
        }
    }
    if (isMended) {
        request.text = applyFirstFixes(request.text, outcome->diagnostics).text;
        const auto mended = compiler.compile(request);
        QVERIFY2(mended && mended->ok, request.text.c_str());
    }
}

void TestAsmErrors::oneMistakeInlinedTwiceIsOne()
{
    const auto outcome =
        Compiler(realToolchain())
            .compile(cudaRequest("template <int N> __device__ int f(int a)\n{\n  int b;\n"
                                 "  asm(\"mvo.b32 %0, %2;\" : \"=r\"(b) : \"r\"(a), \"n\"(N));\n"
                                 "  return b;\n}\n__global__ void k(int* x)\n{\n"
                                 "  x[0] = f<1>(x[0]) + f<2>(x[1]);\n}\n"));
    QVERIFY(outcome && !outcome->ok);
    const auto errors = shown(outcome->diagnostics).filter("known instruction");
    QCOMPARE(errors, QStringList{"error 4:8 Not a name of any known instruction: 'mvo'"});
    QVERIFY(!firstError(*outcome)->fixes.empty());
}

void TestAsmErrors::aMacrosTextIsSaidToBeOne()
{
    const auto outcome =
        Compiler(realToolchain())
            .compile(cudaRequest("#define OP \"ad.s32\"\n__global__ void k(int* x)\n{\n  int n;\n"
                                 "  asm(OP \" %0, %1, 1;\" : \"=r\"(n) : \"r\"(x[0]));\n  x[0] = n;\n}\n"));
    QVERIFY(outcome && !outcome->ok);
    const auto* said = firstError(*outcome);
    QVERIFY(said != nullptr);
    QCOMPARE(said->line, std::optional(5));
    QVERIFY(!said->column);
    QVERIFY(said->fixes.empty());
    QVERIFY(said->explanation->find("ad.s32 %r") != std::string::npos);
    QCOMPARE(outcome->asmNotLinted.size(), std::size_t{1});
    QVERIFY(outcome->asmNotLinted[0].reason.find("'OP'") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestAsmErrors)
#include "tst_asm_errors.moc"
