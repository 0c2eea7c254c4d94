// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/differential/forms.h"

#include "tests/emulator/differential/form_list.h"
#include "tests/emulator/differential/probe.h"

#include <cstddef>

namespace ptxwb::differential {

namespace {

std::uint64_t next(std::uint64_t& state) // splitmix64
{
    std::uint64_t z = state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
}

std::uint64_t seedOf(const std::string& name) // FNV-1a
{
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : name) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }
    return hash;
}

/// Where rounding, flushing and the choice among NaN decide: seeds that begin with "edge".
std::uint64_t edgyFloatBits(std::uint64_t& state, unsigned exponent, unsigned fraction)
{
    const std::uint64_t bias = (1ULL << (exponent - 1)) - 1;
    const std::uint64_t infinity = ((1ULL << exponent) - 1) << fraction;
    const std::uint64_t least = 1ULL << fraction;
    const std::uint64_t sign = (next(state) & 1U) << (exponent + fraction);
    const std::uint64_t r = next(state);
    const std::uint64_t any = next(state);
    const std::uint64_t few =
        (1ULL << ((r >> 8U) % fraction)) + ((r >> 16U) & 3U) - 2; // one bit, and a little
    const std::uint64_t part = ((r >> 24U & 1U) != 0 ? few : any) & (least - 1);
    switch (r % 6) {
    case 0: // two of them have a product near the least normal number
        return sign | ((bias / 2 + (r >> 32U) % 4) << fraction | part);
    case 1:
        return sign | (least + ((r >> 32U) & 15U) - 8);
    case 2:
        return sign | infinity | part;
    case 3: // near the largest
        return sign | (infinity - least * (1 + (r >> 32U) % 2)) | part;
    case 4:
        return sign | ((bias + (r >> 32U) % 4 - 2) << fraction | part);
    default:
        return sign | part;
    }
}

/// A float of `exponent` and `fraction` bits: an edge, one of moderate size, or any bits.
std::uint64_t floatBits(std::uint64_t& state, unsigned exponent, unsigned fraction)
{
    if (seedOfEnvironment().rfind("edge", 0) == 0) {
        return edgyFloatBits(state, exponent, fraction);
    }
    const std::uint64_t one = ((1ULL << (exponent - 1)) - 1) << fraction;
    const std::uint64_t infinity = ((1ULL << exponent) - 1) << fraction;
    const std::uint64_t least = 1ULL << fraction;
    const std::uint64_t sign = (next(state) & 1U) << (exponent + fraction);
    const std::uint64_t edges[] = {0, 1, least - 1, least, least + 1, infinity - 1, infinity,
        infinity | (least >> 1U), infinity | 1U, one, one + 1, one - 1, one + least, one - least,
        one + (least >> 1U), one | (least - 1)};
    const std::uint64_t r = next(state);
    switch (r % 4) {
    case 0:
        return sign | edges[(r >> 8U) % (sizeof edges / sizeof *edges)];
    case 1: // about 1: sums cancel and round
    case 2:
        return sign | ((one + ((r >> 2U) % 8) * least - 4 * least) + ((r >> 16U) & (least - 1)));
    default:
        return sign | ((r >> 8U) & (infinity | (least - 1)));
    }
}

std::uint64_t wholeBits(std::uint64_t& state, unsigned bits)
{
    const std::uint64_t top = 1ULL << (bits - 1);
    const std::uint64_t edges[] = {
        0, 1, 2, 31, 32, 33, 63, 64, top, top - 1, top + 1, ~0ULL, ~0ULL - 1, 0xFF, 0x80};
    const std::uint64_t r = next(state);
    const std::uint64_t mask = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
    const std::uint64_t value = next(state);
    switch (r % 4) {
    case 0:
        return edges[(r >> 8U) % (sizeof edges / sizeof *edges)] & mask;
    case 1: // of any length
        return (value & mask) >> ((r >> 8U) % bits);
    default:
        return value & mask;
    }
}

std::uint64_t valueOf(char kind, std::uint64_t& state)
{
    switch (kind) {
    case 'f':
        return floatBits(state, 8, 23);
    case 'd':
        return floatBits(state, 11, 52);
    case 'h':
        return floatBits(state, 5, 10);
    case 'B':
        return floatBits(state, 8, 7);
    case 'g':
    case 'C': {
        const char half = kind == 'g' ? 'h' : 'B';
        const std::uint64_t low = valueOf(half, state);
        return low | valueOf(half, state) << 16U;
    }
    case 'q':
        return wholeBits(state, 64);
    case 's':
        return wholeBits(state, 16);
    case 'z':
        return next(state) % 41;
    case 'y':
        return next(state) % 3;
    default:
        return wholeBits(state, 32);
    }
}

