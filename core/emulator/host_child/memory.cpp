// SPDX-License-Identifier: Apache-2.0
// Device memory: allocations, copies, sets.
#include "core/emulator/host/calls.h"
#include "core/emulator/host_child/channel.h"
#include "core/emulator/host_child/runtime.h"
#include "core/emulator/program.h"
#include "core/support/base64.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace ptxwb::emulator::cuda {

namespace {

std::uint64_t addressOf(const void* pointer)
{
    return reinterpret_cast<std::uint64_t>(pointer);
}

int toDevice(void* to, const char* from, std::size_t bytes)
{
    int code = success;
    for (std::size_t done = 0; done < bytes && code == success; done += host::pieceBytes) {
        const auto piece = std::min(host::pieceBytes, bytes - done);
        code = host::ask({{"do", "write"}, {"address", addressOf(to) + done},
                             {"data", base64Encode(std::string_view(from + done, piece))}})
                   .at("code")
                   .get<int>();
    }
    return code;
}

int toHost(char* to, const void* from, std::size_t bytes)
{
    int code = success;
    for (std::size_t done = 0; done < bytes && code == success; done += host::pieceBytes) {
        const auto piece = std::min(host::pieceBytes, bytes - done);
        const auto answer =
            host::ask({{"do", "read"}, {"address", addressOf(from) + done}, {"bytes", piece}});
        code = answer.at("code").get<int>();
        const auto data = base64Decode(answer.at("data").get_ref<const std::string&>());
        if (code == success && data && data->size() == piece) {
            std::memcpy(to + done, data->data(), piece);
        }
    }
    return code;
}

} // namespace

bool isDeviceAddress(const void* pointer)
{
    constexpr std::uint64_t window = 1ULL << 40;
    return addressOf(pointer) - globalWindow < window;
}

std::uint64_t allocate(std::size_t bytes)
{
    return bytes == 0 ? 0
                      : host::ask({{"do", "allocate"}, {"bytes", bytes}}).at("address").get<std::uint64_t>();
}

int release(const void* pointer)
{
    return pointer == nullptr
        ? success
        : host::ask({{"do", "free"}, {"address", addressOf(pointer)}}).at("code").get<int>();
}

int copy(void* to, const void* from, std::size_t bytes, int kind)
{
    if (bytes == 0) {
        return success;
    }
    const bool toThere =
        kind == byAddress ? isDeviceAddress(to) : kind == hostToDevice || kind == deviceToDevice;
    const bool fromThere =
        kind == byAddress ? isDeviceAddress(from) : kind == deviceToHost || kind == deviceToDevice;
    if (kind < hostToHost || kind > byAddress || to == nullptr || from == nullptr
        || (!toThere && isDeviceAddress(to)) || (!fromThere && isDeviceAddress(from))) {
        return failed(invalidValue);
    }
    if (toThere && fromThere) {
        return failed(
            host::ask({{"do", "copy"}, {"to", addressOf(to)}, {"from", addressOf(from)}, {"bytes", bytes}})
                .at("code")
                .get<int>());
    }
    if (toThere) {
        return failed(toDevice(to, static_cast<const char*>(from), bytes));
    }
    if (fromThere) {
        return failed(toHost(static_cast<char*>(to), from, bytes));
    }
    std::memmove(to, from, bytes);
    return success;
}

int fill(void* at, std::uint32_t value, std::size_t bytes, std::size_t width)
{
    return bytes == 0 ? success
                      : failed(host::ask({{"do", "fill"}, {"address", addressOf(at)}, {"value", value},
                                             {"bytes", bytes}, {"width", width}})
                                   .at("code")
                                   .get<int>());
}

} // namespace ptxwb::emulator::cuda

using namespace ptxwb::emulator::cuda;

PTXWB_CUDA_API int cudaMalloc(void** pointer, std::size_t bytes)
{
    const auto address = allocate(bytes);
    *pointer = reinterpret_cast<void*>(address);
    return address != 0 || bytes == 0 ? success : failed(memoryAllocation);
}
PTXWB_CUDA_API int cudaMallocAsync(void** pointer, std::size_t bytes, void* /*stream*/)
{
    return cudaMalloc(pointer, bytes);
}
PTXWB_CUDA_API int cudaFree(void* pointer)
{
    return failed(release(pointer));
}
PTXWB_CUDA_API int cudaFreeAsync(void* pointer, void* /*stream*/)
{
    return failed(release(pointer));
}

PTXWB_CUDA_API int cudaMallocHost(void** pointer, std::size_t bytes)
{
    *pointer = std::malloc(bytes);
    return *pointer != nullptr ? success : failed(memoryAllocation);
}
PTXWB_CUDA_API int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags)
{
    constexpr unsigned mapped = 2; // cudaHostAllocMapped: kernels would read it
    return (flags & mapped) != 0 ? failed(notSupported) : cudaMallocHost(pointer, bytes);
}
PTXWB_CUDA_API int cudaFreeHost(void* pointer)
{
    std::free(pointer);
    return success;
}

PTXWB_CUDA_API int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind)
{
    return copy(to, from, bytes, kind);
}
PTXWB_CUDA_API int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* /*stream*/)
{
    return copy(to, from, bytes, kind);
}
PTXWB_CUDA_API int cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
    std::size_t width, std::size_t height, int kind)
{
    int code = width > toPitch || width > fromPitch ? failed(12) : success; // cudaErrorInvalidPitchValue
    for (std::size_t row = 0; row < height && code == success; ++row) {
        code = copy(static_cast<char*>(to) + row * toPitch, static_cast<const char*>(from) + row * fromPitch,
            width, kind);
    }
    return code;
}
PTXWB_CUDA_API int cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
    std::size_t width, std::size_t height, int kind, void* /*stream*/)
{
    return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}
PTXWB_CUDA_API int cudaMemset(void* at, int value, std::size_t bytes)
{
    return fill(at, static_cast<std::uint32_t>(value) & 0xFFU, bytes, 1);
}
PTXWB_CUDA_API int cudaMemsetAsync(void* at, int value, std::size_t bytes, void* /*stream*/)
{
    return cudaMemset(at, value, bytes);
}
PTXWB_CUDA_API int cudaMemset2D(void* at, std::size_t pitch, int value, std::size_t width, std::size_t height)
{
    int code = success;
    for (std::size_t row = 0; row < height && code == success; ++row) {
        code = cudaMemset(static_cast<char*>(at) + row * pitch, value, width);
    }
    return code;
}
PTXWB_CUDA_API int cudaMemset2DAsync(
    void* at, std::size_t pitch, int value, std::size_t width, std::size_t height, void* /*stream*/)
{
    return cudaMemset2D(at, pitch, value, width, height);
}
PTXWB_CUDA_API int cudaMemGetInfo(std::size_t* left, std::size_t* total)
{
    const auto answer = ptxwb::emulator::host::ask({{"do", "memory"}});
    *left = answer.at("free").get<std::size_t>();
    *total = answer.at("total").get<std::size_t>();
    return success;
}
