// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/elements.h"

#include <cuda_runtime_api.h>

// References of higher precision: products are exact, every sum is float64, the result is rounded once to
// float32 (relative error below 6e-8 plus the float64 sums' 1e-13). Shapes are checked by the caller. Enqueue
// on `stream`.
namespace ptxwb::gpu {

/// C[M,N] = A[M,K] * B[N,K]^T, all row-major; kind F32, F16 or Bf16 for A and B.
cudaError_t gemmNtReference(const void* a, const void* b, ElementKind kind, float* c, std::int64_t m,
    std::int64_t n, std::int64_t k, cudaStream_t stream);

/// O = softmax(scale * Q K^T) V over [batches, S, D] (batches = B * H), and the natural-log LSE [batches, S].
/// causal: a query sees keys up to its own position. D at most 128 and a multiple of 4.
cudaError_t attentionReference(const void* q, const void* k, const void* v, ElementKind kind, float* o,
    float* lse, std::int64_t batches, std::int64_t s, std::int64_t d, double scale, bool causal,
    cudaStream_t stream);

inline constexpr std::int64_t maxReferenceHeadDim = 128;

} // namespace ptxwb::gpu
