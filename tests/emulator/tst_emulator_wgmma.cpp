// SPDX-License-Identifier: Apache-2.0
// wgmma of every type and layout against a plain product from the documented layouts.
#include "tests/emulator/harness.h"
#include "tests/emulator/matrix_values.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <random>

using namespace ptxwb;
using namespace ptxwb::emulator;
using namespace ptxwb::emulator::matrix_values;

namespace {

void put(std::vector<std::byte>& image, std::size_t at, const ElementType& type, double value)
{
    fromDouble(type.dtype, value, image.data() + at);
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

} // namespace

class TestEmulatorWgmma : public QObject {
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
};

QTEST_APPLESS_MAIN(TestEmulatorWgmma)
#include "tst_emulator_wgmma.moc"
