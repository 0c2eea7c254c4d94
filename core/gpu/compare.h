// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/elements.h"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace ptxwb::gpu {

/// What one block found; the host adds the blocks up in their order, so the result does not depend on
/// scheduling.
struct ComparisonPart {
    std::uint64_t mismatched;
    std::uint64_t nanCount;
    std::uint64_t infCount;
    std::uint64_t poisonCount;
    std::uint64_t nonZero;
    std::uint64_t firstMismatch; ///< ~0: none
    double maxAbs;
    double maxRel;
    double errorSquares;
    double referenceSquares;
};

inline constexpr int comparisonBlocks = 1024;

/// Compares `output` with the float32 reference by the rule abs > atol and rel > rtol; fills
/// `parts[comparisonBlocks]` (device memory). Enqueues on `stream`.
cudaError_t compareElements(const void* output, ElementKind kind, const float* reference,
    std::uint64_t elements, double atol, double rtol, ComparisonPart* parts, cudaStream_t stream);

/// Elements of any type as float32. Enqueues on `stream`.
cudaError_t widenToFloat(
    const void* data, ElementKind kind, std::uint64_t elements, float* out, cudaStream_t stream);

} // namespace ptxwb::gpu
