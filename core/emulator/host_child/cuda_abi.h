// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// What host code compiled by nvcc calls, declared here so that no program of ours needs CUDA's headers.
// Layouts and numbers: driver_types.h, vector_types.h and cuda.h of CUDA 12.0 to 13.0, which agree on these.

#define PTXWB_CUDA_API extern "C" __attribute__((visibility("default")))

namespace ptxwb::emulator::cuda {

/// dim3.
struct Dim3 {
    std::uint32_t x;
    std::uint32_t y;
    std::uint32_t z;
};

/// cudaError_t and CUresult, which agree where both are used here.
enum Code : int {
    success = 0,
    invalidValue = 1,
    memoryAllocation = 2,
    invalidConfiguration = 9,
    invalidSymbol = 13,
    invalidDeviceFunction = 98,
    invalidDevice = 101,
    invalidResourceHandle = 400,
    notFound = 500,
    notSupported = 801,
};

/// cudaMemcpyKind.
enum CopyKind : int { hostToHost = 0, hostToDevice = 1, deviceToHost = 2, deviceToDevice = 3, byAddress = 4 };

/// cudaLaunchAttribute; CUlaunchAttribute.
struct LaunchAttribute {
    static constexpr int cooperative = 2;
    static constexpr int clusterDimension = 4;
    int id;
    char padding[4];
    union {
        char bytes[64];
        std::uint32_t words[16];
    };
};
static_assert(sizeof(LaunchAttribute) == 72);

/// cudaLaunchConfig_t.
struct LaunchConfig {
    Dim3 grid;
    Dim3 block;
    std::size_t sharedBytes;
    void* stream;
    LaunchAttribute* attributes;
    std::uint32_t attributeCount;
};

/// CUlaunchConfig.
struct DriverLaunchConfig {
    Dim3 grid;
    Dim3 block;
    std::uint32_t sharedBytes;
    void* stream;
    LaunchAttribute* attributes;
    std::uint32_t attributeCount;
};

/// cudaFuncAttributes.
struct FunctionAttributes {
    std::size_t sharedBytes;
    std::size_t constBytes;
    std::size_t localBytes;
    int maxThreads;
    int registers;
    int ptxVersion;
    int binaryVersion;
    int cacheMode;
    int maxDynamicSharedBytes;
    int carveout;
    int clusters[7];
    int reserved[16];
};
static_assert(sizeof(FunctionAttributes) == 144);

} // namespace ptxwb::emulator::cuda
