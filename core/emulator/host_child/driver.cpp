// SPDX-License-Identifier: Apache-2.0
// The driver's interface, as far as kernels of this kind use it: tensor maps, launches, sets, entry points.
#include "core/emulator/host_child/channel.h"
#include "core/emulator/host_child/runtime.h"
#include "core/emulator/tensor_map.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <mutex>

namespace ptxwb::emulator::cuda {

namespace {

/// CUtensorMapDataType; nothing for those that the emulator does not know.
std::optional<Dtype> tensorMapType(int type)
{
    constexpr std::array types{Dtype::Uint8, Dtype::Int16, Dtype::Int32, Dtype::Int32, Dtype::Int64,
        Dtype::Int64, Dtype::Float16, Dtype::Float32, Dtype::Float64, Dtype::Bfloat16};
    return type >= 0 && static_cast<std::size_t>(type) < types.size()
        ? std::optional(types[static_cast<std::size_t>(type)])
        : std::nullopt;
}

/// What the driver refuses: alignments and ranges of cuTensorMapEncodeTiled.
bool isEncodable(const TensorMapSpec& spec, std::uint64_t address)
{
    constexpr std::uint64_t mostExtent = 1ULL << 32;
    constexpr std::uint64_t mostStride = 1ULL << 40;
    const auto rank = spec.dims.size();
    bool fits = address % 16 == 0
        && std::all_of(spec.dims.begin(), spec.dims.end(),
            [&](std::uint64_t extent) { return extent != 0 && extent <= mostExtent; });
    for (const auto stride : spec.stridesBytes) {
        fits = fits && stride % 16 == 0 && stride < mostStride;
    }
    for (std::size_t d = 0; d < rank; ++d) {
        fits = fits && spec.box[d] != 0 && spec.box[d] <= 256 && spec.elementStrides[d] != 0
            && spec.elementStrides[d] <= 8;
    }
    const std::uint64_t row = std::uint64_t{spec.box[0]} * static_cast<std::uint64_t>(dtypeBytes(spec.dtype));
    const std::uint64_t span = spec.swizzle == Swizzle::B128 ? 128
        : spec.swizzle == Swizzle::B64                       ? 64
        : spec.swizzle == Swizzle::B32                       ? 32
                                                             : 0;
    return fits && row % 16 == 0 && (span == 0 || row <= span);
}

constexpr std::size_t mostTraps = 16;
std::array<std::string, mostTraps> trapNames;

template <std::size_t I> void trap()
{
    host::endAtMissing(trapNames[I]);
}

template <std::size_t... I> constexpr auto makeTraps(std::index_sequence<I...> /*all*/)
{
    return std::array<void (*)(), sizeof...(I)>{&trap<I>...};
}
constexpr auto traps = makeTraps(std::make_index_sequence<mostTraps>{});

} // namespace

void* driverEntry(const std::string& name)
{
    static std::mutex mutex;
    static std::size_t used = 0;
    const std::scoped_lock lock(mutex);
    if (void* found = name.starts_with("cu") ? ::dlsym(RTLD_DEFAULT, name.c_str()) : nullptr) {
        return found;
    }
    for (std::size_t i = 0; i < used; ++i) {
        if (trapNames[i] == name) {
            return reinterpret_cast<void*>(traps[i]);
        }
    }
    if (used == mostTraps) {
        return nullptr;
    }
    trapNames[used] = name;
    return reinterpret_cast<void*>(traps[used++]);
}

} // namespace ptxwb::emulator::cuda

using namespace ptxwb::emulator;
using namespace ptxwb::emulator::cuda;

PTXWB_CUDA_API int cuTensorMapEncodeTiled(void* map, int type, std::uint32_t rank, void* address,
    const std::uint64_t* extents, const std::uint64_t* strides, const std::uint32_t* box,
    const std::uint32_t* elementStrides, int interleave, int swizzle, int l2, int fill)
{
    if (rank < 1 || rank > 5 || map == nullptr) {
        return invalidValue;
    }
    const auto dtype = tensorMapType(type);
    if (!dtype || interleave != 0 || swizzle < 0 || swizzle > 3) {
        host::endAtMissing("cuTensorMapEncodeTiled with data type " + std::to_string(type) + ", interleave "
            + std::to_string(interleave) + ", swizzle " + std::to_string(swizzle));
    }
    ptxwb::TensorMapSpec spec{.dtype = *dtype,
        .dims = {extents, extents + rank},
        .stridesBytes = {strides, strides + rank - 1},
        .box = {box, box + rank},
        .elementStrides = {elementStrides, elementStrides + rank},
        .swizzle = static_cast<ptxwb::Swizzle>(swizzle),
        .fill = fill == 0 ? ptxwb::OutOfBoundsFill::Zero : ptxwb::OutOfBoundsFill::Nan,
        .l2 = static_cast<ptxwb::L2Promotion>(l2 & 3)};
    const auto base = reinterpret_cast<std::uint64_t>(address);
    if (!isEncodable(spec, base)) {
        return invalidValue;
    }
    const auto bytes = encodeTensorMap(spec, base);
    std::memcpy(map, bytes.data(), bytes.size());
    return success;
}

