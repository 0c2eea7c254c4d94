// SPDX-License-Identifier: Apache-2.0
// Instructions with two results, with parts of registers and with 128 bits, against what the manual defines.
#include "core/emulator/lane_form.h"
#include "core/emulator/small_float_bits.h"
#include "tests/emulator/lane_cases.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

using Word = std::uint32_t;
using Wide = std::uint64_t;
using Widest = unsigned __int128;

Wide joined(Word low, Word high)
{
    return Wide{high} << 32U | low;
}
Word mixed(Widest value)
{
    Word result = 0;
    for (unsigned i = 0; i < 4; ++i) {
        result = result * 31U + static_cast<Word>(value >> (32 * i));
    }
    return result;
}
std::int64_t wide(Word x)
{
    return static_cast<std::int32_t>(x);
}

/// %d = mixed() of the four words %m0 to %m3.
const std::string mix = "mov.b32 %d, %m0;\nmad.lo.u32 %d, %d, 31, %m1;\nmad.lo.u32 %d, %d, 31, %m2;\n"
                        "mad.lo.u32 %d, %d, 31, %m3;\n";
const std::string four = ".reg .b32 %m<4>;\n.reg .b64 %wlo, %whi, %wc;\n.reg .pred %pp, %pq;\n"
                         "mov.b32 %m2, 0;\nmov.b32 %m3, 0;\n";

Word clamped(std::int64_t value, unsigned bits, bool isSignedForm)
{
    const std::int64_t least = isSignedForm ? -(1LL << (bits - 1)) : 0;
    const std::int64_t most = isSignedForm ? (1LL << (bits - 1)) - 1 : (1LL << bits) - 1;
    const std::int64_t fits = value < least ? least : (value > most ? most : value);
    return static_cast<Word>(fits) & ((1U << bits) - 1U);
}

Reference packed(unsigned bits, bool isSignedForm)
{
    return [=](Word x, Word y, Word z) {
        Word result = clamped(wide(y), bits, isSignedForm) | clamped(wide(x), bits, isSignedForm) << bits;
        for (unsigned i = 2 * bits; i < 32; ++i) {
            result |= (z >> (i - 2 * bits) & 1U) << i;
        }
        return result;
    };
}

using Comparison = bool (*)(float, float);

Reference pairsCompared(bool brain, bool ftz, Comparison holds, Word (*join)(bool, bool, bool))
{
    return [=](Word x, Word y, Word z) {
        const auto value = [&](Word bits) {
            const auto half = static_cast<std::uint16_t>(bits);
            const float v = brain ? brainToFloat(half) : halfToFloat(half);
            return ftz && std::fabs(v) < 0x1p-14F ? std::copysign(0.0F, v) : v;
        };
        return join(holds(value(x & 0xFFFFU), value(y & 0xFFFFU)), holds(value(x >> 16U), value(y >> 16U)),
            (z & 1U) != 0);
    };
}
Word bothBits(bool low, bool high, bool)
{
    return (low ? 1U : 0U) | (high ? 2U : 0U);
}

