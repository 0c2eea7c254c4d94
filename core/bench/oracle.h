// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"

#include <cstddef>
#include <span>

namespace ptxwb {

/// Reference results on the CPU, accumulated in double: for small shapes (tests, emulator). Every tensor is
/// dense and row-major.

/// C[m, n] = sum over k of A[m, k] B[n, k].
std::vector<double> gemmNtOnHost(
    std::span<const double> a, std::span<const double> b, std::size_t m, std::size_t n, std::size_t k);

struct AttentionShape {
    std::size_t batch = 1;
    std::size_t heads = 1;
    std::size_t length = 1; ///< of queries and keys
    std::size_t headDim = 1;
    double scale = 1;
    bool causal = false; ///< key <= query
};

struct AttentionForward {
    std::vector<double> o{}; ///< [batch, heads, length, headDim]
    std::vector<double> lse{}; ///< [batch, heads, length], natural logarithm
};
AttentionForward attentionForwardOnHost(std::span<const double> q, std::span<const double> k,
    std::span<const double> v, const AttentionShape& shape);

struct AttentionBackward {
    std::vector<double> dq{};
    std::vector<double> dk{};
    std::vector<double> dv{};
};
/// Gradients of attentionForwardOnHost with respect to q, k and v, given the gradient of o. `o` and `lse` are
/// those of the forward pass, as the kernel gets them.
AttentionBackward attentionBackwardOnHost(std::span<const double> q, std::span<const double> k,
    std::span<const double> v, std::span<const double> o, std::span<const double> dO,
    std::span<const double> lse, const AttentionShape& shape);

/// A dense tensor's elements as doubles.
std::vector<double> toDoubles(const TensorType& type, const std::byte* bytes);

/// Runs the oracle of a task on the buffers of a plan: `inputs` holds the bytes of every Input buffer in
/// order. Gives one reference per Output buffer, in order. Errors: Unsupported (no such oracle),
/// InvalidArgument (buffers that do not fit it).
Result<std::vector<std::vector<double>>> runOracleOnHost(const OracleSpec& oracle,
    const std::vector<BufferSpec>& buffers, const std::vector<std::span<const std::byte>>& inputs);

} // namespace ptxwb
