// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/emulator/harness.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <random>

namespace ptxwb::emulator {

constexpr std::size_t count = 512;

inline const std::vector<std::uint32_t> edges32{0, 1, 2, 31, 32, 33, 0x7F, 0x80, 0xFFFF, 0x8000, 0x7FFFFFFF,
    0x80000000, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000001,
    0x80000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x477FF000, 0x33800000, 0x38800000, 0x3F000000,
    0x40490FDB};

inline std::vector<std::uint32_t> words(std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<std::uint32_t> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = i % 3 == 0 ? edges32[random() % edges32.size()] : static_cast<std::uint32_t>(random());
    }
    return values;
}

/// d = instruction of three 32-bit inputs; types of registers as declared.
inline std::string kernelOf(const std::string& instructions)
{
    return ".version 9.0\n.target sm_90a\n.address_size 64\n"
           ".visible .entry k(.param .u64 x, .param .u64 y, .param .u64 z, .param .u64 out)\n{\n"
           ".reg .b32 %a, %b, %c, %d, %t;\n.reg .b64 %p, %o, %wa, %wb, %wd;\n.reg .b16 %ha, %hb, %hd;\n.reg "
           ".pred %q;\n"
           ".reg .f64 %fa, %fb, %fd;\n"
           "mov.u32 %t, %ctaid.x;\nmov.u32 %a, %ntid.x;\nmov.u32 %b, %tid.x;\nmad.lo.u32 %t, %t, %a, %b;\n"
           "mul.wide.u32 %o, %t, 4;\n"
           "ld.param.u64 %p, [x];\nadd.s64 %p, %p, %o;\nld.global.u32 %a, [%p];\n"
           "ld.param.u64 %p, [y];\nadd.s64 %p, %p, %o;\nld.global.u32 %b, [%p];\n"
           "ld.param.u64 %p, [z];\nadd.s64 %p, %p, %o;\nld.global.u32 %c, [%p];\n"
        + instructions + "\nld.param.u64 %p, [out];\nadd.s64 %p, %p, %o;\nst.global.u32 [%p], %d;\nret;\n}\n";
}

using Reference = std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)>;

struct Case {
    const char* name;
    const char* instructions;
    Reference reference;
};

/// Runs the instructions of a case on random words; the first lane that differs from the reference, or what
/// went wrong, else an empty text.
inline std::string wrongIn(const Case& c)
{
    const auto x = words(1);
    const auto y = words(2);
    const auto z = words(3);
    const auto outcome = KernelRun(kernelOf(c.instructions))
                             .grid(count / 64)
                             .block(64)
                             .buffer("x", x)
                             .buffer("y", y)
                             .buffer("z", z)
                             .buffer("out", std::vector<std::uint32_t>(count, 0xCDCDCDCD))
                             .run();
    if (!outcome) {
        return describe(outcome.error());
    }
    if (outcome->end != EmulatorEnd::Completed || !outcome->reports.empty()) {
        return summaryOf(*outcome);
    }
    const auto got = contentOf<std::uint32_t>(*outcome, 3);
    for (std::size_t i = 0; i < count; ++i) {
        const auto expected = c.reference(x[i], y[i], z[i]);
        if (got[i] != expected) {
            return fmt::format(
                "{:08x} {:08x} {:08x}: got {:08x}, expected {:08x}", x[i], y[i], z[i], got[i], expected);
        }
    }
    return {};
}

} // namespace ptxwb::emulator
