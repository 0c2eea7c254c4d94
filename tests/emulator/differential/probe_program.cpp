// SPDX-License-Identifier: Apache-2.0
// Random programs: arithmetic on eight registers, branches, loops and calls that depend on the data, exchange
// between lanes, shared atomics in phases of one operation. And every atomic on a word of each thread's own.
#include "tests/emulator/differential/probe.h"

#include <cstdlib>
#include <cstring>

namespace ptxwb::differential {

namespace {

constexpr std::size_t tracedRecords = 200; ///< of a thread
constexpr std::size_t traceBytes = 36; ///< of a record: eight registers and the place

class ProgramWriter {
public:
    ProgramWriter(const std::string& name, bool traced)
        : m_values(name)
        , m_traced(traced)
    {
    }

    std::string write()
    {
        for (int phase = 0; phase < 4; ++phase) {
            block(6, 0);
            m_text += "bar.warp.sync 0xffffffff;\n";
            exchange();
            trace();
            atomics();
            trace();
        }
        return m_text;
    }

private:
    std::uint64_t pick(std::uint64_t below) { return m_values.next() % below; }
    std::string reg() { return "%r" + std::to_string(pick(8)); }
    std::string number() { return std::to_string(pick(65536)); }

    void arithmetic()
    {
        static const char* const two[] = {"add.u32", "sub.u32", "mul.lo.u32", "mul.hi.s32", "mul.hi.u32",
            "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "shl.b32", "shr.s32", "shr.u32",
            "add.sat.s32", "add.f32", "mul.rz.f32", "sub.ftz.f32", "min.f32", "max.f32", "rem.u32", "div.s32",
            "add.f16x2", "mul.bf16x2", "max.f16x2"};
        static const char* const three[] = {"mad.lo.u32", "mad.hi.s32", "sad.s32", "shf.l.wrap.b32",
            "shf.r.clamp.b32", "prmt.b32", "dp4a.s32.u32", "fma.rn.f32", "fma.rm.ftz.f32", "bfe.u32",
            "bfe.s32", "slct.b32.s32", "fma.rn.f16x2", "dp2a.lo.s32.s32"};
        static const char* const one[] = {"popc.b32", "clz.b32", "brev.b32", "not.b32", "neg.s32", "abs.s32",
            "bfind.u32", "cvt.rn.f32.s32", "cvt.rzi.s32.f32", "abs.f32", "cvt.rn.tf32.f32", "cnot.b32",
            "cvt.rni.ftz.f32.f32"};
        switch (pick(8)) {
        case 0:
        case 1:
            m_text += std::string(one[pick(std::size(one))]) + " " + reg() + ", " + reg() + ";\n";
            break;
        case 2:
        case 3:
            m_text += std::string(three[pick(std::size(three))]) + " " + reg() + ", " + reg() + ", " + reg()
                + ", " + reg() + ";\n";
            break;
        case 4:
            m_text += "lop3.b32 " + reg() + ", " + reg() + ", " + reg() + ", " + reg() + ", "
                + std::to_string(pick(256)) + ";\n";
            break;
        case 5:
            m_text += "bfi.b32 " + reg() + ", " + reg() + ", " + reg() + ", " + std::to_string(pick(32))
                + ", " + std::to_string(pick(33)) + ";\n";
            break;
        default:
            m_text +=
                std::string(two[pick(std::size(two))]) + " " + reg() + ", " + reg() + ", " + reg() + ";\n";
            break;
        }
    }

    void condition(const std::string& predicate)
    {
        static const char* const tests[] = {"lt.s32", "ge.u32", "ne.s32", "gt.f32", "geu.f32", "le.s32"};
        if (pick(2) == 0) {
            m_text += "and.b32 %t0, " + reg() + ", " + std::to_string(1U << pick(4)) + ";\nsetp.ne.u32 "
                + predicate + ", %t0, 0;\n";
        } else {
            m_text += "setp." + std::string(tests[pick(std::size(tests))]) + " " + predicate + ", " + reg()
                + ", " + reg() + ";\n";
        }
    }

