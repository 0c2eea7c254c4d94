// SPDX-License-Identifier: Apache-2.0
// Forms of other languages and of older PTX: one root cause, its line, its fix, and the real ptxas over the
// text with the fix applied.
#include "core/toolchain/causes.h"
#include "toolchain_test.h"

#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

std::string headed(const std::string& version, const std::string& target, const std::string& size)
{
    return ".version " + version + "\n.target " + target + "\n.address_size " + size + "\n";
}

} // namespace

class TestFixForms : public QObject {
    Q_OBJECT

private slots:
    void fixCompiles_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line"); // of the only root cause
        QTest::addColumn<QString>("title");
        const auto row = [](const char* name, const std::string& text, int line, const char* title) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << line << title;
        };
        const std::string uses = "mov.f32 %acc0, 0f00000000;\nadd.f32 %acc1, %acc0, %acc3;\n";
        const std::string newest = headed("9.0", "sm_90a", "64");
        row("type that one chip has", kernelAround("redux.sync.min.f32 %f1, %f2, 0xffffffff;\n", newest), 11,
            "Change .target to sm_100a");
        row("type of the newer generations",
            kernelAround(".reg .b8 %e;\ncvt.rn.satfinite.e2m1x2.f32 %e, %f1, %f2;\n", newest), 12,
            "Change .target to sm_100a");
        row("kind of the newest generation",
            kernelAround(
                "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 {%f0, %f1, %f2, %f3}, "
                "{%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};\n",
                newest),
            11, "Change .target to sm_120a");
        row("two words that another target has",
            kernelAround("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];\n", newest), 11,
            "Change .target to sm_100a");
        row("two instructions, a later target and version",
            kernelAround("setmaxnreg.dec.sync.aligned.u32 40;\ntcgen05.wait::ld.sync.aligned;\n",
                headed("8.0", "sm_90", "64")),
            11, "Change .target to sm_100a and .version to 8.6");
        row("array of registers", kernelAround(".reg .f32 %acc[4];\n" + uses), 11, "Write %acc<4>");
        row("array of registers in a list", kernelAround(".reg .f32 %x, %acc[4];\n" + uses), 11,
            "Write %acc<4>");
        row("array of registers in vectors",
            kernelAround(
                ".reg .f32 %acc[4];\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%acc0, %acc1, "
                "%acc2, %acc3}, %rd1, %rd2, 1, 1, 1, 0, 0;\nwgmma.wait_group.sync.aligned 0;\n"
                "cvt.rn.bf16x2.f32 %r1, %acc1, %acc0;\n"),
            11, "Write %acc<4>");
        row("registers with an index",
            kernelAround(".reg .b32 %v[2];\nmov.b32 %v[0], 1;\nadd.u32 %v[1], %v[0], 1;\n"), 11,
            "Write %v<2>");
        row("range with a dash", kernelAround(".reg .f32 %acc0-%acc3;\n" + uses), 11, "Write %acc<4>");
        row("range with dots", kernelAround(".reg .f32 %x, %acc0..%acc3;\n" + uses), 11, "Write %acc<4>");
        row("range of numbers", kernelAround(".reg .f32 %acc<0..3>;\n" + uses), 11, "Write %acc<4>");
        row("count in parentheses", kernelAround(".reg .f32 %acc(4);\n" + uses), 11, "Write %acc<4>");
        row("registers without a type", kernelAround(".reg %acc<4>;\n" + uses), 11, "Insert .f32");
        row("register without a type", kernelAround(".reg %q;\nmov.u64 %q, 1;\n"), 11, "Insert .b64");
        row("numbers without commas", kernelHead + ".visible .entry k()\n.maxntid 384 1 1\n{\nret;\n}\n", 5,
            "Insert commas between the numbers");
        row("shfl without .sync", kernelAround("shfl.idx.b32 %r1, %r2, 0, 31;\n"), 11,
            "Insert .sync and the mask 0xffffffff");
        row("five shfl without .sync",
            kernelAround(
                "shfl.down.b32 %r1|%p1, %r2, 16, 31;\nshfl.bfly.b32 %r1, %r2, 8, 31;\n"
                "vote.ballot.b32 %r3, %p1;\nvote.any.pred %p2, !%p1;\nshfl.up.b32 %r1, %r2, 1, 0;\n"),
            11, "Insert .sync and the mask 0xffffffff in 5 places");
        row("one colon", kernelAround("mbarrier.init.shared:cta.b64 [%r1], 1;\n"), 11, "Write .shared::cta");
        row("one colon, three times",
            kernelAround(
                "cp.async.bulk.shared:cluster.global.mbarrier:complete_tx:bytes [%r1], [%rd1], 64, [%r2];\n"),
            11, "Write .shared::cluster, and mend 2 more single colons");
        row("one colon on each of two lines",
            kernelAround("mbarrier.init.shared:cta.b64 [%r1], 1;\nfence.proxy.async.shared:cta;\n"), 11,
            "Write .shared::cta, and mend 1 more single colon");
        row("one colon twice on a line",
            kernelAround("ld.shared:cta.u32 %r1, [%r2]; L: st.shared : cta.u32 [%r2], %r1;\n"), 11,
            "Write .shared::cta, and mend 1 more single colon");
        row("colon for a dot", kernelAround("fence.mbarrier_init.release:cluster;\n"), 11,
            "Write .release.cluster");
        row("colon with blanks behind a label", kernelAround("L:mbarrier.init.shared : cta.b64 [%r1], 1;\n"),
            11, "Write .shared::cta");
        row("shfl and vote on one line",
            kernelAround("shfl.down.b32 %r1|%p1, %r2, 1, 31; vote.any.pred %p2, %p1;\n"), 11,
            "Insert .sync and the mask 0xffffffff in 2 places");
        row("match without .sync", kernelAround("match.any.b32 %r1, %r2;\n"), 11,
            "Insert .sync and the mask 0xffffffff");
        row("match without .sync, with a predicate", kernelAround("match.all.b32 %r1|%p1, %r2;\n"), 11,
            "Insert .sync and the mask 0xffffffff");
        row("redux without .sync", kernelAround("redux.add.s32 %r1, %r2;\n"), 11,
            "Insert .sync and the mask 0xffffffff");
        row("sum of registers in an address",
            kernelAround("mov.u64 %rd2, 4;\n@%p1 ld.global.u32 %r1, [%rd1+%rd2];\n"), 12,
            "Add %rd1 and %rd2 before");
        row("register dropped from a list",
            kernelAround("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r1, %r2, %r4}, [%r5];\n",
                headed("8.6", "sm_100a", "64")),
            11, "Insert %r3");
        row("last register of a list dropped",
            kernelAround("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r1, %r2, %r3}, [%r5];\n",
                headed("8.6", "sm_100a", "64")),
            11, "Insert %r4");
        row("greater or equal", kernelAround("setp.>=.u32 %p1, %r1, %r2;\n"), 11, "Write .ge for >=");
        row("less", kernelAround("@%p1 setp.<.f32 %p2, %f1, %f2;\n"), 11, "Write .lt for <");
        row("asm of CUDA C++", kernelAround("asm volatile(\"bar.sync 0;\");\n"), 11, "Write bar.sync 0");
        row("six digits", kernelAround("mov.f32 %f1, 0fFF8000;\n"), 11, "Write 0fFF800000");
        row("ten digits", kernelAround("mov.f32 %f1, 0fFF80000000;\n"), 11, "Write 0fFF800000");
        row("eight digits of a double", kernelAround("mov.f32 %f1, 0d3F800000;\n"), 11, "Write 0f3F800000");
        row("pair of a conversion", kernelAround("cvt.rn.bf16.f32 %r1, %f1, %f2;\n"), 11,
            "Change .bf16 to .bf16x2");
        row("number for a pair", kernelAround("cvt.rn.f16x2.f32 %h1, %f1;\n"), 11, "Change .f16x2 to .f16");
        row("type of a barrier", kernelAround("mbarrier.init.shared::cta.u64 [%r1], 1;\n"), 11,
            "Change .u64 to .b64");
        row("barrier without a type", kernelAround("mbarrier.init.shared::cta [%r1], 1;\n"), 11,
            "Insert .b64");
        row("predicate behind the label", kernelAround("D:\nbra D, !%p1;\n"), 12, "Write @!%p1 bra D");
        row("guard without a register", kernelAround("D:\nsetp.lt.u32 %p2, %r1, 4;\n@ bra D;\n"), 13,
            "Insert %p2");
        row("negated guard without a register", kernelAround("D:\nsetp.lt.u32 %p2, %r1, 4;\n@! bra D;\n"), 13,
            "Insert %p2");
        row("shape of tcgen05.ld",
            kernelAround(
                "tcgen05.ld.sync.aligned.32x32.x1.b32 {%r1}, [%r2];\n", headed("8.6", "sm_100a", "64")),
            11, "Change .32x32 to .32x32b");
        const std::string fence = "wgmma.fence.sync.aligned;\n";
        row("sm90a", kernelAround("", headed("8.6", "sm90a", "64")), 2, "Write .target sm_90a");
        row("SM_90a", kernelAround("", headed("8.6", "SM_90a", "64")), 2, "Write .target sm_90a");
        row("sm_90 of a part", kernelAround(fence, headed("8.6", "sm-90", "64")), 2, "Write .target sm_90a");
        row("letter of no target", kernelAround("", headed("8.6", "sm_90b", "64")), 2,
            "Write .target sm_90a");
        row("name of a generation", kernelAround(fence, headed("8.6", "hopper", "64")), 2,
            "Write .target sm_90a");
        row("target in quotes", kernelAround("", headed("8.6", "\"sm_90a\"", "64")), 2,
            "Write .target sm_90a");
        row("target with a semicolon", kernelAround("", headed("8.6", "sm_90a;", "64")), 2,
            "Write .target sm_90a");
        row("no target, tcgen05", kernelAround("tcgen05.wait::ld.sync.aligned;\n", headed("8.6", "", "64")),
            2, "Write .target sm_100a");
        row("target in quotes before an option",
            kernelAround("", headed("8.6", "\"sm_90a\", texmode_unified", "64")), 2,
            "Write .target sm_90a, texmode_unified");
        row("no target, wgmma", kernelAround(fence, headed("8.6", "", "64")), 2, "Write .target sm_90a");
        row("three wrong values", kernelAround(fence, headed("8", "hopper", "32")), 2,
            "Write .target sm_90a, .version 8.0, .address_size 64");
        row("a semicolon behind each", kernelAround("", headed("8.6;", "sm_90a;", "64;")), 1,
            "Write .version 8.6, .target sm_90a, .address_size 64");
        row("head on one line", kernelAround("", ".version 8.6 .target sm90a .address_size 64\n\n\n"), 1,
            "Write .target sm_90a");
        row("head on one line, two wrong values",
            kernelAround("", ".version 8 .target sm90a .address_size 64\n\n\n"), 1,
            "Write .target sm_90a, .version 8.0");
        row("version without a minor", kernelAround("", headed("8", "sm_90a", "64")), 1,
            "Write .version 8.0");
        row("version without a minor, too old",
            kernelAround("tcgen05.wait::ld.sync.aligned;\n", headed("8", "sm_100a", "64")), 1,
            "Write .version 8.6");
        row("version in quotes", kernelAround("", headed("\"8.6\"", "sm_90a", "64")), 1,
            "Write .version 8.6");
        row("version with a semicolon", kernelAround("", headed("8.6;", "sm_90a", "64")), 1,
            "Write .version 8.6");
        row("version with a letter", kernelAround("", headed("v8.6", "sm_90a", "64")), 1,
            "Write .version 8.6");
        row("version of three parts", kernelAround("", headed("8.6.0", "sm_90a", "64")), 1,
            "Write .version 8.6");
        row("addresses of 32 bits", kernelAround("", headed("8.6", "sm_90a", "32")), 3,
            "Write .address_size 64");
        row("size with a semicolon", kernelAround("", headed("8.6", "sm_90a", "64;")), 3,
            "Write .address_size 64");
        row("size of 128", kernelAround("", headed("8.6", "sm_90a", "128")), 3, "Write .address_size 64");
    }

    void fixCompiles()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QString, title);
        const auto broken = m_compiler.compile(ptxRequest(text.toStdString()));
        QVERIFY2(broken, broken ? "" : describe(broken.error()).c_str());
        QVERIFY(!broken->ok);
        const auto found = rootErrors(broken->diagnostics);
        const auto all = shown(broken->diagnostics).join('\n');
        QVERIFY2(found.size() == 1, qPrintable(all));
        QVERIFY2(found[0]->line.value_or(0) == line, qPrintable(all));
        QVERIFY2(!found[0]->fixes.empty(), qPrintable(all));
        QCOMPARE(QString::fromStdString(found[0]->fixes[0].title), title);
        QVERIFY(found[0]->explanation && !found[0]->explanation->empty());
        const auto fixed = applyFirstFixes(text.toStdString(), broken->diagnostics);
        const auto mended = m_compiler.compile(ptxRequest(fixed.text));
        QVERIFY(mended);
        QVERIFY2(mended->ok,
            qPrintable(QString::fromStdString(fixed.text) + shown(mended->diagnostics).join('\n')));
    }

    // What was meant is not to be known: the line and the words, but no fix.
    void saysButFixesNot_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& text, int line, const char* words) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << line << words;
        };
        row("parameter for an address", kernelAround("cp.async.ca.shared.global [%r1], [a], 16;\n"), 11,
            "here stands [a], the parameter a itself and not what it points to");
        row("variable for an address",
            kernelAround(".shared .b32 s[4];\ncp.async.ca.shared.global [s], [s], 16;\n"), 12,
            "here stands [s], the variable s itself, and ptxas takes the instruction with an address in a "
            "register of 64 bits");
        row("two shapes are as near",
            kernelAround(
                "tcgen05.ld.sync.aligned.32x64b.x1.b32 {%r1}, [%r2];\n", headed("8.6", "sm_100a", "64")),
            11, "Did you mean .16x64b or .32x32b?");
        row("address of 32 bits", kernelAround("ld.global.f32 %f1, [%r1];\n"), 11, "%r1 is declared .b32");
        row("addresses of 32 bits",
            kernelAround("bar.sync 0;\nst.global.u32 [%r1+4], %r2;\nst.global.u32 [%r1], %r2;\n"), 12,
            "%r1 is declared .b32");
        row("guard without a register", kernelAround("D:\n@ bra D;\n"), 12, "behind @ stands no register");
        row("array without a type", kernelAround(".shared s[4];\n"), 11, "No type stands before 's'");
        row("asm with operands", kernelAround("asm volatile(\"mov.u32 %0, 1;\" : \"=r\"(x));\n"), 11,
            "asm(\"...\") is CUDA C++");
    }

    void saysButFixesNot()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QString, words);
        const auto outcome = m_compiler.compile(ptxRequest(text.toStdString()));
        QVERIFY(outcome && !outcome->ok);
        const auto found = rootErrors(outcome->diagnostics);
        const auto all = shown(outcome->diagnostics).join('\n');
        QVERIFY2(found.size() == 1, qPrintable(all));
        QVERIFY2(found[0]->line.value_or(0) == line, qPrintable(all));
        QVERIFY2(QString::fromStdString(found[0]->explanation.value_or("")).contains(words),
            found[0]->explanation.value_or("").c_str());
        QVERIFY(found[0]->fixes.empty());
    }

    // Without its brackets it is one byte of the kernel's own.
    void externSharedNeedsBrackets()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const auto text = kernelHead + ".extern .shared .align 16 .b8 pool;\n"
            + kernelAround("mov.u32 %r1, pool;\nst.shared.u8 [%r1], %r2;\n", "");
        const auto outcome = m_compiler.compile(ptxRequest(text));
        QVERIFY(outcome && outcome->ok);
        const auto warning = std::find_if(outcome->diagnostics.begin(), outcome->diagnostics.end(),
            [](const Diagnostic& one) { return one.message.starts_with("Unresolved extern"); });
        QVERIFY(warning != outcome->diagnostics.end());
        QCOMPARE(warning->line.value_or(0), 4);
        QCOMPARE(warning->fixes.size(), std::size_t{1});
        const auto fixed = applyFix(text, warning->fixes[0]);
        QVERIFY(fixed.find(".b8 pool[];") != std::string::npos);
        const auto mended = m_compiler.compile(ptxRequest(fixed));
        QVERIFY(mended && mended->ok);
        QVERIFY(std::none_of(mended->diagnostics.begin(), mended->diagnostics.end(),
            [](const Diagnostic& one) { return one.message.starts_with("Unresolved extern"); }));
    }

private:
    Compiler m_compiler{realToolchain()};
};

QTEST_GUILESS_MAIN(TestFixForms)
#include "tst_fix_forms.moc"
