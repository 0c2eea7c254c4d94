// SPDX-License-Identifier: Apache-2.0
// Mistakes for which no fix may be offered: what the author meant is not to be known.
#include "core/toolchain/causes.h"
#include "toolchain_test.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;

class TestFixRefusals : public QObject {
    Q_OBJECT
private slots:
    // Where an operand is missing, taking away the comma mends nothing.
    void noFixForAMissingOperand_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("in the middle") << QByteArray("add.u32 %r1, , 1;\n");
        QTest::newRow("at the end") << QByteArray("add.u32 %r1, %r2, ;\n");
    }

    void noFixForAMissingOperand()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, body);
        const auto outcome = m_compiler.compile(ptxRequest(kernelAround(body.toStdString())));
        QVERIFY(outcome && !outcome->ok);
        const auto roots = rootErrors(outcome->diagnostics);
        QCOMPARE(roots.size(), std::size_t{1});
        QVERIFY(roots[0]->fixes.empty());
        QVERIFY2(QString::fromStdString(roots[0]->explanation.value_or(""))
                     .contains("add takes 3, and 2 stand here"),
            roots[0]->explanation.value_or("").c_str());
    }

    // No order of what stands there is right, and no placeholder of a syntax line is a word.
    void noSwapAndNoPlaceholder()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        for (const char* body : {"mbarrier.arrive.expect_tx.shared::cta.b64 [%rd1], 16384;\n",
                 "mbarrier.try_wait.parity.shared::cta.b64 [%r1], %r3;\n",
                 "atom.global.add.f32 [%rd1], %f4;\n",
                 "wgmma.mma_async.sync.aligned.m64n12k16.f32.bf16.bf16 {%f0, %f1}, %rd1, %rd2, %p1, 1, 1, 0, "
                 "0;\n"}) {
            const auto outcome = m_compiler.compile(ptxRequest(kernelAround(body)));
            QVERIFY2(outcome && !outcome->ok, body);
            for (const auto& said : outcome->diagnostics) {
                for (const auto& fix : said.fixes) {
                    QVERIFY2(!fix.title.starts_with("Swap") && !fix.title.starts_with("Write [")
                            && fix.title.find("nN") == std::string::npos,
                        fix.title.c_str());
                }
            }
        }
    }

    // With the mask of all 32 lanes, those that come would wait for those that do not.
    void noFullMaskWhereLanesPart_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("guarded") << QByteArray("@%p1 shfl.down.b32 %r1, %r2, 4, 31;\n")
                                 << QByteArray("line 11 is behind @");
        QTest::newRow("branched over")
            << QByteArray("@%p1 bra X;\nshfl.bfly.b32 %r1, %r2, 1, 31;\nX: mov.b32 %r2, %r1;\n")
            << QByteArray("line 11 may lead some lanes past that of line 12");
        QTest::newRow("behind else") << QByteArray(
            "@%p1 bra E;\nbra X;\nE: shfl.bfly.b32 %r1, %r2, 1, 31;\nX: mov.b32 %r2, %r1;\n")
                                     << QByteArray("line 12 may lead some lanes past that of line 13");
        QTest::newRow("some are gone") << QByteArray("@%p1 ret;\nvote.any.pred %p2, %p1;\n")
                                       << QByteArray("line 11 may lead some lanes past that of line 12");
    }

    void noFullMaskWhereLanesPart()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, words);
        const auto outcome = m_compiler.compile(ptxRequest(kernelAround(body.toStdString())));
        QVERIFY(outcome && !outcome->ok);
        const auto roots = rootErrors(outcome->diagnostics);
        QCOMPARE(roots.size(), std::size_t{1});
        QVERIFY2(roots[0]->fixes.empty(), roots[0]->fixes.empty() ? "" : roots[0]->fixes[0].title.c_str());
        const auto said = QByteArray::fromStdString(roots[0]->explanation.value_or(""));
        QVERIFY2(said.contains(words), said.constData());
    }

    // A loop leads no lane past what stands in it, and .uni all of them together.
    void fullMaskInALoop()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const auto outcome = m_compiler.compile(ptxRequest(kernelAround(
            "@%p2 bra.uni X;\nL: shfl.bfly.b32 %r1, %r2, 1, 31;\n@%p1 bra L;\nX: mov.b32 %r2, %r1;\n")));
        QVERIFY(outcome && !outcome->ok);
        const auto roots = rootErrors(outcome->diagnostics);
        QCOMPARE(roots.size(), std::size_t{1});
        QCOMPARE(roots[0]->fixes.size(), std::size_t{1});
        QVERIFY(roots[0]->fixes[0].tried);
    }

    // Which operand of the form is missing.
    void namesTheMissingOperand_data()
    {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("words");
        QTest::newRow("instruction descriptor")
            << QByteArray("sm_100a")
            << QByteArray("tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %p1;\n")
            << QByteArray("In the instruction's form it is idesc");
        QTest::newRow("register for a number")
            << QByteArray("sm_90a") << QByteArray("setmaxnreg.inc.sync.aligned.u32 %r1;\n")
            << QByteArray("Operand 1 (imm) must be a number, and %r1 is a register");
        QTest::newRow("count") << QByteArray("sm_90a") << QByteArray("setmaxnreg.inc.sync.aligned.u32;\n")
                               << QByteArray("It takes imm, and no operand stands here");
    }

    void namesTheMissingOperand()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QByteArray, target);
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, words);
        const auto head = ".version 8.6\n.target " + target.toStdString() + "\n.address_size 64\n";
        const auto outcome = m_compiler.compile(ptxRequest(kernelAround(body.toStdString(), head)));
        QVERIFY(outcome && !outcome->ok);
        const auto roots = rootErrors(outcome->diagnostics);
        QCOMPARE(roots.size(), std::size_t{1});
        const auto said = QByteArray::fromStdString(roots[0]->explanation.value_or(""));
        QVERIFY2(said.contains(words), said.constData());
    }

    // What does not fit a register that has two types follows from that.
    void mismatchFollowsFromTwoTypes()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const auto outcome = m_compiler.compile(
            ptxRequest(kernelAround(".reg .f32 %x;\n.reg .b64 %x;\nmov.u64 %x, %rd1;\nadd.u64 %x, %x, "
                                    "4;\nadd.u32 %r1, %r2, %rd1;\n")));
        QVERIFY(outcome && !outcome->ok);
        const auto roots = rootErrors(outcome->diagnostics);
        QCOMPARE(roots.size(), std::size_t{2}); // that of line 15 has a cause of its own
        QVERIFY(roots[0]->message.starts_with("Duplicate definition"));
        QCOMPARE(roots[1]->line.value_or(0), 15);
    }

    void noCountForEightMatrices()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const auto outcome = m_compiler.compile(ptxRequest(kernelAround(
            ".reg .b32 %m<8>;\nldmatrix.sync.aligned.m8n8.x8.shared.b16 {%m0, %m1, %m2, %m3, %m4, %m5, %m6, "
            "%m7}, [%r1];\n")));
        QVERIFY(outcome && !outcome->ok);
        const auto roots = rootErrors(outcome->diagnostics);
        QCOMPARE(roots.size(), std::size_t{1});
        QCOMPARE(roots[0]->message, std::string("ldmatrix has .x1, .x2 and .x4, no .x8"));
        QCOMPARE(roots[0]->line.value_or(0), 12);
        QCOMPARE(roots[0]->column.value_or(0), 27);
        QVERIFY(roots[0]->fixes.empty());
    }

private:
    Compiler m_compiler{realToolchain()};
};

QTEST_GUILESS_MAIN(TestFixRefusals)
#include "tst_fix_refusals.moc"
