// SPDX-License-Identifier: Apache-2.0
// mma.sync, ldmatrix / stmatrix, TMA and clusters against plain references from the documented layouts.
#include "tests/emulator/harness.h"
#include "tests/emulator/matrix_values.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <random>

using namespace ptxwb;
using namespace ptxwb::emulator;
using namespace ptxwb::emulator::matrix_values;

class TestEmulatorMatrix : public QObject {
    Q_OBJECT

private slots:
    void mma_data()
    {
        QTest::addColumn<QByteArray>("shape");
        QTest::addColumn<QByteArray>("types");
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("k");
        QTest::newRow("bf16 k16") << QByteArray("m16n8k16") << QByteArray("f32.bf16.bf16.f32") << 0 << 16;
        QTest::newRow("bf16 k8") << QByteArray("m16n8k8") << QByteArray("f32.bf16.bf16.f32") << 0 << 8;
        QTest::newRow("f16 k16") << QByteArray("m16n8k16") << QByteArray("f32.f16.f16.f32") << 1 << 16;
        QTest::newRow("f16 sums") << QByteArray("m16n8k16") << QByteArray("f16.f16.f16.f16") << 1 << 16;
        QTest::newRow("tf32 k8") << QByteArray("m16n8k8") << QByteArray("f32.tf32.tf32.f32") << 2 << 8;
        QTest::newRow("tf32 k4") << QByteArray("m16n8k4") << QByteArray("f32.tf32.tf32.f32") << 2 << 4;
        QTest::newRow("e4m3 k32") << QByteArray("m16n8k32") << QByteArray("f32.e4m3.e4m3.f32") << 3 << 32;
        QTest::newRow("s8 k32") << QByteArray("m16n8k32") << QByteArray("s32.s8.s8.s32") << 5 << 32;
        QTest::newRow("s8 k16") << QByteArray("m16n8k16") << QByteArray("s32.s8.s8.s32") << 5 << 16;
    }

    void mma()
    {
        QFETCH(QByteArray, shape);
        QFETCH(QByteArray, types);
        QFETCH(int, type);
        QFETCH(int, k);
        constexpr std::array known{bf16, f16, tf32, e4m3, e5m2, s8};
        const auto element = known[static_cast<std::size_t>(type)];
        const auto depth = static_cast<std::uint32_t>(k);
        const std::uint32_t per = 4 / bytesOf(element);
        const std::uint32_t registersA = 16 * depth / per / 32;
        const bool halfD = types.startsWith("f16");
        std::mt19937 random(3);
        std::vector<double> a(std::size_t{16} * depth);
        std::vector<double> b(std::size_t{8} * depth); // [n][k]
        for (auto* matrix : {&a, &b}) {
            for (auto& x : *matrix) {
                x = smallValue(random);
            }
        }
        std::vector<std::uint32_t> fragmentA(32 * 4, 0);
        std::vector<std::uint32_t> fragmentB(32 * 2, 0);
        for (std::uint32_t l = 0; l < 32; ++l) {
            for (std::uint32_t r = 0; r < registersA; ++r) {
                std::vector<double> values;
                for (std::uint32_t j = 0; j < per; ++j) {
                    const std::uint32_t column = (l % 4) * per + j + (r >= 2 ? 4 * per : 0);
                    values.push_back(a[(l / 4 + (r % 2) * 8) * depth + column]);
                }
                fragmentA[l * 4 + r] = wordOf(element, values);
            }
            for (std::uint32_t r = 0; r < std::max(registersA / 2, 1U); ++r) {
                std::vector<double> values;
                for (std::uint32_t j = 0; j < per; ++j) {
                    values.push_back(b[(l / 4) * depth + (l % 4) * per + j + r * 4 * per]);
                }
                fragmentB[l * 2 + r] = wordOf(element, values);
            }
        }
        const std::string text = std::string(head)
            + ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 out)\n{\n.reg .b32 %r0, %a<4>, "
              "%b<2>, %d<4>, %c<4>;\n"
              ".reg .b64 %rd<4>;\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd0, %r0, 16;\nld.param.u64 %rd1, "
              "[a];\n"
              "add.s64 %rd1, %rd1, %rd0;\nld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%rd1];\nmul.wide.u32 %rd2, "
              "%r0, 8;\n"
              "ld.param.u64 %rd1, [b];\nadd.s64 %rd1, %rd1, %rd2;\nld.global.v2.u32 {%b0, %b1}, [%rd1];\n"
              "mov.b32 %c0, 0;\nmov.b32 %c1, 0;\nmov.b32 %c2, 0;\nmov.b32 %c3, 0;\nmov.b32 %d2, 0;\nmov.b32 "
              "%d3, 0;\n"
              "mma.sync.aligned."
            + shape.toStdString() + ".row.col." + types.toStdString() + " " + registerList("d", halfD ? 2 : 4)
            + ", " + registerList("a", registersA) + ", " + registerList("b", std::max(registersA / 2, 1U))
            + ", " + registerList("c", halfD ? 2 : 4)
            + ";\nld.param.u64 %rd1, [out];\nadd.s64 %rd1, %rd1, %rd0;\nst.global.v4.b32 [%rd1], {%d0, %d1, "
              "%d2, %d3};\nret;\n}\n";
        const auto outcome = KernelRun(text)
                                 .block(32)
                                 .buffer("a", fragmentA)
                                 .buffer("b", fragmentB)
                                 .buffer("out", std::vector<std::uint32_t>(128, 0))
                                 .run();
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(
            outcome->end == EmulatorEnd::Completed && outcome->reports.empty(), summaryOf(*outcome).c_str());
        const auto got = contentOf<std::uint32_t>(*outcome, 2);
        for (std::uint32_t l = 0; l < 32; ++l) {
            for (std::uint32_t i = 0; i < 4; ++i) {
                double expected = 0;
                for (std::uint32_t kk = 0; kk < depth; ++kk) {
                    expected += a[(l / 4 + 8 * (i / 2)) * depth + kk] * b[(2 * (l % 4) + i % 2) * depth + kk];
                }
                const std::uint32_t bits = halfD ? got[l * 4 + i / 2] >> (16 * (i % 2)) : got[l * 4 + i];
                const double value = halfD
                    ? static_cast<double>(fromFloat16(static_cast<std::uint16_t>(bits)))
                    : types.startsWith("s32") ? static_cast<double>(static_cast<std::int32_t>(bits))
                                              : static_cast<double>(std::bit_cast<float>(bits));
                QCOMPARE(value, expected);
            }
        }
    }

