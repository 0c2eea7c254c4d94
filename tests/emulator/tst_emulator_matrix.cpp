// SPDX-License-Identifier: Apache-2.0
// wgmma, mma.sync, ldmatrix / stmatrix, TMA and clusters against plain references from the documented
// layouts.
#include "core/bench/tensor.h"
#include "tests/emulator/harness.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <random>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

constexpr const char* head = ".version 8.0\n.target sm_90a\n.address_size 64\n";

struct ElementType {
    const char* name;
    Dtype dtype;
    int bits;
};
constexpr ElementType bf16{"bf16", Dtype::Bfloat16, 16};
constexpr ElementType f16{"f16", Dtype::Float16, 16};
constexpr ElementType tf32{"tf32", Dtype::Float32, 32};
constexpr ElementType e4m3{"e4m3", Dtype::Float8E4m3, 8};
constexpr ElementType e5m2{"e5m2", Dtype::Float8E5m2, 8};
constexpr ElementType s8{"s8", Dtype::Int8, 8};

/// Small values that every type holds exactly.
double smallValue(std::mt19937& random)
{
    return static_cast<double>(static_cast<int>(random() % 9U)) - 4.0;
}

std::uint32_t bytesOf(const ElementType& type)
{
    return static_cast<std::uint32_t>(type.bits) / 8;
}

void put(std::vector<std::byte>& image, std::size_t at, const ElementType& type, double value)
{
    fromDouble(type.dtype, value, image.data() + at);
}

/// Byte offset of element (r, k) of a K-major operand as a TMA box of `span` bytes per row leaves it: rows of
/// span bytes, pieces of 16 bytes exchanged by the row (8 rows for 128 bytes, every second for 64, every
/// fourth for 32).
std::uint32_t kMajor(std::uint32_t r, std::uint32_t kBytes, std::uint32_t span)
{
    if (span == 0) { // 8 x 16-byte core matrices, one after the other: first along K, then along rows
        return (r / 8) * 256 + (kBytes / 16) * 128 + (r % 8) * 16 + kBytes % 16;
    }
    const std::uint32_t exchange = span == 128 ? r % 8 : span == 64 ? r / 2 % 4 : r / 4 % 2;
    return r * span + ((kBytes / 16) ^ exchange) * 16 + kBytes % 16;
}

/// The same for an MN-major operand of 16-bit elements: `span` bytes along M or N in a row, one row per k;
/// blocks of 8 k.
std::uint32_t mnMajor(std::uint32_t m, std::uint32_t k, std::uint32_t span, std::uint32_t extent)
{
    const std::uint32_t mBytes = m * 2;
    if (span == 0) { // core matrices of 8 k x 8 m, along m first
        return (k / 8) * (extent / 8) * 128 + (mBytes / 16) * 128 + (k % 8) * 16 + mBytes % 16;
    }
    const std::uint32_t exchange = span == 128 ? k % 8 : span == 64 ? k / 2 % 4 : k / 4 % 2;
    const std::uint32_t block = mBytes / span; // blocks of all 16 k, one behind the other
    return block * 16 * span + k * span + ((mBytes % span / 16) ^ exchange) * 16 + mBytes % 16;
}

std::uint64_t descriptorConstant(std::uint32_t leading, std::uint32_t stride, std::uint32_t span)
{
    const std::uint64_t mode = span == 128 ? 1 : span == 64 ? 2 : span == 32 ? 3 : 0;
    return std::uint64_t{leading >> 4U} << 16U | std::uint64_t{stride >> 4U} << 32U | mode << 62U;
}

struct WgmmaCase {
    const char* name;
    ElementType type;
    std::uint32_t n;
    std::uint32_t span;
    bool mnA;
    bool mnB;
    bool registersA;
    bool halfD;
    bool negateB;
};

std::string registerList(const char* prefix, std::uint32_t count)
{
    std::string list = "{";
    for (std::uint32_t i = 0; i < count; ++i) {
        list += (i == 0 ? "%" : ", %") + std::string(prefix) + std::to_string(i);
    }
    return list + "}";
}

