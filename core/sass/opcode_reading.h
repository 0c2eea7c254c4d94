// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/listing.h"

#include <span>

namespace ptxwb {

/// What a SASS opcode does, in one line. NVIDIA documents SASS by name only, so these lines are our reading
/// of the names, of what ptxas makes of known PTX and of published microbenchmarks.
struct OpcodeReading {
    std::string_view opcode{}; ///< base: "HGMMA"
    std::string_view words{};
};

/// Sorted by opcode.
std::span<const OpcodeReading> allOpcodeReadings();

/// By the base of a dotted opcode ("HGMMA.64x256x16.F32" -> HGMMA); nullptr where we have no reading.
const OpcodeReading* opcodeReading(std::string_view dottedOpcode);

/// The reading made specific by modifiers and operands: the shape and types of a tensor core product and
/// where A comes from, width and space of a memory access, the function of MUFU ... Empty where we have no
/// reading.
std::string describeInstruction(const SassInstruction& instruction);

} // namespace ptxwb
