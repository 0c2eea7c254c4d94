// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/fast_oracle.h"

#include "core/bench/scaled_problem.h"
#include "core/emulator/matrix_kernels.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <thread>

namespace ptxwb::emulator {

namespace {

using Floats = std::vector<float>;

Floats toFloats(const TensorType& type, std::span<const std::byte> bytes)
{
    Floats values(static_cast<std::size_t>(type.elements()));
    if (type.dtype == Dtype::Bfloat16) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::uint16_t bits = 0;
            std::memcpy(&bits, bytes.data() + i * 2, 2);
            values[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
        }
        return values;
    }
    const auto width = static_cast<std::size_t>(dtypeBytes(type.dtype));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(toDouble(type.dtype, bytes.data() + i * width));
    }
    return values;
}

std::vector<double> toDoubleVector(const Floats& values)
{
    return {values.begin(), values.end()};
}

/// Who works, and who says that it is over.
struct Crew {
    unsigned workers = 1;
    std::stop_token stop{};
};

Error cancelled()
{
    return {.code = ErrorCode::Cancelled, .message = "cancelled"};
}

/// f(i) for i in [0, count), until somebody stops it.
template <class F> void parallel(std::size_t count, const Crew& crew, F f)
{
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> threads;
    for (unsigned w = 0; w < std::max(1U, crew.workers); ++w) {
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < count && !crew.stop.stop_requested(); i = next++) {
                f(i);
            }
        });
    }
}

std::vector<double> gemm(
    const Floats& a, const Floats& b, std::size_t m, std::size_t n, std::size_t k, const Crew& crew)
{
    Floats c(m * n);
    constexpr std::size_t rows = 32;
    parallel((m + rows - 1) / rows, crew, [&](std::size_t block) {
        matrixKernels().gemmRows(
            a.data(), b.data(), c.data(), block * rows, std::min(m, (block + 1) * rows), n, k);
    });
    return toDoubleVector(c);
}

/// c[m, n] = a[m, k] b[n, k]^T for one head.
void product(const float* a, const float* b, float* c, std::size_t m, std::size_t n, std::size_t k)
{
    matrixKernels().gemmRows(a, b, c, 0, m, n, k);
}

Floats transposed(const float* a, std::size_t rows, std::size_t columns)
{
    Floats t(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            t[c * rows + r] = a[r * columns + c];
        }
    }
    return t;
}

struct Heads {
    std::size_t count = 0;
    std::size_t length = 0;
    std::size_t dim = 0;
    float scale = 1;
    bool causal = false;
};

Heads headsOf(const OracleSpec& oracle, const BufferSpec& q)
{
    const auto extent = [&](std::size_t i) { return static_cast<std::size_t>(q.type.shape[i]); };
    const auto parameter = [&](const char* name, double otherwise) {
        const auto found = oracle.parameters.find(name);
        return found == oracle.parameters.end() ? otherwise : found->second;
    };
    return {extent(0) * extent(1), extent(2), extent(3),
        static_cast<float>(parameter("scale", 1.0 / std::sqrt(static_cast<double>(extent(3))))),
        parameter("causal", 0) != 0};
}

struct Forward {
    Floats o{};
    std::vector<double> lse{};
};

Forward forward(const Floats& q, const Floats& k, const Floats& v, const Heads& heads, const Crew& crew)
{
    const std::size_t s = heads.length;
    const std::size_t d = heads.dim;
    Forward out{Floats(q.size()), std::vector<double>(heads.count * s)};
    parallel(heads.count, crew, [&](std::size_t head) {
        const std::size_t at = head * s * d;
        Floats scores(s * s);
        product(q.data() + at, k.data() + at, scores.data(), s, s, d);
        for (std::size_t i = 0; i < s; ++i) {
            float* row = scores.data() + i * s;
            const std::size_t keys = heads.causal ? i + 1 : s;
            double largest = -HUGE_VAL;
            for (std::size_t j = 0; j < keys; ++j) {
                row[j] *= heads.scale;
                largest = std::max(largest, static_cast<double>(row[j]));
            }
            double sum = 0;
            for (std::size_t j = 0; j < keys; ++j) {
                row[j] = std::exp(row[j] - static_cast<float>(largest));
                sum += static_cast<double>(row[j]);
            }
            for (std::size_t j = 0; j < s; ++j) {
                row[j] = j < keys ? static_cast<float>(static_cast<double>(row[j]) / sum) : 0.0F;
            }
            out.lse[head * s + i] = largest + std::log(sum);
        }
        const Floats vt = transposed(v.data() + at, s, d);
        product(scores.data(), vt.data(), out.o.data() + at, s, d, s);
    });
    return out;
}

struct Backward {
    Floats dq{};
    Floats dk{};
    Floats dv{};
};

