// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/device.h"

#include "core/gpu/buffers.h"
#include "core/gpu/cuda_error.h"
#include "core/gpu/fill.h"
#include "core/gpu/libraries.h"
#include "core/gpu/target_match.h"

#include <fmt/format.h>

#include <array>

namespace ptxwb::gpu {

namespace {

int attribute(cudaDeviceAttr name, int device)
{
    int value = 0;
    return cudaDeviceGetAttribute(&value, name, device) == cudaSuccess ? value : 0;
}

std::string uuidText(const cudaUUID_t& uuid)
{
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
            static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

/// Runs a kernel that answers 42; the context is made on the way.
Result<void> trivialKernel()
{
    auto memory = DeviceMemory::allocate(sizeof(int), "an answer");
    if (!memory) {
        return memory.error();
    }
    int value = 0;
    cudaError_t code = answer(memory->as<int>(), nullptr);
    if (code == cudaSuccess) {
        code = cudaMemcpy(&value, memory->data(), sizeof value, cudaMemcpyDeviceToHost);
    }
    if (const auto ran = check(code, "running a trivial kernel"); !ran) {
        return ran;
    }
    if (value != 42) {
        return Error{.code = ErrorCode::Unavailable, .message = "a trivial kernel gave a wrong answer"};
    }
    return {};
}

Result<Device> describe(int index, const Nvml& nvml)
{
    cudaDeviceProp properties{};
    if (const auto got = check(cudaGetDeviceProperties(&properties, index), fmt::format("device {}", index));
        !got) {
        return got.error();
    }
    Device device;
    device.major = properties.major;
    device.minor = properties.minor;
    device.sharedBytesPerBlock = static_cast<int>(properties.sharedMemPerBlock);
    std::array<char, 32> busId{};
    if (cudaDeviceGetPCIBusId(busId.data(), static_cast<int>(busId.size()), index) == cudaSuccess) {
        device.pciBusId = busId.data();
    }
    DeviceInfo& info = device.info;
    info.index = index;
    info.name = properties.name;
    info.computeCapability = fmt::format("{}.{}", properties.major, properties.minor);
    info.target = targetOf(properties.major, properties.minor);
    info.uuid = uuidText(properties.uuid);
    info.memoryBytes = properties.totalGlobalMem;
    info.multiprocessors = properties.multiProcessorCount;
    info.l2Bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
    info.sharedBytesPerBlockOptin = static_cast<int>(properties.sharedMemPerBlockOptin);
    int driver = 0;
    cudaDriverGetVersion(&driver);
    info.driver = nvml.driverVersion().value_or(cudaVersionText(driver));
    const DeviceState state = nvml.state(device.pciBusId);
    info.smClockMhz = state.smClockMhz;
    info.maxSmClockMhz = nvml.maxSmClockMhz(device.pciBusId);
    info.throttleReasons = state.throttleReasons;
    device.maxSmClockMhz = info.maxSmClockMhz.value_or(attribute(cudaDevAttrClockRate, index) / 1000);
    // Both edges of the memory clock carry data: kHz * 2 * bits / 8.
    device.memoryBytesPerSecond = attribute(cudaDevAttrMemoryClockRate, index) * 1000.0 * 2
        * attribute(cudaDevAttrGlobalMemoryBusWidth, index) / 8;
    return device;
}

} // namespace

std::string cudaVersionText(int version)
{
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

Result<int> deviceCount()
{
    int count = 0;
    if (const auto got = check(cudaGetDeviceCount(&count), "looking for a GPU"); !got) {
        return got.error();
    }
    if (count == 0) {
        return cudaFailure(cudaErrorNoDevice, "looking for a GPU");
    }
    return count;
}

Result<Device> openDevice(int index, const Nvml& nvml)
{
    const auto count = deviceCount();
    if (!count) {
        return count.error();
    }
    if (index < 0 || index >= *count) {
        return Error{.code = ErrorCode::Unavailable,
            .message =
                fmt::format("there is no device {}: {} {} here", index, *count, *count == 1 ? "is" : "are"),
            .hint = "devices count from 0"};
    }
    auto device = describe(index, nvml);
    if (!device) {
        return device;
    }
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
    for (const cudaError_t code : {cudaSetDevice(index), cudaMemGetInfo(&freeBytes, &totalBytes)}) {
        if (const auto done = check(code, fmt::format("opening device {}", index)); !done) {
            return done.error();
        }
    }
    device->info.freeBytes = freeBytes;
    return device;
}

ProbeResult probe(const Nvml& nvml)
{
    ProbeResult result;
    result.libraries = libraries(nvml);
    const auto count = deviceCount();
    if (!count) {
        result.problem = ptxwb::describe(count.error());
        return result;
    }
    for (int index = 0; index < *count; ++index) {
        DeviceInfo info;
        info.index = index;
        auto device = openDevice(index, nvml);
        if (device) {
            info = device->info;
        }
        const Result<void> works = device ? trivialKernel() : Result<void>(device.error());
        if (!works) {
            info.problem = ptxwb::describe(works.error());
        }
        result.devices.push_back(info);
    }
    return result;
}

} // namespace ptxwb::gpu
