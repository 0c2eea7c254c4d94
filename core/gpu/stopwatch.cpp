// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/stopwatch.h"

#include "core/gpu/cuda_error.h"
#include "core/gpu/fill.h"

#include <algorithm>
#include <utility>

namespace ptxwb::gpu {

namespace {
constexpr std::uint64_t smallestSweep = 64U << 20;
// Queueing one launch takes the host a few microseconds.
constexpr std::uint64_t holdBase = 20'000;
constexpr std::uint64_t holdPerLaunch = 10'000;
} // namespace

Result<Stopwatch> Stopwatch::make(cudaStream_t stream, std::uint64_t l2Bytes, std::size_t launches)
{
    Stopwatch watch;
    watch.m_stream = stream;
    watch.m_holdNanoseconds = holdBase + holdPerLaunch * launches;
    auto sweep = DeviceMemory::allocate(std::max(smallestSweep, 2 * l2Bytes), "the cache sweep");
    if (!sweep) {
        return sweep.error();
    }
    watch.m_sweep = *std::move(sweep);
    for (cudaEvent_t* event : {&watch.m_begin, &watch.m_end}) {
        if (const auto made = check(cudaEventCreate(event), "making an event"); !made) {
            return made.error();
        }
    }
    return watch;
}

Stopwatch::Stopwatch(Stopwatch&& other) noexcept
    : m_prelude(std::move(other.m_prelude))
    , m_stream(other.m_stream)
    , m_begin(std::exchange(other.m_begin, nullptr))
    , m_end(std::exchange(other.m_end, nullptr))
    , m_sweep(std::move(other.m_sweep))
    , m_holdNanoseconds(other.m_holdNanoseconds)
    , m_sweeps(other.m_sweeps)
{
}

Stopwatch::~Stopwatch()
{
    for (const cudaEvent_t event : {m_begin, m_end}) {
        if (event != nullptr) {
            cudaEventDestroy(event);
        }
    }
}

cudaError_t Stopwatch::cold(const Enqueue& enqueue, double& microseconds)
{
    // Lines that a kernel marked persisting would survive the sweep.
    if (const cudaError_t code = cudaCtxResetPersistingL2Cache(); code != cudaSuccess) {
        return code;
    }
    if (const cudaError_t code = sweepCache(m_sweep.data(), m_sweep.bytes(), ++m_sweeps, m_stream);
        code != cudaSuccess) {
        return code;
    }
    if (const cudaError_t code = cudaStreamSynchronize(m_stream); code != cudaSuccess) {
        return code;
    }
    return span(enqueue, microseconds);
}

cudaError_t Stopwatch::warm(const Enqueue& enqueue, const Enqueue& between, double& microseconds)
{
    if (const cudaError_t code = enqueue(m_stream); code != cudaSuccess) {
        return code;
    }
    if (const cudaError_t code = between(m_stream); code != cudaSuccess) {
        return code;
    }
    return span(enqueue, microseconds);
}

cudaError_t Stopwatch::span(const Enqueue& enqueue, double& microseconds)
{
    float milliseconds = 0;
    if (const cudaError_t code = holdStream(m_holdNanoseconds, m_stream); code != cudaSuccess) {
        return code;
    }
    if (m_prelude) {
        if (const cudaError_t code = m_prelude(m_stream); code != cudaSuccess) {
            return code;
        }
    }
    if (const cudaError_t code = cudaEventRecord(m_begin, m_stream); code != cudaSuccess) {
        return code;
    }
    if (const cudaError_t code = enqueue(m_stream); code != cudaSuccess) {
        return code;
    }
    if (const cudaError_t code = cudaEventRecord(m_end, m_stream); code != cudaSuccess) {
        return code;
    }
    if (const cudaError_t code = cudaStreamSynchronize(m_stream); code != cudaSuccess) {
        return code;
    }
    const cudaError_t code = cudaEventElapsedTime(&milliseconds, m_begin, m_end);
    microseconds = static_cast<double>(milliseconds) * 1000;
    return code;
}

} // namespace ptxwb::gpu