Backward backward(const std::vector<Floats>& in, const Heads& heads, const Crew& crew)
{
    const std::size_t s = heads.length;
    const std::size_t d = heads.dim;
    Backward out{Floats(in[0].size()), Floats(in[0].size()), Floats(in[0].size())};
    parallel(heads.count, crew, [&](std::size_t head) {
        const std::size_t at = head * s * d;
        const float* q = in[0].data() + at;
        const float* k = in[1].data() + at;
        const float* v = in[2].data() + at;
        const float* o = in[3].data() + at;
        const float* g = in[4].data() + at;
        const float* lse = in[5].data() + head * s;
        Floats p(s * s);
        Floats ds(s * s);
        product(q, k, p.data(), s, s, d);
        product(g, v, ds.data(), s, s, d);
        for (std::size_t i = 0; i < s; ++i) {
            double delta = 0;
            for (std::size_t x = 0; x < d; ++x) {
                delta += static_cast<double>(g[i * d + x]) * static_cast<double>(o[i * d + x]);
            }
            for (std::size_t j = 0; j < s; ++j) {
                float& probability = p[i * s + j];
                float& slope = ds[i * s + j];
                probability = heads.causal && j > i ? 0.0F : std::exp(heads.scale * probability - lse[i]);
                slope = heads.scale * probability * (slope - static_cast<float>(delta));
            }
        }
        const Floats kt = transposed(k, s, d);
        const Floats qt = transposed(q, s, d);
        const Floats gt = transposed(g, s, d);
        const Floats pt = transposed(p.data(), s, s);
        const Floats dst = transposed(ds.data(), s, s);
        product(ds.data(), kt.data(), out.dq.data() + at, s, d, s);
        product(dst.data(), qt.data(), out.dk.data() + at, s, d, s);
        product(pt.data(), gt.data(), out.dv.data() + at, s, d, s);
    });
    return out;
}

bool fits(const std::vector<BufferSpec>& buffers, const std::vector<std::span<const std::byte>>& inputs,
    std::size_t count, std::size_t rank)
{
    if (inputs.size() != count || buffers.size() < count) {
        return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (inputs[i].size() != buffers[i].type.bytes()) {
            return false;
        }
    }
    return buffers[0].type.shape.size() == rank;
}

} // namespace

Result<std::vector<std::vector<double>>> runFastOracle(const OracleSpec& oracle,
    const std::vector<BufferSpec>& buffers, const std::vector<std::span<const std::byte>>& inputs,
    unsigned workers, std::stop_token stop)
{
    const Crew crew{workers, std::move(stop)};
    const auto finished =
        [&](std::vector<std::vector<double>> result) -> Result<std::vector<std::vector<double>>> {
        if (crew.stop.stop_requested()) {
            return cancelled();
        }
        return result;
    };
    const auto floats = [&] {
        std::vector<Floats> in;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            in.push_back(toFloats(buffers[i].type, inputs[i]));
        }
        return in;
    };
    if (oracle.name == "gemm_nt" && fits(buffers, inputs, 2, 2)) {
        const auto in = floats();
        const auto extent = [&](std::size_t b, std::size_t d) {
            return static_cast<std::size_t>(buffers[b].type.shape[d]);
        };
        std::vector<std::vector<double>> result{
            gemm(in[0], in[1], extent(0, 0), extent(1, 0), extent(0, 1), crew)};
        return finished(std::move(result));
    }
    if (oracle.name == "attention_forward" && fits(buffers, inputs, 3, 4)) {
        const auto in = floats();
        auto result = forward(in[0], in[1], in[2], headsOf(oracle, buffers[0]), crew);
        return finished({toDoubleVector(result.o), std::move(result.lse)});
    }
    if (oracle.name == "attention_backward" && fits(buffers, inputs, 6, 4)) {
        const auto result = backward(floats(), headsOf(oracle, buffers[0]), crew);
        return finished({toDoubleVector(result.dq), toDoubleVector(result.dk), toDoubleVector(result.dv)});
    }
    return runOracleOnHost(oracle, buffers, inputs);
}

Result<void> deriveInputs(const OracleSpec& oracle, const std::vector<BufferSpec>& buffers,
    std::vector<std::vector<std::byte>>& bytes, std::uint64_t seed, unsigned workers, std::stop_token stop)
{
    const Crew crew{workers, std::move(stop)};
    const auto derived = std::find_if(
        buffers.begin(), buffers.end(), [](const BufferSpec& b) { return b.init == BufferInit::Derived; });
    if (derived == buffers.end()) {
        return {};
    }
    if (derivesFromSeed(oracle)) {
        auto made = deriveFromSeed(oracle, buffers, seed);
        if (!made) {
            return made.error();
        }
        for (auto& input : *made) {
            bytes[input.input] = std::move(input.bytes); // inputs come first
        }
        return {};
    }
    if (oracle.name != "attention_backward" || buffers.size() < 6 || buffers[0].type.shape.size() != 4
        || buffers[3].init != BufferInit::Derived || buffers[5].init != BufferInit::Derived) {
        return Error{.code = ErrorCode::Unsupported,
            .message = "the input " + derived->name
                + " is to be derived, and only O and L of attention_backward can be"};
    }
    const auto result = forward(toFloats(buffers[0].type, bytes[0]), toFloats(buffers[1].type, bytes[1]),
        toFloats(buffers[2].type, bytes[2]), headsOf(oracle, buffers[0]), crew);
    if (crew.stop.stop_requested()) {
        return cancelled();
    }
    const auto put = [&](std::size_t b, std::size_t i, double value) {
        const auto width = static_cast<std::size_t>(dtypeBytes(buffers[b].type.dtype));
        fromDouble(buffers[b].type.dtype, value, bytes[b].data() + i * width);
    };
    for (std::size_t i = 0; i < result.o.size(); ++i) {
        put(3, i, static_cast<double>(result.o[i]));
    }
    for (std::size_t i = 0; i < result.lse.size(); ++i) {
        put(5, i, result.lse[i]);
    }
    return {};
}

} // namespace ptxwb::emulator
