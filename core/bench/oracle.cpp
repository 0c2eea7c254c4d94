// SPDX-License-Identifier: Apache-2.0
#include "core/bench/oracle.h"

#include "core/bench/gathered_attention.h"
#include "core/bench/scaled_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ptxwb {

namespace {

double dot(std::span<const double> a, std::span<const double> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

void addScaled(std::span<double> target, double factor, std::span<const double> values)
{
    for (std::size_t i = 0; i < target.size(); ++i) {
        target[i] += factor * values[i];
    }
}

/// The rows of one head.
template <class T> std::span<T> headRows(std::span<T> tensor, const AttentionShape& shape, std::size_t head)
{
    const std::size_t size = shape.length * shape.headDim;
    return tensor.subspan(head * size, size);
}

template <class T> std::span<T> row(std::span<T> rows, const AttentionShape& shape, std::size_t i)
{
    return rows.subspan(i * shape.headDim, shape.headDim);
}

std::size_t keysOf(const AttentionShape& shape, std::size_t query)
{
    return shape.causal ? query + 1 : shape.length;
}

Error unfit(const OracleSpec& oracle, std::string_view why)
{
    Error error;
    error.code = ErrorCode::InvalidArgument;
    error.message = fmt::format("oracle {} does not fit this task: {}", oracle.name, why);
    return error;
}

using References = std::vector<std::vector<double>>;

double parameter(const OracleSpec& oracle, const std::string& name, double standard)
{
    const auto found = oracle.parameters.find(name);
    return found == oracle.parameters.end() ? standard : found->second;
}

std::size_t extent(const BufferSpec& buffer, std::size_t i)
{
    return static_cast<std::size_t>(buffer.type.shape[i]);
}

bool sameShape(const std::vector<BufferSpec>& buffers, std::size_t first, std::size_t last)
{
    return std::all_of(buffers.begin() + static_cast<std::ptrdiff_t>(first),
        buffers.begin() + static_cast<std::ptrdiff_t>(last),
        [&](const BufferSpec& b) { return b.type.shape == buffers[first].type.shape; });
}

AttentionShape attentionShape(const OracleSpec& oracle, const BufferSpec& q)
{
    AttentionShape shape;
    shape.batch = extent(q, 0);
    shape.heads = extent(q, 1);
    shape.length = extent(q, 2);
    shape.headDim = extent(q, 3);
    shape.causal = parameter(oracle, "causal", 0) != 0;
    shape.scale = parameter(oracle, "scale", 1.0 / std::sqrt(static_cast<double>(shape.headDim)));
    return shape;
}

} // namespace

std::vector<double> gemmNtOnHost(
    std::span<const double> a, std::span<const double> b, std::size_t m, std::size_t n, std::size_t k)
{
    std::vector<double> c(m * n);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            c[i * n + j] = dot(a.subspan(i * k, k), b.subspan(j * k, k));
        }
    }
    return c;
}

AttentionForward attentionForwardOnHost(std::span<const double> q, std::span<const double> k,
    std::span<const double> v, const AttentionShape& shape)
{
    AttentionForward result;
    result.o.assign(q.size(), 0.0);
    result.lse.assign(shape.batch * shape.heads * shape.length, 0.0);
    std::vector<double> weights(shape.length);
    for (std::size_t head = 0; head < shape.batch * shape.heads; ++head) {
        const auto queries = headRows(q, shape, head);
        const auto keys = headRows(k, shape, head);
        const auto values = headRows(v, shape, head);
        const auto outputs = headRows(std::span(result.o), shape, head);
        for (std::size_t i = 0; i < shape.length; ++i) {
            const std::size_t count = keysOf(shape, i);
            double largest = -INFINITY;
            for (std::size_t j = 0; j < count; ++j) {
                weights[j] = shape.scale * dot(row(queries, shape, i), row(keys, shape, j));
                largest = std::max(largest, weights[j]);
            }
            double sum = 0;
            for (std::size_t j = 0; j < count; ++j) {
                weights[j] = std::exp(weights[j] - largest);
                sum += weights[j];
            }
            for (std::size_t j = 0; j < count; ++j) {
                addScaled(row(outputs, shape, i), weights[j] / sum, row(values, shape, j));
            }
            result.lse[head * shape.length + i] = largest + std::log(sum);
        }
    }
    return result;
}