std::string wgmmaKernel(const WgmmaCase& c, std::uint32_t k, std::uint64_t descA, std::uint64_t descB)
{
    const std::uint32_t registers = c.halfD ? c.n / 4 : c.n / 2;
    const bool integer = c.type.dtype == Dtype::Int8;
    std::string text = std::string(head)
        + ".extern .shared .align 1024 .b8 tile[];\n"
          ".visible .entry k(.param .u64 image, .param .u64 fragment, .param .u64 out)\n{\n.reg .b32 %r<16>, "
          "%a<4>, %acc<128>;\n"
          ".reg .b64 %rd<16>;\n.reg .pred %p;\n"
          "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [image];\nmov.b32 %r1, tile;\nadd.u32 %r1, %r1, 1023;\n"
          "and.b32 %r1, %r1, 0xfffffc00;\nmov.b32 %r2, %r0;\n"
          "COPY:\nmul.wide.u32 %rd1, %r2, 4;\nadd.s64 %rd1, %rd1, %rd0;\nld.global.u32 %r3, [%rd1];\n"
          "mad.lo.u32 %r4, %r2, 4, %r1;\nst.shared.u32 [%r4], %r3;\nadd.u32 %r2, %r2, 128;\nsetp.lt.u32 %p, "
          "%r2, 12288;\n"
          "@%p bra COPY;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
          "ld.param.u64 %rd2, [fragment];\nmul.wide.u32 %rd3, %r0, 16;\nadd.s64 %rd2, %rd2, %rd3;\n"
          "ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%rd2];\n"
          "shr.u32 %r5, %r1, 4;\nand.b32 %r5, %r5, 0x3fff;\ncvt.u64.u32 %rd4, %r5;\nadd.s64 %rd5, %rd4, "
          "1024;\n";
    text += "or.b64 %rd6, %rd4, " + std::to_string(descA) + ";\nor.b64 %rd7, %rd5, " + std::to_string(descB)
        + ";\n";
    for (std::uint32_t i = 0; i < registers; ++i) {
        text += "mov.b32 %acc" + std::to_string(i) + ", 0;\n";
    }
    text += "setp.eq.u32 %p, 0, 0;\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n"
        + std::to_string(c.n) + "k" + std::to_string(k) + (integer ? ".s32." : (c.halfD ? ".f16." : ".f32."))
        + c.type.name + "." + c.type.name + " " + registerList("acc", registers) + ", "
        + (c.registersA ? registerList("a", 4) : std::string("%rd6")) + ", %rd7, %p"
        + (integer ? "" : std::string(", 1, ") + (c.negateB ? "-1" : "1"));
    if (c.type.bits == 16) {
        text += (c.registersA ? "" : std::string(", ") + (c.mnA ? "1" : "0")) + ", " + (c.mnB ? "1" : "0");
    }
    text +=
        ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nld.param.u64 %rd8, [out];\n"
        "mul.wide.u32 %rd9, %r0, 4;\nadd.s64 %rd8, %rd8, %rd9;\n";
    for (std::uint32_t i = 0; i < registers; ++i) {
        text += "st.global.b32 [%rd8+" + std::to_string(i * 512) + "], %acc" + std::to_string(i) + ";\n";
    }
    return text + "ret;\n}\n";
}

const std::vector<WgmmaCase>& wgmmaCases()
{
    static const std::vector<WgmmaCase> all = [] {
        static std::vector<std::string> names;
        std::vector<WgmmaCase> cases;
        names.reserve(64);
        for (const std::uint32_t span : {0U, 32U, 64U, 128U}) {
            for (const bool mnA : {false, true}) {
                for (const bool mnB : {false, true}) {
                    names.push_back("bf16 swizzle " + std::to_string(span) + (mnA ? " A by M" : " A by K")
                        + (mnB ? " B by N" : " B by K"));
                    cases.push_back({names.back().c_str(), bf16, 64, span, mnA, mnB, false, false, false});
                }
            }
        }
        cases.push_back({"bf16 n256", bf16, 256, 128, false, false, false, false, false});
        cases.push_back({"bf16 n8", bf16, 8, 128, false, false, false, false, false});
        cases.push_back({"A from registers", bf16, 128, 128, false, false, true, false, false});
        cases.push_back({"A from registers, B by N", f16, 64, 128, false, true, true, false, false});
        cases.push_back({"f16 sums", f16, 64, 64, false, false, false, true, false});
        cases.push_back({"minus B", f16, 64, 128, false, false, false, false, true});
        cases.push_back({"tf32", tf32, 64, 128, false, false, false, false, false});
        cases.push_back({"e4m3", e4m3, 64, 128, false, false, false, false, false});
        cases.push_back({"e5m2", e5m2, 32, 64, false, false, false, false, false});
        cases.push_back({"s8", s8, 64, 128, false, false, false, false, false});
        return cases;
    }();
    return all;
}

std::uint32_t wordOf(const ElementType& type, const std::vector<double>& values)
{
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
        fromDouble(type.dtype, values[j], reinterpret_cast<std::byte*>(&word) + j * bytesOf(type));
    }
    return word;
}

} // namespace

