// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/corpus/expectation.h"

namespace ptxwb::emulator {

namespace {

/// C = A B of A [m, k] and B [k, n], or B [n, k] where it is given transposed.
std::string product(const CorpusTensors& t, bool transposed)
{
    const auto a = CorpusTensors::reals(t.inputs.at("A"));
    const auto b = CorpusTensors::reals(t.inputs.at("B"));
    const auto& shape = t.inputs.at("B").type.shape;
    const auto k = static_cast<std::size_t>(shape[transposed ? 1 : 0]);
    const auto n = static_cast<std::size_t>(shape[transposed ? 0 : 1]);
    std::vector<double> c(a.size() / k * n);
    for (std::size_t at = 0; at < c.size(); ++at) {
        for (std::size_t i = 0; i < k; ++i) {
            c[at] += a[at / n * k + i] * b[transposed ? at % n * k + i : i * n + at % n];
        }
    }
    return compare("C", CorpusTensors::reals(t.outputs.at("C")), c, 1e-5, 1e-4);
}

std::string plain(const CorpusTensors& t)
{
    return product(t, false);
}
std::string withTransposed(const CorpusTensors& t)
{
    return product(t, true);
}

} // namespace

std::vector<CorpusExpectation> productExpectations()
{
    return {{"matmul_tiled", plain}, {"gemm_wmma", plain}, {"gemm_mma_sync", withTransposed},
        {"gemm_wgmma_tma", withTransposed}};
}

} // namespace ptxwb::emulator
