// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Small kernels, one instruction each, whose results on a GPU are recorded and compared with the emulator's.
/// Also compiled by nvcc into the recorder, so it uses the standard library alone.
namespace ptxwb::differential {

constexpr std::uint32_t lanes = 128; ///< threads of each kernel, one CTA

/// One instruction and its operands. Classes of operands: f d h g B C = f32 f64 f16 f16x2 bf16 bf16x2;
/// w q s = 32, 64, 16 bits; z = a count from 0 to 40; y = values that differ in few bits; P = a predicate.
struct Form {
    std::string name{}; ///< the opcode with its suffixes, and fixed operands
    std::string label{}; ///< the name, and the operands' classes where another form has the same name
    std::string opcode{};
    std::string operands{}; ///< classes, the result first
    std::vector<std::string> fixed{}; ///< operands after those
};

std::vector<Form> allForms();
std::uint32_t resultBytes(const Form& form); ///< of one lane: 2, 4 or 8
/// Three 64-bit words per lane, from the seed of the form's name: the inputs at their low bits.
std::vector<std::uint64_t> inputsOf(const Form& form);
/// A kernel `name(const u64* inputs, u64* outputs)`, without the header of the module.
std::string kernelOf(const Form& form, const std::string& name);
std::string moduleHeader();

} // namespace ptxwb::differential
