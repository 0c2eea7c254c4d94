// SPDX-License-Identifier: Apache-2.0
// Which kernel makes the reference of which oracle.
#include "core/bench/gathered_attention.h"
#include "core/bench/scaled_problem.h"
#include "core/gpu/reference.h"

namespace ptxwb::gpu {

namespace {

GatheredProblem gatheredProblem(
    const GatheredAttention& p, const std::vector<const void*>& in, ElementKind kind)
{
    const auto maybe = [&](const std::optional<std::size_t>& place) { return place ? in[*place] : nullptr; };
    return {.kind = kind,
        .tokens = p.tokens,
        .sequences = p.sequences,
        .queryHeads = static_cast<int>(p.queryHeads),
        .keyHeads = static_cast<int>(p.keyHeads),
        .keyDim = static_cast<int>(p.keyDim),
        .extraDim = static_cast<int>(p.extraDim),
        .valueDim = static_cast<int>(p.valueDim),
        .causal = p.causal,
        .q = in[p.q],
        .k = in[p.k],
        .v = in[p.v],
        .qExtra = maybe(p.qExtra),
        .kExtra = maybe(p.kExtra),
        .qoIndptr = static_cast<const std::int32_t*>(maybe(p.qoIndptr)),
        .kvIndptr = static_cast<const std::int32_t*>(in[p.kvIndptr]),
        .kvIndices = static_cast<const std::int32_t*>(maybe(p.kvIndices)),
        .scale = static_cast<const float*>(in[p.scale])};
}

} // namespace

cudaError_t Reference::run(cudaStream_t stream) const
{
    std::vector<const void*> in;
    std::vector<BufferSpec> specs;
    for (const std::vector<Tensor>* tensors : {&m_inputs, &m_outputs}) {
        for (const Tensor& tensor : *tensors) {
            specs.push_back(tensor.spec);
        }
    }
    for (const Tensor& input : m_inputs) {
        in.push_back(input.memory.data());
    }
    const auto out = [this](std::size_t i) { return m_outputs[i].memory.as<float>(); };
    const auto factor = [&](std::size_t i) { return static_cast<const float*>(in[i]); };
    const BufferSpec& first = m_inputs[0].spec;
    const ElementKind kind = elementKind(first.type.dtype);
    const std::string& name = m_oracle.name;
    if (name == "gemm_nt") {
        const auto& shape = first.type.shape;
        return gemmNtReference(
            in[0], in[1], kind, out(0), shape[0], m_inputs[1].spec.type.shape[0], shape[1], stream);
    }
    // whyNot() saw to it that the tensors fit.
    if (name == "gemm_nt_scaled") {
        const auto p = scaledGemm(specs);
        return p ? gemmNtScaledReference({.m = p->m, .n = p->n, .k = p->k, .bRows = p->bRows, .kind = kind},
                   in[0], factor(1), in[2], factor(3), out(0), stream)
                 : cudaErrorInvalidValue;
    }
    if (name == "gathered_attention") {
        const auto p = gatheredAttention(m_oracle, specs);
        return p
            ? gatheredAttentionReference(
                gatheredProblem(*p, in, elementKind(m_inputs[p->q].spec.type.dtype)), out(0), out(1), stream)
            : cudaErrorInvalidValue;
    }
    AttentionProblem problem = attentionProblem(m_oracle, first);
    if (name == "attention_forward" || name == "attention_forward_scaled") {
        if (in.size() == 6) {
            problem.factorQ = factor(3);
            problem.factorK = factor(4);
            problem.factorV = factor(5);
        }
        return attentionReference(problem, in[0], in[1], in[2], out(0), ElementKind::F32, out(1), stream);
    }
    return attentionBackwardReference(problem,
        {.q = in[0],
            .k = in[1],
            .v = in[2],
            .o = in[3],
            .dO = in[4],
            .lse = static_cast<const float*>(in[5])},
        {.dq = out(0), .dk = out(1), .dv = out(2)}, m_scratch.data(), stream);
}

} // namespace ptxwb::gpu