const std::vector<Case>& cases()
{
    static const std::string toBits =
        "selp.b32 %d, 1, 0, %pp;\nselp.b32 %t, 2, 0, %pq;\nor.b32 %d, %d, %t;\n}\n";
    static std::vector<std::string> texts; // names and instructions outlive the cases
    static const auto all = [] {
        texts.reserve(128);
        std::vector<Case> list;
        const auto add = [&](const std::string& name, const std::string& body, Reference reference) {
            texts.push_back(name);
            const auto* n = texts.back().c_str();
            texts.push_back("{\n" + four + body);
            list.push_back({n, texts.back().c_str(), std::move(reference)});
        };
        add("mad.lo.cc.u32, madc.hi.u32",
            "mad.lo.cc.u32 %m0, %a, %b, %c;\nmadc.hi.u32 %m1, %a, %b, 0;\n" + mix + "}",
            [](auto x, auto y, auto z) { return mixed(Wide{x} * y + z); });
        add("mad.hi.cc.s32, addc", "mad.hi.cc.s32 %m0, %a, %b, %c;\naddc.u32 %m1, 0, 0;\n" + mix + "}",
            [](auto x, auto y, auto z) {
                const auto high = static_cast<Word>((wide(x) * wide(y)) >> 32);
                return mixed(Wide{high} + z);
            });
        add("madc.lo.cc.s32 in a chain",
            "add.cc.u32 %m0, %a, %b;\nmadc.lo.cc.s32 %m1, %b, %c, %a;\nmadc.hi.cc.s32 %m2, %b, %c, 0;\n"
            "addc.u32 %m3, 0, 0;\n"
                + mix + "}",
            [](auto x, auto y, auto z) {
                const Wide first = Wide{x} + y;
                const Wide second = Wide{static_cast<Word>(y * z)} + x + (first >> 32U);
                const auto high = static_cast<Word>((wide(y) * wide(z)) >> 32);
                const Wide third = Wide{high} + (second >> 32U);
                return mixed(static_cast<Widest>(joined(static_cast<Word>(first), static_cast<Word>(second)))
                    | static_cast<Widest>(third) << 64U);
            });
        add("mad.lo.cc.u64, madc.hi.u64",
            "mov.b64 %wa, {%a, %b};\nmov.b64 %wb, {%b, %c};\nmov.b64 %wc, {%c, %a};\n"
            "mad.lo.cc.u64 %wlo, %wa, %wb, %wc;\nmadc.hi.u64 %whi, %wa, %wb, %wc;\n"
            "mov.b64 {%m0, %m1}, %wlo;\nmov.b64 {%m2, %m3}, %whi;\n"
                + mix + "}",
            [](auto x, auto y, auto z) {
                const Wide c = joined(z, x);
                return mixed(
                    static_cast<Widest>(joined(x, y)) * joined(y, z) + (static_cast<Widest>(c) << 64U | c));
            });
        add("lop3.or with a predicate",
            "setp.gt.u32 %pq, %a, %b;\nlop3.or.b32 %m0|%pp, %a, %b, %c, 0x80, %pq;\n"
            "selp.b32 %m1, 7, 9, %pp;\nadd.u32 %d, %m0, %m1;\n}",
            [](auto x, auto y, auto z) { return (x & y & z) + ((x & y & z) != 0 || x > y ? 7U : 9U); });
        add("lop3.and with a negated predicate that it writes",
            "setp.gt.u32 %pp, %a, %b;\nlop3.and.b32 %m0|%pp, %a, %b, %c, 0x96, !%pp;\n"
            "selp.b32 %m1, 7, 9, %pp;\nadd.u32 %d, %m0, %m1;\n}",
            [](auto x, auto y, auto z) { return (x ^ y ^ z) + ((x ^ y ^ z) != 0 && !(x > y) ? 7U : 9U); });
        add("lop3.or of zero",
            "setp.gt.u32 %pq, %a, %b;\nlop3.or.b32 %m0|%pp, %a, %b, %c, 0, %pq;\n"
            "selp.b32 %m1, 7, 9, %pp;\nadd.u32 %d, %m0, %m1;\n}",
            [](auto x, auto y, auto) { return x > y ? 7U : 9U; });
        for (const bool isSignedForm : {false, true}) {
            for (const unsigned bits : {16U, 8U, 4U, 2U}) {
                const auto type = fmt::format(".{}{}", isSignedForm ? 's' : 'u', bits);
                add("cvt.pack.sat" + type,
                    bits == 16 ? "cvt.pack.sat" + type + ".s32 %d, %a, %b;\n}"
                               : "cvt.pack.sat" + type + ".s32.b32 %d, %a, %b, %c;\n}",
                    packed(bits, isSignedForm));
                // Values that are near the limits.
                add("cvt.pack.sat" + type + " of small values",
                    "shr.s32 %a, %a, 26;\nshr.s32 %b, %b, 21;\n"
                        + (bits == 16 ? "cvt.pack.sat" + type + ".s32 %d, %a, %b;\n}"
                                      : "cvt.pack.sat" + type + ".s32.b32 %d, %a, %b, %c;\n}"),
                    [=](auto x, auto y, auto z) {
                        return packed(bits, isSignedForm)(
                            static_cast<Word>(wide(x) >> 26), static_cast<Word>(wide(y) >> 21), z);
                    });
            }
        }
        add("mad24.hi.sat.s32", "mad24.hi.sat.s32 %d, %a, %b, %c;\n}", [](auto x, auto y, auto z) {
            const auto part = [](Word v) {
                return static_cast<std::int64_t>(static_cast<std::int32_t>(v << 8U) / 256);
            };
            const auto product = static_cast<std::int32_t>((part(x) * part(y)) >> 16);
            const std::int64_t sum = std::int64_t{product} + wide(z);
            return static_cast<Word>(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
        });
        const std::array<std::pair<const char*, Comparison>, 8> comparisons{
            {{"eq", [](float p, float q) { return p == q; }},
                {"ne", [](float p, float q) { return p < q || p > q; }},
                {"lt", [](float p, float q) { return p < q; }},
                {"geu", [](float p, float q) { return !(p < q); }},
                {"gt", [](float p, float q) { return p > q; }},
                {"leu", [](float p, float q) { return !(p > q); }},
                {"num", [](float p, float q) { return !std::isnan(p) && !std::isnan(q); }},
                {"nan", [](float p, float q) { return std::isnan(p) || std::isnan(q); }}}};
        for (const auto& [name, holds] : comparisons) {
            for (const char* type : {"f16x2", "ftz.f16x2", "bf16x2"}) {
                const bool brain = type[0] == 'b';
                const bool ftz = type[1] == 't';
                const auto opcode = fmt::format("setp.{}.{}", name, type);
                add(opcode, opcode + " %pp|%pq, %a, %b;\n" + toBits,
                    pairsCompared(brain, ftz, holds, bothBits));
            }
        }
        add("setp.lt.and.f16x2",
            "and.b32 %c, %c, 1;\nsetp.ne.u32 %pp, %c, 0;\nsetp.lt.and.f16x2 %pp|%pq, %a, %b, %pp;\n" + toBits,
            pairsCompared(false, false, comparisons[2].second,
                [](bool low, bool high, bool with) { return bothBits(low && with, high && with, with); }));
        add("setp.gt.xor.bf16x2",
            "and.b32 %c, %c, 1;\nsetp.ne.u32 %pp, %c, 0;\nsetp.gt.xor.bf16x2 %pp|%pq, %a, %b, !%pp;\n"
                + toBits,
            pairsCompared(true, false, comparisons[4].second,
                [](bool low, bool high, bool with) { return bothBits(low == with, high == with, with); }));
        add("set.f16.f16",
            "cvt.u16.u32 %ha, %a;\ncvt.u16.u32 %hb, %b;\nset.lt.f16.f16 %hd, %ha, %hb;\n"
            "cvt.u32.u16 %d, %hd;\n}",
            [](auto x, auto y, auto) {
                return halfToFloat(static_cast<std::uint16_t>(x)) < halfToFloat(static_cast<std::uint16_t>(y))
                    ? 0x3C00U
                    : 0U;
            });
        add("mov.b128",
            ".reg .b128 %q0, %q1;\nmov.b64 %wa, {%a, %b};\nmov.b64 %wb, {%c, %a};\nmov.b128 %q0, {%wa, "
            "%wb};\n"
            "mov.b128 %q1, %q0;\nmov.b128 {%whi, %wlo}, %q1;\n"
            "mov.b64 {%m0, %m1}, %wlo;\nmov.b64 {%m2, %m3}, %whi;\n"
                + mix + "}",
            [](auto x, auto y, auto z) {
                return mixed(static_cast<Widest>(joined(x, y)) << 64U | joined(z, x));
            });
        return list;
    }();
    return all;
}

} // namespace

