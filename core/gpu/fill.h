// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/elements.h"

#include <cuda_runtime_api.h>

#include <cstdint>

// Device memory filled, hashed and checked. Every function enqueues on `stream` and returns the launch's
// code.
namespace ptxwb::gpu {

/// The task's random input of `tensor` for `seed`: the values of core/bench/seeded_input.h, those of a part
/// of it that begins at element `first`.
cudaError_t fillRandom(void* data, ElementKind kind, std::uint64_t elements, std::uint64_t seed,
    std::uint32_t tensor, cudaStream_t stream, std::uint64_t first = 0);
cudaError_t fillScalar(
    void* data, ElementKind kind, std::uint64_t elements, double value, cudaStream_t stream);
/// 0, 1, 2, ... converted to the element type.
cudaError_t fillIota(void* data, ElementKind kind, std::uint64_t elements, cudaStream_t stream);
/// The pattern of core/bench/poison.h. `data` is 2-byte aligned.
cudaError_t fillPoison(void* data, ElementKind kind, std::uint64_t bytes, cudaStream_t stream);
/// The same in 64 places of a kilobyte, drawn from the seed: too little to be seen in a time.
cudaError_t poisonSpots(
    void* data, ElementKind kind, std::uint64_t bytes, std::uint64_t seed, cudaStream_t stream);

/// Adds an order-independent 64-bit hash of the bytes to *result (device memory, zeroed by the caller).
cudaError_t hashBytes(const void* data, std::uint64_t bytes, std::uint64_t* result, cudaStream_t stream);
/// Adds the number of bytes that differ from the guard pattern to *result.
cudaError_t countGuardDamage(
    const void* data, std::uint64_t bytes, std::uint64_t* result, cudaStream_t stream);

/// Writes `bytes` so that nothing else is left in the L2 cache.
cudaError_t sweepCache(void* data, std::uint64_t bytes, std::uint32_t value, cudaStream_t stream);
/// Keeps the stream busy for about that long, so that what follows is queued before it starts.
cudaError_t holdStream(std::uint64_t nanoseconds, cudaStream_t stream);
/// Writes 42 to *result: does the device run code at all?
cudaError_t answer(int* result, cudaStream_t stream);

} // namespace ptxwb::gpu
