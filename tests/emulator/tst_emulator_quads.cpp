// SPDX-License-Identifier: Apache-2.0
// mma.sync m8n8k4 of f16, four products at once, against products of the matrices that the manual puts into
// the lanes (PTX ISA 9.0, fragments of m8n8k4); red.async against sums in the other CTA's shared memory.
#include "core/emulator/small_float_bits.h"
#include "tests/emulator/harness.h"

#include <QTest>

#include <array>
#include <bit>
#include <random>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

/// What lanes 4q to 4q + 3 and 16 above them multiply.
struct Product {
    std::array<std::array<int, 4>, 8> a{};
    std::array<std::array<int, 8>, 4> b{};
    std::array<std::array<int, 8>, 8> c{};

    float at(std::size_t row, std::size_t column) const
    {
        int sum = c[row][column];
        for (std::size_t k = 0; k < 4; ++k) {
            sum += a[row][k] * b[k][column];
        }
        return static_cast<float>(sum);
    }
};

std::array<Product, 4> products()
{
    std::mt19937 random(3);
    std::array<Product, 4> all{};
    const auto fill = [&](auto& rows) {
        for (auto& row : rows) {
            for (auto& value : row) {
                value = static_cast<int>(random() % 9) - 4;
            }
        }
    };
    for (auto& product : all) {
        fill(product.a);
        fill(product.b);
        fill(product.c);
    }
    return all;
}

std::uint32_t halves(int low, int high)
{
    return floatToHalf(static_cast<float>(low))
        | static_cast<std::uint32_t>(floatToHalf(static_cast<float>(high))) << 16U;
}

struct Place {
    std::size_t row;
    std::size_t column;
};

/// Of element i of C or D.
Place accumulatorPlace(std::size_t lane, std::size_t i, bool isHalf)
{
    const std::size_t upper = lane < 16 ? 0 : 4;
    return isHalf ? Place{lane % 4 + upper, i}
                  : Place{(lane & 1U) + (i & 2U) + upper, (i & 4U) + (lane & 2U) + (i & 1U)};
}

} // namespace

class TestEmulatorQuads : public QObject {
    Q_OBJECT

private slots:
    void products_data()
    {
        QTest::addColumn<QByteArray>("layouts");
        QTest::addColumn<QByteArray>("typeD");
        QTest::addColumn<QByteArray>("typeC");
        for (const char* layouts : {"row.col", "row.row", "col.col", "col.row"}) {
            for (const auto& [d, c] :
                {std::pair("f16", "f16"), std::pair("f32", "f32"), std::pair("f32", "f16")}) {
                QTest::addRow("%s %s %s", layouts, d, c)
                    << QByteArray(layouts) << QByteArray(d) << QByteArray(c);
            }
        }
    }

