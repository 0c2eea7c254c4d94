// SPDX-License-Identifier: Apache-2.0
// mma.sync of every shape and type that sm_90a has, with any bits in the registers: what a lane holds of
// which matrix is the GPU's word. ldmatrix, stmatrix, movmatrix.
#include "tests/emulator/differential/probe.h"

#include <algorithm>

namespace ptxwb::differential {

namespace {

constexpr const char* head = ".version 8.7\n.target sm_90a\n.address_size 64\n";

struct MmaShape {
    const char* shape;
    const char* d;
    const char* a;
    const char* b;
    const char* c;
    std::size_t registersA;
    std::size_t registersB;
    std::size_t registersC; ///< and D
    const char* before = ""; ///< modifiers before the types
    const char* after = ""; ///< and behind
};

std::string instructionOf(const MmaShape& m)
{
    return "mma.sync.aligned." + std::string(m.shape) + ".row.col" + m.before + "." + m.d + "." + m.a + "."
        + m.b + "." + m.c + m.after;
}

Probe mmaProbe(const MmaShape& m, Range range)
{
    static const char* const names[] = {"small", "near", "wide", "special", "", "zero"};
    Probe probe;
    const auto instruction = instructionOf(m);
    probe.name = instruction + " " + names[static_cast<int>(range)];
    Values values(probe.name);
    const bool wide = std::string(m.a) == "f64";
    const std::size_t words = wide ? 2 : 1;
    const std::size_t total = (m.registersA + m.registersB + m.registersC) * words;
    const std::string type = wide ? ".f64" : ".b32";
    std::string load;
    std::size_t at = 0;
    const auto loads = [&](const char* prefix, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i, at += 4 * words) {
            load += "ld.global" + type + " %" + prefix + std::to_string(i) + ", [%x0+" + std::to_string(at)
                + "];\n";
        }
    };
    loads("a", m.registersA);
    loads("b", m.registersB);
    loads("c", m.registersC);
    std::string store;
    for (std::size_t i = 0; i < m.registersC; ++i) {
        store += "st.global" + type + " [%x1+" + std::to_string(i * 4 * words) + "], %d" + std::to_string(i)
            + ";\n";
    }
    const auto operand = [](const char* prefix, std::size_t count) {
        return registerVector("%" + std::string(prefix), count);
    };
    probe.text = std::string(head) + ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg " + type
        + " %a<8>, %b<4>, %c<8>, %d<8>;\n.reg .b32 %t;\n.reg .b64 %x<3>;\nmov.u32 %t, %tid.x;\n"
          "ld.param.u64 %x0, [in];\nmul.wide.u32 %x2, %t, "
        + std::to_string(4 * total)
        + ";\nadd.s64 %x0, %x0, %x2;\nld.param.u64 %x1, [out];\nmul.wide.u32 %x2, %t, "
        + std::to_string(4 * words * m.registersC) + ";\nadd.s64 %x1, %x1, %x2;\n" + load + instruction + " "
        + operand("d", m.registersC) + ", " + operand("a", m.registersA) + ", " + operand("b", m.registersB)
        + ", " + operand("c", m.registersC) + ";\n" + store + "ret;\n}\n";
    // All that is added is -0.
    const Range rangeA = range == Range::NegativeZero ? Range::Zero : range;
    for (int lane = 0; lane < 32; ++lane) {
        appendWords(probe.input, wordsOf(m.a, rangeA, m.registersA * words, values));
        appendWords(probe.input, wordsOf(m.b, range, m.registersB * words, values));
        appendWords(probe.input, wordsOf(m.c, range, m.registersC * words, values));
    }
    probe.output.resize(32 * 4 * words * m.registersC);
    return probe;
}

Probe moveProbe(const std::string& name, bool load, unsigned count, bool trans)
{
    Probe probe;
    probe.name = name;
    Values values(name);
    appendWords(probe.input, wordsOf("any", Range::Small, 32 * 8, values));
    probe.output.resize(512, 0xA5);
    const std::string list = registerVector("%d", count);
    const std::string suffix =
        ".sync.aligned.m8n8.x" + std::to_string(count) + (trans ? ".trans" : "") + ".shared.b16 ";
    probe.text = std::string(head)
        + ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.shared .align 16 .b8 tile[512];\n"
          ".reg .b32 %t, %s, %d<4>, %v<4>;\n.reg .b64 %x<3>;\nmov.u32 %t, %tid.x;\nld.param.u64 %x0, "
          "[in];\nmul.wide.u32 %x2, %t, 32;\nadd.s64 %x0, %x0, %x2;\nld.param.u64 %x1, [out];\n"
          "mul.wide.u32 %x2, %t, 16;\nadd.s64 %x1, %x1, %x2;\nmov.u32 %s, tile;\nmad.lo.u32 %s, %t, 16, %s;\n"
          "ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%x0];\nst.shared.v4.b32 [%s], {%v0, %v1, %v2, %v3};\n"
          "ld.global.v4.b32 {%d0, %d1, %d2, %d3}, [%x0+16];\nbar.warp.sync 0xffffffff;\n"
          // Rows in another order than they lie.
          "xor.b32 %t, %t, 5;\nmov.u32 %s, tile;\nmad.lo.u32 %s, %t, 16, %s;\n"
        + (load ? "ldmatrix" + suffix + list + ", [%s];\n" : "stmatrix" + suffix + "[%s], " + list + ";\n")
        + "bar.warp.sync 0xffffffff;\n" + (load ? "" : "ld.shared.v4.b32 {%d0, %d1, %d2, %d3}, [%s];\n")
        + "st.global.v4.b32 [%x1], {%d0, %d1, %d2, %d3};\nret;\n}\n";
    return probe;
}

Probe transposeProbe()
{
    Probe probe = moveProbe("movmatrix.sync.aligned.m8n8.trans.b16", true, 1, false);
    const std::string from = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%d0}, [%s];\n";
    probe.text.replace(
        probe.text.find(from), from.size(), "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %d1;\n");
    return probe;
}

