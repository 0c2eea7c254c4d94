// SPDX-License-Identifier: Apache-2.0
// Kernels that never end or ask for too much: a report, after a bounded number of instructions.
#include "core/emulator/fast_oracle.h"
#include "tests/emulator/harness.h"

#include <QTest>

#include <array>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

std::string kernel(const std::string& body, const std::string& before = "")
{
    return ".version 8.0\n.target sm_90a\n.address_size 64\n" + before
        + ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n.reg .pred %p;\n"
          "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [out];\nmov.u32 %r1, 0;\n"
        + body + "\nret;\n}\n";
}

KernelRun run(const std::string& text)
{
    KernelRun made(text);
    made.block(64).buffer("out", std::vector<std::uint32_t>(64));
    return made;
}

constexpr std::array policies{AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random};

} // namespace

class TestEmulatorBounds : public QObject {
    Q_OBJECT

private slots:
    void aLoopThatChangesNothingIsSeenEarly_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("jump to itself") << QByteArray("L: bra L;");
        QTest::newRow("weak load") << QByteArray(
            "L: ld.global.u32 %r2, [%rd0];\nsetp.eq.u32 %p, %r2, 0;\n@%p bra L;");
        QTest::newRow("volatile load")
            << QByteArray("L: ld.volatile.global.u32 %r2, [%rd0];\nsetp.eq.u32 %p, %r2, 0;\n@%p bra L;");
        QTest::newRow("with sleep") << QByteArray("L: nanosleep.u32 20;\nld.acquire.gpu.global.u32 %r2, "
                                                  "[%rd0];\nsetp.eq.u32 %p, %r2, 0;\n@%p bra L;");
        QTest::newRow("a lock that is never free")
            << QByteArray("atom.global.exch.b32 %r2, [%rd0], 1;\n"
                          "L: atom.global.cas.b32 %r2, [%rd0], 0, 1;\nsetp.ne.u32 %p, %r2, 0;\n@%p bra L;");
        QTest::newRow("one lane") << QByteArray(
            "setp.ne.u32 %p, %r0, 5;\n@%p bra END;\nL: bra L;\nEND: st.global.u32 [%rd0], %r0;");
        QTest::newRow("two loops of one warp") << QByteArray(
            "setp.lt.u32 %p, %r0, 5;\n@%p bra B;\nA: add.u32 %r2, %r0, 1;\nadd.u32 %r2, %r2, 1;\n"
            "bra A;\nB: xor.b32 %r3, %r0, 1;\nbra B;");
        QTest::newRow("others wait at a barrier")
            << QByteArray("setp.ge.u32 %p, %r0, 32;\n@%p bra W;\nL: bra L;\nW: bar.sync 0;");
        QTest::newRow("loop in a loop") << QByteArray(
            "A: mov.u32 %r2, 0;\nB: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p, %r2, 9;\n@%p bra B;\nbra A;");
        QTest::newRow("brx.idx") << QByteArray("TS: .branchtargets L, END;\nL: brx.idx %r1, TS;\nEND:");
    }

    void aLoopThatChangesNothingIsSeenEarly()
    {
        QFETCH(QByteArray, body);
        for (const auto policy : policies) {
            const auto outcome = run(kernel(body.toStdString())).run(policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            const auto said = summaryOf(*outcome);
            QVERIFY2(outcome->end == EmulatorEnd::Livelock, said.c_str());
            QVERIFY2(said.find("it will never end") != std::string::npos, said.c_str());
            QVERIFY2(outcome->mostSteps < 2'000'000, std::to_string(outcome->mostSteps).c_str());
        }
    }

    void aLoopThatCountsEndsByTheBudget_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::newRow("counter") << QByteArray("L: add.u32 %r1, %r1, 1;\nbra L;");
        QTest::newRow("stores") << QByteArray(
            "L: add.u32 %r1, %r1, 1;\nmul.wide.u32 %rd1, %r0, 4;\n"
            "add.s64 %rd1, %rd0, %rd1;\nst.global.u32 [%rd1], %r1;\nbra L;");
        QTest::newRow("barriers") << QByteArray("L: bar.sync 0;\nbra L;");
        QTest::newRow("brx.idx") << QByteArray(
            "TS: .branchtargets L, END;\nL: add.u32 %r2, %r2, 1;\nbrx.idx %r1, TS;\nEND:");
    }

    void aLoopThatCountsEndsByTheBudget()
    {
        QFETCH(QByteArray, body);
        auto made = run(kernel("mov.u32 %r2, 0;\n" + body.toStdString()));
        const auto outcome = made.limit(200'000).run();
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        const auto said = summaryOf(*outcome);
        QVERIFY2(outcome->end == EmulatorEnd::Livelock, said.c_str());
        QVERIFY2(said.find("still running after") != std::string::npos, said.c_str());
        QVERIFY(outcome->mostSteps < 300'000);
        QVERIFY(EmulatorLimits{}.stepsPerCluster <= 10'000'000); // ten seconds of the slowest loop
    }

    void longLoopsThatEndAreLeftAlone_data()
    {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<int>("grid");
        QTest::newRow("countdown") << QByteArray(
            "L: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 300000;\n@%p bra L;\nst.global.u32 [%rd0], %r1;")
                                   << 1;
        // Warp 1 counts for long; warp 0 looks for its word all the while.
        QTest::newRow("flag in shared memory") << QByteArray(
            ".shared .align 4 .b32 flag;\nst.shared.u32 [flag], 0;\nbar.sync 0;\n"
            "setp.ge.u32 %p, %r0, 32;\n@%p bra LATE;\n"
            "L: ld.volatile.shared.u32 %r2, [flag];\nsetp.eq.u32 %p, %r2, 0;\n@%p bra L;\nbra END;\n"
            "LATE: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 100000;\n@%p bra LATE;\n"
            "st.volatile.shared.u32 [flag], 1;\nEND:")
                                               << 1;
        // CTA 0 looks for what CTA 1 writes at last, whichever starts first.
        QTest::newRow("flag of another CTA") << QByteArray(
            "mov.u32 %r3, %ctaid.x;\nsetp.ne.u32 %p, %r3, 0;\n@%p bra LATE;\n"
            "L: ld.acquire.gpu.global.u32 %r2, [%rd0];\nsetp.eq.u32 %p, %r2, 0;\n@%p bra L;\nbra END;\n"
            "LATE: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 200000;\n@%p bra LATE;\n"
            "red.release.gpu.global.add.u32 [%rd0], 1;\nEND:")
                                             << 2;
    }

    void longLoopsThatEndAreLeftAlone()
    {
        QFETCH(QByteArray, body);
        QFETCH(int, grid);
        for (const auto policy : policies) {
            auto made = run(kernel(body.toStdString()));
            const auto outcome = made.grid(static_cast<std::uint32_t>(grid)).run(policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            QVERIFY2(outcome->end == EmulatorEnd::Completed, summaryOf(*outcome).c_str());
        }
    }

    void tooMuchIsRefusedBeforeAnythingRuns_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<quint32>("x");
        QTest::addColumn<quint32>("y");
        QTest::addColumn<QByteArray>("says");
        const auto plain = QByteArray::fromStdString(kernel("st.global.u32 [%rd0], %r0;"));
        QTest::newRow("all CTAs that there are")
            << plain << 0x7FFFFFFFU << 65535U << QByteArray("CTAs; the emulator");
        QTest::newRow("more CTAs than there are")
            << plain << 0xFFFFFFFFU << 1U << QByteArray("in dimension 0");
        QTest::newRow("too many rows") << plain << 1U << 70000U << QByteArray("in dimension 1");
        QTest::newRow("local memory") << QByteArray::fromStdString(
            kernel(".local .b8 huge[1073741824];\nmov.u64 %rd1, huge;\nst.local.u32 [%rd1], %r0;"))
                                      << 1U << 1U << QByteArray("bytes of local memory");
        QTest::newRow("shared memory") << QByteArray::fromStdString(
            kernel(".shared .b8 huge[8589934592];\nmov.u64 %rd1, huge;\nst.shared.u32 [%rd1], %r0;"))
                                       << 1U << 1U << QByteArray("bytes of shared memory");
        QTest::newRow("global memory") << QByteArray::fromStdString(
            kernel("st.global.u32 [huge], %r0;", ".visible .global .b8 huge[1099511627776];\n"))
                                       << 1U << 1U << QByteArray("bytes of global");
        QTest::newRow("recursion") << QByteArray::fromStdString(
            kernel("call f;", ".func f;\n.func g { call f; ret; }\n.func f { call g; ret; }\n"))
                                   << 1U << 1U << QByteArray("recursion");
    }

    void tooMuchIsRefusedBeforeAnythingRuns()
    {
        QFETCH(QByteArray, text);
        QFETCH(quint32, x);
        QFETCH(quint32, y);
        QFETCH(QByteArray, says);
        auto made = run(text.toStdString());
        const auto outcome = made.grid(x, y).run();
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        const auto said = summaryOf(*outcome);
        QVERIFY2(outcome->end == EmulatorEnd::ResourceLimit || outcome->end == EmulatorEnd::NotEmulated,
            said.c_str());
        QVERIFY2(said.find(says.toStdString()) != std::string::npos, said.c_str());
        QVERIFY(outcome->mostSteps < (says == "recursion" ? 10000U : 100U));
    }

    // Thread 0 of every CTA counts itself in at the grid's barrier and waits for all of them.
    static std::string meeting(std::uint32_t ctas)
    {
        return kernel("mov.u32 %r2, %envreg1;\nmov.u32 %r3, %envreg2;\nmov.b64 %rd1, {%r3, %r2};\n"
                      "setp.eq.u64 %p, %rd1, 0;\n@%p trap;\nsetp.ne.u32 %p, %r0, 0;\n@%p ret;\n"
                      "atom.add.release.gpu.global.u32 %r4, [%rd1+4], 1;\n"
                      "L: ld.acquire.gpu.global.u32 %r4, [%rd1+4];\nsetp.lt.u32 %p, %r4, "
            + std::to_string(ctas) + ";\n@%p bra L;\nst.global.u32 [%rd0], %r4;");
    }

    void aCooperativeGridIsThereAtOnce()
    {
        for (const std::uint32_t ctas : {2U, 133U, 132U * 32U}) {
            const auto outcome = run(meeting(ctas)).cooperative().grid(ctas).run();
            QVERIFY2(outcome && outcome->end == EmulatorEnd::Completed,
                outcome ? summaryOf(*outcome).c_str() : describe(outcome.error()).c_str());
        }
        const auto tooLarge = run(meeting(132 * 32 + 1)).cooperative().grid(132 * 32 + 1).run();
        QVERIFY(tooLarge && tooLarge->end == EmulatorEnd::ResourceLimit);
        QVERIFY2(summaryOf(*tooLarge).find("4224 of 64 threads") != std::string::npos,
            summaryOf(*tooLarge).c_str());
        const auto ordinary = run(meeting(2)).grid(2).run();
        QVERIFY(ordinary && !ordinary->reports.empty());
        QCOMPARE(ordinary->reports[0].rule, RuleId::Trap);
        QVERIFY(ordinary->reports[0].fix.find("cooperative") != std::string::npos);
    }

    // As cooperative_groups counts: the first CTA adds 2^31 - (CTAs - 1), which one of four does not reach
    // here.
    void whoNeverComesToTheGridBarrierIsSaid()
    {
        for (const auto* gone : {"0", "3"}) {
            const auto text =
                kernel("mov.u32 %r2, %envreg1;\nmov.u32 %r3, %envreg2;\nmov.b64 %rd1, {%r3, %r2};\n"
                       "setp.ne.u32 %p, %r0, 0;\n@%p ret;\nmov.u32 %r5, %ctaid.x;\n"
                       "setp.eq.u32 %p, %r5, "
                    + std::string(gone)
                    + ";\n@%p ret;\nsetp.eq.u32 %p, %r5, 0;\nselp.u32 %r6, 0x7ffffffd, 1, %p;\n"
                      "atom.add.release.gpu.global.u32 %r4, [%rd1+4], %r6;\n"
                      "L: ld.acquire.gpu.global.u32 %r7, [%rd1+4];\nxor.b32 %r7, %r7, %r4;\n"
                      "setp.ge.s32 %p, %r7, 0;\n@%p bra L;\n");
            const auto outcome = run(text).cooperative().grid(4).run();
            QVERIFY(outcome && !outcome->reports.empty());
            QCOMPARE(outcome->reports[0].rule, RuleId::Livelock);
            QVERIFY2(summaryOf(*outcome).find("3 of 4 CTAs have come") != std::string::npos,
                summaryOf(*outcome).c_str());
        }
    }

    void aDeclarationWithoutAStateSpaceIsRefused()
    {
        for (const auto* word : {".extern .nowhere .b8 x[];", ".extern x;", ".extern"}) {
            const auto outcome = run(kernel(word)).run();
            QVERIFY2(!outcome, word);
            QCOMPARE(outcome.error().code, ErrorCode::BadFormat);
            QVERIFY2(outcome.error().message.find("state space") != std::string::npos,
                outcome.error().message.c_str());
        }
    }

    void theOracleCanBeStopped()
    {
        std::stop_source source;
        source.request_stop();
        std::vector<BufferSpec> buffers(3);
        std::vector<std::vector<std::byte>> bytes;
        for (auto& buffer : buffers) {
            buffer.type.dtype = Dtype::Bfloat16;
            buffer.type.shape = {4096, 4096};
        }
        buffers[2].role = BufferRole::Output;
        std::vector<std::span<const std::byte>> inputs;
        for (int i = 0; i < 2; ++i) {
            inputs.emplace_back(bytes.emplace_back(buffers[0].type.bytes()));
        }
        OracleSpec oracle;
        oracle.name = "gemm_nt";
        const auto result = runFastOracle(oracle, buffers, inputs, 2, source.get_token());
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
    }
};

QTEST_APPLESS_MAIN(TestEmulatorBounds)
#include "tst_emulator_bounds.moc"
