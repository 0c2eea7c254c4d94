// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/reference.h"

#include "core/bench/gathered_attention.h"
#include "core/bench/scaled_problem.h"
#include "core/gpu/compare.h"
#include "core/gpu/cuda_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ptxwb::gpu {

namespace {

bool isReadable(Dtype dtype)
{
    return dtype == Dtype::Bfloat16 || dtype == Dtype::Float16 || dtype == Dtype::Float32;
}

std::optional<std::string> whyNotGemm(
    const std::vector<const BufferSpec*>& inputs, const std::vector<const BufferSpec*>& outputs)
{
    if (inputs.size() != 2 || outputs.size() != 1 || inputs[0]->type.shape.size() != 2
        || inputs[1]->type.shape.size() != 2) {
        return "it takes two matrices and makes one";
    }
    const auto& a = inputs[0]->type.shape;
    const auto& b = inputs[1]->type.shape;
    if (a[1] != b[1] || outputs[0]->type.shape != std::vector<std::int64_t>{a[0], b[0]}) {
        return "the shapes are not [M, K], [N, K] and [M, N]";
    }
    if (inputs[0]->type.dtype != inputs[1]->type.dtype || !isReadable(inputs[0]->type.dtype)) {
        return "its inputs are two matrices of bfloat16, float16 or float32";
    }
    return std::nullopt;
}

} // namespace

std::optional<std::string> Reference::whyNot(const OracleSpec& oracle, const ResolvedPlan& plan)
{
    std::optional<std::string> why;
    if (oracle.name == "gemm_nt") {
        why = whyNotGemm(buffersWithRole(plan, BufferRole::Input), buffersWithRole(plan, BufferRole::Output));
    } else if (oracle.name == "attention_forward") {
        why = whyNotAttentionForward(plan);
    } else if (oracle.name == "attention_backward") {
        why = whyNotAttentionBackward(plan);
    } else if (oracle.name == "attention_forward_scaled") {
        why = whyNotScaledAttention(plan.buffers);
        if (!why && plan.buffers[0].type.shape.back() > maxReferenceHeadDim) {
            why = fmt::format(
                "head dimension {} is above {}", plan.buffers[0].type.shape.back(), maxReferenceHeadDim);
        }
    } else if (oracle.name == "gathered_attention") {
        if (const auto problem = gatheredAttention(oracle, plan.buffers); !problem) {
            why = problem.error().message;
        }
    } else if (oracle.name == "gemm_nt_scaled") {
        if (const auto problem = scaledGemm(plan.buffers); !problem) {
            why = problem.error().message;
        }
    } else {
        return oracle.name.empty() ? "the task names no oracle"
                                   : fmt::format("oracle '{}' is not built for the GPU yet", oracle.name);
    }
    return why ? std::optional(fmt::format("oracle '{}' does not fit the task: {}", oracle.name, *why))
               : std::nullopt;
}

Result<Reference> Reference::allocate(const OracleSpec& oracle, const ResolvedPlan& plan)
{
    Reference reference;
    reference.m_oracle = oracle;
    auto derived = DerivedInputs::make(oracle, plan);
    if (!derived) {
        return derived.error();
    }
    reference.m_derived = *std::move(derived);
    for (std::uint32_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferSpec& spec = plan.buffers[i];
        if (spec.role == BufferRole::Workspace) {
            continue;
        }
        const bool isInput = spec.role == BufferRole::Input;
        const auto bytes =
            isInput ? spec.type.bytes() : static_cast<std::uint64_t>(spec.type.elements()) * sizeof(float);
        auto memory = DeviceMemory::allocate(bytes, "the reference's '" + spec.name + "'");
        if (!memory) {
            return memory.error();
        }
        (isInput ? reference.m_inputs : reference.m_outputs)
            .push_back({.spec = spec, .index = i, .memory = *std::move(memory)});
    }
    if (oracle.name == "attention_backward") {
        auto scratch = DeviceMemory::allocate(
            attentionBackwardScratchBytes(attentionProblem(oracle, reference.m_inputs[0].spec)),
            "the reference's scores");
        if (!scratch) {
            return scratch.error();
        }
        reference.m_scratch = *std::move(scratch);
    }
    auto parts = DeviceMemory::allocate(sizeof(ComparisonPart) * comparisonBlocks, "comparisons");
    if (!parts) {
        return parts.error();
    }
    reference.m_parts = *std::move(parts);
    return reference;
}