class TestEmulatorNarrow : public QObject {
    Q_OBJECT

private slots:
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

    /// 16 bytes at a time through global and shared memory; lanes swap a cell one after the other.
    void wholeRegistersInMemory()
    {
        const std::string text =
            ".version 9.0\n.target sm_90a\n.address_size 64\n"
            ".visible .entry k(.param .u64 cells, .param .u64 out)\n{\n.reg .b32 %t, %s;\n"
            ".reg .b64 %p, %o, %w<6>;\n.reg .b128 %q<4>;\n.shared .align 16 .b8 tile[512];\n"
            "mov.u32 %t, %tid.x;\nmul.wide.u32 %o, %t, 16;\nld.param.u64 %p, [out];\nadd.u64 %p, %p, %o;\n"
            "cvt.u64.u32 %w0, %t;\nadd.u64 %w1, %w0, 100;\nmov.b128 %q0, {%w0, %w1};\n"
            "mov.u32 %s, tile;\nmad.lo.u32 %s, %t, 16, %s;\nst.shared.b128 [%s], %q0;\nld.shared.b128 %q1, "
            "[%s];\n"
            "ld.param.u64 %w2, [cells];\natom.global.exch.b128 %q2, [%w2], %q1;\nst.global.b128 [%p], %q2;\n"
            // A second cell counts: its low half must be the lane's number and its high half 7.
            "mov.u64 %w3, 7;\nmov.b128 %q0, {%w0, %w3};\nadd.u64 %w4, %w0, 1;\nmov.b128 %q1, {%w4, %w3};\n"
            "atom.global.cas.b128 %q2, [%w2+16], %q0, %q1;\nld.global.b128 %q3, [%p];\n"
            "mov.b128 {%w4, %w5}, %q3;\nmov.b128 {%w0, %w1}, %q2;\nadd.u64 %w4, %w4, %w0;\n"
            "st.global.u64 [%p], %w4;\nret;\n}\n";
        const auto outcome = KernelRun(text)
                                 .block(32)
                                 .buffer("cells", std::vector<Wide>{1000, 2000, 0, 7})
                                 .buffer("out", std::vector<Wide>(64, 0))
                                 .run();
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        QVERIFY2(
            outcome->end == EmulatorEnd::Completed && outcome->reports.empty(), summaryOf(*outcome).c_str());
        const auto cells = contentOf<Wide>(*outcome, 0);
        QCOMPARE(cells, (std::vector<Wide>{31, 131, 32, 7}));
        const auto got = contentOf<Wide>(*outcome, 1);
        for (Wide lane = 0; lane < 32; ++lane) {
            QCOMPARE(got[2 * lane], (lane == 0 ? 1000 : lane - 1) + lane);
            QCOMPARE(got[2 * lane + 1], lane == 0 ? 2000 : lane + 99);
        }
    }

    void a128BitAccessIsAligned()
    {
        const auto outcome =
            KernelRun(".version 9.0\n.target sm_90a\n.address_size 64\n"
                      ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %p;\n.reg .b128 %q;\n"
                      "ld.param.u64 %p, [out];\nld.global.b128 %q, [%p+8];\n"
                      "st.global.b128 [%p], %q;\nret;\n}\n")
                .block(1)
                .buffer("out", std::vector<Wide>(8, 0))
                .run();
        QVERIFY(outcome);
        QCOMPARE(outcome->reports.size(), std::size_t{1});
        QCOMPARE(outcome->reports[0].rule, RuleId::Misaligned);
    }
};

QTEST_APPLESS_MAIN(TestEmulatorNarrow)
#include "tst_emulator_narrow.moc"
