// SPDX-License-Identifier: Apache-2.0
// Lane operations against the host, on random values and on edges, with and without the fast instruction set.
#include "core/emulator/lane_form.h"
#include "core/emulator/small_float_bits.h"
#include "tests/emulator/harness.h"
#include "tests/emulator/lane_cases.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

float f(std::uint32_t bits)
{
    return std::bit_cast<float>(bits);
}
std::uint32_t b(float value)
{
    return value != value ? 0x7FFFFFFFU : std::bit_cast<std::uint32_t>(value);
}

std::int32_t s(std::uint32_t x)
{
    return static_cast<std::int32_t>(x);
}
std::uint32_t u(std::int64_t x)
{
    return static_cast<std::uint32_t>(x);
}

std::uint32_t halfOf(double exact)
{
    // Correctly rounded to binary16 by searching the neighbours.
    if (std::isnan(exact)) {
        return 0x7FFF;
    }
    std::uint16_t best = 0;
    double distance = HUGE_VAL;
    for (std::uint32_t h = 0; h < 0x7C00; ++h) {
        const double d =
            std::fabs(std::fabs(exact) - static_cast<double>(halfToFloat(static_cast<std::uint16_t>(h))));
        if (d < distance || (d == distance && (h & 1U) == 0)) {
            distance = d;
            best = static_cast<std::uint16_t>(h);
        }
    }
    if (std::fabs(exact) >= 65520) {
        best = 0x7C00;
    }
    return best | (std::signbit(exact) ? 0x8000U : 0U);
}

