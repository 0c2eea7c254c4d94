// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/tensor.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace ptxwb::emulator {

/// What the kernels of the corpus got and gave, by the name of the tensor.
struct CorpusTensors {
    struct Tensor {
        TensorType type{};
        std::vector<std::byte> bytes{};
    };
    std::map<std::string, Tensor> inputs{};
    std::map<std::string, Tensor> outputs{};

    template <class T> std::vector<T> in(const std::string& name) const { return values<T>(inputs.at(name)); }
    template <class T> std::vector<T> out(const std::string& name) const
    {
        return values<T>(outputs.at(name));
    }
    static std::vector<double> reals(const Tensor& tensor)
    {
        std::vector<double> all;
        const auto size = static_cast<std::size_t>(dtypeBytes(tensor.type.dtype));
        for (std::size_t at = 0; at < tensor.bytes.size(); at += size) {
            all.push_back(toDouble(tensor.type.dtype, tensor.bytes.data() + at));
        }
        return all;
    }

    template <class T> static std::vector<T> values(const Tensor& tensor)
    {
        std::vector<T> all(tensor.bytes.size() / sizeof(T));
        std::memcpy(all.data(), tensor.bytes.data(), all.size() * sizeof(T));
        return all;
    }
};

/// Empty when `got` is what is expected, else a sentence.
template <class T, class Expected>
std::string compare(const std::string& name, const std::vector<T>& got, const std::vector<Expected>& expected,
    double relative = 0, double absolute = 0)
{
    if (got.size() != expected.size()) {
        return fmt::format("{} has {} elements, {} are expected", name, got.size(), expected.size());
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        const auto g = static_cast<double>(got[i]);
        const auto e = static_cast<double>(expected[i]);
        const bool fits =
            std::isnan(e) ? std::isnan(g) : std::abs(g - e) <= relative * std::abs(e) + absolute;
        if (!fits) {
            return fmt::format("{}[{}] is {}, expected {}", name, i, g, e);
        }
    }
    return {};
}

struct CorpusExpectation {
    const char* file; ///< without .ptx
    std::string (*check)(const CorpusTensors&); ///< empty: as expected
};
const std::vector<CorpusExpectation>& corpusExpectations();

// By kind, each in a file of its own.
std::vector<CorpusExpectation> integerExpectations();
std::vector<CorpusExpectation> realExpectations();
std::vector<CorpusExpectation> productExpectations();

} // namespace ptxwb::emulator
