// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/buffers.h"

namespace ptxwb::gpu {

/// Outputs of a plan as they were at one moment, in memory that the candidate does not see.
class OutputCopies {
public:
    /// Errors: Unavailable (memory).
    static Result<OutputCopies> allocate(const ResolvedPlan& plan);
    /// Copies every output; synchronises.
    Result<void> take(const BufferSet& buffers, cudaStream_t stream) const;
    /// Output number `i`, counted among outputs.
    const void* output(std::size_t i) const { return m_copies[i].data(); }

private:
    std::vector<DeviceMemory> m_copies;
};

} // namespace ptxwb::gpu
