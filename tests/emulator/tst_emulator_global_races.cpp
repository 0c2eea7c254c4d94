// SPDX-License-Identifier: Apache-2.0
// Races in global memory, between warps of a CTA and between CTAs, and what only looks like one.
#include "tests/emulator/harness.h"

#include <QTest>

#include <array>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

/// 64 threads a CTA, a buffer of 512 words; %rd2 is the thread's word in the whole grid, %rd3 that of its
/// CTA.
std::string kernel(const std::string& body)
{
    return ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
           ".reg .b16 %h<4>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<8>;\n.reg .pred %p;\n"
           "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nld.param.u64 %rd0, [out];\n"
           "mad.lo.u32 %r2, %r1, 64, %r0;\nmul.wide.u32 %rd1, %r2, 4;\nadd.u64 %rd2, %rd0, %rd1;\n"
           "mul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd3, %rd0, %rd1;\nxor.b32 %r3, %r2, 32;\n"
           "mul.wide.u32 %rd1, %r3, 4;\nadd.u64 %rd4, %rd0, %rd1;\n"
        + body + "\nret;\n}\n";
}

std::string lineOf(const std::string& text, int line)
{
    std::size_t at = 0;
    for (int i = 1; i < line; ++i) {
        at = text.find('\n', at) + 1;
    }
    return text.substr(at, text.find('\n', at) - at);
}

constexpr std::array policies{AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random};

Result<EmulatorOutcome> outcomeOf(const std::string& text, std::uint32_t ctas, AsyncPolicy policy)
{
    return KernelRun(text).grid(ctas).block(64).buffer("out", std::vector<std::uint32_t>(512, 7)).run(policy);
}

} // namespace

