// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/tensor.h"
#include "core/support/result.h"

#include <cstddef>
#include <span>

namespace ptxwb {

/// A tensor as the bytes of a NumPy .npy file, format 1.0, C order. NumPy has no bfloat16 and no 8-bit
/// floats: those are widened to float32, which holds every value of them.
std::string npyBytes(const TensorType& type, std::span<const std::byte> content);

/// The content of a .npy file as elements of `type`. Bits are taken over where the types agree; else values
/// are converted through double, rounded to nearest. Errors: BadFormat (no .npy file, Fortran order, an
/// element type that is not read, another shape).
Result<std::vector<std::byte>> readNpy(std::string_view file, const TensorType& type);

} // namespace ptxwb
