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

BufferSpec scalar(const char* name, double value, std::vector<std::int64_t> shape = {})
{
    auto made = spec(name, Dtype::Float32, std::move(shape));
    made.init = BufferInit::Scalar;
    made.scalar = value;
    return made;
}

BufferSpec derived(const char* name, Dtype dtype, std::vector<std::int64_t> shape)
{
    auto made = spec(name, dtype, std::move(shape));
    made.init = BufferInit::Derived;
    return made;
}

/// Grouped queries over pages: `queries` 0 is decode.
ResolvedPlan pagedPlan(std::int64_t sequences, std::int64_t queries, std::int64_t pages, std::int64_t keys)
{
    const std::int64_t tokens = queries == 0 ? sequences : queries;
    ResolvedPlan plan;
    plan.buffers = {spec("q", Dtype::Bfloat16, {tokens, 6, 64}),
        spec("k_cache", Dtype::Bfloat16, {pages, 1, 2, 64}),
        spec("v_cache", Dtype::Bfloat16, {pages, 1, 2, 64})};
    if (queries != 0) {
        plan.buffers.push_back(derived("qo_indptr", Dtype::Int32, {sequences + 1}));
    }
    for (auto& buffer :
        {derived("kv_indptr", Dtype::Int32, {sequences + 1}), derived("kv_indices", Dtype::Int32, {keys}),
            scalar("sm_scale", 0.125), spec("output", Dtype::Bfloat16, {tokens, 6, 64}, BufferRole::Output),
            spec("lse", Dtype::Float32, {tokens, 6}, BufferRole::Output)}) {
        plan.buffers.push_back(buffer);
    }
    return plan;
}

ResolvedPlan latentPlan()
{
    ResolvedPlan plan;
    plan.buffers = {spec("q_nope", Dtype::Bfloat16, {3, 4, 512}), spec("q_pe", Dtype::Bfloat16, {3, 4, 64}),
        spec("ckv_cache", Dtype::Bfloat16, {300, 1, 512}), spec("kpe_cache", Dtype::Bfloat16, {300, 1, 64}),
        derived("kv_indptr", Dtype::Int32, {4}), derived("kv_indices", Dtype::Int32, {270}),
        scalar("sm_scale", 0.0721688), spec("output", Dtype::Bfloat16, {3, 4, 512}, BufferRole::Output),
        spec("lse", Dtype::Float32, {3, 4}, BufferRole::Output)};
    return plan;
}

ResolvedPlan raggedPlan()
{
    ResolvedPlan plan;
    plan.buffers = {spec("q", Dtype::Float16, {60, 4, 32}), spec("k", Dtype::Float16, {170, 1, 32}),
        spec("v", Dtype::Float16, {170, 1, 32}), derived("qo_indptr", Dtype::Int32, {6}),
        derived("kv_indptr", Dtype::Int32, {6}), scalar("sm_scale", 0.2),
        spec("output", Dtype::Float16, {60, 4, 32}, BufferRole::Output),
        spec("lse", Dtype::Float32, {60, 4}, BufferRole::Output)};
    return plan;
}

ResolvedPlan scaledGemmPlan(std::int64_t m, std::int64_t n, std::int64_t k, bool perBlock)
{
    ResolvedPlan plan;
    plan.buffers = {spec("A", Dtype::Float8E4m3, {m, k}), derived("SFA", Dtype::Float32, {m, k / 128}),
        spec("B", Dtype::Float8E4m3, {n, k}),
        derived("SFB", Dtype::Float32, {perBlock ? n / 128 : n, k / 128}),
        spec("C", Dtype::Bfloat16, {m, n}, BufferRole::Output)};
    return plan;
}

ResolvedPlan scaledAttentionPlan()
{
    ResolvedPlan plan;
    for (const char* name : {"Q", "K", "V"}) {
        plan.buffers.push_back(spec(name, Dtype::Float8E4m3, {1, 2, 77, 64}));
    }
    for (const char* name : {"descale_q", "descale_k", "descale_v"}) {
        plan.buffers.push_back(scalar(name, 0.75, {1, 1, 1, 1}));
    }
    plan.buffers.push_back(spec("O", Dtype::Float8E4m3, {1, 2, 77, 64}, BufferRole::Output));
    plan.buffers.push_back(spec("LSE", Dtype::Float32, {1, 2, 77}, BufferRole::Output));
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

PTXWB_CASE(oracles, attention_through_tables_equals_the_hosts)
{
    for (const double causal : {0.0, 1.0}) {
        const OracleSpec oracle{.name = "gathered_attention", .parameters = {{"causal", causal}}};
        compareWithHost(oracle, pagedPlan(5, 0, 400, 333), 1e-6);
        compareWithHost(oracle, pagedPlan(3, 40, 400, 290), 1e-6);
        compareWithHost(oracle, latentPlan(), 1e-6);
        compareWithHost(oracle, raggedPlan(), 1e-6);
    }
}

PTXWB_CASE(oracles, eight_bit_floats_with_factors_equal_the_hosts)
{
    compareWithHost({.name = "gemm_nt_scaled"}, scaledGemmPlan(130, 256, 384, true), 1e-6);
    compareWithHost({.name = "gemm_nt_scaled"}, scaledGemmPlan(70, 96, 256, false), 1e-6);
    for (const double causal : {0.0, 1.0}) {
        compareWithHost(attention("attention_forward_scaled", causal, 0.125), scaledAttentionPlan(), 1e-6);
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