PTXWB_CUDA_API int cuInit(unsigned /*flags*/)
{
    return success;
}
PTXWB_CUDA_API int cuDriverGetVersion(int* version)
{
    *version = 13000;
    return success;
}
PTXWB_CUDA_API int cuDeviceGet(int* device, int ordinal)
{
    *device = ordinal;
    return ordinal == 0 ? success : invalidDevice;
}
PTXWB_CUDA_API int cuCtxGetDevice(int* device)
{
    *device = 0;
    return success;
}
PTXWB_CUDA_API int cuDeviceGetAttribute(int* value, int attribute, int device)
{
    *value = deviceAttribute(attribute);
    return device == 0 ? success : invalidDevice;
}
PTXWB_CUDA_API int cuGetErrorString(int code, const char** text);
PTXWB_CUDA_API const char* cudaGetErrorString(int code);
PTXWB_CUDA_API const char* cudaGetErrorName(int code);
PTXWB_CUDA_API int cuGetErrorString(int code, const char** text)
{
    *text = cudaGetErrorString(code);
    return success;
}
PTXWB_CUDA_API int cuGetErrorName(int code, const char** name)
{
    *name = cudaGetErrorName(code);
    return success;
}

PTXWB_CUDA_API int cuLaunchKernel(void* function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes, void* /*stream*/,
    void** arguments, void** extra)
{
    auto* kernel = kernelOf(function);
    if (kernel == nullptr || extra != nullptr) {
        return kernel == nullptr ? invalidResourceHandle : notSupported;
    }
    return launch(*kernel,
        {.grid = {gridX, gridY, gridZ}, .block = {blockX, blockY, blockZ}, .sharedBytes = sharedBytes},
        arguments);
}
PTXWB_CUDA_API int cuLaunchCooperativeKernel(void* function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes, void* /*stream*/,
    void** arguments)
{
    auto* kernel = kernelOf(function);
    return kernel == nullptr ? invalidResourceHandle
                             : launch(*kernel,
                                 {.grid = {gridX, gridY, gridZ},
                                     .block = {blockX, blockY, blockZ},
                                     .sharedBytes = sharedBytes,
                                     .cooperative = true},
                                 arguments);
}
PTXWB_CUDA_API int cuLaunchKernelEx(
    const DriverLaunchConfig* config, void* function, void** arguments, void** extra)
{
    auto* kernel = kernelOf(function);
    if (kernel == nullptr || config == nullptr || extra != nullptr) {
        return kernel == nullptr ? invalidResourceHandle : invalidValue;
    }
    LaunchShape shape{.grid = config->grid, .block = config->block, .sharedBytes = config->sharedBytes};
    for (std::uint32_t i = 0; i < config->attributeCount; ++i) {
        apply(config->attributes[i], shape);
    }
    return launch(*kernel, shape, arguments);
}

PTXWB_CUDA_API int cuMemsetD8Async(std::uint64_t at, unsigned char value, std::size_t count, void* /*stream*/)
{
    return fill(reinterpret_cast<void*>(at), value, count, 1);
}
PTXWB_CUDA_API int cuMemsetD16Async(
    std::uint64_t at, unsigned short value, std::size_t count, void* /*stream*/)
{
    return fill(reinterpret_cast<void*>(at), value, count * 2, 2);
}
PTXWB_CUDA_API int cuMemsetD32Async(std::uint64_t at, unsigned value, std::size_t count, void* /*stream*/)
{
    return fill(reinterpret_cast<void*>(at), value, count * 4, 4);
}
PTXWB_CUDA_API int cuStreamSynchronize(void* /*stream*/)
{
    return success;
}

PTXWB_CUDA_API int cuGetProcAddress_v2(
    const char* symbol, void** function, int /*version*/, std::uint64_t /*flags*/, int* status)
{
    *function = driverEntry(symbol);
    if (status != nullptr) {
        *status = *function != nullptr ? 0 : 1; // CU_GET_PROC_ADDRESS_SUCCESS, SYMBOL_NOT_FOUND
    }
    return *function != nullptr ? success : notFound;
}
PTXWB_CUDA_API int cudaGetDriverEntryPointByVersion(
    const char* symbol, void** function, unsigned /*version*/, unsigned long long flags, int* status)
{
    return failed(cuGetProcAddress_v2(symbol, function, 0, flags, status));
}
PTXWB_CUDA_API int cudaGetDriverEntryPoint(
    const char* symbol, void** function, unsigned long long flags, int* status)
{
    return failed(cuGetProcAddress_v2(symbol, function, 0, flags, status));
}