const std::vector<Case>& cases()
{
    static const std::vector<Case> all{
        {"add.u32", "add.u32 %d, %a, %b;", [](auto x, auto y, auto) { return x + y; }},
        {"sub.s32", "sub.s32 %d, %a, %b;", [](auto x, auto y, auto) { return x - y; }},
        {"add.sat.s32", "add.sat.s32 %d, %a, %b;",
            [](auto x, auto y, auto) {
                return u(std::min<std::int64_t>(
                    std::max<std::int64_t>(std::int64_t{s(x)} + s(y), INT32_MIN), INT32_MAX));
            }},
        {"mul.lo.u32", "mul.lo.u32 %d, %a, %b;", [](auto x, auto y, auto) { return x * y; }},
        {"mul.hi.u32", "mul.hi.u32 %d, %a, %b;",
            [](auto x, auto y, auto) { return static_cast<std::uint32_t>(std::uint64_t{x} * y >> 32U); }},
        {"mul.hi.s32", "mul.hi.s32 %d, %a, %b;",
            [](auto x, auto y, auto) { return u(std::int64_t{s(x)} * s(y) >> 32); }},
        {"mad.lo.s32", "mad.lo.s32 %d, %a, %b, %c;", [](auto x, auto y, auto z) { return x * y + z; }},
        {"mul.wide.s32", "mul.wide.s32 %wd, %a, %b;\nshr.s64 %wd, %wd, 17;\ncvt.u32.u64 %d, %wd;",
            [](auto x, auto y, auto) { return u((std::int64_t{s(x)} * s(y)) >> 17); }},
        {"div.s32", "or.b32 %b, %b, 1;\ndiv.s32 %d, %a, %b;",
            [](auto x, auto y, auto) { return u(std::int64_t{s(x)} / s(y | 1U)); }},
        {"rem.u32", "or.b32 %b, %b, 1;\nrem.u32 %d, %a, %b;",
            [](auto x, auto y, auto) { return x % (y | 1U); }},
        {"min.s32", "min.s32 %d, %a, %b;", [](auto x, auto y, auto) { return u(std::min(s(x), s(y))); }},
        {"max.u32", "max.u32 %d, %a, %b;", [](auto x, auto y, auto) { return std::max(x, y); }},
        {"abs.s32", "abs.s32 %d, %a;", [](auto x, auto, auto) { return s(x) < 0 ? 0U - x : x; }},
        {"shl.b32", "shl.b32 %d, %a, %b;", [](auto x, auto y, auto) { return y > 31 ? 0U : x << y; }},
        {"shr.s32", "shr.s32 %d, %a, %b;", [](auto x, auto y, auto) { return u(s(x) >> std::min(y, 31U)); }},
        {"popc", "popc.b32 %d, %a;",
            [](auto x, auto, auto) { return static_cast<std::uint32_t>(std::popcount(x)); }},
        {"clz", "clz.b32 %d, %a;",
            [](auto x, auto, auto) { return static_cast<std::uint32_t>(std::countl_zero(x)); }},
        {"bfind.u32", "bfind.u32 %d, %a;",
            [](auto x, auto, auto) {
                return x == 0 ? 0xFFFFFFFFU : 31U - static_cast<std::uint32_t>(std::countl_zero(x));
            }},
        {"brev", "brev.b32 %d, %a;",
            [](auto x, auto, auto) {
                std::uint32_t r = 0;
                for (unsigned i = 0; i < 32; ++i) {
                    r |= (x >> i & 1U) << (31 - i);
                }
                return r;
            }},
        {"bfe.s32", "and.b32 %b, %b, 63;\nand.b32 %c, %c, 63;\nbfe.s32 %d, %a, %b, %c;",
            [](auto x, auto y, auto z) {
                const std::uint32_t pos = y & 63U;
                const std::uint32_t len = z & 63U;
                const std::uint32_t last = std::min(pos + len - 1, 31U);
                const std::uint32_t sign = len == 0 ? 0U : x >> last & 1U;
                std::uint32_t r = 0;
                for (std::uint32_t i = 0; i < 32; ++i) {
                    r |= (i < len && pos + i <= 31 ? x >> (pos + i) & 1U : sign) << i;
                }
                return r;
            }},
        {"bfi", "and.b32 %t, %c, 31;\nbfi.b32 %d, %a, %b, %t, 7;",
            [](auto x, auto y, auto z) {
                std::uint32_t r = y;
                for (std::uint32_t i = 0; i < 7 && (z & 31U) + i < 32; ++i) {
                    const std::uint32_t at = (z & 31U) + i;
                    r = (r & ~(1U << at)) | (x >> i & 1U) << at;
                }
                return r;
            }},
        {"prmt", "prmt.b32 %d, %a, %b, %c;",
            [](auto x, auto y, auto z) {
                const std::uint64_t both = std::uint64_t{y} << 32U | x;
                std::uint32_t r = 0;
                for (unsigned i = 0; i < 4; ++i) {
                    const std::uint32_t sel = z >> (4 * i) & 15U;
                    auto byte = static_cast<std::uint32_t>(both >> (8 * (sel & 7U)) & 0xFFU);
                    byte = (sel & 8U) != 0 ? ((byte & 0x80U) != 0 ? 0xFFU : 0U) : byte;
                    r |= byte << (8 * i);
                }
                return r;
            }},
        {"lop3", "lop3.b32 %d, %a, %b, %c, 0xE8;",
            [](auto x, auto y, auto z) { return (x & y) | (x & z) | (y & z); }},
        {"shf.l.wrap", "shf.l.wrap.b32 %d, %a, %b, %c;",
            [](auto x, auto y, auto z) {
                return static_cast<std::uint32_t>((std::uint64_t{y} << 32U | x) << (z & 31U) >> 32U);
            }},
        {"setp and selp", "setp.lt.s32 %q, %a, %b;\nselp.b32 %d, %b, %c, %q;",
            [](auto x, auto y, auto z) { return s(x) < s(y) ? y : z; }},
        {"guards and branches",
            "setp.gt.u32 %q, %a, %b;\nmov.b32 %d, 5;\n@%q bra L1;\nadd.u32 %d, %d, %c;\nbra "
            "L2;\nL1:\nsub.u32 %d, "
            "%c, %d;\nL2:\n@!%q xor.b32 %d, %d, %a;",
            [](auto x, auto y, auto z) { return x > y ? z - 5U : (z + 5U) ^ x; }},
        {"add.f32", "add.f32 %d, %a, %b;", [](auto x, auto y, auto) { return b(f(x) + f(y)); }},
        {"mul.ftz.f32", "mul.ftz.f32 %d, %a, %b;",
            [](auto x, auto y, auto) {
                const auto flush = [](float v) {
                    return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0F, v) : v;
                };
                return b(flush(flush(f(x)) * flush(f(y))));
            }},
        {"fma.rn.f32", "fma.rn.f32 %d, %a, %b, %c;",
            [](auto x, auto y, auto z) { return b(std::fma(f(x), f(y), f(z))); }},
        {"add.sat.f32", "add.sat.f32 %d, %a, %b;",
            [](auto x, auto y, auto) {
                const float r = f(x) + f(y);
                return b(r > 0 ? std::min(r, 1.0F) : 0.0F);
            }},
        {"div.rn.f32", "div.rn.f32 %d, %a, %b;", [](auto x, auto y, auto) { return b(f(x) / f(y)); }},
        {"sqrt.rn.f32", "sqrt.rn.f32 %d, %a;", [](auto x, auto, auto) { return b(std::sqrt(f(x))); }},
        {"min.f32", "min.f32 %d, %a, %b;",
            [](auto x, auto y, auto) {
                if (std::isnan(f(x)) || std::isnan(f(y))) {
                    return std::isnan(f(x)) ? (std::isnan(f(y)) ? 0x7FFFFFFFU : y) : x;
                }
                return f(x) == f(y) ? x | y : (f(x) < f(y) ? x : y);
            }},
        {"max.NaN.f32", "max.NaN.f32 %d, %a, %b;",
            [](auto x, auto y, auto) {
                if (std::isnan(f(x)) || std::isnan(f(y))) {
                    return 0x7FFFFFFFU;
                }
                return f(x) == f(y) ? x & y : (f(x) > f(y) ? x : y);
            }},
        {"add.rz.f32", "add.rz.f32 %d, %a, %b;",
            [](auto x, auto y, auto) {
                const auto p = static_cast<double>(f(x));
                const auto q = static_cast<double>(f(y));
                const double sum = p + q;
                const double part = sum - p;
                const double error = (p - (sum - part)) + (q - part); // sum + error is exact
                float r = f(x) + f(y);
                const double rounding = sum - static_cast<double>(r);
                const double lack = rounding != 0 ? rounding : (std::isfinite(sum) ? error : 0);
                if (std::isinf(r) && std::isfinite(f(x)) && std::isfinite(f(y))) {
                    return b(std::copysign(std::numeric_limits<float>::max(), r));
                }
                if (std::isfinite(r) && lack != 0 && (lack > 0) != (r > 0) && r != 0) {
                    r = std::nextafter(r, 0.0F);
                }
                return b(r);
            }},
        {"cvt.rzi.s32.f32", "cvt.rzi.s32.f32 %d, %a;",
            [](auto x, auto, auto) {
                const double v = std::trunc(static_cast<double>(f(x)));
                return std::isnan(v)
                    ? 0U
                    : u(static_cast<std::int64_t>(std::min(std::max(v, -2147483648.0), 2147483647.0)));
            }},
        {"cvt.rni.u32.f32", "cvt.rni.u32.f32 %d, %a;",
            [](auto x, auto, auto) {
                const double v = std::nearbyint(static_cast<double>(f(x)));
                return std::isnan(v) ? 0U
                                     : static_cast<std::uint32_t>(std::min(std::max(v, 0.0), 4294967295.0));
            }},
        {"cvt.rn.f32.s32", "cvt.rn.f32.s32 %d, %a;",
            [](auto x, auto, auto) { return b(static_cast<float>(s(x))); }},
        {"cvt.rz.f32.u32", "cvt.rz.f32.u32 %d, %a;",
            [](auto x, auto, auto) {
                float r = static_cast<float>(x);
                return b(static_cast<double>(r) > static_cast<double>(x) ? std::nextafter(r, 0.0F) : r);
            }},
        {"cvt.sat.u8.s32", "cvt.sat.u8.s32 %d, %a;",
            [](auto x, auto, auto) { return static_cast<std::uint32_t>(std::min(std::max(s(x), 0), 255)); }},
        {"cvt.s8.s32 fills the register", "cvt.s8.s32 %d, %a;",
            [](auto x, auto, auto) { return u(static_cast<std::int8_t>(x)); }},
        {"cvt.rn.bf16x2.f32", "cvt.rn.bf16x2.f32 %d, %a, %b;",
            [](auto x, auto y, auto) {
                const auto one = [](std::uint32_t v) {
                    return std::isnan(f(v)) ? 0x7FFFU : (v + 0x7FFFU + (v >> 16U & 1U)) >> 16U;
                };
                return one(x) << 16U | one(y);
            }},
        {"cvt.rn.f16.f32", "cvt.rn.f16.f32 %hd, %a;\ncvt.u32.u16 %d, %hd;",
            [](auto x, auto, auto) { return halfOf(static_cast<double>(f(x))); }},
        {"cvt.f32.f16", "cvt.u16.u32 %ha, %a;\ncvt.f32.f16 %d, %ha;",
            [](auto x, auto, auto) {
                const std::uint32_t e = x >> 10U & 31U;
                const std::uint32_t m = x & 1023U;
                const double sign = (x & 0x8000U) != 0 ? -1 : 1;
                const double v = e == 31 ? (m != 0 ? NAN : HUGE_VAL)
                    : e == 0             ? std::ldexp(m, -24)
                                         : std::ldexp(1024 + m, static_cast<int>(e) - 25);
                return b(static_cast<float>(sign * v));
            }},
        {"fma.rn.f16",
            "cvt.u16.u32 %ha, %a;\ncvt.u16.u32 %hb, %b;\ncvt.u16.u32 %hd, %c;\nfma.rn.f16 %hd, %ha, %hb, "
            "%hd;\ncvt.u32.u16 "
            "%d, %hd;",
            [](auto x, auto y, auto z) {
                const auto wide = [](std::uint32_t v) {
                    return static_cast<long double>(halfToFloat(static_cast<std::uint16_t>(v)));
                };
                // 64 bits hold the exact sum unless the exponents are far apart: then the small one only
                // breaks ties.
                return halfOf(static_cast<double>(wide(x) * wide(y) + wide(z)));
            }},
        {"add.rn.bf16x2", "add.rn.bf16x2 %d, %a, %b;",
            [](auto x, auto y, auto) {
                const auto one = [](std::uint32_t v, std::uint32_t w) {
                    const float sum = f(v << 16U) + f(w << 16U);
                    const auto bits = std::bit_cast<std::uint32_t>(sum);
                    return std::isnan(sum) ? 0x7FFFU : (bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U;
                };
                return one(x & 0xFFFFU, y & 0xFFFFU) | one(x >> 16U, y >> 16U) << 16U;
            }},
        {"add.cc and addc", "cvt.u64.u32 %wa, %a;\nadd.cc.u32 %t, %a, %b;\naddc.u32 %d, %b, %c;",
            [](auto x, auto y, auto z) { return y + z + (std::uint64_t{x} + y > 0xFFFFFFFFU ? 1U : 0U); }},
        {"mov pack and unpack",
            "mov.b64 %wa, {%a, %b};\nshr.u64 %wa, %wa, 16;\nmov.b64 {%t, %d}, %wa;\nxor.b32 %d, %d, %t;",
            [](auto x, auto y, auto) {
                const std::uint64_t w = (std::uint64_t{y} << 32U | x) >> 16U;
                return static_cast<std::uint32_t>(w >> 32U) ^ static_cast<std::uint32_t>(w);
            }},
        {"fma.rn.f64",
            "cvt.rn.f64.s32 %fa, %a;\ncvt.rn.f64.s32 %fb, %b;\nfma.rn.f64 %fd, %fa, %fb, "
            "%fa;\ncvt.rn.f32.f64 %d, %fd;",
            [](auto x, auto y, auto) {
                return b(static_cast<float>(std::fma(
                    static_cast<double>(s(x)), static_cast<double>(s(y)), static_cast<double>(s(x)))));
            }},
    };
    return all;
}

} // namespace