Result<void> Reference::compute(std::uint64_t seed, cudaStream_t stream, bool altered)
{
    if (m_version) {
        return computeByVersion(seed, stream, altered);
    }
    if (m_isStored) {
        return {};
    }
    cudaError_t code = cudaSuccess;
    std::vector<void*> inputs;
    for (const Tensor& input : m_inputs) {
        inputs.push_back(input.memory.data());
        if (code == cudaSuccess && input.spec.init != BufferInit::Derived) {
            code = fillInput(input.memory.data(), input.spec, seed, input.index, stream);
        }
        if (code == cudaSuccess && altered) {
            code = alterInput(input.memory.data(), input.spec, seed, input.index, stream);
        }
    }
    if (code == cudaSuccess) {
        code = m_derived.fill(inputs, seed, stream);
    }
    if (code == cudaSuccess) {
        code = run(stream);
    }
    if (code == cudaSuccess) {
        code = cudaStreamSynchronize(stream);
    }
    return check(code, fmt::format("running oracle '{}'", m_oracle.name));
}

Result<OutputComparison> Reference::compare(
    std::size_t output, const void* data, const Tolerance& tolerance, cudaStream_t stream) const
{
    const Tensor& reference = m_outputs[output];
    const ElementKind kind = elementKind(reference.spec.type.dtype);
    std::vector<ComparisonPart> parts(comparisonBlocks);
    OutputComparison result;
    result.output = reference.spec.name;
    result.elements = static_cast<std::uint64_t>(reference.spec.type.elements());
    cudaError_t code = compareElements(data, kind, reference.memory.as<float>(), result.elements,
        tolerance.atol, tolerance.rtol, m_parts.as<ComparisonPart>(), stream);
    if (code == cudaSuccess) {
        code = cudaMemcpyAsync(parts.data(), m_parts.data(), m_parts.bytes(), cudaMemcpyDeviceToHost, stream);
    }
    if (code == cudaSuccess) {
        code = cudaStreamSynchronize(stream);
    }
    if (const auto done = check(code, "comparing '" + reference.spec.name + "'"); !done) {
        return done.error();
    }
    std::uint64_t nonZero = 0;
    std::uint64_t first = ~std::uint64_t{0};
    double errorSquares = 0;
    double referenceSquares = 0;
    for (const ComparisonPart& part : parts) {
        result.mismatched += part.mismatched;
        result.nanCount += part.nanCount;
        result.infCount += part.infCount;
        result.poisonCount += part.poisonCount;
        nonZero += part.nonZero;
        first = std::min(first, part.firstMismatch);
        result.maxAbsError = std::max(result.maxAbsError, part.maxAbs);
        result.maxRelError = std::max(result.maxRelError, part.maxRel);
        errorSquares += part.errorSquares;
        referenceSquares += part.referenceSquares;
    }
    result.allZero = result.elements > 0 && nonZero == 0;
    if (errorSquares > 0) {
        result.normwiseRelError =
            referenceSquares > 0 ? std::sqrt(errorSquares / referenceSquares) : INFINITY;
    }
    if (first != ~std::uint64_t{0}) {
        result.firstMismatch = first;
        const auto width = static_cast<std::size_t>(dtypeBytes(reference.spec.type.dtype));
        std::array<std::byte, 8> got{};
        float expected = 0;
        for (const cudaError_t copied :
            {cudaMemcpy(
                 got.data(), static_cast<const char*>(data) + first * width, width, cudaMemcpyDeviceToHost),
                cudaMemcpy(&expected, reference.memory.as<float>() + first, sizeof expected,
                    cudaMemcpyDeviceToHost)}) {
            if (const auto done = check(copied, "reading the first mismatch"); !done) {
                return done.error();
            }
        }
        result.firstMismatchGot = toDouble(reference.spec.type.dtype, got.data());
        result.firstMismatchExpected = static_cast<double>(expected);
    }
    return result;
}

} // namespace ptxwb::gpu
