// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/oracle.h"

#include <cstdint>

namespace ptxwb {

/// C[m, n] = sum over k of (A sfa)(B sfb): 8-bit matrices with a float32 factor for each 128 columns of a row
/// of A, and for each 128 columns of bRows rows of B. Inputs A [M, K], SFA [M, K/128], B [N, K], SFB
/// [N/bRows, K/128].
struct ScaledGemm {
    std::int64_t m = 0;
    std::int64_t n = 0;
    std::int64_t k = 0;
    std::int64_t bRows = 128; ///< 128 or 1
};
inline constexpr std::int64_t scaledColumns = 128;

/// Errors: InvalidArgument with what does not fit.
Result<ScaledGemm> scaledGemm(const std::vector<BufferSpec>& buffers);
std::vector<double> scaledGemmOnHost(
    const ScaledGemm& problem, const std::vector<std::vector<double>>& inputs);

/// Why these buffers are not those of oracle attention_forward_scaled: Q, K, V [B, H, S, D] of 8-bit floats
/// and a float32 factor for each, [1, 1, 1, 1] -> O, LSE. Nothing when they are.
std::optional<std::string> whyNotScaledAttention(const std::vector<BufferSpec>& buffers);

/// An input that a plan calls derived and that follows from the seed alone: tables of gathered_attention,
/// factors of gemm_nt_scaled.
struct DerivedInput {
    std::size_t input = 0; ///< counted among the inputs
    std::vector<std::byte> bytes{};
};
bool derivesFromSeed(const OracleSpec& oracle);
/// Errors: InvalidArgument (buffers that do not fit the oracle), Unsupported (another derived input).
Result<std::vector<DerivedInput>> deriveFromSeed(
    const OracleSpec& oracle, const std::vector<BufferSpec>& buffers, std::uint64_t seed);

} // namespace ptxwb
