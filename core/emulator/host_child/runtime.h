// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/host_child/cuda_abi.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb::emulator::cuda {

/// The device memory of the candidate is not here: addresses in this range are the emulated device's.
bool isDeviceAddress(const void* pointer);

/// Keeps an error for cudaGetLastError and gives it.
int failed(int code);
/// The error that was kept; `clear` forgets it.
int lastError(bool clear);

/// A __global__ function, as nvcc registered it.
struct Kernel {
    std::string name{};
    bool isAsked = false; ///< what follows is known
    int code = success; ///< of that question
    std::vector<std::size_t> sizes{};
    std::vector<std::size_t> offsets{};
    std::size_t parameterBytes = 0;
    std::size_t sharedBytes = 0;
    int maxThreads = 0;
    std::size_t allowedSharedBytes = 48U << 10; ///< dynamic
};

/// By the address of its host function, or by its handle. nullptr: not known.
Kernel* kernelOf(const void* function);
/// By its name in the PTX, known or not.
Kernel* kernelNamed(const std::string& name);
/// Asks the device about the kernel, once.
int learn(Kernel& kernel);

struct LaunchShape {
    Dim3 grid{1, 1, 1};
    Dim3 block{1, 1, 1};
    std::array<std::uint32_t, 3> cluster{1, 1, 1};
    std::size_t sharedBytes = 0;
    bool cooperative = false;
};
/// Takes over what an attribute says; those that say nothing about the result are passed over.
void apply(const LaunchAttribute& attribute, LaunchShape& shape);
/// Launches and waits. `arguments`: one pointer for each parameter.
int launch(Kernel& kernel, const LaunchShape& shape, void** arguments);

/// Copies by kind, or by what the addresses are.
int copy(void* to, const void* from, std::size_t bytes, int kind);
/// `width`: 1, 2 or 4 bytes of `value`, again and again.
int fill(void* at, std::uint32_t value, std::size_t bytes, std::size_t width);
/// 0: no memory left, or nothing asked for.
std::uint64_t allocate(std::size_t bytes);
int release(const void* pointer);

/// A cudaDeviceAttr or CUdevice_attribute; nothing is known of others: 0.
int deviceAttribute(int attribute);
void setTarget(const std::string& target); ///< "sm_90a"

/// A function of the driver's by name, as cudaGetDriverEntryPoint finds it. For one that is not there: a
/// function that says so and ends the process when it is called.
void* driverEntry(const std::string& name);

} // namespace ptxwb::emulator::cuda
