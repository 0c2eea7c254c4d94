// SPDX-License-Identifier: Apache-2.0
// CTAs that hand data to each other through global memory and a flag: what publishes it gives no report, what
// does not is a race with both lines.
#include "tests/emulator/harness.h"

#include <QTest>

#include <array>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

const std::string start =
    ".version 8.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 data, .param .u64 flag, .param .u64 out)\n{\n"
    ".reg .b32 %r<9>;\n.reg .b64 %rd<7>;\n.reg .pred %p, %q;\n"
    "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nld.param.u64 %rd0, [data];\n"
    "ld.param.u64 %rd1, [flag];\nld.param.u64 %rd2, [out];\nmul.wide.u32 %rd3, %r0, 4;\n"
    "add.u64 %rd4, %rd0, %rd3;\nadd.u64 %rd5, %rd2, %rd3;\nsetp.eq.u32 %p, %r0, 0;\n";

/// CTA 0 stores 64 words and tells CTA 1, which waits by `look` and adds 1 to each.
std::string handOver(
    const std::string& tell, const std::string& look = "ld.acquire.gpu.global.u32 %r3, [%rd1];\n")
{
    return start
        + "setp.ne.u32 %q, %r1, 0;\n@%q bra TAKE;\nadd.u32 %r2, %r0, 100;\nst.global.u32 [%rd4], "
          "%r2;\nbar.sync 0;\n"
          "mov.b32 %r4, 1;\n@!%p bra END;\n"
        + tell + "bra END;\nTAKE:\n@!%p bra TAKEN;\nLOOK:\n" + look
        + "setp.eq.u32 %q, %r3, 0;\n@%q bra LOOK;\nTAKEN:\nbar.sync 0;\nld.global.u32 %r5, [%rd4];\n"
          "add.u32 %r5, %r5, 1;\nst.global.u32 [%rd5], %r5;\nEND:\nret;\n}\n";
}

/// Every CTA stores a word and takes a ticket; the last one adds all words up.
std::string lastAddsUp(const std::string& fence, const std::string& ticket)
{
    return start
        + "mul.wide.u32 %rd6, %r1, 4;\nadd.u64 %rd6, %rd0, %rd6;\nadd.u32 %r2, %r1, 1;\n@!%p bra END;\n"
          "st.global.u32 [%rd6], %r2;\n"
        + fence + ticket
        + "setp.ne.u32 %q, %r3, 7;\n@%q bra END;\nmov.b32 %r4, 0;\nmov.b32 %r5, 0;\nADD:\n"
          "ld.global.u32 %r6, [%rd0];\nadd.u32 %r5, %r5, %r6;\nadd.u64 %rd0, %rd0, 4;\nadd.u32 %r4, %r4, 1;\n"
          "setp.lt.u32 %q, %r4, 8;\n@%q bra ADD;\nst.global.u32 [%rd2], %r5;\nEND:\nret;\n}\n";
}

Result<EmulatorOutcome> outcomeOf(const std::string& text, std::uint32_t ctas, AsyncPolicy policy)
{
    return KernelRun(text)
        .grid(ctas)
        .block(64)
        .limit(500'000)
        .buffer("data", std::vector<std::uint32_t>(64))
        .buffer("flag", std::vector<std::uint32_t>(2))
        .buffer("out", std::vector<std::uint32_t>(64))
        .run(policy);
}

constexpr std::array policies{AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random};
const std::string ticket = "mov.b32 %r7, 1;\natom.global.add.u32 %r3, [%rd1], %r7;\n";

} // namespace

class TestEmulatorFlags : public QObject {
    Q_OBJECT

private slots:
    void published_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<std::uint32_t>("ctas");
        const auto row = [](const char* name, const std::string& text, std::uint32_t ctas = 2) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << ctas;
        };
        const std::string volatileLook = "ld.volatile.global.u32 %r3, [%rd1];\n";
        row("fence and a relaxed store",
            handOver("fence.acq_rel.gpu;\nst.relaxed.gpu.global.u32 [%rd1], %r4;\n"));
        row("membar and a volatile store",
            handOver("membar.gl;\nst.volatile.global.u32 [%rd1], %r4;\n", volatileLook));
        row("a releasing store", handOver("st.release.gpu.global.u32 [%rd1], %r4;\n"));
        row("a releasing store of system scope", handOver("st.release.sys.global.u32 [%rd1], %r4;\n"));
        row("a releasing atomic", handOver("atom.release.gpu.global.add.u32 %r6, [%rd1], %r4;\n"));
        row("a releasing reduction", handOver("red.release.gpu.global.add.u32 [%rd1], %r4;\n"));
        row("a fence of sequential consistency and an atomic",
            handOver("fence.sc.gpu;\natom.global.exch.b32 %r6, [%rd1], %r4;\n",
                "atom.global.or.b32 %r3, [%rd1], 0;\n"));
        row("the last CTA adds up", lastAddsUp("membar.gl;\n", ticket), 8);
    }

    void published()
    {
        QFETCH(QByteArray, text);
        QFETCH(std::uint32_t, ctas);
        for (const auto policy : policies) {
            const auto outcome = outcomeOf(text.toStdString(), ctas, policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            QVERIFY2(outcome->end == EmulatorEnd::Completed && outcome->reports.empty(),
                summaryOf(*outcome).c_str());
            const auto got = contentOf<std::uint32_t>(*outcome, 2);
            QCOMPARE(got[0], ctas == 2 ? 101U : 36U);
            QCOMPARE(got[63], ctas == 2 ? 164U : 0U);
        }
    }

    void notPublished_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<std::uint32_t>("ctas");
        const auto row = [](const char* name, const std::string& text, std::uint32_t ctas = 2) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << ctas;
        };
        row("no fence", handOver("st.relaxed.gpu.global.u32 [%rd1], %r4;\n"));
        row("a volatile store", handOver("st.volatile.global.u32 [%rd1], %r4;\n"));
        row("a fence of the CTA", handOver("fence.acq_rel.cta;\nst.relaxed.gpu.global.u32 [%rd1], %r4;\n"));
        row("membar of the CTA", handOver("membar.cta;\nst.volatile.global.u32 [%rd1], %r4;\n"));
        row("a release to the CTA", handOver("st.release.cta.global.u32 [%rd1], %r4;\n"));
        row("the fence behind the flag",
            handOver("st.relaxed.gpu.global.u32 [%rd1], %r4;\nfence.acq_rel.gpu;\n"));
        row("an atomic without order", handOver("atom.global.exch.b32 %r6, [%rd1], %r4;\n"));
        row("the last CTA adds up what nothing published", lastAddsUp("", ticket), 8);
    }

    void notPublished()
    {
        QFETCH(QByteArray, text);
        QFETCH(std::uint32_t, ctas);
        for (const auto policy : policies) {
            const auto outcome = outcomeOf(text.toStdString(), ctas, policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            QVERIFY2(!outcome->reports.empty(), summaryOf(*outcome).c_str());
            for (const auto& report : outcome->reports) {
                QCOMPARE(report.rule, RuleId::Race);
                QCOMPARE(report.lines.size(), std::size_t{2});
                QVERIFY(!report.fix.empty());
                const auto lines = QString::fromUtf8(text).split('\n');
                QVERIFY(lines[report.lines[0].line - 1].startsWith(QStringLiteral("ld.global.u32")));
                QVERIFY(lines[report.lines[1].line - 1].startsWith(QStringLiteral("st.global.u32")));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestEmulatorFlags)
#include "tst_emulator_flags.moc"
