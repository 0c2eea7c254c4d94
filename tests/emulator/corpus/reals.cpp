// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/corpus/expectation.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace ptxwb::emulator {

namespace {

using Reals = std::vector<double>;

Reals realsOf(const CorpusTensors& t, const std::string& name)
{
    return CorpusTensors::reals(t.inputs.at(name));
}
Reals given(const CorpusTensors& t, const std::string& name)
{
    return CorpusTensors::reals(t.outputs.at(name));
}

std::string reduction(const CorpusTensors& t)
{
    const auto x = realsOf(t, "X");
    const double sum = std::accumulate(x.begin(), x.end(), 0.0);
    return compare("Y", given(t, "Y"), Reals{sum, sum}, 0, 1e-3);
}

std::string softmax(const CorpusTensors& t)
{
    constexpr std::size_t columns = 300;
    auto x = realsOf(t, "X");
    for (std::size_t row = 0; row < x.size(); row += columns) {
        double sum = 0;
        for (std::size_t c = row; c < row + columns; ++c) {
            x[c] = std::exp(x[c]);
            sum += x[c];
        }
        for (std::size_t c = row; c < row + columns; ++c) {
            x[c] /= sum;
        }
    }
    auto wrong = compare("Y", given(t, "Y"), x, 1e-5);
    return wrong.empty() ? compare("Z", given(t, "Z"), x, 1e-5) : wrong;
}

std::string transpose(const CorpusTensors& t)
{
    const auto x = realsOf(t, "X");
    Reals y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        y[i % 100 * 70 + i / 100] = x[i];
    }
    return compare("Y", given(t, "Y"), y);
}

std::string layerNorm(const CorpusTensors& t)
{
    constexpr std::size_t columns = 512;
    const auto x = realsOf(t, "X");
    const auto gamma = realsOf(t, "Gamma");
    const auto beta = realsOf(t, "Beta");
    Reals y(x.size());
    for (std::size_t row = 0; row < x.size(); row += columns) {
        double mean = 0;
        double variance = 0;
        for (std::size_t c = 0; c < columns; ++c) {
            mean += x[row + c] / columns;
        }
        for (std::size_t c = 0; c < columns; ++c) {
            variance += (x[row + c] - mean) * (x[row + c] - mean) / columns;
        }
        for (std::size_t c = 0; c < columns; ++c) {
            y[row + c] = (x[row + c] - mean) / std::sqrt(variance + 1e-5) * gamma[c] + beta[c];
        }
    }
    return compare("Y", given(t, "Y"), y, 0.005, 1e-4);
}

std::string stencil(const CorpusTensors& t)
{
    constexpr int rows = 45;
    constexpr int columns = 61;
    const auto x = realsOf(t, "X");
    const auto at = [&](int r, int c) {
        return x[static_cast<std::size_t>(
            std::clamp(r, 0, rows - 1) * columns + std::clamp(c, 0, columns - 1))];
    };
    Reals y;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            y.push_back(0.5 * at(r, c) + 0.125 * (at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1)));
        }
    }
    return compare("Y", given(t, "Y"), y, 1e-5, 1e-6);
}

std::string pipeline(const CorpusTensors& t)
{
    auto x = realsOf(t, "X");
    for (auto at = x.begin(); at != x.end(); at += 256) {
        std::reverse(at, at + 256);
    }
    auto wrong = compare("Y", given(t, "Y"), x);
    return wrong.empty() ? compare("Z", given(t, "Z"), x) : wrong;
}

std::string mathFunctions(const CorpusTensors& t)
{
    const auto x = t.in<float>("X");
    Reals y;
    for (const float f : x) {
        const double v = f;
        const double a = std::abs(v);
        const auto times = [&](float factor) { return static_cast<double>(f * factor); };
        y.insert(y.end(),
            {std::sin(v), std::cos(times(100000.0F)), std::tan(v), std::exp(v), std::log(a),
                std::pow(a, 1.7F), std::tanh(v), std::erf(v), std::atan2(v, 0.3F), std::cbrt(v),
                std::fmod(times(10.0F), static_cast<double>(0.7F)), std::sqrt(a) / (1 + v * v),
                std::sin(v * 1e6), std::exp(v), std::log(a), std::pow(a, -2.3), std::erfc(v),
                std::lgamma(a + 0.5), std::sqrt(a) / (v + 7),
                std::rint(times(8.0F)) + std::floor(v) + std::ceil(v) + std::trunc(times(3.0F)),
                v * 32 + v / 8, std::hypot(v, 2), 1 / std::sqrt(1 + a),
                0.5 * v * (1 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v)))});
    }
    return compare("Y", given(t, "Y"), y, 2e-5, 2e-7);
}

