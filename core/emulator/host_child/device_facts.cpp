// SPDX-License-Identifier: Apache-2.0
// What host code may ask about the device: the numbers of an H200, so that a kernel that sizes its grid by
// them makes the one that it would make there.
#include "core/emulator/host_child/channel.h"
#include "core/emulator/host_child/runtime.h"
#include "core/emulator/residency.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <map>

namespace ptxwb::emulator::cuda {

namespace {

using residency::multiprocessors;
using residency::threadsPerMultiprocessor;
constexpr int blocksPerMultiprocessor = residency::ctasPerMultiprocessor;
constexpr int sharedPerMultiprocessor = residency::sharedBytesPerMultiprocessor;
constexpr int sharedPerBlock = 227 << 10;
constexpr int reservedShared = residency::reservedSharedBytesPerCta;
constexpr int l2Bytes = 60 << 20;
constexpr int registers = 65536;

int major = 9;
int minor = 0;

/// cudaDeviceProp of CUDA 13.
struct Properties {
    char name[256];
    char uuid[16];
    char luid[8];
    std::uint32_t luidMask;
    std::size_t globalBytes;
    std::size_t sharedPerBlock;
    int registersPerBlock;
    int warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    std::size_t constBytes;
    int major;
    int minor;
    std::size_t textureAlignment;
    std::size_t texturePitchAlignment;
    int multiprocessorCount;
    int integrated;
    int canMapHostMemory;
    int textures[39];
    std::size_t surfaceAlignment;
    int concurrentKernels;
    int ecc;
    int pci[3];
    int tcc;
    int asyncEngines;
    int unifiedAddressing;
    int memoryBusWidth;
    int l2Bytes;
    int persistingL2;
    int maxThreadsPerMultiprocessor;
    int streamPriorities;
    int globalL1;
    int localL1;
    std::size_t sharedPerMultiprocessor;
    int registersPerMultiprocessor;
    int managedMemory;
    int boards[2];
    int hostAtomics;
    int pageable[2];
    int preemption;
    int registeredPointers;
    int cooperativeLaunch;
    std::size_t sharedPerBlockOptin;
    int pageTables[2];
    int maxBlocksPerMultiprocessor;
    int accessPolicyWindow;
    std::size_t reservedSharedPerBlock;
    int hostRegister[4];
    int memoryPools;
    int rdma;
    std::uint32_t rdmaFlush;
    int rdmaOrdering;
    std::uint32_t poolHandles;
    int deferredMapping;
    int ipcEvents;
    int clusterLaunch;
    int rest[64];
};
static_assert(sizeof(Properties) == 1008);

} // namespace

void setTarget(const std::string& target)
{
    const auto digits = target.find_first_of("0123456789");
    if (digits != std::string::npos) {
        const int number = std::atoi(target.c_str() + digits);
        major = number / 10;
        minor = number % 10;
    }
}

int deviceAttribute(int attribute)
{
    // Numbers of cudaDeviceAttr, which are those of CUdevice_attribute.
    static const std::map<int, int> known{{1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 0x7FFF'FFFF},
        {6, 65535}, {7, 65535}, {8, 48 << 10}, {9, 64 << 10}, {10, 32}, {12, registers}, {13, 1'980'000},
        {16, multiprocessors}, {31, 1}, {36, 3'201'000}, {37, 6144}, {38, l2Bytes},
        {39, threadsPerMultiprocessor}, {41, 1}, {78, 1}, {81, sharedPerMultiprocessor}, {82, registers},
        {95, 1}, {97, sharedPerBlock}, {106, blocksPerMultiprocessor}, {111, reservedShared}, {115, 1},
        {120, 1}};
    if (attribute == 75 || attribute == 76) {
        return attribute == 75 ? major : minor;
    }
    const auto found = known.find(attribute);
    return found == known.end() ? 0 : found->second;
}

int occupancy(int* blocks, const void* function, int threads, std::size_t dynamicBytes)
{
    auto* kernel = kernelOf(function);
    if (kernel == nullptr || learn(*kernel) != success) {
        return failed(invalidDeviceFunction);
    }
    *blocks = threads <= 0
        ? 0
        : residency::ctasThatFit(static_cast<std::uint64_t>(threads), kernel->sharedBytes + dynamicBytes);
    return success;
}

} // namespace ptxwb::emulator::cuda

using namespace ptxwb::emulator::cuda;

PTXWB_CUDA_API int cudaGetDeviceProperties(void* properties, int device)
{
    if (device != 0) {
        return failed(invalidDevice);
    }
    Properties p{};
    constexpr std::string_view name = "PTX Workbench emulator (numbers of an H200)";
    name.copy(p.name, sizeof p.name - 1);
    std::size_t left = 0;
    const auto answer = ptxwb::emulator::host::ask({{"do", "memory"}});
    left = answer.at("total").get<std::size_t>();
    p.globalBytes = left;
    p.sharedPerBlock = 48U << 10;
    p.registersPerBlock = registers;
    p.warpSize = 32;
    p.memPitch = 0x7FFF'FFFF;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7FFF'FFFF;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.constBytes = 64U << 10;
    p.major = deviceAttribute(75);
    p.minor = deviceAttribute(76);
    p.textureAlignment = 512;
    p.multiprocessorCount = multiprocessors;
    p.concurrentKernels = 1;
    p.asyncEngines = 3;
    p.unifiedAddressing = 1;
    p.memoryBusWidth = deviceAttribute(37);
    p.l2Bytes = l2Bytes;
    p.maxThreadsPerMultiprocessor = threadsPerMultiprocessor;
    p.streamPriorities = 1;
    p.globalL1 = p.localL1 = 1;
    p.sharedPerMultiprocessor = sharedPerMultiprocessor;
    p.registersPerMultiprocessor = registers;
    p.cooperativeLaunch = 1;
    p.sharedPerBlockOptin = sharedPerBlock;
    p.maxBlocksPerMultiprocessor = blocksPerMultiprocessor;
    p.reservedSharedPerBlock = reservedShared;
    p.memoryPools = 1;
    p.clusterLaunch = 1;
    std::memcpy(properties, &p, sizeof p);
    return success;
}

PTXWB_CUDA_API int cudaDeviceGetAttribute(int* value, int attribute, int device)
{
    *value = deviceAttribute(attribute);
    return device == 0 ? success : failed(invalidDevice);
}
PTXWB_CUDA_API int cudaGetDevice(int* device)
{
    *device = 0;
    return success;
}
PTXWB_CUDA_API int cudaGetDeviceCount(int* count)
{
    *count = 1;
    return success;
}
PTXWB_CUDA_API int cudaSetDevice(int device)
{
    return device == 0 ? success : failed(invalidDevice);
}
PTXWB_CUDA_API int cudaRuntimeGetVersion(int* version)
{
    *version = 13000;
    return success;
}
PTXWB_CUDA_API int cudaDriverGetVersion(int* version)
{
    *version = 13000;
    return success;
}
PTXWB_CUDA_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, const void* function, int threads, std::size_t dynamicBytes)
{
    return occupancy(blocks, function, threads, dynamicBytes);
}
PTXWB_CUDA_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t dynamicBytes, unsigned /*flags*/)
{
    return occupancy(blocks, function, threads, dynamicBytes);
}
PTXWB_CUDA_API int cudaOccupancyMaxActiveClusters(
    int* clusters, const void* function, const LaunchConfig* config)
{
    LaunchShape shape;
    for (std::uint32_t i = 0; i < config->attributeCount; ++i) {
        apply(config->attributes[i], shape);
    }
    int blocks = 0;
    const auto threads = static_cast<int>(config->block.x * config->block.y * config->block.z);
    const int code = occupancy(&blocks, function, threads, config->sharedBytes);
    const auto size = static_cast<int>(shape.cluster[0] * shape.cluster[1] * shape.cluster[2]);
    *clusters = size == 0 ? 0 : blocks * multiprocessors / size;
    return code;
}
