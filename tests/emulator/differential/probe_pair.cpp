// SPDX-License-Identifier: Apache-2.0
// Instructions that a form of one result cannot show: carries, two predicates, 128 bits.
#include "tests/emulator/differential/probe.h"

namespace ptxwb::differential {

namespace {

/// Three words a lane into %a, %b, %c; %m0 to %m3 come out.
Probe pairProbe(const std::string& name, const std::string& type, const std::string& body)
{
    Probe probe;
    probe.name = "pair " + name;
    probe.threads = 128;
    probe.text =
        ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 "
        "out)\n{\n.reg .b32 %t, %a, %b, %c, %m<4>;\n.reg .b64 %x<3>, %w<4>;\n.reg .b128 %v<2>;\n"
        ".reg .pred %p, %q;\nmov.u32 %t, %tid.x;\nmul.wide.u32 %x2, %t, 16;\n"
        "ld.param.u64 %x0, [in];\nadd.s64 %x0, %x0, %x2;\nld.param.u64 %x1, [out];\n"
        "add.s64 %x1, %x1, %x2;\nld.global.v4.b32 {%a, %b, %c, %t}, [%x0];\n"
        "mov.b32 %m0, 0;\nmov.b32 %m1, 0;\nmov.b32 %m2, 0;\nmov.b32 %m3, 0;\n"
        + body + "st.global.v4.b32 [%x1], {%m0, %m1, %m2, %m3};\nret;\n}\n";
    Values values(probe.name);
    appendWords(probe.input, wordsOf(type, Range::Special, std::size_t{probe.threads} * 4, values));
    probe.output.resize(std::size_t{probe.threads} * 16);
    return probe;
}

} // namespace

std::vector<Probe> pairProbes()
{
    std::vector<Probe> all;
    for (const std::string type : {"u32", "s32"}) {
        all.push_back(pairProbe("mad.lo.cc." + type + " madc.hi." + type, "any",
            "mad.lo.cc." + type + " %m0, %a, %b, %c;\nmadc.hi." + type + " %m1, %a, %b, %c;\n"));
        all.push_back(pairProbe("mad.hi.cc." + type + " madc.lo.cc." + type, "any",
            "mad.hi.cc." + type + " %m0, %a, %b, %c;\nmadc.lo.cc." + type
                + " %m1, %b, %c, %a;\naddc.u32 %m2, 0, 0;\n"));
    }
    all.push_back(pairProbe("mad.lo.cc.u64 madc.hi.u64", "any",
        "mov.b64 %w0, {%a, %b};\nmov.b64 %w1, {%b, %c};\nmov.b64 %w2, {%c, %a};\n"
        "mad.lo.cc.u64 %w3, %w0, %w1, %w2;\nmov.b64 {%m0, %m1}, %w3;\n"
        "madc.hi.u64 %w3, %w0, %w1, %w2;\nmov.b64 {%m2, %m3}, %w3;\n"));
    for (const std::string how : {"or", "and"}) {
        all.push_back(pairProbe("lop3." + how, "any",
            "setp.gt.u32 %q, %a, %b;\nlop3." + how
                + ".b32 %m0|%p, %a, %b, %c, 0x80, %q;\nselp.b32 %m1, 1, 0, %p;\n"));
    }
    for (const std::string type : {"f16x2", "ftz.f16x2", "bf16x2"}) {
        const std::string elements = type == "bf16x2" ? "bf16" : "f16";
        for (const std::string comparison : {"eq", "ne", "lt", "geu", "num", "nan", "lt.and", "gt.xor"}) {
            const bool combined = comparison.find('.') != std::string::npos;
            all.push_back(pairProbe("setp." + comparison + "." + type, elements,
                "setp.ne.u32 %p, %c, 0;\nsetp." + comparison + "." + type + " %p|%q, %a, %b"
                    + (combined ? ", !%p" : "") + ";\nselp.b32 %m0, 1, 0, %p;\nselp.b32 %m1, 1, 0, %q;\n"));
        }
    }
    all.push_back(pairProbe("b128", "any",
        "mov.b64 %w0, {%a, %b};\nmov.b64 %w1, {%c, %a};\nmov.b128 %v0, {%w0, %w1};\n"
        "st.global.b128 [%x1], %v0;\natom.global.exch.b128 %v1, [%x1], %v0;\n"
        "atom.global.cas.b128 %v0, [%x1], %v1, %v0;\nmov.b128 {%w2, %w3}, %v0;\n"
        "mov.b64 {%m0, %m1}, %w2;\nmov.b64 {%m2, %m3}, %w3;\n"));
    return all;
}

} // namespace ptxwb::differential
