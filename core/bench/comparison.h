// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/tensor.h"
#include "core/bench/tolerance.h"

#include <cstddef>
#include <span>

namespace ptxwb {

/// Compares an output's raw elements with the reference, in float as the paper does for the element rule, in
/// double for the norms. NaN or Inf counts where the reference is finite or differs in kind or sign; elements
/// that are not finite on both sides are left out of errors and norms. NaN in the reference matches only NaN.
/// `candidate` holds reference.size() elements of `dtype`.
OutputComparison compareOnHost(std::string output, Dtype dtype, const std::byte* candidate,
    std::span<const double> reference, const Tolerance& tolerance);

} // namespace ptxwb
