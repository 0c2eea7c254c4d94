// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/buffers.h"

#include <cstdint>
#include <functional>

namespace ptxwb::gpu {

/// Times what a function enqueues, by CUDA events on its own stream. Before each call the stream is held for
/// a moment, so that start event, kernels and stop event are queued before the first runs: the span holds no
/// launch latency of the host. One thread.
class Stopwatch {
public:
    /// Errors: Unavailable, Internal.
    static Result<Stopwatch> make(cudaStream_t stream, std::uint64_t l2Bytes, std::size_t launches);
    Stopwatch(Stopwatch&& other) noexcept;
    Stopwatch& operator=(Stopwatch&&) = delete;
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch();

    using Enqueue = std::function<cudaError_t(cudaStream_t)>;
    /// Enqueued behind the hold, in front of the span.
    void setPrelude(Enqueue prelude) { m_prelude = std::move(prelude); }
    /// Cold: the L2 cache is swept first, outside the span. The code is the call's own where it fails.
    cudaError_t cold(const Enqueue& enqueue, double& microseconds);
    /// Warm: the same call ran just before; `between` sets back what the first call used up.
    cudaError_t warm(const Enqueue& enqueue, const Enqueue& between, double& microseconds);

private:
    Stopwatch() = default;
    cudaError_t span(const Enqueue& enqueue, double& microseconds);

    Enqueue m_prelude;
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr;
    cudaEvent_t m_end = nullptr;
    DeviceMemory m_sweep;
    std::uint64_t m_holdNanoseconds = 0;
    std::uint32_t m_sweeps = 0;
};

} // namespace ptxwb::gpu
