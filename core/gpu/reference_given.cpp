// SPDX-License-Identifier: Apache-2.0
// References that no oracle of ours makes: another kernel's outputs, or stored ones.
#include "core/gpu/compare.h"
#include "core/gpu/cuda_error.h"
#include "core/gpu/reference.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

Result<Reference> Reference::fromVersion(const Rival& version, const ResolvedPlan& plan, const Device& device)
{
    const auto isTensor = [](const BufferSpec& spec) { return spec.role != BufferRole::Workspace; };
    std::size_t tensors = 0;
    for (const BufferSpec& spec : plan.buffers) {
        if (!isTensor(spec)) {
            continue;
        }
        const bool same = tensors < version.plan.buffers.size()
            && version.plan.buffers[tensors].name == spec.name
            && version.plan.buffers[tensors].type.bytes() == spec.type.bytes();
        if (!same) {
            return Error{.code = ErrorCode::InvalidArgument,
                .message =
                    fmt::format("the oracle's kernel does not have the tensor '{}' of the task", spec.name)};
        }
        ++tensors;
    }
    auto reference = allocate({}, plan);
    if (!reference) {
        return reference.error();
    }
    reference->m_version = std::make_unique<OracleVersion>();
    auto buffers = BufferSet::allocate(version.plan);
    if (!buffers) {
        return buffers.error();
    }
    reference->m_version->buffers = *std::move(buffers);
    if (const auto fault = reference->m_version->candidate.load(
            version.cubin, version.plan, reference->m_version->buffers, device)) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("the oracle's kernel cannot be used: {}", fault->explanation)};
    }
    return reference;
}

Result<Reference> Reference::fromStored(const std::vector<BufferContent>& outputs, const ResolvedPlan& plan)
{
    auto reference = allocate({}, plan);
    if (!reference) {
        return reference.error();
    }
    reference->m_isStored = true;
    for (Tensor& output : reference->m_outputs) {
        const BufferContent* found = nullptr;
        for (const BufferContent& content : outputs) {
            if (content.buffer == static_cast<int>(output.index)) {
                found = &content;
            }
        }
        if (found == nullptr || found->bytes.size() != output.spec.type.bytes()) {
            return Error{.code = ErrorCode::BadFormat,
                .message =
                    fmt::format("the stored output '{}' is missing or of another size", output.spec.name)};
        }
        auto raw = DeviceMemory::allocate(found->bytes.size(), "a stored output");
        if (!raw) {
            return raw.error();
        }
        const auto elements = static_cast<std::uint64_t>(output.spec.type.elements());
        for (const cudaError_t code :
            {cudaMemcpy(raw->data(), found->bytes.data(), found->bytes.size(), cudaMemcpyHostToDevice),
                widenToFloat(raw->data(), elementKind(output.spec.type.dtype), elements,
                    output.memory.as<float>(), nullptr),
                cudaStreamSynchronize(nullptr)}) {
            if (const auto done = check(code, "copying a stored output"); !done) {
                return done.error();
            }
        }
    }
    return reference;
}

Result<void> Reference::computeByVersion(std::uint64_t seed, cudaStream_t stream, bool altered)
{
    const BufferSet& buffers = m_version->buffers;
    if (const auto made = buffers.prepare(seed, stream); !made) {
        return made;
    }
    if (altered) {
        if (const auto done = buffers.alter(seed, stream); !done) {
            return done;
        }
    }
    cudaError_t code = m_version->candidate.launch(stream);
    for (const Tensor& output : m_outputs) {
        if (code == cudaSuccess) {
            code = widenToFloat(buffers.buffers()[output.index].data(), elementKind(output.spec.type.dtype),
                static_cast<std::uint64_t>(output.spec.type.elements()), output.memory.as<float>(), stream);
        }
    }
    if (code == cudaSuccess) {
        code = cudaStreamSynchronize(stream);
    }
    return check(code, "running the oracle's kernel");
}

} // namespace ptxwb::gpu
