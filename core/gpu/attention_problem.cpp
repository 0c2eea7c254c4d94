// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/attention_problem.h"

#include "core/bench/scaled_problem.h"
#include "core/gpu/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ptxwb::gpu {

namespace {

constexpr std::size_t placeOfO = 3;
constexpr std::size_t placeOfL = 5;

bool isReadable(Dtype dtype)
{
    return dtype == Dtype::Bfloat16 || dtype == Dtype::Float16 || dtype == Dtype::Float32;
}

std::optional<std::string> whyNotHeads(const TensorType& q)
{
    if (q.shape.size() != 4 || !isReadable(q.dtype)) {
        return "Q must be [B, H, S, D] of bfloat16, float16 or float32";
    }
    const std::int64_t d = q.shape.back();
    if (d > maxReferenceHeadDim || d % 4 != 0) {
        return fmt::format("head dimension {} is above {} or no multiple of 4", d, maxReferenceHeadDim);
    }
    return std::nullopt;
}

bool isRowStatistics(const TensorType& type, const TensorType& q)
{
    return type.shape == std::vector(q.shape.begin(), q.shape.end() - 1);
}

} // namespace

AttentionProblem attentionProblem(const OracleSpec& oracle, const BufferSpec& q)
{
    const auto parameter = [&](const char* name, double otherwise) {
        const auto found = oracle.parameters.find(name);
        return found == oracle.parameters.end() ? otherwise : found->second;
    };
    const auto& shape = q.type.shape;
    return {.kind = elementKind(q.type.dtype),
        .batches = shape[0] * shape[1],
        .s = shape[2],
        .d = shape[3],
        .scale = parameter("scale", 1.0 / std::sqrt(static_cast<double>(shape[3]))),
        .causal = parameter("causal", 0) != 0};
}

std::vector<const BufferSpec*> buffersWithRole(const ResolvedPlan& plan, BufferRole role)
{
    std::vector<const BufferSpec*> result;
    for (const BufferSpec& spec : plan.buffers) {
        if (spec.role == role) {
            result.push_back(&spec);
        }
    }
    return result;
}

std::optional<std::string> whyNotAttentionForward(const ResolvedPlan& plan)
{
    const auto inputs = buffersWithRole(plan, BufferRole::Input);
    const auto outputs = buffersWithRole(plan, BufferRole::Output);
    if (inputs.size() != 3 || outputs.size() != 2) {
        return "it takes Q, K and V of [B, H, S, D] and makes O and LSE";
    }
    const TensorType& q = inputs[0]->type;
    if (const auto why = whyNotHeads(q)) {
        return why;
    }
    for (const BufferSpec* input : inputs) {
        if (input->type.shape != q.shape || input->type.dtype != q.dtype) {
            return "Q, K and V must have one shape and one type";
        }
    }
    if (outputs[0]->type.shape != q.shape) {
        return "O must have the shape of Q";
    }
    if (!isRowStatistics(outputs[1]->type, q)) {
        return "LSE must have the shape [B, H, S]";
    }
    return std::nullopt;
}

std::optional<std::string> whyNotAttentionBackward(const ResolvedPlan& plan)
{
    const auto inputs = buffersWithRole(plan, BufferRole::Input);
    const auto outputs = buffersWithRole(plan, BufferRole::Output);
    if (inputs.size() != 6 || outputs.size() != 3) {
        return "it takes Q, K, V, O and dO of [B, H, S, D] and L, and makes dQ, dK and dV";
    }
    const TensorType& q = inputs[0]->type;
    if (const auto why = whyNotHeads(q)) {
        return why;
    }
    for (std::size_t i = 0; i < placeOfL; ++i) {
        if (inputs[i]->type.shape != q.shape || inputs[i]->type.dtype != q.dtype) {
            return "Q, K, V, O and dO must have one shape and one type";
        }
    }
    if (!isRowStatistics(inputs[placeOfL]->type, q) || inputs[placeOfL]->type.dtype != Dtype::Float32) {
        return "L must be [B, H, S] of float32";
    }
    if (std::any_of(outputs.begin(), outputs.end(),
            [&](const BufferSpec* output) { return output->type.shape != q.shape; })) {
        return "dQ, dK and dV must have the shape of Q";
    }
    return std::nullopt;
}

Result<DerivedInputs> DerivedInputs::make(const OracleSpec& oracle, const ResolvedPlan& plan)
{
    DerivedInputs result;
    const auto inputs = buffersWithRole(plan, BufferRole::Input);
    std::vector<std::size_t> derived;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i]->init == BufferInit::Derived) {
            derived.push_back(i);
        }
    }
    if (derived.empty()) {
        return result;
    }
    const auto refused = [&](const std::string& why) {
        return Error{.code = ErrorCode::Unsupported,
            .message = fmt::format(
                "input '{}' is derived from other inputs, and {}", inputs[derived[0]]->name, why)};
    };
    if (derivesFromSeed(oracle)) {
        const auto made = deriveFromSeed(oracle, plan.buffers, 1);
        if (!made) {
            return refused(made.error().message);
        }
        result.m_fromSeed = plan.buffers;
        result.m_oracle = oracle;
        return result;
    }
    if (oracle.name != "attention_backward" || derived != std::vector{placeOfO, placeOfL}) {
        return refused("only O and L of oracle attention_backward are made so, both together");
    }
    if (const auto why = whyNotAttentionBackward(plan)) {
        return refused(*why);
    }
    result.m_forward = attentionProblem(oracle, *inputs[0]);
    return result;
}

bool DerivedInputs::reads(std::size_t i) const
{
    return m_forward && i < placeOfO; // Q, K and V stand in front of O
}

cudaError_t DerivedInputs::fill(
    const std::vector<void*>& inputs, std::uint64_t seed, cudaStream_t stream) const
{
    if (!m_fromSeed.empty()) {
        const auto made = deriveFromSeed(m_oracle, m_fromSeed, seed);
        cudaError_t code = made ? cudaSuccess : cudaErrorInvalidValue; // make() tried it
        for (std::size_t i = 0; made && i < made->size() && code == cudaSuccess; ++i) {
            const DerivedInput& input = (*made)[i];
            code = cudaMemcpyAsync(
                inputs[input.input], input.bytes.data(), input.bytes.size(), cudaMemcpyHostToDevice, stream);
        }
        // The bytes go away with this scope.
        return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
    }
    if (!m_forward) {
        return cudaSuccess;
    }
    return attentionReference(*m_forward, inputs[0], inputs[1], inputs[2], inputs[placeOfO], m_forward->kind,
        static_cast<float*>(inputs[placeOfL]), stream);
}

} // namespace ptxwb::gpu