    /// Writes the number of the place and the registers to the thread's next record, as long as there is
    /// room.
    void trace()
    {
        const std::string id = std::to_string(++m_places);
        if (!m_traced) {
            return;
        }
        m_text += "// place " + id + "\nsetp.lt.u32 %pt, %tn, " + std::to_string(tracedRecords)
            + ";\nadd.u32 %tn, %tn, 1;\n@%pt st.global.u32 [%xt+32], " + id + ";\n";
        for (int r = 0; r < 8; ++r) {
            m_text +=
                "@%pt st.global.u32 [%xt+" + std::to_string(4 * r) + "], %r" + std::to_string(r) + ";\n";
        }
        m_text += "@%pt add.s64 %xt, %xt, " + std::to_string(traceBytes) + ";\n";
    }

    void block(int items, int depth)
    {
        for (int i = 0; i < items; ++i) {
            trace();
            const auto kind = pick(10);
            if (depth < 3 && kind < 2) {
                branch(depth);
            } else if (depth < 2 && kind == 2) {
                loop(depth);
            } else if (kind == 3) {
                const std::string r = reg();
                m_text += "{\n.param .b32 a;\n.param .b32 b;\n.param .b32 c;\nst.param.b32 [a], " + reg()
                    + ";\nst.param.b32 [b], " + reg() + ";\ncall (c), mixed, (a, b);\nld.param.b32 " + r
                    + ", [c];\n}\n";
            } else if (kind == 4) {
                condition("%p0");
                m_text += "@%p0 ";
                arithmetic();
            } else {
                arithmetic();
                arithmetic();
            }
        }
    }

    void branch(int depth)
    {
        const auto label = std::to_string(m_labels++);
        condition("%p1");
        m_text += "@!%p1 bra ELSE" + label + ";\n";
        block(2, depth + 1);
        m_text += "bra END" + label + ";\nELSE" + label + ":\n";
        block(1 + static_cast<int>(pick(2)), depth + 1);
        m_text += "END" + label + ":\n";
    }

    void loop(int depth)
    {
        const auto label = std::to_string(m_labels++);
        const std::string counter = "%n" + std::to_string(depth);
        m_text += "and.b32 " + counter + ", " + reg() + ", 7;\nNEXT" + label + ":\n";
        block(2, depth + 1);
        m_text += "sub.u32 " + counter + ", " + counter + ", 1;\nsetp.ge.s32 %p2, " + counter
            + ", 0;\n@%p2 bra NEXT" + label + ";\n";
    }

    void exchange()
    {
        const std::string to = reg();
        switch (pick(6)) {
        case 0:
            m_text += "shfl.sync.bfly.b32 " + to + ", " + reg() + ", " + std::to_string(pick(32))
                + ", 0x1f, 0xffffffff;\n";
            break;
        case 1:
            m_text += "and.b32 %t0, " + reg() + ", 31;\nshfl.sync.idx.b32 " + to + ", " + reg()
                + ", %t0, 0x1f, 0xffffffff;\n";
            break;
        case 2:
            m_text += "shfl.sync.up.b32 " + to + ", " + reg() + ", " + std::to_string(pick(8))
                + ", 0, 0xffffffff;\n";
            break;
        case 3:
            condition("%p0");
            m_text += "vote.sync.ballot.b32 " + to + ", %p0, 0xffffffff;\n";
            break;
        case 4:
            m_text += "and.b32 %t0, " + reg() + ", 3;\nmatch.any.sync.b32 " + to + ", %t0, 0xffffffff;\n";
            break;
        default:
            m_text += "redux.sync.add.s32 " + to + ", " + reg() + ", 0xffffffff;\n";
            break;
        }
    }

    void atomics()
    {
        static const char* const ops[] = {
            "add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32", "min.u32"};
        const std::string place = "and.b32 %t0, " + reg() + ", 15;\nmad.lo.u32 %t0, %t0, 4, %t1;\n";
        condition("%p0");
        m_text += place + "@%p0 red.shared." + ops[pick(std::size(ops))] + " [%t0], " + reg()
            + ";\nbar.sync 0;\nand.b32 %t0, " + reg() + ", 15;\nmad.lo.u32 %t0, %t0, 4, %t1;\n"
            + "ld.shared.u32 %t2, [%t0];\nxor.b32 " + reg() + ", " + reg() + ", %t2;\nbar.sync 0;\n";
    }