class TestEmulatorMatrix : public QObject {
    Q_OBJECT

private slots:
    void wgmma_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < wgmmaCases().size(); ++i) {
            QTest::newRow(wgmmaCases()[i].name) << static_cast<int>(i);
        }
    }

    void wgmma()
    {
        QFETCH(int, index);
        const auto& c = wgmmaCases()[static_cast<std::size_t>(index)];
        const std::uint32_t k = 256U / static_cast<std::uint32_t>(c.type.bits);
        std::mt19937 random(7);
        std::vector<double> a(std::size_t{64} * k);
        std::vector<double> b(std::size_t{c.n} * k);
        for (auto* matrix : {&a, &b}) {
            for (auto& x : *matrix) {
                x = smallValue(random);
            }
        }
        std::vector<std::byte> image(49152, std::byte{0});
        const auto place = [&](const std::vector<double>& m, std::uint32_t rows, bool mn, std::size_t from) {
            for (std::uint32_t r = 0; r < rows; ++r) {
                for (std::uint32_t kk = 0; kk < k; ++kk) {
                    const auto at =
                        mn ? mnMajor(r, kk, c.span, rows) : kMajor(r, kk * bytesOf(c.type), c.span);
                    put(image, from + at, c.type, m[r * k + kk]);
                }
            }
        };
        place(a, 64, c.mnA, 0);
        place(b, c.n, c.mnB, 16384);
        const auto constants = [&](bool mn, std::uint32_t rows) {
            if (!mn) {
                return c.span == 0 ? descriptorConstant(128, 256, 0)
                                   : descriptorConstant(16, 8 * c.span, c.span);
            }
            return c.span == 0 ? descriptorConstant(rows / 8 * 128, 128, 0)
                               : descriptorConstant(16 * c.span, 8 * c.span, c.span);
        };
        // Registers of A by the documented fragment: row l/4 (+8), columns in pairs (+8).
        std::vector<std::uint32_t> fragment(512, 0);
        for (std::uint32_t t = 0; c.registersA && t < 128; ++t) {
            for (std::uint32_t reg = 0; reg < 4; ++reg) {
                const std::uint32_t row = 16 * (t / 32) + t % 32 / 4 + (reg % 2 == 1 ? 8 : 0);
                const std::uint32_t column = 2 * (t % 4) + (reg / 2 == 1 ? 8 : 0);
                fragment[t * 4 + reg] = wordOf(c.type, {a[row * k + column], a[row * k + column + 1]});
            }
        }
        const std::uint32_t registers = c.halfD ? c.n / 4 : c.n / 2;
        for (const auto policy : {AsyncPolicy::Early, AsyncPolicy::Late}) {
            const auto outcome =
                KernelRun(wgmmaKernel(c, k, constants(c.mnA, 64), constants(c.mnB, c.n)))
                    .block(128)
                    .shared(49152 + 1024)
                    .buffer("image", image)
                    .buffer("fragment", fragment)
                    .buffer("out", std::vector<std::uint32_t>(std::size_t{128} * registers, 0))
                    .run(policy);
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            QVERIFY2(outcome->end == EmulatorEnd::Completed && outcome->reports.empty(),
                summaryOf(*outcome).c_str());
            const auto got = contentOf<std::uint32_t>(*outcome, 2);
            for (std::uint32_t t = 0; t < 128; ++t) {
                for (std::uint32_t i = 0; i < c.n / 2; ++i) {
                    const std::uint32_t row = 16 * (t / 32) + t % 32 / 4 + 8 * (i / 2 % 2);
                    const std::uint32_t column = 8 * (i / 4) + 2 * (t % 4) + i % 2;
                    double expected = 0;
                    for (std::uint32_t kk = 0; kk < k; ++kk) {
                        expected += a[row * k + kk] * b[column * k + kk];
                    }
                    expected = c.negateB ? -expected : expected;
                    double value = 0;
                    if (c.halfD) {
                        value = static_cast<double>(fromFloat16(
                            static_cast<std::uint16_t>(got[(i / 2) * 128 + t] >> (16 * (i % 2)))));
                    } else if (c.type.dtype == Dtype::Int8) {
                        value = static_cast<std::int32_t>(got[i * 128 + t]);
                    } else {
                        value = static_cast<double>(std::bit_cast<float>(got[i * 128 + t]));
                    }
                    QCOMPARE(value, expected); // small integers: exact in every type
                }
            }
        }
    }

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
            QTest::addRow("swizzle %d over the left and upper edge", span) << span << -5 << -3;
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