class TestEmulatorGlobalRaces : public QObject {
    Q_OBJECT

private slots:
    void racesAreNamedWithBothLines_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<quint32>("ctas");
        QTest::addColumn<QByteArray>("first"); ///< on the two lines, in any order
        QTest::addColumn<QByteArray>("second");
        const auto row = [](const char* name, quint32 ctas, const char* body, const char* first,
                             const char* second) {
            QTest::newRow(name) << QByteArray(body) << ctas << QByteArray(first) << QByteArray(second);
        };
        row("a warp reads what another writes", 1,
            "st.global.u32 [%rd2], %r0;\nld.global.u32 %r5, [%rd4];\nst.global.u32 [%rd2+1024], %r5;",
            "st.global.u32 [%rd2], %r0", "ld.global.u32 %r5");
        row("a warp overwrites what another reads", 1,
            "ld.global.u32 %r5, [%rd4];\nst.global.u32 [%rd2], %r5;", "ld.global.u32 %r5",
            "st.global.u32 [%rd2], %r5");
        row("a warp overwrites what another and itself read", 1,
            "setp.lt.u32 %p, %r0, 32;\n@%p ld.global.u32 %r5, [%rd4];\n@!%p ld.global.u32 %r6, [%rd2];\n"
            "@!%p st.global.u32 [%rd2], %r0;\n@%p st.global.u32 [%rd2], %r5;",
            "ld.global.u32 %r5, [%rd4]", "@!%p st.global.u32 [%rd2], %r0");
        row("two warps write one word", 1, "st.global.u32 [%rd0], %r0;", "st.global.u32 [%rd0]",
            "st.global.u32 [%rd0]");
        row("halves of a word that overlap", 1,
            "cvt.u16.u32 %h0, %r0;\nshr.u32 %r6, %r0, 5;\nmul.wide.u32 %rd5, %r6, 2;\nadd.u64 %rd5, %rd0, "
            "%rd5;\n"
            "setp.lt.u32 %p, %r0, 32;\n@%p st.global.u32 [%rd0], %r0;\n@!%p st.global.u16 [%rd5], %h0;",
            "st.global.u32 [%rd0]", "st.global.u16");
        row("a barrier of other warps", 1,
            "st.global.u32 [%rd2], %r0;\nbar.warp.sync 0xffffffff;\nld.global.u32 %r5, [%rd4];\n"
            "st.global.u32 [%rd2+1024], %r5;",
            "st.global.u32 [%rd2], %r0", "ld.global.u32 %r5");
        row("CTAs add to one word without atomics", 4,
            "setp.ne.u32 %p, %r0, 0;\n@%p bra END;\nld.global.u32 %r5, [%rd0];\nadd.u32 %r5, %r5, 1;\n"
            "st.global.u32 [%rd0], %r5;\nEND:",
            "ld.global.u32 %r5", "st.global.u32 [%rd0]");
        row("CTAs write one word differently", 3, "st.global.u32 [%rd3], %r1;", "st.global.u32 [%rd3]",
            "st.global.u32 [%rd3]");
        row("a CTA reads its neighbour's word", 4,
            "ld.global.u32 %r5, [%rd2+4];\nbar.sync 0;\nst.global.u32 [%rd2], %r5;", "ld.global.u32 %r5",
            "st.global.u32 [%rd2]");
        row("CTAs with a counter write one word differently", 4,
            "atom.global.add.u32 %r5, [%rd0+2000], 1;\nst.global.u32 [%rd3], %r1;", "st.global.u32 [%rd3]",
            "st.global.u32 [%rd3]");
        row("tiles that overlap by a word", 4,
            "st.global.u32 [%rd2], %r2;\nsetp.ne.u32 %p, %r0, 63;\n@%p bra END;\nst.global.u32 [%rd2+4], "
            "0;\nEND:",
            "st.global.u32 [%rd2], %r2", "st.global.u32 [%rd2+4]");
    }
    void racesAreNamedWithBothLines()
    {
        QFETCH(QByteArray, body);
        QFETCH(quint32, ctas);
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        const auto text = kernel(body.toStdString());
        for (const auto policy : policies) {
            const auto outcome = outcomeOf(text, ctas, policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            bool named = false;
            for (const auto& report : outcome->reports) {
                QCOMPARE(report.rule, RuleId::Race);
                QVERIFY(!report.fix.empty() && report.address);
                const auto a = QByteArray::fromStdString(lineOf(text, report.lines.front().line));
                const auto b = QByteArray::fromStdString(lineOf(text, report.lines.back().line));
                named = named || (a.contains(first) && b.contains(second))
                    || (a.contains(second) && b.contains(first));
            }
            QVERIFY2(named, summaryOf(*outcome).c_str());
        }
    }

    void whatIsOrderedIsNoRace_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<quint32>("ctas");
        const auto row = [](const char* name, quint32 ctas, const char* body) {
            QTest::newRow(name) << QByteArray(body) << ctas;
        };
        row("a barrier between", 4,
            "st.global.u32 [%rd2], %r0;\nbar.sync 0;\nld.global.u32 %r5, [%rd4];\nbar.sync 0;\n"
            "st.global.u32 [%rd2], %r5;");
        row("within a warp", 4,
            "st.global.u32 [%rd2], %r0;\nbar.warp.sync 0xffffffff;\nxor.b32 %r3, %r2, 1;\nmul.wide.u32 %rd1, "
            "%r3, 4;\nadd.u64 %rd4, %rd0, %rd1;\nld.global.u32 %r5, [%rd4];\nbar.warp.sync 0xffffffff;\n"
            "st.global.u32 [%rd2], %r5;");
        row("all write the same value", 4, "st.global.u32 [%rd0], 1;");
        row("halves of a word, by warps", 1,
            "cvt.u16.u32 %h0, %r0;\nshr.u32 %r6, %r0, 5;\nmul.wide.u32 %rd5, %r6, 2;\nadd.u64 %rd5, %rd0, "
            "%rd5;\n"
            "and.b32 %r7, %r0, 31;\nsetp.ne.u32 %p, %r7, 0;\n@%p bra END;\nst.global.u16 [%rd5], %h0;\nEND:");
        row("halves of a word, by CTAs", 8,
            "cvt.u16.u32 %h0, %r1;\nmul.wide.u32 %rd5, %r1, 2;\nadd.u64 %rd5, %rd0, %rd5;\n"
            "setp.ne.u32 %p, %r0, 0;\n@%p bra END;\nst.global.u16 [%rd5], %h0;\nEND:");
        row("bytes of a word, by CTAs", 8,
            "cvt.u16.u32 %h0, %r1;\ncvt.u64.u32 %rd5, %r1;\nadd.u64 %rd5, %rd0, %rd5;\n"
            "setp.ne.u32 %p, %r0, 0;\n@%p bra END;\nst.global.u8 [%rd5], %h0;\nld.global.u8 %h1, "
            "[%rd5];\nEND:");
        row("bytes in place, a word shared by two warps", 1,
            "cvt.u64.u32 %rd5, %r0;\nadd.u64 %rd5, %rd0, %rd5;\nld.global.u8 %h0, [%rd5+1];\nadd.u16 %h0, "
            "%h0, 1;\n"
            "st.global.u8 [%rd5+1], %h0;\nbar.sync 0;\nld.global.u8 %h1, [%rd5+1];\nadd.u16 %h1, %h1, 1;\n"
            "st.global.u8 [%rd5+1], %h1;");
        row("a halo that all write alike and read back", 4,
            "st.global.u32 [%rd3], %r0;\nld.global.u32 %r5, [%rd3];\nst.global.u32 [%rd2+1024], %r5;");
        row("a flag between warps", 1,
            "setp.ge.u32 %p, %r0, 32;\n@%p bra WAIT;\nst.global.u32 [%rd2], %r0;\nbar.warp.sync 0xffffffff;\n"
            "fence.acq_rel.gpu;\nsetp.ne.u32 %p, %r0, 0;\n@%p bra END;\nst.release.gpu.global.u32 "
            "[%rd0+2000], 1;\n"
            "bra END;\nWAIT:\nld.acquire.gpu.global.u32 %r5, [%rd0+2000];\nsetp.ne.u32 %p, %r5, 1;\n@%p bra "
            "WAIT;\n"
            "ld.global.u32 %r5, [%rd4];\nst.global.u32 [%rd2+1024], %r5;\nEND:");
        row("a lock of gpu scope", 4,
            "setp.ne.u32 %p, %r0, 0;\n@%p bra END;\nL: atom.acquire.gpu.global.cas.b32 %r5, [%rd0+2000], 7, "
            "1;\n"
            "setp.ne.u32 %p, %r5, 7;\n@%p bra L;\nld.global.u32 %r6, [%rd0];\nadd.u32 %r6, %r6, 1;\n"
            "st.global.u32 [%rd0], %r6;\natom.release.gpu.global.exch.b32 %r5, [%rd0+2000], 7;\nEND:");
        row("CTAs with a counter write the same value", 4,
            "atom.global.add.u32 %r5, [%rd0+2000], 1;\nst.global.u32 [%rd3], %r0;");
        row("CTAs read what nobody writes", 4, "ld.global.u32 %r5, [%rd0+1600];\nst.global.u32 [%rd2], %r5;");
        row("a CTA reads its own words again", 4,
            "st.global.u32 [%rd2], %r2;\nbar.sync 0;\nld.global.u32 %r5, [%rd4];\nbar.sync 0;\n"
            "st.global.u32 [%rd2], %r5;");
    }
    void whatIsOrderedIsNoRace()
    {
        QFETCH(QByteArray, body);
        QFETCH(quint32, ctas);
        for (const auto policy : policies) {
            const auto outcome = outcomeOf(kernel(body.toStdString()), ctas, policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            QVERIFY2(outcome->reports.empty(), summaryOf(*outcome).c_str());
            QVERIFY(outcome->end == EmulatorEnd::Completed);
        }
    }

    void launchesAreOrdered()
    {
        EmulatorRequest request;
        const auto reads = kernel("ld.global.u32 %r5, [%rd2+4];\nst.global.u32 [%rd2+1024], %r5;");
        auto writes = kernel("st.global.u32 [%rd2], %r2;");
        writes.erase(0, writes.find(".visible"));
        writes.replace(writes.find("k("), 1, "w");
        request.text = reads + writes;
        BufferSpec spec;
        spec.name = "out";
        spec.type.dtype = Dtype::Int32;
        spec.type.shape = {512};
        spec.role = BufferRole::Output;
        request.plan.buffers = {spec};
        request.buffers.emplace_back(2048);
        for (const auto* name : {"w", "k", "w"}) {
            Launch launch;
            launch.kernel = name;
            launch.grid = {3, 1, 1};
            launch.block = {64, 1, 1};
            launch.arguments.push_back({.kind = ArgumentKind::Tensor, .index = 0});
            request.plan.launches.push_back(launch);
        }
        const auto outcome = emulate(std::move(request));
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(outcome->reports.empty(), summaryOf(*outcome).c_str());
        QCOMPARE(outcome->launches, 3U);
    }
};

QTEST_APPLESS_MAIN(TestEmulatorGlobalRaces)
#include "tst_emulator_global_races.moc"
