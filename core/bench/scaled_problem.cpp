// SPDX-License-Identifier: Apache-2.0
#include "core/bench/scaled_problem.h"

#include "core/bench/gathered_attention.h"
#include "core/bench/seeded_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptxwb {

namespace {

using Shape = std::vector<std::int64_t>;

std::vector<const BufferSpec*> withRole(const std::vector<BufferSpec>& buffers, BufferRole role)
{
    std::vector<const BufferSpec*> found;
    for (const BufferSpec& buffer : buffers) {
        if (buffer.role == role) {
            found.push_back(&buffer);
        }
    }
    return found;
}

bool isFloat8(Dtype dtype)
{
    return dtype == Dtype::Float8E4m3 || dtype == Dtype::Float8E5m2;
}

template <class T> std::vector<std::byte> bytesOf(const std::vector<T>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// Positive, within a factor of four, so that a factor that is left away or taken from a neighbour shows.
std::vector<std::byte> factors(std::int64_t count, std::uint64_t seed, std::size_t input)
{
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = 0.5F + 1.5F * uniformClosed(mixedBits(seed, static_cast<std::uint32_t>(input), i));
    }
    return bytesOf(values);
}

} // namespace

Result<ScaledGemm> scaledGemm(const std::vector<BufferSpec>& buffers)
{
    const auto unfit = [](const char* why) {
        return Error{.code = ErrorCode::InvalidArgument, .message = why};
    };
    const auto in = withRole(buffers, BufferRole::Input);
    const auto out = withRole(buffers, BufferRole::Output);
    if (in.size() != 4 || out.size() != 1
        || std::any_of(in.begin(), in.end(), [](const BufferSpec* b) { return b->type.shape.size() != 2; })) {
        return unfit("it takes A [M, K], SFA [M, K/128], B [N, K] and SFB, and makes C [M, N]");
    }
    ScaledGemm p{.m = in[0]->type.shape[0], .n = in[2]->type.shape[0], .k = in[0]->type.shape[1]};
    const std::int64_t blocks = p.k / scaledColumns;
    p.bRows = in[3]->type.shape[0] == p.n ? 1 : scaledColumns;
    if (p.k % scaledColumns != 0 || in[2]->type.shape[1] != p.k || in[1]->type.shape != Shape{p.m, blocks}
        || p.n % p.bRows != 0 || in[3]->type.shape != Shape{p.n / p.bRows, blocks}
        || out[0]->type.shape != Shape{p.m, p.n}) {
        return unfit(
            "the shapes are not A [M, K], SFA [M, K/128], B [N, K], SFB [N/128 or N, K/128] and C [M, N]");
    }
    if (!isFloat8(in[0]->type.dtype) || !isFloat8(in[2]->type.dtype) || in[1]->type.dtype != Dtype::Float32
        || in[3]->type.dtype != Dtype::Float32) {
        return unfit("A and B are of 8-bit floats, their factors of float32");
    }
    return p;
}

std::vector<double> scaledGemmOnHost(const ScaledGemm& p, const std::vector<std::vector<double>>& in)
{
    std::vector<double> c(static_cast<std::size_t>(p.m * p.n));
    const std::int64_t blocks = p.k / scaledColumns;
    const auto at = [&](std::size_t input, std::int64_t i) { return in[input][static_cast<std::size_t>(i)]; };
    for (std::int64_t i = 0; i < p.m; ++i) {
        for (std::int64_t j = 0; j < p.n; ++j) {
            double sum = 0;
            for (std::int64_t e = 0; e < p.k; ++e) {
                const std::int64_t block = e / scaledColumns;
                sum += at(0, i * p.k + e) * at(1, i * blocks + block) * at(2, j * p.k + e)
                    * at(3, j / p.bRows * blocks + block);
            }
            c[static_cast<std::size_t>(i * p.n + j)] = sum;
        }
    }
    return c;
}

std::optional<std::string> whyNotScaledAttention(const std::vector<BufferSpec>& buffers)
{
    const auto in = withRole(buffers, BufferRole::Input);
    const auto out = withRole(buffers, BufferRole::Output);
    if (in.size() != 6 || out.size() != 2 || in[0]->type.shape.size() != 4) {
        return "it takes Q, K and V of [B, H, S, D] and a factor for each, and makes O and LSE";
    }
    const TensorType& q = in[0]->type;
    for (std::size_t i = 0; i < 3; ++i) {
        if (in[i]->type.shape != q.shape || !isFloat8(in[i]->type.dtype) || in[i]->type.dtype != q.dtype) {
            return "Q, K and V must have one shape and one type of 8-bit floats";
        }
        if (in[i + 3]->type.elements() != 1 || in[i + 3]->type.dtype != Dtype::Float32) {
            return "each factor is one float32";
        }
    }
    if (out[0]->type.shape != q.shape || out[1]->type.shape != Shape(q.shape.begin(), q.shape.end() - 1)) {
        return "O must have the shape of Q, LSE [B, H, S]";
    }
    return std::nullopt;
}

bool derivesFromSeed(const OracleSpec& oracle)
{
    return oracle.name == "gathered_attention" || oracle.name == "gemm_nt_scaled";
}

Result<std::vector<DerivedInput>> deriveFromSeed(
    const OracleSpec& oracle, const std::vector<BufferSpec>& buffers, std::uint64_t seed)
{
    std::vector<DerivedInput> made;
    const auto in = withRole(buffers, BufferRole::Input);
    if (oracle.name == "gathered_attention") {
        const auto problem = gatheredAttention(oracle, buffers);
        if (!problem) {
            return problem.error();
        }
        const auto tables = gatheredTables(*problem, seed);
        made.push_back({.input = problem->kvIndptr, .bytes = bytesOf(tables.kvIndptr)});
        if (problem->qoIndptr) {
            made.push_back({.input = *problem->qoIndptr, .bytes = bytesOf(tables.qoIndptr)});
        }
        if (problem->kvIndices) {
            made.push_back({.input = *problem->kvIndices, .bytes = bytesOf(tables.kvIndices)});
        }
    } else if (oracle.name == "gemm_nt_scaled") {
        if (const auto problem = scaledGemm(buffers); !problem) {
            return problem.error();
        }
        for (const std::size_t i : {1U, 3U}) {
            made.push_back({.input = i, .bytes = factors(in[i]->type.elements(), seed, i)});
        }
    }
    // What a workload gives otherwise stays as it is.
    std::erase_if(made, [&](const DerivedInput& d) { return in[d.input]->init != BufferInit::Derived; });
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (in[i]->init == BufferInit::Derived
            && std::none_of(made.begin(), made.end(), [&](const DerivedInput& d) { return d.input == i; })) {
            return Error{.code = ErrorCode::Unsupported,
                .message = fmt::format(
                    "input '{}' is to be derived, and oracle {} does not say how", in[i]->name, oracle.name)};
        }
    }
    return made;
}

} // namespace ptxwb