std::vector<MmaShape> mmaShapes()
{
    std::vector<MmaShape> all{
        {"m16n8k8", "f32", "bf16", "bf16", "f32", 2, 1, 4},
        {"m16n8k16", "f32", "bf16", "bf16", "f32", 4, 2, 4},
        {"m16n8k8", "f32", "f16", "f16", "f32", 2, 1, 4},
        {"m16n8k16", "f32", "f16", "f16", "f32", 4, 2, 4},
        {"m16n8k8", "f16", "f16", "f16", "f16", 2, 1, 2},
        {"m16n8k16", "f16", "f16", "f16", "f16", 4, 2, 2},
        {"m16n8k4", "f32", "tf32", "tf32", "f32", 2, 1, 4},
        {"m16n8k8", "f32", "tf32", "tf32", "f32", 4, 2, 4},
        {"m8n8k4", "f64", "f64", "f64", "f64", 1, 1, 2},
        {"m16n8k4", "f64", "f64", "f64", "f64", 2, 1, 4},
        {"m16n8k8", "f64", "f64", "f64", "f64", 4, 2, 4},
        {"m16n8k16", "f64", "f64", "f64", "f64", 8, 4, 4},
        {"m16n8k128", "s32", "b1", "b1", "s32", 2, 1, 4, "", ".xor.popc"},
        {"m16n8k128", "s32", "b1", "b1", "s32", 2, 1, 4, "", ".and.popc"},
        {"m16n8k256", "s32", "b1", "b1", "s32", 4, 2, 4, "", ".xor.popc"},
        {"m16n8k256", "s32", "b1", "b1", "s32", 4, 2, 4, "", ".and.popc"},
        {"m8n8k128", "s32", "b1", "b1", "s32", 1, 1, 2, "", ".xor.popc"},
        {"m8n8k128", "s32", "b1", "b1", "s32", 1, 1, 2, "", ".and.popc"},
    };
    static const char* const eights[] = {"e4m3", "e5m2"};
    for (const char* a : eights) {
        for (const char* b : eights) {
            all.push_back({"m16n8k32", "f32", a, b, "f32", 4, 2, 4});
            all.push_back({"m16n8k16", "f32", a, b, "f32", 2, 1, 4});
            all.push_back({"m16n8k32", "f16", a, b, "f16", 4, 2, 2});
            all.push_back({"m16n8k16", "f16", a, b, "f16", 2, 1, 2});
        }
    }
    static const char* const bytes[] = {"s8", "u8"};
    static const char* const nibbles[] = {"s4", "u4"};
    for (const char* saturate : {"", ".satfinite"}) {
        for (int i = 0; i < 4; ++i) {
            const char* a = bytes[i / 2];
            const char* b = bytes[i % 2];
            all.push_back({"m8n8k16", "s32", a, b, "s32", 1, 1, 2, saturate});
            all.push_back({"m16n8k16", "s32", a, b, "s32", 2, 1, 4, saturate});
            all.push_back({"m16n8k32", "s32", a, b, "s32", 4, 2, 4, saturate});
            a = nibbles[i / 2];
            b = nibbles[i % 2];
            all.push_back({"m8n8k32", "s32", a, b, "s32", 1, 1, 2, saturate});
            all.push_back({"m16n8k32", "s32", a, b, "s32", 2, 1, 4, saturate});
            all.push_back({"m16n8k64", "s32", a, b, "s32", 4, 2, 4, saturate});
        }
    }
    return all;
}

} // namespace

std::vector<Probe> mmaProbes()
{
    std::vector<Probe> probes;
    for (const auto& shape : mmaShapes()) {
        const bool whole = std::string(shape.d) == "s32";
        probes.push_back(mmaProbe(shape, Range::Small));
        if (!whole) {
            probes.push_back(mmaProbe(shape, Range::Near));
            probes.push_back(mmaProbe(shape, Range::Special));
            probes.push_back(mmaProbe(shape, Range::NegativeZero));
        }
        probes.push_back(mmaProbe(shape, Range::Wide));
    }
    for (const bool load : {true, false}) {
        for (const unsigned count : {1U, 2U, 4U}) {
            for (const bool trans : {false, true}) {
                probes.push_back(moveProbe(std::string(load ? "ldmatrix" : "stmatrix") + ".x"
                        + std::to_string(count) + (trans ? ".trans" : ""),
                    load, count, trans));
            }
        }
    }
    probes.push_back(transposeProbe());
    return probes;
}

} // namespace ptxwb::differential