class TestEmulatorScalar : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { usePortableLanes(false); }

    void operations_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<bool>("portable");
        for (std::size_t i = 0; i < cases().size(); ++i) {
            for (const bool portable : {false, true}) {
                QTest::addRow("%s%s", cases()[i].name, portable ? " portable" : "")
                    << static_cast<int>(i) << portable;
            }
        }
    }

    void operations()
    {
        QFETCH(int, index);
        QFETCH(bool, portable);
        usePortableLanes(portable);
        const auto wrong = wrongIn(cases()[static_cast<std::size_t>(index)]);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void warpExchange()
    {
        // Butterfly sum, ballot, match and redux over lanes with partial last block.
        const std::string body =
            "and.b32 %t, %a, 0xff;\nmov.b32 %d, %t;\n"
            "shfl.sync.bfly.b32 %b, %d, 16, 31, 0xffffffff;\nadd.u32 %d, %d, %b;\n"
            "shfl.sync.bfly.b32 %b, %d, 8, 31, 0xffffffff;\nadd.u32 %d, %d, %b;\n"
            "shfl.sync.bfly.b32 %b, %d, 4, 31, 0xffffffff;\nadd.u32 %d, %d, %b;\n"
            "shfl.sync.bfly.b32 %b, %d, 2, 31, 0xffffffff;\nadd.u32 %d, %d, %b;\n"
            "shfl.sync.bfly.b32 %b, %d, 1, 31, 0xffffffff;\nadd.u32 %d, %d, %b;\n"
            "redux.sync.add.u32 %c, %t, 0xffffffff;\nsub.u32 %c, %c, %d;\n"
            "setp.gt.u32 %q, %t, 100;\nvote.sync.ballot.b32 %b, %q, 0xffffffff;\npopc.b32 %b, %b;\n"
            "shl.b32 %b, %b, 16;\nor.b32 %d, %d, %b;\nadd.u32 %d, %d, %c;";
        const auto x = words(5);
        const auto outcome = KernelRun(kernelOf(body))
                                 .grid(count / 64)
                                 .block(64)
                                 .buffer("x", x)
                                 .buffer("y", x)
                                 .buffer("z", x)
                                 .buffer("out", std::vector<std::uint32_t>(count, 0))
                                 .run();
        QVERIFY(outcome);
        QVERIFY2(
            outcome->end == EmulatorEnd::Completed && outcome->reports.empty(), summaryOf(*outcome).c_str());
        const auto got = contentOf<std::uint32_t>(*outcome, 3);
        for (std::size_t w = 0; w < count; w += 32) {
            std::uint32_t sum = 0;
            std::uint32_t above = 0;
            for (std::size_t l = 0; l < 32; ++l) {
                sum += x[w + l] & 0xFFU;
                above += (x[w + l] & 0xFFU) > 100 ? 1U : 0U;
            }
            for (std::size_t l = 0; l < 32; ++l) {
                QCOMPARE(got[w + l], sum | above << 16U);
            }
        }
    }

    // Inlined asm repeats its labels: a branch means that of the innermost block, a table those around it.
    void labelsOfBlocks()
    {
        const auto count = [](const std::string& step) {
            return "{\n.reg .pred P1;\nWAIT:\nadd.u32 %r0, %r0, " + step
                + ";\nsetp.ge.u32 P1, %r0, 30;\n@P1 bra DONE;\nbra WAIT;\nDONE:\n}\n";
        };
        const std::string text = ".version 8.3\n.target sm_90a\n.address_size 64\n"
                                 ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd;\n"
                                 "ld.param.u64 %rd, [out];\nmov.u32 %r0, 0;\n"
            + count("7") + "st.global.u32 [%rd], %r0;\nmov.u32 %r0, 1;\n" + count("10")
            + "st.global.u32 [%rd+4], %r0;\nmov.u32 %r1, 1;\n{\n{\nTS: .branchtargets A, B;\n"
              "brx.idx %r1, TS;\nA:\nmov.u32 %r1, 5;\n}\nB:\nst.global.u32 [%rd+8], %r1;\n}\n"
              "A:\nB:\nret;\n}\n";
        const auto outcome = KernelRun(text).block(1).buffer("out", std::vector<std::uint32_t>(3)).run();
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(
            outcome->end == EmulatorEnd::Completed && outcome->reports.empty(), summaryOf(*outcome).c_str());
        QCOMPARE(contentOf<std::uint32_t>(*outcome, 0), (std::vector<std::uint32_t>{35, 31, 1}));
    }

    void callsAndLocalMemory()
    {
        const std::string text =
            ".version 8.0\n.target sm_90a\n.address_size 64\n"
            ".func (.param .b32 result) square(.param .b32 value)\n{\n.reg .b32 %v;\n"
            "ld.param.b32 %v, [value];\nmul.lo.u32 %v, %v, %v;\nst.param.b32 [result], %v;\nret;\n}\n"
            ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\n.reg .pred %p;\n"
            ".local .align 4 .b8 stack[16];\n"
            "mov.u32 %r0, %tid.x;\nmov.b32 %r2, 0;\nsetp.lt.u32 %p, %r0, 20;\n@!%p bra STORE;\n"
            "{\n.param .b32 p0;\n.param .b32 r0;\nst.param.b32 [p0], %r0;\n"
            "call.uni (r0), square, (p0);\nld.param.b32 %r2, [r0];\n}\n"
            "STORE:\nmov.b64 %rd0, stack;\nst.local.u32 [%rd0+8], %r2;\nld.local.u32 %r3, [%rd0+8];\n"
            "ld.param.u64 %rd1, [out];\nmul.wide.u32 %rd2, %r0, 4;\nadd.s64 %rd1, %rd1, %rd2;\n"
            "st.global.u32 [%rd1], %r3;\nret;\n}\n";
        const auto outcome = KernelRun(text).block(32).buffer("out", std::vector<std::uint32_t>(32, 7)).run();
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(
            outcome->end == EmulatorEnd::Completed && outcome->reports.empty(), summaryOf(*outcome).c_str());
        const auto got = contentOf<std::uint32_t>(*outcome, 0);
        for (std::uint32_t i = 0; i < 32; ++i) {
            QCOMPARE(got[i], i < 20 ? i * i : 0U);
        }
    }

    /// Warp 1 comes to the barrier whole, then all its lanes but one leave: it still counts once. Counted
    /// twice, warps 1 and 2 would make the phase without warp 0, which comes last and would wait for ever.
    void theLowPartOfAWideRegisterIsConverted()
    {
        struct Form {
            const char* opcode;
            std::uint64_t from;
            std::uint64_t to;
        };
        constexpr std::array<Form, 5> forms{{{"cvt.s64.s32", 0x1'8000'0001, 0xFFFF'FFFF'8000'0001},
            {"cvt.s64.s32", 0xFFFF'FFFF'0000'0005, 5}, {"cvt.u64.u32", 0x7'8000'0001, 0x8000'0001},
            {"cvt.s64.s16", 0x1234'8765, 0xFFFF'FFFF'FFFF'8765}, {"cvt.u64.u16", 0x1234'8765, 0x8765}}};
        for (const auto& form : forms) {
            const auto text =
                std::string(".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry "
                            "k(.param .u64 out)\n{\n.reg .b64 %rd<4>;\nld.param.u64 %rd0, [out];\n"
                            "ld.global.u64 %rd1, [%rd0];\n")
                + form.opcode + " %rd2, %rd1;\nst.global.u64 [%rd0+8], %rd2;\nret;\n}\n";
            const auto outcome =
                KernelRun(text).block(1).buffer("out", std::vector<std::uint64_t>{form.from, 0}).run();
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            QVERIFY2(outcome->reports.empty(), summaryOf(*outcome).c_str());
            QCOMPARE(contentOf<std::uint64_t>(*outcome, 0)[1], form.to);
        }
    }

    void aWarpThatPartlyLeavesHasArrivedOnce()
    {
        const auto outcome = KernelRun(
            ".version 8.0\n.target sm_90a\n.address_size 64\n"
            ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<2>;\n.reg .pred %p;\n"
            "mov.u32 %r0, %tid.x;\nmov.u32 %r1, 0;\n"
            "setp.ge.u32 %p, %r0, 32;\n@%p bra COME;\n"
            "LATE: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 500;\n@%p bra LATE;\n"
            "bar.sync 1, 96;\nbra WRITE;\n"
            "COME: setp.ge.u32 %p, %r0, 64;\n@%p bra WAIT;\n"
            "bar.arrive 1, 96;\nsetp.ne.u32 %p, %r0, 32;\n@%p ret;\nbra WRITE;\n"
            "WAIT: bar.sync 1, 96;\n"
            "WRITE: ld.param.u64 %rd0, [out];\nmul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd0, %rd0, %rd1;\n"
            "mov.u32 %r3, 1;\nst.global.u32 [%rd0], %r3;\nret;\n}\n")
                                 .block(96)
                                 .buffer("out", std::vector<std::uint32_t>(96))
                                 .run();
        QVERIFY(outcome);
        QVERIFY2(outcome->end == EmulatorEnd::Completed, summaryOf(*outcome).c_str());
        const auto written = contentOf<std::uint32_t>(*outcome, 0);
        QCOMPARE(std::count(written.begin(), written.end(), 1U), std::ptrdiff_t{65});
    }

    void spinLoopsMakeProgress()
    {
        // Lane 0 of the warp waits for what lane 31 writes later in program order.
        const std::string text =
            ".version 8.0\n.target sm_90a\n.address_size 64\n"
            ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\n.reg .pred %p;\n"
            "ld.param.u64 %rd1, [out];\nmov.u32 %r0, %tid.x;\nsetp.eq.u32 %p, %r0, 0;\n@!%p bra OTHERS;\n"
            "SPIN:\nld.volatile.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p, %r1, 0;\n@%p bra SPIN;\n"
            "st.global.u32 [%rd1+4], %r1;\nret;\n"
            "OTHERS:\nsetp.ne.u32 %p, %r0, 31;\n@%p bra DONE;\nmov.b32 %r2, 42;\n"
            "st.volatile.global.u32 [%rd1], %r2;\nDONE:\nret;\n}\n";
        const auto outcome =
            KernelRun(text).block(32).buffer("out", std::vector<std::uint32_t>(2, 0)).limit(1'000'000).run();
        QVERIFY(outcome);
        QVERIFY2(outcome->end == EmulatorEnd::Completed, summaryOf(*outcome).c_str());
        QCOMPARE(contentOf<std::uint32_t>(*outcome, 0)[1], 42U);
    }
};

QTEST_APPLESS_MAIN(TestEmulatorScalar)
#include "tst_emulator_scalar.moc"