unsigned bitsOf(char kind)
{
    return kind == 'd' || kind == 'q' ? 64 : kind == 'h' || kind == 'B' || kind == 's' ? 16 : 32;
}

std::string registerOf(char kind, std::size_t index)
{
    const char* file = kind == 'P' ? "%p" : bitsOf(kind) == 64 ? "%q" : bitsOf(kind) == 16 ? "%h" : "%r";
    return file + std::to_string(index);
}

/// "a{.x,.y}" to "a.x" and "a.y", all combinations.
void expand(const std::string& pattern, std::vector<std::string>& into)
{
    const std::size_t open = pattern.find('{');
    if (open == std::string::npos) {
        into.push_back(pattern);
        return;
    }
    const std::size_t close = pattern.find('}', open);
    std::size_t at = open + 1;
    while (at <= close) {
        std::size_t end = pattern.find(',', at);
        end = end == std::string::npos || end > close ? close : end;
        expand(pattern.substr(0, open) + pattern.substr(at, end - at) + pattern.substr(close + 1), into);
        at = end + 1;
    }
}

} // namespace

std::vector<Form> allForms()
{
    std::vector<Form> forms;
    for (const FormPattern& pattern : formPatterns) {
        std::vector<std::string> names;
        expand(pattern.opcodes, names);
        for (const std::string& opcode : names) {
            Form form;
            form.opcode = opcode;
            form.name = opcode;
            form.operands = pattern.operands;
            std::string rest = pattern.fixed;
            while (!rest.empty()) {
                const std::size_t end = rest.find(' ');
                form.fixed.push_back(rest.substr(0, end));
                form.name += " " + form.fixed.back();
                rest = end == std::string::npos ? "" : rest.substr(end + 1);
            }
            form.label = form.name;
            for (const Form& other : forms) {
                if (other.name == form.name) {
                    form.label = form.name + " (" + form.operands + ")";
                }
            }
            forms.push_back(form);
        }
    }
    return forms;
}

std::uint32_t resultBytes(const Form& form)
{
    return form.operands[0] == 'P' ? 4 : bitsOf(form.operands[0]) / 8;
}

std::vector<std::uint64_t> inputsOf(const Form& form)
{
    std::uint64_t state = seedOf(form.name + seedOfEnvironment());
    std::vector<std::uint64_t> inputs(std::size_t{lanes} * 3);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::size_t operand = 1 + i % 3;
        inputs[i] = operand < form.operands.size() ? valueOf(form.operands[operand], state) : 0;
    }
    return inputs;
}

std::string moduleHeader()
{
    return ".version 8.3\n.target sm_90a\n.address_size 64\n";
}

std::string kernelOf(const Form& form, const std::string& name)
{
    std::string text = ".visible .entry " + name + "(.param .u64 in, .param .u64 out)\n{\n"
        + ".reg .b16 %h<5>;\n.reg .b32 %r<5>, %t;\n.reg .b64 %q<5>, %x<4>, %o;\n.reg .pred %p<5>;\n"
        + "mov.u32 %t, %tid.x;\nld.param.u64 %x0, [in];\nmul.wide.u32 %o, %t, 24;\nadd.s64 %x0, %x0, %o;\n";
    std::string list = registerOf(form.operands[0], 0);
    for (std::size_t i = 1; i < form.operands.size(); ++i) {
        const char kind = form.operands[i];
        const std::string target = registerOf(kind, i);
        text += "ld.global.u64 %x" + std::to_string(i) + ", [%x0+" + std::to_string(8 * (i - 1)) + "];\n";
        const std::string from = ", %x" + std::to_string(i) + ";\n";
        if (kind == 'P') {
            text += "cvt.u32.u64 %t" + from + "and.b32 %t, %t, 1;\nsetp.ne.u32 " + target + ", %t, 0;\n";
        } else {
            text += (bitsOf(kind) == 64          ? "mov.b64 "
                            : bitsOf(kind) == 16 ? "cvt.u16.u64 "
                                                 : "cvt.u32.u64 ")
                + target + from;
        }
        list += ", " + target;
    }
    for (const std::string& operand : form.fixed) {
        list += ", " + operand;
    }
    text += form.opcode + " " + list + ";\n";
    if (form.operands[0] == 'P') {
        text += "selp.u32 %r0, 1, 0, %p0;\n";
    }
    const unsigned bits = 8 * resultBytes(form);
    text += "mov.u32 %t, %tid.x;\nld.param.u64 %x0, [out];\nmul.wide.u32 %o, %t, 8;\nadd.s64 %x0, %x0, %o;\n";
    text += "st.global.b" + std::to_string(bits) + " [%x0], "
        + registerOf(form.operands[0] == 'P' ? 'w' : form.operands[0], 0) + ";\nret;\n}\n";
    return text;
}

} // namespace ptxwb::differential
