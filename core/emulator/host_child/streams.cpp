// SPDX-License-Identifier: Apache-2.0
// Streams, events and errors. Every call has ended when it returns, so there is nothing to wait for: what
// overlaps on a GPU runs in the order of the calls here.
#include "core/emulator/host_child/runtime.h"

#include <chrono>
#include <string_view>

namespace ptxwb::emulator::cuda {

namespace {

using Clock = std::chrono::steady_clock;

struct Stream {
    unsigned flags = 0;
    int priority = 0;
};

struct Event {
    Clock::time_point recorded{};
    bool isRecorded = false;
};

thread_local int kept = success;

struct ErrorText {
    int code;
    const char* name;
    const char* text;
};

constexpr std::array<ErrorText, 12> errorTexts{
    {{success, "cudaSuccess", "no error"}, {invalidValue, "cudaErrorInvalidValue", "invalid argument"},
        {memoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
        {invalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
        {12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
        {invalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
        {invalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
        {invalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
        {invalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
        {notFound, "cudaErrorSymbolNotFound", "named symbol not found"},
        {600, "cudaErrorNotReady", "device not ready"},
        {notSupported, "cudaErrorNotSupported", "operation not supported"}}};

const ErrorText& textOf(int code)
{
    static constexpr ErrorText unknown{-1, "unrecognized error code", "unrecognized error code"};
    for (const auto& one : errorTexts) {
        if (one.code == code) {
            return one;
        }
    }
    return unknown;
}

Event* eventOf(void* handle)
{
    return static_cast<Event*>(handle);
}

} // namespace

int failed(int code)
{
    if (code != success) {
        kept = code;
    }
    return code;
}

int lastError(bool clear)
{
    const int code = kept;
    kept = clear ? success : kept;
    return code;
}

} // namespace ptxwb::emulator::cuda

using namespace ptxwb::emulator::cuda;

PTXWB_CUDA_API int cudaGetLastError()
{
    return lastError(true);
}
PTXWB_CUDA_API int cudaPeekAtLastError()
{
    return lastError(false);
}
PTXWB_CUDA_API const char* cudaGetErrorString(int code)
{
    return textOf(code).text;
}
PTXWB_CUDA_API const char* cudaGetErrorName(int code)
{
    return textOf(code).name;
}

PTXWB_CUDA_API int cudaDeviceSynchronize()
{
    return success;
}
PTXWB_CUDA_API int cudaDeviceSetLimit(int /*limit*/, std::size_t /*value*/)
{
    return success;
}
PTXWB_CUDA_API int cudaDeviceSetCacheConfig(int /*config*/)
{
    return success;
}
PTXWB_CUDA_API int cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    *least = 0;
    *greatest = -5;
    return success;
}
PTXWB_CUDA_API int cudaCtxResetPersistingL2Cache()
{
    return success;
}

PTXWB_CUDA_API int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority)
{
    *stream = new Stream{flags, priority};
    return success;
}
PTXWB_CUDA_API int cudaStreamCreateWithFlags(void** stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
PTXWB_CUDA_API int cudaStreamCreate(void** stream)
{
    return cudaStreamCreateWithPriority(stream, 0, 0);
}
PTXWB_CUDA_API int cudaStreamDestroy(void* stream)
{
    delete static_cast<Stream*>(stream);
    return success;
}
PTXWB_CUDA_API int cudaStreamSynchronize(void* /*stream*/)
{
    return success;
}
PTXWB_CUDA_API int cudaStreamQuery(void* /*stream*/)
{
    return success;
}
PTXWB_CUDA_API int cudaStreamWaitEvent(void* /*stream*/, void* event, unsigned /*flags*/)
{
    return event != nullptr ? success : failed(invalidResourceHandle);
}
PTXWB_CUDA_API int cudaStreamSetAttribute(void* /*stream*/, int /*attribute*/, const void* /*value*/)
{
    return success; // windows of the L2, priorities
}
PTXWB_CUDA_API int cudaStreamIsCapturing(void* /*stream*/, int* status)
{
    *status = 0;
    return success;
}
PTXWB_CUDA_API int cudaStreamGetDevice(void* /*stream*/, int* device)
{
    *device = 0;
    return success;
}
PTXWB_CUDA_API int cudaLaunchHostFunc(void* /*stream*/, void (*function)(void*), void* data)
{
    function(data);
    return success;
}

PTXWB_CUDA_API int cudaEventCreateWithFlags(void** event, unsigned /*flags*/)
{
    *event = new Event;
    return success;
}
PTXWB_CUDA_API int cudaEventCreate(void** event)
{
    return cudaEventCreateWithFlags(event, 0);
}
PTXWB_CUDA_API int cudaEventDestroy(void* event)
{
    delete eventOf(event);
    return success;
}
PTXWB_CUDA_API int cudaEventRecord(void* event, void* /*stream*/)
{
    if (event == nullptr) {
        return failed(invalidResourceHandle);
    }
    *eventOf(event) = {Clock::now(), true};
    return success;
}
PTXWB_CUDA_API int cudaEventRecordWithFlags(void* event, void* stream, unsigned /*flags*/)
{
    return cudaEventRecord(event, stream);
}
PTXWB_CUDA_API int cudaEventQuery(void* /*event*/)
{
    return success;
}
PTXWB_CUDA_API int cudaEventSynchronize(void* /*event*/)
{
    return success;
}
/// The time that the emulation took, which says nothing about a GPU.
PTXWB_CUDA_API int cudaEventElapsedTime(float* milliseconds, void* from, void* to)
{
    if (from == nullptr || to == nullptr || !eventOf(from)->isRecorded || !eventOf(to)->isRecorded) {
        return failed(invalidResourceHandle);
    }
    *milliseconds =
        std::chrono::duration<float, std::milli>(eventOf(to)->recorded - eventOf(from)->recorded).count();
    return success;
}
