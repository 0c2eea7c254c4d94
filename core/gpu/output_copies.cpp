// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/output_copies.h"

#include "core/gpu/cuda_error.h"

namespace ptxwb::gpu {

Result<OutputCopies> OutputCopies::allocate(const ResolvedPlan& plan)
{
    OutputCopies copies;
    for (const BufferSpec& spec : plan.buffers) {
        if (spec.role != BufferRole::Output) {
            continue;
        }
        auto memory = DeviceMemory::allocate(spec.type.bytes(), "a copy of '" + spec.name + "'");
        if (!memory) {
            return memory.error();
        }
        copies.m_copies.push_back(*std::move(memory));
    }
    return copies;
}

Result<void> OutputCopies::take(const BufferSet& buffers, cudaStream_t stream) const
{
    std::size_t i = 0;
    cudaError_t code = cudaSuccess;
    for (const GuardedBuffer& buffer : buffers.buffers()) {
        if (buffer.spec().role == BufferRole::Output && code == cudaSuccess) {
            code = cudaMemcpyAsync(
                m_copies[i++].data(), buffer.data(), buffer.bytes(), cudaMemcpyDeviceToDevice, stream);
        }
    }
    if (code == cudaSuccess) {
        code = cudaStreamSynchronize(stream);
    }
    return check(code, "copying the outputs");
}

} // namespace ptxwb::gpu
