// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/elements.h"

#include <cuda_runtime_api.h>

#include <cstdint>

// References of higher precision: products of inputs are exact, every sum is float64, the result is rounded
// once (to float32: relative error below 6e-8 plus the float64 sums' 1e-13). Shapes are checked by the
// caller. Enqueue on `stream`.
namespace ptxwb::gpu {

/// C[M,N] = A[M,K] * B[N,K]^T, all row-major; kind F32, F16 or Bf16 for A and B.
cudaError_t gemmNtReference(const void* a, const void* b, ElementKind kind, float* c, std::int64_t m,
    std::int64_t n, std::int64_t k, cudaStream_t stream);

/// The same with a factor for each 128 columns of a row of A (`sfa` [M, K/128]) and for each 128 columns of
/// `bRows` rows of B (`sfb` [N/bRows, K/128]); kind E4m3 or E5m2. Every product of factor and element is
/// exact in float64.
struct ScaledGemmProblem {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t bRows = 128;
    ElementKind kind = ElementKind::E4m3;
};
cudaError_t gemmNtScaledReference(const ScaledGemmProblem& problem, const void* a, const float* sfa,
    const void* b, const float* sfb, float* c, cudaStream_t stream);
/// out[columns, rows] = in[rows, columns].
cudaError_t transposeFloats(
    const float* in, float* out, std::int64_t rows, std::int64_t columns, cudaStream_t stream);

/// Attention over [batches, S, D] (batches = B * H) of one element kind: F32, F16, Bf16, or, with factors,
/// E4m3 or E5m2.
struct AttentionProblem {
    ElementKind kind = ElementKind::Bf16;
    std::int64_t batches = 0;
    std::int64_t s = 0;
    std::int64_t d = 0; ///< at most maxReferenceHeadDim and a multiple of 4
    double scale = 1;
    bool causal = false; ///< a query sees keys up to its own position
    const float* factorQ = nullptr; ///< device memory, one value each; null: 1
    const float* factorK = nullptr;
    const float* factorV = nullptr;
};

inline constexpr std::int64_t maxReferenceHeadDim = 128;

/// O = softmax(scale * Q K^T) V, as oKind, and the natural-log LSE [batches, S].
cudaError_t attentionReference(const AttentionProblem& problem, const void* q, const void* k, const void* v,
    void* o, ElementKind oKind, float* lse, cudaStream_t stream);

/// Attention through tables (core/bench/gathered_attention.h says what they mean), one element kind: F32, F16
/// or Bf16.
struct GatheredProblem {
    ElementKind kind = ElementKind::Bf16;
    std::int64_t tokens = 0;
    std::int64_t sequences = 0;
    int queryHeads = 1;
    int keyHeads = 1;
    int keyDim = 0;
    int extraDim = 0;
    int valueDim = 0;
    bool causal = false;
    const void* q = nullptr;
    const void* k = nullptr;
    const void* v = nullptr;
    const void* qExtra = nullptr;
    const void* kExtra = nullptr;
    const std::int32_t* qoIndptr = nullptr; ///< null: one query a sequence
    const std::int32_t* kvIndptr = nullptr;
    const std::int32_t* kvIndices = nullptr; ///< null: keys lie in order
    const float* scale = nullptr;
};
/// Output [tokens, queryHeads, valueDim] and base-2 statistics [tokens, queryHeads].
cudaError_t gatheredAttentionReference(
    const GatheredProblem& problem, float* o, float* lse, cudaStream_t stream);

struct AttentionBackwardInputs {
    const void* q = nullptr;
    const void* k = nullptr;
    const void* v = nullptr;
    const void* o = nullptr; ///< of the forward pass, as the kernel gets it
    const void* dO = nullptr;
    const float* lse = nullptr; ///< [batches, S]
};
struct AttentionGradients {
    float* dq = nullptr;
    float* dk = nullptr;
    float* dv = nullptr;
};

/// How much scratch memory attentionBackwardReference wants: for as many heads at a time as fit 1 GiB, at
/// least one.
std::uint64_t attentionBackwardScratchBytes(const AttentionProblem& problem);

/// Gradients of O with respect to Q, K and V: P = exp(scale Q K^T - LSE), dS = scale P (dO V^T - rowsum(dO
/// O)), dQ = dS K, dK = dS^T Q, dV = P^T dO. P and dS are kept as float64 in `scratch`.
cudaError_t attentionBackwardReference(const AttentionProblem& problem, const AttentionBackwardInputs& inputs,
    const AttentionGradients& gradients, void* scratch, cudaStream_t stream);

} // namespace ptxwb::gpu
