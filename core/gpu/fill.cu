// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/fill.h"

#include "core/bench/seeded_input.h"
#include "core/gpu/element_access.cuh"

namespace ptxwb::gpu {

namespace {

constexpr int threads = 256;
constexpr int blocks = 2048;
constexpr int spots = 64;
constexpr std::uint64_t spotWords = 512;

__device__ std::uint64_t firstIndex()
{
    return static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x;
}
__device__ std::uint64_t indexStep()
{
    return static_cast<std::uint64_t>(gridDim.x) * threads;
}

/// The element at (seed, tensor, index): normal for floats, cut to two sigma for the 8-bit ones, uniform for
/// integers.
__device__ double randomElement(ElementKind kind, std::uint64_t seed, std::uint32_t tensor, std::uint64_t i)
{
    const std::uint64_t bits = mixedBits(seed, tensor, i);
    switch (kind) {
    case ElementKind::F64:
    case ElementKind::F32:
    case ElementKind::F16:
    case ElementKind::Bf16:
        return normalFromBits(bits);
    case ElementKind::E4m3:
    case ElementKind::E5m2:
        return fminf(2.0F, fmaxf(-2.0F, normalFromBits(bits)));
    case ElementKind::I64:
    case ElementKind::I32:
    case ElementKind::I16:
        return static_cast<double>(uniformInteger(bits, -1024, 2048));
    case ElementKind::I8:
        return static_cast<double>(uniformInteger(bits, -128, 256));
    case ElementKind::U8:
        return static_cast<double>(uniformInteger(bits, 0, 256));
    case ElementKind::Bool:
        return static_cast<double>(uniformInteger(bits, 0, 2));
    }
    return 0;
}

__global__ void randomKernel(void* data, ElementKind kind, std::uint64_t elements, std::uint64_t seed,
    std::uint32_t tensor, std::uint64_t first)
{
    for (std::uint64_t i = firstIndex(); i < elements; i += indexStep()) {
        storeElement(data, kind, i, randomElement(kind, seed, tensor, first + i));
    }
}

__global__ void scalarKernel(void* data, ElementKind kind, std::uint64_t elements, double value)
{
    for (std::uint64_t i = firstIndex(); i < elements; i += indexStep()) {
        storeElement(data, kind, i, value);
    }
}

__global__ void iotaKernel(void* data, ElementKind kind, std::uint64_t elements)
{
    for (std::uint64_t i = firstIndex(); i < elements; i += indexStep()) {
        storeElement(data, kind, i, static_cast<double>(i));
    }
}

__global__ void poisonKernel(std::uint16_t* data, std::uint64_t words)
{
    for (std::uint64_t i = firstIndex(); i < words; i += indexStep()) {
        data[i] = poisonWord;
    }
}

__global__ void spotKernel(
    std::uint16_t* data, std::uint64_t words, std::uint64_t seed, std::uint16_t pattern)
{
    const std::uint64_t begin = words <= spotWords ? 0 : mixedBits(seed, blockIdx.x, 0) % (words - spotWords);
    for (std::uint64_t i = threadIdx.x; i < spotWords && begin + i < words; i += threads) {
        data[begin + i] = pattern;
    }
}

__device__ void addOverBlock(std::uint64_t value, std::uint64_t* result)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(0xFFFFFFFFU, value, offset);
    }
    if (threadIdx.x % 32 == 0 && value != 0) {
        atomicAdd(reinterpret_cast<unsigned long long*>(result), static_cast<unsigned long long>(value));
    }
}

// Every 8-byte word is mixed with its index, so that moved or swapped words change the sum.
__global__ void hashKernel(const std::uint8_t* data, std::uint64_t bytes, std::uint64_t* result)
{
    const auto* words = reinterpret_cast<const std::uint64_t*>(data);
    const std::uint64_t count = bytes / 8;
    std::uint64_t sum = 0;
    for (std::uint64_t i = firstIndex(); i < count; i += indexStep()) {
        sum += mixedBits(words[i], 0, i);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (std::uint64_t i = count * 8; i < bytes; ++i) {
            sum += mixedBits(data[i], 1, i);
        }
    }
    addOverBlock(sum, result);
}

