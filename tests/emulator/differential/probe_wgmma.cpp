// SPDX-License-Identifier: Apache-2.0
// wgmma of every type, width, source and layout over shared memory full of elements: which bytes a descriptor
// means is the GPU's word.
#include "tests/emulator/differential/probe.h"

namespace ptxwb::differential {

namespace {

constexpr std::uint32_t imageWords = 16384; ///< 64 KiB: A in the first 16 KiB, B behind
constexpr std::uint32_t fromB = 16384;

struct WgmmaCase {
    std::string d = "f32";
    std::string a = "bf16";
    std::string b = "bf16";
    std::uint32_t n = 32;
    Range range = Range::Small;
    std::uint32_t span = 128;
    bool mnA = false;
    bool mnB = false;
    bool registersA = false;
    bool negateA = false;
    bool negateB = false;
    bool scaleD = true;
    bool saturate = false;
    std::uint32_t steps = 1; ///< one behind the other, along K
    std::uint32_t advance = 0; ///< bytes from the start of the atom, along K
};

std::uint32_t depthOf(const std::string& type)
{
    return type == "b1" ? 256 : type == "tf32" ? 8 : type == "f16" || type == "bf16" ? 16 : 32;
}

/// Leading and stride offsets and swizzle of a descriptor.
std::uint64_t descriptorBits(const WgmmaCase& c, bool mn, std::uint32_t rows)
{
    std::uint32_t leading = 16;
    std::uint32_t stride = 8 * c.span;
    if (c.span == 0) {
        leading = mn ? rows / 8 * 128 : 128;
        stride = mn ? 128 : 256 * c.steps;
    } else if (mn) {
        leading = 16 * c.span;
    }
    const std::uint64_t mode = c.span == 128 ? 1 : c.span == 64 ? 2 : c.span == 32 ? 3 : 0;
    return std::uint64_t{leading >> 4U} << 16U | std::uint64_t{stride >> 4U} << 32U | mode << 62U;
}

std::string nameOf(const WgmmaCase& c)
{
    static const char* const ranges[] = {"small", "near", "wide", "special", "", "zero"};
    std::string name = "wgmma m64n" + std::to_string(c.n) + "k" + std::to_string(depthOf(c.a)) + " " + c.d
        + "." + c.a + "." + c.b + " swizzle " + std::to_string(c.span) + (c.mnA ? " A by M" : "")
        + (c.mnB ? " B by N" : "") + (c.registersA ? " A in registers" : "") + (c.negateA ? " -A" : "")
        + (c.negateB ? " -B" : "") + (c.scaleD ? "" : " D from 0") + (c.saturate ? " satfinite" : "");
    if (c.steps > 1) {
        name += " steps " + std::to_string(c.steps);
    }
    if (c.advance != 0) {
        name += " advance " + std::to_string(c.advance);
    }
    return name + " " + ranges[static_cast<int>(c.range)];
}

std::string multiplication(const WgmmaCase& c, const std::string& d, std::uint32_t step)
{
    const bool whole = c.d == "s32";
    std::string text = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(c.n) + "k"
        + std::to_string(depthOf(c.a)) + (c.saturate ? ".satfinite" : "") + "." + c.d + "." + c.a + "." + c.b
        + (c.a == "b1" ? ".and.popc " : " ") + d + ", "
        + (c.registersA ? registerVector("%a", 4) : "%da" + std::to_string(step)) + ", %db"
        + std::to_string(step) + ", " + (step == 0 ? "%p" : "1");
    if (!whole) {
        text += std::string(c.negateA ? ", -1" : ", 1") + (c.negateB ? ", -1" : ", 1");
        if (c.a == "f16" || c.a == "bf16") {
            text += (c.registersA ? "" : std::string(", ") + (c.mnA ? "1" : "0")) + (c.mnB ? ", 1" : ", 0");
        }
    }
    return text + ";\n";
}

Probe wgmmaProbe(const WgmmaCase& c)
{
    Probe probe;
    probe.name = nameOf(c);
    probe.threads = 128;
    probe.sharedBytes = imageWords * 4 + 1024;
    Values values(probe.name);
    const std::uint32_t registers = c.d == "f16" ? c.n / 4 : c.n / 2;
    const std::string list = registerVector("%acc", registers);
    std::string text =
        ".version 8.7\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];\n"
        ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .b32 %r<8>, %a<4>, %acc<128>;\n.reg .b64 %x<4>, %base, %da<4>, %db<4>;\n.reg .pred %p;\n"
        "mov.u32 %r0, %tid.x;\nld.param.u64 %x0, [in];\nmov.u32 %r1, tile;\nadd.u32 %r1, %r1, 1023;\n"
        "and.b32 %r1, %r1, 0xfffffc00;\nmov.u32 %r2, %r0;\nCOPY:\nmul.wide.u32 %x1, %r2, 4;\n"
        "add.s64 %x1, %x1, %x0;\nld.global.b32 %r3, [%x1];\nmad.lo.u32 %r4, %r2, 4, %r1;\n"
        "st.shared.b32 [%r4], %r3;\nadd.u32 %r2, %r2, 128;\nsetp.lt.u32 %p, %r2, "
        + std::to_string(imageWords)
        + ";\n@%p bra COPY;\nfence.proxy.async.shared::cta;\nbar.sync 0;\nmul.wide.u32 %x1, %r0, 4;\n"
          "add.s64 %x0, %x0, %x1;\nadd.s64 %x0, %x0, "
        + std::to_string(imageWords * 4) + ";\n";
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < 4; ++i, at += 512) {
        text += "ld.global.b32 %a" + std::to_string(i) + ", [%x0+" + std::to_string(at) + "];\n";
    }
    for (std::uint32_t i = 0; i < registers; ++i, at += 512) {
        text += "ld.global.b32 %acc" + std::to_string(i) + ", [%x0+" + std::to_string(at) + "];\n";
    }
    text += "add.u32 %r1, %r1, " + std::to_string(c.advance)
        + ";\nshr.u32 %r5, %r1, 4;\nand.b32 %r5, %r5, 0x3fff;\ncvt.u64.u32 %base, %r5;\n";
    for (std::uint32_t step = 0; step < c.steps; ++step) {
        const auto number = std::to_string(step);
        const std::uint32_t offset = c.span == 0 ? step * 16 : step * 2; // 256 bytes of cores, or 32 bytes
        text += "add.s64 %da" + number + ", %base, " + std::to_string(offset) + ";\nor.b64 %da" + number
            + ", %da" + number + ", " + std::to_string(descriptorBits(c, c.mnA, 64)) + ";\nadd.s64 %db"
            + number + ", %base, " + std::to_string(offset + fromB / 16) + ";\nor.b64 %db" + number + ", %db"
            + number + ", " + std::to_string(descriptorBits(c, c.mnB, c.n)) + ";\n";
    }
    text +=
        std::string("setp.") + (c.scaleD ? "eq" : "ne") + ".u32 %p, %r0, %r0;\nwgmma.fence.sync.aligned;\n";
    for (std::uint32_t step = 0; step < c.steps; ++step) {
        text += multiplication(c, list, step);
    }
    text += "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nld.param.u64 %x2, [out];\n"
            "add.s64 %x2, %x2, %x1;\n";
    for (std::uint32_t i = 0; i < registers; ++i) {
        text += "st.global.b32 [%x2+" + std::to_string(i * 512) + "], %acc" + std::to_string(i) + ";\n";
    }
    probe.text = text + "ret;\n}\n";
    // Of NegativeZero all that is added is -0.
    const Range rangeA = c.range == Range::NegativeZero ? Range::Zero : c.range;
    const auto a = wordsOf(c.a, rangeA, fromB / 4, values);
    appendWords(probe.input, a);
    appendWords(probe.input, wordsOf(c.b, c.range, imageWords - fromB / 4, values));
    appendWords(probe.input, wordsOf(c.a, rangeA, 512, values));
    appendWords(probe.input, wordsOf(c.d, c.range, std::size_t{128} * registers, values));
    probe.output.resize(std::size_t{512} * registers);
    return probe;
}

void layouts(std::vector<WgmmaCase>& cases)
{
    for (const std::uint32_t span : {0U, 32U, 64U, 128U}) {
        for (const bool mnA : {false, true}) {
            for (const bool mnB : {false, true}) {
                cases.push_back({.n = 64, .span = span, .mnA = mnA, .mnB = mnB});
                if (!mnA) {
                    cases.push_back(
                        {.a = "f16", .b = "f16", .n = 64, .span = span, .mnB = mnB, .registersA = true});
                }
            }
        }
        for (const char* type : {"tf32", "e4m3", "s8", "b1"}) {
            const bool whole = type[0] == 's' || type[0] == 'b';
            cases.push_back({.d = whole ? "s32" : "f32", .a = type, .b = type, .n = 24, .span = span});
        }
    }
    for (const std::uint32_t span : {0U, 64U, 128U}) {
        cases.push_back({.n = 32, .span = span, .steps = 2});
    }
    cases.push_back({.n = 128, .mnB = true});
    cases.push_back({.n = 256, .mnB = true});
    cases.push_back({.n = 32, .advance = 32});
    cases.push_back({.n = 32, .advance = 64});
    cases.push_back({.n = 32, .advance = 96});
}

void widths(std::vector<WgmmaCase>& cases)
{
    for (std::uint32_t n = 8; n <= 256; n += 8) {
        cases.push_back({.n = n});
        if (n % 16 == 0 || n == 8 || n == 24) {
            cases.push_back({.d = "s32", .a = "s8", .b = "s8", .n = n});
            cases.push_back({.d = "s32", .a = "b1", .b = "b1", .n = n});
        }
        if (n % 64 == 0) {
            for (const char* type : {"tf32", "e4m3", "e5m2"}) {
                cases.push_back({.a = type, .b = type, .n = n});
            }
            cases.push_back({.d = "f16", .a = "f16", .b = "f16", .n = n});
            cases.push_back({.d = "f16", .a = "e4m3", .b = "e5m2", .n = n});
        }
    }
}

void numbers(std::vector<WgmmaCase>& cases)
{
    static const char* const types[][2] = {{"f16", "f16"}, {"bf16", "bf16"}, {"tf32", "tf32"},
        {"e4m3", "e4m3"}, {"e5m2", "e5m2"}, {"e4m3", "e5m2"}, {"e5m2", "e4m3"}};
    for (const auto& [a, b] : types) {
        const bool half = a[0] == 'e' || std::string(a) == "f16";
        for (const Range range : {Range::Near, Range::Wide}) {
            cases.push_back({.a = a, .b = b, .n = 16, .range = range});
            cases.push_back({.a = a, .b = b, .n = 8, .range = range, .scaleD = false});
            if (half) {
                cases.push_back({.d = "f16", .a = a, .b = b, .n = 16, .range = range});
            }
        }
        cases.push_back({.a = a, .b = b, .n = 8, .range = Range::Special});
        cases.push_back({.a = a, .b = b, .n = 8, .range = Range::NegativeZero});
        if (half) {
            cases.push_back({.d = "f16", .a = a, .b = b, .n = 8, .range = Range::NegativeZero});
            cases.push_back({.d = "f16", .a = a, .b = b, .n = 8, .range = Range::Special});
        }
        cases.push_back({.a = a, .b = b, .n = 16, .range = Range::Near, .steps = 4});
        cases.push_back({.a = a, .b = b, .n = 16, .registersA = true});
        cases.push_back({.a = a, .b = b, .n = 16, .negateA = true});
        cases.push_back({.a = a, .b = b, .n = 16, .negateB = true});
        cases.push_back({.a = a, .b = b, .n = 16, .negateA = true, .negateB = true, .scaleD = false});
        cases.push_back({.a = a, .b = b, .n = 16, .registersA = true, .negateA = true});
    }
    for (const char* a : {"s8", "u8"}) {
        for (const char* b : {"s8", "u8"}) {
            for (const bool saturate : {false, true}) {
                for (const bool registers : {false, true}) {
                    for (const Range range : {Range::Small, Range::Wide}) {
                        cases.push_back({.d = "s32",
                            .a = a,
                            .b = b,
                            .n = 16,
                            .range = range,
                            .registersA = registers,
                            .saturate = saturate});
                    }
                }
            }
        }
    }
    cases.push_back({.d = "s32", .a = "b1", .b = "b1", .n = 16, .registersA = true});
}

} // namespace

std::vector<Probe> wgmmaProbes()
{
    std::vector<WgmmaCase> cases;
    layouts(cases);
    widths(cases);
    numbers(cases);
    std::vector<Probe> probes;
    for (const auto& c : cases) {
        probes.push_back(wgmmaProbe(c));
    }
    return probes;
}

} // namespace ptxwb::differential
