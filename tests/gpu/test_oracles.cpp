// SPDX-License-Identifier: Apache-2.0
// References on the device against the CPU's at small shapes, and their time at the paper's.
#include "device_helpers.h"

#include "core/bench/oracle.h"
#include "core/gpu/reference.h"

#include <chrono>
#include <cmath>

using namespace ptxwb;
using namespace ptxwb::gpu;
using namespace ptxwb::test;

namespace {

BufferSpec spec(
    const char* name, Dtype dtype, std::vector<std::int64_t> shape, BufferRole role = BufferRole::Input)
{
    return {.name = name, .type = {.dtype = dtype, .shape = std::move(shape)}, .role = role};
}

ResolvedPlan gemmPlan(Dtype dtype, std::int64_t m, std::int64_t n, std::int64_t k)
{
    ResolvedPlan plan;
    plan.buffers = {
        spec("A", dtype, {m, k}), spec("B", dtype, {n, k}), spec("C", dtype, {m, n}, BufferRole::Output)};
    return plan;
}

ResolvedPlan attentionPlan(std::int64_t b, std::int64_t h, std::int64_t s, std::int64_t d)
{
    ResolvedPlan plan;
    plan.buffers = {spec("Q", Dtype::Bfloat16, {b, h, s, d}), spec("K", Dtype::Bfloat16, {b, h, s, d}),
        spec("V", Dtype::Bfloat16, {b, h, s, d}),
        spec("O", Dtype::Bfloat16, {b, h, s, d}, BufferRole::Output),
        spec("LSE", Dtype::Float32, {b, h, s}, BufferRole::Output)};
    return plan;
}

/// Both sides on the same seed; every element must agree to float32's rounding of one float64 sum.
void compareWithHost(const OracleSpec& oracle, const ResolvedPlan& plan, double bound)
{
    CHECK(!Reference::whyNot(oracle, plan));
    Reference reference = NEED(Reference::allocate(oracle, plan));
    constexpr std::uint64_t seed = 42;
    NEED(reference.compute(seed, nullptr));
    std::vector<std::vector<std::byte>> inputs;
    for (std::uint32_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferSpec& buffer = plan.buffers[i];
        if (buffer.role == BufferRole::Input) {
            const auto memory = deviceMemory(buffer.type.bytes());
            CUDA(fillInput(memory.data(), buffer, seed, i, nullptr));
            inputs.push_back(toHost<std::byte>(memory.data(), buffer.type.bytes()));
        }
    }
    std::vector<std::span<const std::byte>> spans(inputs.begin(), inputs.end());
    const auto expected = NEED(runOracleOnHost(oracle, plan.buffers, spans));
    CHECK(expected.size() == reference.outputCount());
    for (std::size_t output = 0; output < expected.size(); ++output) {
        const auto got = toHost<float>(reference.output(output), expected[output].size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double want = expected[output][i];
            const double error = std::fabs(static_cast<double>(got[i]) - want);
            CHECK_SAY(error <= bound * (std::fabs(want) + 1e-3),
                fmt::format("output {} at {}: {} instead of {}", output, i, got[i], want));
        }
    }
}

double secondsOf(Reference& reference)
{
    NEED(reference.compute(1, nullptr));
    const auto begin = std::chrono::steady_clock::now();
    NEED(reference.compute(2, nullptr));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

PTXWB_CASE(oracles, gemm_equals_the_hosts)
{
    compareWithHost({.name = "gemm_nt"}, gemmPlan(Dtype::Bfloat16, 130, 257, 77), 1e-6);
    compareWithHost({.name = "gemm_nt"}, gemmPlan(Dtype::Float16, 1, 1, 1), 1e-6);
    compareWithHost({.name = "gemm_nt"}, gemmPlan(Dtype::Float32, 128, 128, 512), 1e-6);
}

PTXWB_CASE(oracles, attention_equals_the_hosts)
{
    for (const double causal : {0.0, 1.0}) {
        compareWithHost(
            {.name = "attention_forward", .parameters = {{"causal", causal}, {"scale", 0.0883883}}},
            attentionPlan(1, 2, 77, 128), 1e-6);
        compareWithHost({.name = "attention_forward", .parameters = {{"causal", causal}, {"scale", 0.125}}},
            attentionPlan(2, 1, 64, 64), 1e-6);
        compareWithHost({.name = "attention_forward", .parameters = {{"causal", causal}, {"scale", 1.0}}},
            attentionPlan(1, 1, 33, 96), 1e-6);
    }
}

PTXWB_CASE(oracles, what_does_not_fit_is_named)
{
    auto plan = gemmPlan(Dtype::Bfloat16, 64, 64, 64);
    CHECK(Reference::whyNot({.name = "attention_backward"}, plan)->find("attention_backward")
        != std::string::npos);
    CHECK(Reference::whyNot({}, plan)->find("no oracle") != std::string::npos);
    plan.buffers[1].type.shape = {64, 65};
    CHECK(Reference::whyNot({.name = "gemm_nt"}, plan));
    CHECK(Reference::whyNot({.name = "attention_forward"}, attentionPlan(1, 1, 8, 256)));
}

PTXWB_CASE(oracles, time_at_the_papers_size_is_reported)
{
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
    CUDA(cudaMemGetInfo(&freeBytes, &totalBytes));
    if (freeBytes < (8ULL << 30)) {
        fmt::print("     not enough memory here\n");
        return;
    }
    auto gemm = NEED(Reference::allocate({.name = "gemm_nt"}, gemmPlan(Dtype::Bfloat16, 8192, 7168, 5120)));
    fmt::print("     gemm_nt 8192 x 7168 x 5120: {:.3f} s\n", secondsOf(gemm));
    auto attention =
        NEED(Reference::allocate({.name = "attention_forward"}, attentionPlan(4, 48, 4096, 128)));
    fmt::print("     attention_forward 4 x 48 x 4096 x 128: {:.3f} s\n", secondsOf(attention));
}
