// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ptxwb {

/// What a tensor held when a run ended.
struct TensorContent {
    std::string name{};
    TensorType type{};
    std::vector<std::byte> bytes{};
    std::string sha256{};
    std::vector<double> head{}; ///< the first 16 values
    std::optional<double> min{}; ///< of what is no NaN
    std::optional<double> max{};
    std::uint64_t nanCount = 0;
    std::optional<std::uint64_t> unwrittenCount{}; ///< elements left as poison; integers cannot tell
    std::optional<double> difference{}; ///< normwise relative, between runs whose bits differ
};

/// `bytes` are those of the buffer, row-major.
TensorContent describeContent(const BufferSpec& spec, std::vector<std::byte> bytes);

/// Normwise relative difference; infinite where one has a NaN or an infinity that the other lacks.
double differenceOf(const TensorContent& first, std::span<const std::byte> other);

/// What another order of a sum can change (normwise, relative): nothing of integers, some bits of floats.
double toleratedDifference(Dtype dtype);

} // namespace ptxwb