    void products()
    {
        QFETCH(QByteArray, layouts);
        QFETCH(QByteArray, typeD);
        QFETCH(QByteArray, typeC);
        const bool rowsA = layouts.startsWith("row");
        const bool rowsB = layouts.endsWith("row");
        const bool halfC = typeC == "f16";
        const bool halfD = typeD == "f16";
        const auto wanted = ::products();
        std::vector<std::uint32_t> input;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            const auto& p = wanted[lane % 16 / 4];
            const std::size_t upper = lane < 16 ? 0 : 4;
            const auto a = [&](std::size_t i) {
                return rowsA ? p.a[lane % 4 + upper][i] : p.a[i + upper][lane % 4];
            };
            const auto b = [&](std::size_t i) {
                return rowsB ? p.b[lane % 4][i + upper] : p.b[i][lane % 4 + upper];
            };
            const auto c = [&](std::size_t i) {
                const auto place = accumulatorPlace(lane, i, halfC);
                return p.c[place.row][place.column];
            };
            input.insert(input.end(),
                {halves(a(0), a(1)), halves(a(2), a(3)), halves(b(0), b(1)), halves(b(2), b(3))});
            for (std::size_t i = 0; i < 8; ++i) {
                input.push_back(!halfC ? std::bit_cast<std::uint32_t>(static_cast<float>(c(i)))
                        : i < 4        ? halves(c(2 * i), c(2 * i + 1))
                                       : 0U);
            }
        }
        const std::string four = "0, %x1, %x2, %x3}";
        const std::string eight = "0, %x1, %x2, %x3, %x4, %x5, %x6, %x7}";
        const auto vector = [&](char name, bool isHalf) {
            std::string text = std::string("{%x") + (isHalf ? four : eight);
            for (auto& character : text) {
                character = character == 'x' ? name : character;
            }
            return text;
        };
        const auto outcome = KernelRun(
            ".version 8.0\n.target sm_90a\n.address_size 64\n"
            ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %t, %a<2>, %b<2>, %c<8>, "
            "%d<8>;\n"
            ".reg .b64 %p, %o;\nmov.u32 %t, %tid.x;\nmul.wide.u32 %o, %t, 48;\nld.param.u64 %p, [in];\n"
            "add.u64 %p, %p, %o;\nld.global.v4.b32 {%a0, %a1, %b0, %b1}, [%p];\n"
            "ld.global.v4.b32 {%c0, %c1, %c2, %c3}, [%p+16];\nld.global.v4.b32 {%c4, %c5, %c6, %c7}, "
            "[%p+32];\n"
            "mov.b32 %d4, 0;\nmov.b32 %d5, 0;\nmov.b32 %d6, 0;\nmov.b32 %d7, 0;\n"
            "mma.sync.aligned.m8n8k4."
            + layouts.toStdString() + "." + typeD.toStdString() + ".f16.f16." + typeC.toStdString() + " "
            + vector('d', halfD) + ", {%a0, %a1}, {%b0, %b1}, " + vector('c', halfC)
            + ";\nmul.wide.u32 %o, %t, 32;\nld.param.u64 %p, [out];\nadd.u64 %p, %p, %o;\n"
              "st.global.v4.b32 [%p], {%d0, %d1, %d2, %d3};\nst.global.v4.b32 [%p+16], {%d4, %d5, %d6, "
              "%d7};\n"
              "ret;\n}\n")
                                 .block(32)
                                 .buffer("in", input)
                                 .buffer("out", std::vector<std::uint32_t>(256))
                                 .run();
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(
            outcome->end == EmulatorEnd::Completed && outcome->reports.empty(), summaryOf(*outcome).c_str());
        const auto got = contentOf<std::uint32_t>(*outcome, 1);
        for (std::size_t lane = 0; lane < 32; ++lane) {
            for (std::size_t i = 0; i < 8; ++i) {
                const auto place = accumulatorPlace(lane, i, halfD);
                const auto word = got[lane * 8 + (halfD ? i / 2 : i)];
                const float value = halfD ? halfToFloat(static_cast<std::uint16_t>(word >> (16 * (i % 2))))
                                          : std::bit_cast<float>(word);
                QCOMPARE(value, wanted[lane % 16 / 4].at(place.row, place.column));
            }
        }
    }

    /// Every thread of both CTAs adds to a word of the other CTA, which waits for the bytes.
    void reductionsInTheOtherCta_data()
    {
        QTest::addColumn<QByteArray>("operation");
        QTest::addColumn<std::uint32_t>("result");
        QTest::newRow("add") << QByteArray("add.u32") << std::uint32_t{5 + 31 * 32 / 2};
        QTest::newRow("max") << QByteArray("max.u32") << std::uint32_t{31};
        QTest::newRow("min") << QByteArray("min.s32") << std::uint32_t{0};
        QTest::newRow("or") << QByteArray("or.b32") << std::uint32_t{31};
        QTest::newRow("inc") << QByteArray("inc.u32") << std::uint32_t{0};
    }

    void reductionsInTheOtherCta()
    {
        QFETCH(QByteArray, operation);
        QFETCH(std::uint32_t, result);
        const bool counts = operation.startsWith("inc"); // up to the value, then 0 again
        const std::string text =
            ".version 8.1\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
            ".reg .b32 %r<10>;\n.reg .b64 %rd<3>;\n.reg .pred %p, %q;\n.shared .align 8 .b64 bar;\n"
            ".shared .align 4 .b32 word;\nmov.u32 %r0, %tid.x;\nsetp.eq.u32 %p, %r0, 0;\nmov.b32 %r1, bar;\n"
            "mov.b32 %r2, word;\nmov.u32 %r3, %cluster_ctarank;\nxor.b32 %r4, %r3, 1;\nmov.b32 %r5, 5;\n"
            "@!%p bra READY;\nst.shared.u32 [word], %r5;\nmbarrier.init.shared::cta.b64 [bar], 1;\n"
            "fence.mbarrier_init.release.cluster;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], "
            "128;\nREADY:\n"
            "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
            "mapa.shared::cluster.u32 %r6, %r2, %r4;\nmapa.shared::cluster.u32 %r7, %r1, %r4;\n"
            + std::string(counts ? "mov.b32 %r0, 36;\n" : "")
            + "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
            + operation.toStdString()
            + " [%r6], %r0, [%r7];\nWAIT:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q, "
              "[bar], 0;\n"
              "@!%q bra WAIT;\nld.shared.u32 %r8, [word];\nbarrier.cluster.arrive.aligned;\n"
              "barrier.cluster.wait.aligned;\nld.param.u64 %rd0, [out];\nmul.wide.u32 %rd1, %r3, 4;\n"
              "add.u64 %rd0, %rd0, %rd1;\n@%p st.global.u32 [%rd0], %r8;\nret;\n}\n";
        for (const auto policy : {AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random}) {
            const auto outcome = KernelRun(text)
                                     .grid(2)
                                     .cluster(2)
                                     .block(32)
                                     .buffer("out", std::vector<std::uint32_t>(2, 77))
                                     .run(policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            QVERIFY2(outcome->end == EmulatorEnd::Completed && outcome->reports.empty(),
                summaryOf(*outcome).c_str());
            QCOMPARE(contentOf<std::uint32_t>(*outcome, 0), (std::vector<std::uint32_t>(2, result)));
        }
    }
};

QTEST_APPLESS_MAIN(TestEmulatorQuads)
#include "tst_emulator_quads.moc"
