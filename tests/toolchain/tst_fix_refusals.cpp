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

private:
    Compiler m_compiler{realToolchain()};
};

QTEST_GUILESS_MAIN(TestFixRefusals)
#include "tst_fix_refusals.moc"