std::string bodies(const CorpusTensors& t)
{
    const auto x = realsOf(t, "X");
    Reals y(x.size());
    for (std::size_t i = 0; i < x.size(); i += 4) {
        for (std::size_t j = 0; j < x.size(); j += 4) {
            std::array<double, 3> d{};
            double square = 0.01F;
            for (std::size_t k = 0; k < 3; ++k) {
                d[k] = x[j + k] - x[i + k];
                square += d[k] * d[k];
            }
            const double s = std::abs(x[j + 3]) / (square * std::sqrt(square));
            for (std::size_t k = 0; k < 3; ++k) {
                y[i + k] += d[k] * s;
            }
        }
    }
    return compare("Y", given(t, "Y"), y, 1e-4, 1e-3);
}

std::string narrowFloats(const CorpusTensors& t)
{
    const auto x = t.in<float>("X");
    Reals y;
    const auto rounded = [](Dtype dtype, double value) {
        std::uint64_t bits = 0;
        fromDouble(dtype, value, &bits);
        return toDouble(dtype, &bits);
    };
    for (std::size_t i = 0; i < x.size(); i += 2) {
        const auto of = [&](Dtype dtype, std::size_t k) { return rounded(dtype, x[i + k]); };
        const std::array<double, 2> h{of(Dtype::Float16, 0), of(Dtype::Float16, 1)};
        const std::array<double, 2> b{of(Dtype::Bfloat16, 0), of(Dtype::Bfloat16, 1)};
        for (std::size_t k = 0; k < 2; ++k) {
            y.push_back(rounded(Dtype::Float16, h[k] * h[k] + 0.5));
        }
        for (std::size_t k = 0; k < 2; ++k) {
            y.push_back(rounded(Dtype::Bfloat16, b[k] * b[k] + 0.5));
        }
        for (std::size_t k = 0; k < 2; ++k) {
            y.push_back(rounded(Dtype::Float16, std::exp(h[k])));
        }
        y.insert(y.end(),
            {std::max(h[0], h[1]), std::min(b[0], b[1]), of(Dtype::Float8E4m3, 0), of(Dtype::Float8E4m3, 1),
                of(Dtype::Float8E5m2, 0), h[0] < h[1] ? 1.0 : 0.0});
    }
    if (auto wrong = compare("Y", given(t, "Y"), y, 0.001); !wrong.empty()) {
        return wrong;
    }
    const auto sums = t.out<std::uint16_t>("S");
    return compare("S",
        Reals{fromFloat16(sums[0]), fromFloat16(sums[1]), fromBfloat16(sums[2]), fromBfloat16(sums[3])},
        Reals{16, 16, 32, 32});
}

std::string sparseMatrix(const CorpusTensors& t)
{
    const auto x = realsOf(t, "X");
    const auto values = realsOf(t, "Values");
    const auto columns = t.in<std::uint32_t>("Columns");
    Reals y(x.size());
    for (std::size_t row = 0; row < y.size(); ++row) {
        for (std::size_t i = row * 24; i < row * 24 + row % 25; ++i) {
            y[row] += values[i] * x[columns[i] % y.size()];
        }
    }
    return compare("Y", given(t, "Y"), y, 1e-5, 1e-5);
}

} // namespace

std::vector<CorpusExpectation> realExpectations()
{
    return {{"reduction", reduction}, {"softmax", softmax}, {"transpose", transpose},
        {"layernorm", layerNorm}, {"stencil", stencil}, {"cp_async_pipeline", pipeline},
        {"math_functions", mathFunctions}, {"nbody", bodies}, {"narrow_floats", narrowFloats},
        {"sparse_matrix", sparseMatrix}};
}

} // namespace ptxwb::emulator