    Values m_values;
    bool m_traced = false;
    std::string m_text{};
    int m_labels = 0;
    int m_places = 0;
};

constexpr const char* head = ".version 8.3\n.target sm_90a\n.address_size 64\n";

Probe programProbe(int index)
{
    Probe probe;
    probe.name = "program " + std::to_string(index);
    probe.threads = 64;
    Values values(probe.name + " input");
    appendWords(probe.input, wordsOf("any", Range::Small, 64 * 8, values));
    for (std::size_t i = 0; i < probe.input.size(); i += 4) { // some small numbers and some floats
        if (i / 4 % 3 == 0) {
            probe.input[i + 1] = probe.input[i + 2] = probe.input[i + 3] = 0;
        } else if (i / 4 % 3 == 1) {
            probe.input[i + 3] = 0x3F;
        }
    }
    const bool traced = std::getenv("PTXWB_DIFFERENTIAL_TRACE") != nullptr;
    probe.output.resize(64 * (traced ? tracedRecords * traceBytes : 8 * 4));
    std::string load;
    std::string store;
    for (int r = 0; r < 8; ++r) {
        const auto n = std::to_string(r);
        load += "ld.global.u32 %r" + n + ", [%x0+" + std::to_string(4 * r) + "];\n";
        store += "st.global.u32 [%x1+" + std::to_string(4 * r) + "], %r" + n + ";\n";
    }
    probe.text = std::string(head)
        + ".func (.param .b32 result) mixed(.param .b32 left, .param .b32 right)\n{\n.reg .pred %p;\n"
          ".reg .b32 %a, %b, %c;\nld.param.b32 %a, [left];\nld.param.b32 %b, [right];\n"
          "setp.lt.s32 %p, %a, %b;\nmul.lo.u32 %c, %a, 0x9E3779B1;\n@%p bra OTHER;\nxor.b32 %c, %c, %b;\n"
          "st.param.b32 [result], %c;\nret;\nOTHER:\nadd.u32 %c, %c, %b;\nst.param.b32 [result], %c;\n"
          "ret;\n}\n"
          ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.shared .align 4 .b8 words[64];\n"
          ".reg .b32 %r<8>, %t<4>, %n<4>;\n.reg .b64 %x<3>;\n.reg .pred %p<3>;\nmov.u32 %t0, %tid.x;\n"
          "ld.param.u64 %x0, [in];\nmul.wide.u32 %x2, %t0, 32;\nadd.s64 %x0, %x0, %x2;\n"
          "ld.param.u64 %x1, [out];\nadd.s64 %x1, %x1, %x2;\n"
        + load
        + "mov.u32 %t1, words;\nsetp.lt.u32 %p0, %t0, 16;\nmad.lo.u32 %t2, %t0, 4, %t1;\n"
          "@%p0 st.shared.u32 [%t2], %r1;\nbar.sync 0;\n"
        + (traced ? ".reg .pred %pt;\n.reg .b32 %tn;\n.reg .b64 %xt, %xo;\nmov.u32 %tn, %tid.x;\n"
                    "ld.param.u64 %xt, [out];\nmul.wide.u32 %xo, %tn, "
                    + std::to_string(tracedRecords * traceBytes)
                    + ";\nadd.s64 %xt, %xt, %xo;\nmov.u32 %tn, 0;\n"
                  : std::string())
        + ProgramWriter(probe.name, traced).write() + (traced ? std::string() : store) + "ret;\n}\n";
    return probe;
}

/// Each thread on its own memory: what the instruction gives, and what it leaves.
Probe atomicProbe(
    const std::string& space, const std::string& op, const std::string& type, std::uint32_t count = 1)
{
    Probe probe;
    const bool wide = type.find("64") != std::string::npos;
    const bool narrow = type == "f16" || type == "bf16" || type == "b16";
    const std::string vector = count > 1 ? ".v" + std::to_string(count) : "";
    const std::string noftz = type.find("f16") != std::string::npos ? ".noftz" : "";
    const std::string instruction = "atom" + space + "." + op + noftz + vector + "." + type;
    probe.name = instruction;
    Values values(probe.name);
    const std::string element = type == "f16x2" ? "f16" : type == "bf16x2" ? "bf16" : type;
    const std::uint32_t bytes = (wide ? 8U : narrow ? 2U : 4U) * count;
    appendWords(probe.input, wordsOf(element, Range::Near, 32 * 16, values)); // 64 bytes a lane
    probe.output.resize(32 * 64);
    if (op == "cas") { // half of the comparisons hold
        for (std::size_t lane = 0; lane < 32; lane += 2) {
            std::memcpy(probe.input.data() + lane * 64 + 32, probe.input.data() + lane * 64, bytes);
        }
    }
    const std::string bits = wide ? "b64" : narrow ? "b16" : "b32";
    const auto list = [&](const char* prefix) {
        return count > 1 ? registerVector("%" + std::string(prefix), count) : "%" + std::string(prefix) + "0";
    };
    std::string load;
    std::string store;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto n = std::to_string(i);
        const auto at = std::to_string(i * bytes / count);
        load += "ld.global." + bits + " %m" + n + ", [%x0+" + at + "];\nld.global." + bits + " %v" + n
            + ", [%x0+" + std::to_string(16 + i * bytes / count) + "];\n";
        store +=
            "st.global." + bits + " [%x1+" + std::to_string(32 + i * bytes / count) + "], %o" + n + ";\n";
    }
    const bool shared = space == ".shared";
    const std::string place = shared ? "%s" : "%x1";
    const std::string memory = shared ? ".shared" : ".global";
    std::string text = std::string(head)
        + ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.shared .align 32 .b8 words[1024];\n.reg ."
        + bits
        + " %m<8>, %v<8>, %o<8>, %c;\n.reg .b32 %t, %s;\n.reg .b64 %x<3>;\nmov.u32 %t, %tid.x;\n"
          "ld.param.u64 %x0, [in];\nmul.wide.u32 %x2, %t, 64;\nadd.s64 %x0, %x0, %x2;\nld.param.u64 %x1, "
          "[out];\nadd.s64 %x1, %x1, %x2;\nmov.u32 %s, words;\nmad.lo.u32 %s, %t, 32, %s;\n"
        + load + "ld.global." + bits + " %c, [%x0+32];\n";
    for (std::uint32_t i = 0; i < count; ++i) {
        text += "st" + memory + "." + bits + " [" + place + "+" + std::to_string(i * bytes / count) + "], %m"
            + std::to_string(i) + ";\n";
    }
    text += instruction + " " + list("o") + ", [" + place + "], " + (op == "cas" ? "%c, " : "") + list("v")
        + ";\n" + store;
    if (shared) {
        for (std::uint32_t i = 0; i < count; ++i) {
            text += "ld.shared." + bits + " %m" + std::to_string(i) + ", [%s+"
                + std::to_string(i * bytes / count) + "];\nst.global." + bits + " [%x1+"
                + std::to_string(i * bytes / count) + "], %m" + std::to_string(i) + ";\n";
        }
    }
    probe.text = text + "ret;\n}\n";
    return probe;
}

} // namespace