    void tmaTiles_data()
    {
        QTest::addColumn<int>("span");
        QTest::addColumn<int>("x");
        QTest::addColumn<int>("y");
        for (const int span : {0, 32, 64, 128}) {
            QTest::addRow("swizzle %d inside", span) << span << 16 << 8;
            QTest::addRow("swizzle %d over the right and lower edge", span) << span << 88 << 36;
            QTest::addRow("swizzle %d over the left and upper edge", span) << span << -8 << -3;
        }
    }

    void tmaTiles()
    {
        QFETCH(int, span);
        QFETCH(int, x);
        QFETCH(int, y);
        constexpr std::uint32_t columns = 104;
        constexpr std::uint32_t rows = 40;
        const std::uint32_t boxColumns = span == 0 ? 64U : static_cast<std::uint32_t>(span) / 2;
        std::vector<std::uint16_t> source(columns * rows);
        for (std::size_t i = 0; i < source.size(); ++i) {
            source[i] = static_cast<std::uint16_t>(i + 1);
        }
        const std::vector<std::uint16_t> target(columns * rows, 0);
        const auto swizzle = span == 128 ? Swizzle::B128
            : span == 64                 ? Swizzle::B64
            : span == 32                 ? Swizzle::B32
                                         : Swizzle::None;
        const std::uint32_t bytes = boxColumns * 2 * 16;
        // Loads a box, copies the raw shared bytes out, and stores the box through a second map.
        const std::string text = std::string(head)
            + ".extern .shared .align 1024 .b8 tile[];\n"
              ".visible .entry k(.param .align 64 .b8 from[128], .param .align 64 .b8 to[128], .param .u64 "
              "raw, .param .u32 x, "
              ".param .u32 y)\n{\n.shared .align 8 .b8 bar[8];\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n.reg "
              ".pred %p, %q;\n"
              "mov.u32 %r0, %tid.x;\nmov.b32 %r1, tile;\nmov.b32 %r2, bar;\nld.param.u32 %r3, "
              "[x];\nld.param.u32 %r4, [y];\n"
              "mov.b64 %rd0, from;\ncvta.param.u64 %rd0, %rd0;\nmov.b64 %rd1, to;\ncvta.param.u64 %rd1, "
              "%rd1;\n"
              "setp.eq.u32 %p, %r0, 0;\n@!%p bra READY;\nmbarrier.init.shared::cta.b64 [%r2], 1;\n"
              "fence.mbarrier_init.release.cluster;\n"
            + "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], " + std::to_string(bytes)
            + ";\ncp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], "
              "[%rd0, {%r3, %r4}], "
              "[%r2];\nREADY:\nbar.sync 0;\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %q, [%r2], "
              "0;\n@!%q bra WAIT;\n"
              "@!%p bra COPY;\ncp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {%r3, "
              "%r4}], [%r1];\n"
              "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nCOPY:\nld.param.u64 %rd2, "
              "[raw];\nmov.b32 %r5, %r0;\n"
              "NEXT:\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd3, %rd3, %rd2;\nmad.lo.u32 %r6, %r5, 4, "
              "%r1;\nld.shared.u32 %r7, [%r6];\n"
              "st.global.u32 [%rd3], %r7;\nadd.u32 %r5, %r5, 32;\nsetp.lt.u32 %q, %r5, "
            + std::to_string(bytes / 4) + ";\n@%q bra NEXT;\nret;\n}\n";
        const auto outcome = KernelRun(text)
                                 .block(32)
                                 .shared(8192)
                                 .map("from", source, columns, boxColumns, 16, swizzle)
                                 .map("to", target, columns, boxColumns, 16, swizzle)
                                 .buffer("raw", std::vector<std::uint32_t>(bytes / 4, 0))
                                 .value(static_cast<std::uint32_t>(x))
                                 .value(static_cast<std::uint32_t>(y))
                                 .run(AsyncPolicy::Late);
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(
            outcome->end == EmulatorEnd::Completed && outcome->reports.empty(), summaryOf(*outcome).c_str());
        const auto raw = contentOf<std::uint16_t>(*outcome, 2);
        const auto stored = contentOf<std::uint16_t>(*outcome, 1);
        const auto at = [&](std::int32_t column, std::int32_t row) {
            const bool inside = column >= 0 && row >= 0 && column < static_cast<std::int32_t>(columns)
                && row < static_cast<std::int32_t>(rows);
            return inside ? source[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)]
                          : std::uint16_t{0};
        };
        for (std::uint32_t r = 0; r < 16; ++r) {
            for (std::uint32_t c = 0; c < boxColumns; ++c) {
                const std::uint32_t place = span == 0 ? r * boxColumns * 2 + c * 2
                                                      : kMajor(r, c * 2, static_cast<std::uint32_t>(span));
                QCOMPARE(
                    raw[place / 2], at(x + static_cast<std::int32_t>(c), y + static_cast<std::int32_t>(r)));
            }
        }
        for (std::int32_t row = 0; row < static_cast<std::int32_t>(rows); ++row) {
            for (std::int32_t column = 0; column < static_cast<std::int32_t>(columns); ++column) {
                const bool inBox = column >= x && column < x + static_cast<std::int32_t>(boxColumns)
                    && row >= y && row < y + 16;
                QCOMPARE(stored[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)],
                    inBox ? at(column, row) : std::uint16_t{0});
            }
        }
    }

    void matrixMoves()
    {
        // stmatrix.x4 of an ldmatrix.x4.trans: four transposed 8 x 8 blocks.
        const std::string text = std::string(head)
            + ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.shared .align 16 .b8 "
              "tile[512];\n.shared .align 16 .b8 "
              "turned[512];\n.reg .b32 %r<12>;\n.reg .b64 %rd<4>;\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd0, "
              "%r0, 16;\n"
              "ld.param.u64 %rd1, [in];\nadd.s64 %rd1, %rd1, %rd0;\nld.global.v4.u32 {%r4, %r5, %r6, %r7}, "
              "[%rd1];\n"
              "mov.b32 %r1, tile;\nmad.lo.u32 %r1, %r0, 16, %r1;\nst.shared.v4.u32 [%r1], {%r4, %r5, %r6, "
              "%r7};\nbar.warp.sync "
              "0xffffffff;\nldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r8, %r9, %r10, %r11}, "
              "[%r1];\nmov.b32 %r2, turned;\n"
              "mad.lo.u32 %r2, %r0, 16, %r2;\nstmatrix.sync.aligned.m8n8.x4.shared.b16 [%r2], {%r8, %r9, "
              "%r10, %r11};\n"
              "bar.warp.sync 0xffffffff;\nld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2];\nld.param.u64 %rd1, "
              "[out];\n"
              "add.s64 %rd1, %rd1, %rd0;\nst.global.v4.u32 [%rd1], {%r4, %r5, %r6, %r7};\nret;\n}\n";
        std::vector<std::uint16_t> in(256);
        for (std::size_t i = 0; i < in.size(); ++i) {
            in[i] = static_cast<std::uint16_t>(1000 + i);
        }
        const auto outcome = KernelRun(text)
                                 .block(32)
                                 .buffer("in", in)
                                 .buffer("out", std::vector<std::uint16_t>(256, 0))
                                 .run();
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(
            outcome->end == EmulatorEnd::Completed && outcome->reports.empty(), summaryOf(*outcome).c_str());
        const auto out = contentOf<std::uint16_t>(*outcome, 1);
        for (std::size_t block = 0; block < 4; ++block) {
            for (std::size_t r = 0; r < 8; ++r) {
                for (std::size_t c = 0; c < 8; ++c) {
                    QCOMPARE(out[block * 64 + r * 8 + c], in[block * 64 + c * 8 + r]);
                }
            }
        }
    }

    void clusterExchange()
    {
        // Each CTA of two writes its rank into the other's shared memory; a multicast copy reaches both.
        const std::string text = std::string(head)
            + ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.shared .align 128 .b8 "
              "data[128];\n.shared .align 8 .b8 bar[8];\n"
              ".shared .align 4 .b8 word[4];\n.reg .b32 %r<12>;\n.reg .b64 %rd<6>;\n.reg .pred %p, %q;\n.reg "
              ".b16 %m;\n"
              "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %cluster_ctarank;\nxor.b32 %r2, %r1, 1;\nmov.b32 %r3, "
              "word;\nmov.b32 %r4, bar;\n"
              "mov.b32 %r5, data;\nmapa.shared::cluster.u32 %r6, %r3, %r2;\nsetp.eq.u32 %p, %r0, 0;\n@!%p "
              "bra READY;\n"
              "mbarrier.init.shared::cta.b64 [%r4], 1;\nfence.mbarrier_init.release.cluster;\n"
              "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 128;\nREADY:\n"
              "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n"
              "@!%p bra SENT;\nadd.u32 %r7, %r1, 100;\nst.shared::cluster.u32 [%r6], %r7;\nld.param.u64 "
              "%rd0, [in];\nmov.b16 %m, 3;\n"
              "setp.ne.u32 %q, %r1, 0;\n@%q bra SENT;\n"
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r5], "
              "[%rd0], 128, [%r4], %m;\n"
              "SENT:\nbarrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\nWAIT:\n"
              "mbarrier.try_wait.parity.shared::cta.b64 %q, [%r4], 0;\n@!%q bra WAIT;\n"
              "ld.shared.u32 %r8, [%r3];\nmad.lo.u32 %r9, %r0, 4, %r5;\nld.shared.u32 %r10, [%r9];\nadd.u32 "
              "%r10, %r10, %r8;\n"
              "ld.param.u64 %rd1, [out];\nmad.lo.u32 %r11, %r1, 32, %r0;\nmul.wide.u32 %rd2, %r11, "
              "4;\nadd.s64 %rd1, %rd1, %rd2;\n"
              "st.global.u32 [%rd1], %r10;\nret;\n}\n";
        std::vector<std::uint32_t> in(32);
        for (std::uint32_t i = 0; i < 32; ++i) {
            in[i] = i * 1000;
        }
        for (const auto policy : {AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random}) {
            const auto outcome = KernelRun(text)
                                     .grid(2)
                                     .block(32)
                                     .cluster(2)
                                     .buffer("in", in)
                                     .buffer("out", std::vector<std::uint32_t>(64, 0))
                                     .run(policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            QVERIFY2(outcome->end == EmulatorEnd::Completed && outcome->reports.empty(),
                summaryOf(*outcome).c_str());
            const auto out = contentOf<std::uint32_t>(*outcome, 1);
            for (std::uint32_t rank = 0; rank < 2; ++rank) {
                for (std::uint32_t t = 0; t < 32; ++t) {
                    QCOMPARE(out[rank * 32 + t], t * 1000 + 100 + (rank ^ 1U));
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestEmulatorMatrix)
#include "tst_emulator_matrix.moc"