AttentionBackward attentionBackwardOnHost(std::span<const double> q, std::span<const double> k,
    std::span<const double> v, std::span<const double> o, std::span<const double> dO,
    std::span<const double> lse, const AttentionShape& shape)
{
    AttentionBackward result;
    result.dq.assign(q.size(), 0.0);
    result.dk.assign(k.size(), 0.0);
    result.dv.assign(v.size(), 0.0);
    for (std::size_t head = 0; head < shape.batch * shape.heads; ++head) {
        const auto queries = headRows(q, shape, head);
        const auto keys = headRows(k, shape, head);
        const auto values = headRows(v, shape, head);
        const auto dq = headRows(std::span(result.dq), shape, head);
        const auto dk = headRows(std::span(result.dk), shape, head);
        const auto dv = headRows(std::span(result.dv), shape, head);
        for (std::size_t i = 0; i < shape.length; ++i) {
            const auto gradient = row(headRows(dO, shape, head), shape, i);
            const double delta = dot(gradient, row(headRows(o, shape, head), shape, i));
            const double rowLse = lse[head * shape.length + i];
            for (std::size_t j = 0; j < keysOf(shape, i); ++j) {
                const double p =
                    std::exp(shape.scale * dot(row(queries, shape, i), row(keys, shape, j)) - rowLse);
                const double ds = shape.scale * p * (dot(gradient, row(values, shape, j)) - delta);
                addScaled(row(dv, shape, j), p, gradient);
                addScaled(row(dq, shape, i), ds, row(keys, shape, j));
                addScaled(row(dk, shape, j), ds, row(queries, shape, i));
            }
        }
    }
    return result;
}

std::vector<double> toDoubles(const TensorType& type, const std::byte* bytes)
{
    std::vector<double> values(static_cast<std::size_t>(type.elements()));
    const auto width = static_cast<std::size_t>(dtypeBytes(type.dtype));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = toDouble(type.dtype, bytes + i * width);
    }
    return values;
}

Result<std::vector<std::vector<double>>> runOracleOnHost(const OracleSpec& oracle,
    const std::vector<BufferSpec>& buffers, const std::vector<std::span<const std::byte>>& inputs)
{
    std::vector<std::vector<double>> in;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (i >= buffers.size() || inputs[i].size() != buffers[i].type.bytes()) {
            return unfit(oracle, "an input has another size than its type");
        }
        in.push_back(toDoubles(buffers[i].type, inputs[i].data()));
    }
    const auto rank = [&buffers](std::size_t i) { return buffers[i].type.shape.size(); };
    if (oracle.name == "gemm_nt") {
        if (in.size() != 2 || rank(0) != 2 || rank(1) != 2
            || extent(buffers[0], 1) != extent(buffers[1], 1)) {
            return unfit(oracle, "it takes A[M,K] and B[N,K]");
        }
        return References{
            gemmNtOnHost(in[0], in[1], extent(buffers[0], 0), extent(buffers[1], 0), extent(buffers[0], 1))};
    }
    if (oracle.name == "attention_forward") {
        if (in.size() != 3 || rank(0) != 4 || !sameShape(buffers, 0, 3)) {
            return unfit(oracle, "it takes Q, K and V of one shape [B,H,S,D]");
        }
        AttentionForward forward =
            attentionForwardOnHost(in[0], in[1], in[2], attentionShape(oracle, buffers[0]));
        return References{std::move(forward.o), std::move(forward.lse)};
    }
    if (oracle.name == "attention_backward") {
        if (in.size() != 6 || rank(0) != 4 || !sameShape(buffers, 0, 5) || rank(5) != 3) {
            return unfit(oracle, "it takes Q, K, V, O and dO of one shape [B,H,S,D], and L[B,H,S]");
        }
        AttentionBackward backward = attentionBackwardOnHost(
            in[0], in[1], in[2], in[3], in[4], in[5], attentionShape(oracle, buffers[0]));
        return References{std::move(backward.dq), std::move(backward.dk), std::move(backward.dv)};
    }
    if (oracle.name == "attention_forward_scaled") {
        if (const auto why = whyNotScaledAttention(buffers)) {
            return unfit(oracle, *why);
        }
        AttentionShape shape = attentionShape(oracle, buffers[0]);
        shape.scale *= in[3][0] * in[4][0];
        AttentionForward forward = attentionForwardOnHost(in[0], in[1], in[2], shape);
        std::transform(forward.o.begin(), forward.o.end(), forward.o.begin(),
            [&](double value) { return value * in[5][0]; });
        return References{std::move(forward.o), std::move(forward.lse)};
    }
    if (oracle.name == "gathered_attention") {
        const auto problem = gatheredAttention(oracle, buffers);
        if (!problem) {
            return unfit(oracle, problem.error().message);
        }
        AttentionForward forward = gatheredAttentionOnHost(*problem, in);
        return References{std::move(forward.o), std::move(forward.lse)};
    }
    if (oracle.name == "gemm_nt_scaled") {
        const auto problem = scaledGemm(buffers);
        return problem ? Result<References>(References{scaledGemmOnHost(*problem, in)})
                       : unfit(oracle, problem.error().message);
    }
    Error error;
    error.code = ErrorCode::Unsupported;
    error.message = oracle.name.empty() ? std::string("this task names no oracle")
                                        : fmt::format("no oracle named {} is built", oracle.name);
    return error;
}

} // namespace ptxwb