__global__ void guardKernel(const std::uint8_t* data, std::uint64_t bytes, std::uint64_t* result)
{
    std::uint64_t damaged = 0;
    for (std::uint64_t i = firstIndex(); i < bytes; i += indexStep()) {
        damaged += data[i] != guardPattern ? 1 : 0;
    }
    addOverBlock(damaged, result);
}

__global__ void sweepKernel(uint4* data, std::uint64_t pieces, std::uint32_t value)
{
    for (std::uint64_t i = firstIndex(); i < pieces; i += indexStep()) {
        data[i] = make_uint4(value, value, value, value);
    }
}

__global__ void holdKernel(std::uint64_t nanoseconds)
{
    std::uint64_t begin = 0;
    std::uint64_t now = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < nanoseconds);
}

__global__ void answerKernel(int* result)
{
    *result = 42;
}

} // namespace

cudaError_t fillRandom(void* data, ElementKind kind, std::uint64_t elements, std::uint64_t seed,
    std::uint32_t tensor, cudaStream_t stream, std::uint64_t first)
{
    randomKernel<<<blocks, threads, 0, stream>>>(data, kind, elements, seed, tensor, first);
    return cudaGetLastError();
}

cudaError_t fillScalar(
    void* data, ElementKind kind, std::uint64_t elements, double value, cudaStream_t stream)
{
    scalarKernel<<<blocks, threads, 0, stream>>>(data, kind, elements, value);
    return cudaGetLastError();
}

cudaError_t fillIota(void* data, ElementKind kind, std::uint64_t elements, cudaStream_t stream)
{
    iotaKernel<<<blocks, threads, 0, stream>>>(data, kind, elements);
    return cudaGetLastError();
}

cudaError_t fillPoison(void* data, ElementKind kind, std::uint64_t bytes, cudaStream_t stream)
{
    if (isOneByte(kind)) {
        return cudaMemsetAsync(data, poisonByte, bytes, stream);
    }
    poisonKernel<<<blocks, threads, 0, stream>>>(static_cast<std::uint16_t*>(data), bytes / 2);
    return cudaGetLastError();
}

cudaError_t poisonSpots(
    void* data, ElementKind kind, std::uint64_t bytes, std::uint64_t seed, cudaStream_t stream)
{
    constexpr std::uint16_t pair = poisonByte * 0x101U;
    spotKernel<<<spots, threads, 0, stream>>>(
        static_cast<std::uint16_t*>(data), bytes / 2, seed, isOneByte(kind) ? pair : poisonWord);
    return cudaGetLastError();
}

cudaError_t hashBytes(const void* data, std::uint64_t bytes, std::uint64_t* result, cudaStream_t stream)
{
    hashKernel<<<blocks, threads, 0, stream>>>(static_cast<const std::uint8_t*>(data), bytes, result);
    return cudaGetLastError();
}

cudaError_t countGuardDamage(
    const void* data, std::uint64_t bytes, std::uint64_t* result, cudaStream_t stream)
{
    guardKernel<<<16, threads, 0, stream>>>(static_cast<const std::uint8_t*>(data), bytes, result);
    return cudaGetLastError();
}

cudaError_t sweepCache(void* data, std::uint64_t bytes, std::uint32_t value, cudaStream_t stream)
{
    sweepKernel<<<blocks, threads, 0, stream>>>(static_cast<uint4*>(data), bytes / sizeof(uint4), value);
    return cudaGetLastError();
}

cudaError_t holdStream(std::uint64_t nanoseconds, cudaStream_t stream)
{
    holdKernel<<<1, 1, 0, stream>>>(nanoseconds);
    return cudaGetLastError();
}

cudaError_t answer(int* result, cudaStream_t stream)
{
    answerKernel<<<1, 1, 0, stream>>>(result);
    return cudaGetLastError();
}

} // namespace ptxwb::gpu