std::vector<Probe> programProbes()
{
    std::vector<Probe> probes;
    const int programs = seedOfEnvironment().empty() ? 200 : 1000;
    for (int i = 0; i < programs; ++i) {
        probes.push_back(programProbe(i));
    }
    for (const char* space : {".global", ".shared"}) {
        for (const char* op : {"add", "min", "max"}) {
            for (const char* type : {"u32", "s32", "u64", "s64"}) {
                if (std::string(op) != "add" || std::string(type) != "s64") {
                    probes.push_back(atomicProbe(space, op, type));
                }
            }
        }
        for (const char* op : {"and", "or", "xor", "exch", "cas"}) {
            probes.push_back(atomicProbe(space, op, "b32"));
            probes.push_back(atomicProbe(space, op, "b64"));
        }
        probes.push_back(atomicProbe(space, "cas", "b16"));
        probes.push_back(atomicProbe(space, "inc", "u32"));
        probes.push_back(atomicProbe(space, "dec", "u32"));
        for (const char* type : {"f32", "f64", "f16", "f16x2", "bf16", "bf16x2"}) {
            probes.push_back(atomicProbe(space, "add", type));
        }
    }
    for (const char* type : {"f16", "bf16", "f16x2", "bf16x2", "f32"}) {
        probes.push_back(atomicProbe(".global", "add", type, 2));
        probes.push_back(atomicProbe(".global", "add", type, 4));
    }
    probes.push_back(atomicProbe(".global", "add", "f16", 8));
    probes.push_back(atomicProbe(".global", "min", "f16x2", 2));
    probes.push_back(atomicProbe(".global", "max", "bf16", 4));
    return probes;
}

} // namespace ptxwb::differential
