// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/output_content.h"

#include "core/gpu/cuda_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::gpu {

Result<std::vector<TensorContent>> readOutputs(const RunContext& context)
{
    std::vector<TensorContent> outputs;
    for (const GuardedBuffer& buffer : context.buffers.buffers()) {
        if (buffer.spec().role != BufferRole::Output) {
            continue;
        }
        std::vector<std::byte> bytes(buffer.bytes());
        const auto what = fmt::format("reading '{}'", buffer.spec().name);
        for (const cudaError_t code : {cudaMemcpyAsync(bytes.data(), buffer.data(), bytes.size(),
                                           cudaMemcpyDeviceToHost, context.stream),
                 cudaStreamSynchronize(context.stream)}) {
            if (const auto copied = check(code, what); !copied) {
                return copied.error();
            }
        }
        outputs.push_back(describeContent(buffer.spec(), std::move(bytes)));
    }
    return outputs;
}

Result<std::optional<CandidateFault>> repeatCall(
    RunContext& context, std::uint64_t seed, std::vector<TensorContent>& outputs)
{
    context.progress("verify", 1, "the repeated call", true);
    if (const auto renewed = context.buffers.renew(seed, context.stream); !renewed) {
        return renewed.error();
    }
    if (auto fault = context.runCandidate("the repeated call")) {
        return fault;
    }
    const auto second = readOutputs(context);
    if (!second) {
        return second.error();
    }
    bool same = true;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].sha256 != (*second)[i].sha256) {
            same = false;
            outputs[i].difference = differenceOf(outputs[i], (*second)[i].bytes);
        }
    }
    context.finished.repeatsBitwise = same;
    return std::optional<CandidateFault>();
}

void keepBytesOf(std::vector<TensorContent>& outputs, const std::vector<std::string>& names)
{
    for (TensorContent& output : outputs) {
        if (std::find(names.begin(), names.end(), output.name) == names.end()) {
            output.bytes.clear();
        }
    }
}

std::optional<Judgement> judgeOutputs(const std::vector<TensorContent>& outputs)
{
    for (const TensorContent& output : outputs) {
        if (output.unwrittenCount
            && *output.unwrittenCount == static_cast<std::uint64_t>(output.type.elements())) {
            return Judgement{
                Verdict::NotWritten, fmt::format("{} was not written at all.", output.name), "poison"};
        }
    }
    for (const TensorContent& output : outputs) {
        if (output.difference && *output.difference > toleratedDifference(output.type.dtype)) {
            return Judgement{Verdict::Nondeterministic,
                fmt::format("{} differs between two calls on the same inputs by {:.3g} (normwise, relative).",
                    output.name, *output.difference),
                "the repeated call"};
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::gpu
