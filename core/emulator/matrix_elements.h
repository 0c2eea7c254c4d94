// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/shared_memory.h"
#include "core/emulator/value_type.h"

#include <cstdint>
#include <vector>

namespace ptxwb::emulator {

/// Element j of a 32-bit register that holds elements of a matrix type, as float. Integers up to 8 bits are
/// exact.
float elementOf(std::uint32_t word, std::uint32_t j, ValueType type);

/// Two rows of 32 floats to 32 packed pairs of f16.
void storeHalves(const float* low, const float* high, std::uint32_t* to);

/// Elements of an operand in shared memory, given the addresses of its 16-byte pieces (K-major: row by row;
/// MN-major: by groups of 8 rows, then k), to out[rows][k].
void unpackPieces(SharedMemory& shared, const std::vector<std::uint32_t>& places, ValueType type,
    bool mnMajor, std::uint32_t rows, std::uint32_t k, float* out);

} // namespace ptxwb::emulator
