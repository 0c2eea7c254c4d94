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
    return {.name = name,
        .type = {.dtype = dtype, .shape = std::move(shape)},
        .role = role,
        .init = role == BufferRole::Output ? BufferInit::Poison : BufferInit::Random};
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

ResolvedPlan backwardPlan(std::int64_t b, std::int64_t h, std::int64_t s, std::int64_t d)
{
    ResolvedPlan plan;
    for (const char* name : {"Q", "K", "V", "O", "dO"}) {
        plan.buffers.push_back(spec(name, Dtype::Bfloat16, {b, h, s, d}));
    }
    plan.buffers.push_back(spec("L", Dtype::Float32, {b, h, s}));
    for (const char* name : {"dQ", "dK", "dV"}) {
        plan.buffers.push_back(spec(name, Dtype::Bfloat16, {b, h, s, d}, BufferRole::Output));
    }
    plan.buffers[3].init = BufferInit::Derived;
    plan.buffers[5].init = BufferInit::Derived;
    return plan;
}

OracleSpec attention(const char* name, double causal, double scale)
{
    return {.name = name, .parameters = {{"causal", causal}, {"scale", scale}}};
}

/// What a candidate would get as inputs.
std::vector<std::vector<std::byte>> candidateInputs(
    const OracleSpec& oracle, const ResolvedPlan& plan, std::uint64_t seed)
{
    const BufferSet set = NEED(BufferSet::allocate(plan, oracle));
    NEED(set.prepare(seed, nullptr));
    std::vector<std::vector<std::byte>> inputs;
    for (const GuardedBuffer& buffer : set.buffers()) {
        if (buffer.spec().role == BufferRole::Input) {
            inputs.push_back(toHost<std::byte>(buffer.data(), buffer.bytes()));
        }
    }
    return inputs;
}

/// Both sides on the same seed; every element must agree to float32's rounding of one float64 sum.
void compareWithHost(const OracleSpec& oracle, const ResolvedPlan& plan, double bound)
{
    CHECK(!Reference::whyNot(oracle, plan));
    Reference reference = NEED(Reference::allocate(oracle, plan));
    constexpr std::uint64_t seed = 42;
    NEED(reference.compute(seed, nullptr));
    const auto inputs = candidateInputs(oracle, plan, seed);
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
            attention("attention_forward", causal, 0.0883883), attentionPlan(1, 2, 77, 128), 1e-6);
        compareWithHost(attention("attention_forward", causal, 0.125), attentionPlan(2, 1, 64, 64), 1e-6);
        compareWithHost(attention("attention_forward", causal, 1.0), attentionPlan(1, 1, 33, 96), 1e-6);
    }
}

PTXWB_CASE(oracles, attention_backward_equals_the_hosts)
{
    for (const double causal : {0.0, 1.0}) {
        compareWithHost(
            attention("attention_backward", causal, 0.0883883), backwardPlan(1, 2, 333, 128), 1e-6);
        compareWithHost(attention("attention_backward", causal, 0.125), backwardPlan(2, 1, 128, 64), 1e-6);
        compareWithHost(attention("attention_backward", causal, 0.1), backwardPlan(1, 1, 33, 96), 1e-6);
    }
}

/// O and L of a backward task are those of the forward pass: O rounded to bfloat16, L to float32.
PTXWB_CASE(oracles, derived_inputs_are_the_forward_pass)
{
    for (const bool causal : {false, true}) {
        const OracleSpec oracle = attention("attention_backward", causal ? 1 : 0, 0.0883883);
        const ResolvedPlan plan = backwardPlan(1, 2, 77, 128);
        const auto inputs = candidateInputs(oracle, plan, 7);
        CHECK(inputs == candidateInputs(oracle, plan, 7));
        const auto values = [&](std::size_t i) { return toDoubles(plan.buffers[i].type, inputs[i].data()); };
        const AttentionForward expected = attentionForwardOnHost(values(0), values(1), values(2),
            {.batch = 1, .heads = 2, .length = 77, .headDim = 128, .scale = 0.0883883, .causal = causal});
        const auto o = values(3);
        for (std::size_t i = 0; i < o.size(); ++i) {
            CHECK_SAY(std::fabs(o[i] - expected.o[i]) <= std::fabs(expected.o[i]) / 256 + 1e-30,
                fmt::format("O at {}: {} instead of {}", i, o[i], expected.o[i]));
        }
        const auto lse = values(5);
        for (std::size_t i = 0; i < lse.size(); ++i) {
            CHECK_SAY(std::fabs(lse[i] - expected.lse[i]) <= 1e-6 * std::fabs(expected.lse[i]),
                fmt::format("L at {}: {} instead of {}", i, lse[i], expected.lse[i]));
        }
    }
    ResolvedPlan half = backwardPlan(1, 1, 16, 64);
    half.buffers[5].init = BufferInit::Random;
    CHECK(!BufferSet::allocate(half, attention("attention_backward", 0, 1)));
    CHECK(!BufferSet::allocate(backwardPlan(1, 1, 16, 64)));
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
    CHECK(Reference::whyNot({.name = "attention_backward"}, attentionPlan(1, 1, 8, 128)));
    auto backward = backwardPlan(1, 1, 8, 128);
    CHECK(!Reference::whyNot({.name = "attention_backward"}, backward));
    backward.buffers[5].type.shape = {1, 1, 9};
    CHECK(
        Reference::whyNot({.name = "attention_backward"}, backward)->find("L must be") != std::string::npos);
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
    auto forward = NEED(Reference::allocate({.name = "attention_forward"}, attentionPlan(4, 48, 4096, 128)));
    fmt::print("     attention_forward 4 x 48 x 4096 x 128: {:.3f} s\n", secondsOf(forward));
    for (const double causal : {0.0, 1.0}) {
        auto backward = NEED(Reference::allocate(
            attention("attention_backward", causal, 0.0883883), backwardPlan(4, 48, 4096, 128)));
        fmt::print("     attention_backward 4 x 48 x 4096 x 128{}, its inputs with it: {:.3f} s\n",
            causal != 0 ? " causal" : "", secondsOf(backward));
    }
}
