// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "check.h"

#include "core/gpu/buffers.h"

#include <cstddef>
#include <cstdint>

namespace ptxwb::test {

inline void cuda(cudaError_t code, const char* file, int line)
{
    check(code == cudaSuccess, cudaGetErrorString(code), file, line);
}
#define CUDA(call) ptxwb::test::cuda((call), __FILE__, __LINE__)

inline gpu::DeviceMemory deviceMemory(std::uint64_t bytes)
{
    return NEED(gpu::DeviceMemory::allocate(bytes, "a test"));
}

template <class T> gpu::DeviceMemory toDevice(const std::vector<T>& values)
{
    auto memory = deviceMemory(values.size() * sizeof(T));
    CUDA(cudaMemcpy(memory.data(), values.data(), memory.bytes(), cudaMemcpyHostToDevice));
    return memory;
}

template <class T> std::vector<T> toHost(const void* data, std::size_t count)
{
    std::vector<T> values(count);
    CUDA(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

} // namespace ptxwb::test
