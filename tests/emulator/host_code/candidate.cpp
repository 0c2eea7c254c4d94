// SPDX-License-Identifier: Apache-2.0
// A candidate of the host contract, as nvcc would build one: run(x, y, mode).
#include "core/bench/host_abi.h"
#include "cuda_calls.h"
#include "modes.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

void scale(const float* /*x*/, float* /*y*/, int /*n*/, float /*factor*/) { }
void scaleByVariable(const float* /*x*/, float* /*y*/, int /*n*/) { }
void meetAndScale(const float* /*x*/, float* /*y*/, int /*n*/) { }
char factorSymbol;

void* pointerTo(void (*function)(const float*, float*, int, float))
{
    return reinterpret_cast<void*>(function);
}

const bool registered = [] {
    void** handle = __cudaRegisterFatBinary(nullptr);
    __cudaRegisterFunction(handle, static_cast<const char*>(pointerTo(scale)), nullptr, "scale", -1, nullptr,
        nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterFunction(handle, reinterpret_cast<const char*>(&scaleByVariable), nullptr,
        "scale_by_variable", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterFunction(handle, reinterpret_cast<const char*>(&meetAndScale), nullptr, "scale_together",
        -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaRegisterVar(handle, &factorSymbol, nullptr, "factor", 0, sizeof(float), 0, 0);
    return true;
}();

int launch(const void* x, void* y, int n, float factor, void* stream = nullptr, std::size_t shared = 0,
    unsigned threads = 128)
{
    void* arguments[] = {&x, &y, &n, &factor};
    return cudaLaunchKernel(pointerTo(scale), {(static_cast<unsigned>(n) + threads - 1) / threads, 1, 1},
        {threads, 1, 1}, arguments, shared, stream);
}

int scaleTwice(const void* x, void* y, int n)
{
    void* streams[2] = {};
    void* event = nullptr;
    void* half = nullptr;
    const auto bytes = static_cast<std::size_t>(n) * sizeof(float);
    float took = -1;
    int bad = cudaStreamCreate(&streams[0]) | cudaStreamCreate(&streams[1]) | cudaEventCreate(&event)
        | cudaMalloc(&half, bytes) | cudaMemset(half, 0, bytes);
    bad |= launch(x, half, n, 2, streams[0]) | cudaEventRecord(event, streams[0])
        | cudaStreamWaitEvent(streams[1], event, 0) | launch(half, y, n, 2, streams[1]);
    bad |= cudaEventElapsedTime(&took, event, event) | cudaFree(half) | cudaStreamDestroy(streams[0])
        | cudaStreamDestroy(streams[1]);
    return bad != 0 || took != 0 ? 1 : 0;
}

int scaleByThree(const void* x, void* y, int n)
{
    const float factor = 3;
    void* arguments[] = {&x, &y, &n};
    return cudaMemcpyToSymbol(&factorSymbol, &factor, sizeof factor, 0, 1)
        | cudaLaunchKernel(reinterpret_cast<const void*>(&scaleByVariable),
            {(static_cast<unsigned>(n) + 127) / 128, 1, 1}, {128, 1, 1}, arguments, 0, nullptr);
}

int scaleTogether(const void* x, void* y, int n)
{
    void* arguments[] = {&x, &y, &n};
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&meetAndScale),
        {(static_cast<unsigned>(n) + 127) / 128, 1, 1}, {128, 1, 1}, arguments, 0, nullptr);
}

void forge()
{
    std::puts(R"({"do":"done"})");
    std::fflush(stdout);
    for (int fd = 3; fd < 1024; ++fd) {
        [[maybe_unused]] const auto wrote = ::write(fd, "{\"do\":\"rubbish\"}\n", 17);
    }
}

int useEntryPoint()
{
    void* function = nullptr;
    int status = 0;
    if (cudaGetDriverEntryPoint("cuGraphicsMapResources", &function, 0, &status) != 0) {
        return 1;
    }
    reinterpret_cast<void (*)()>(function)();
    return 1;
}

/// A library of a banned name lies beside this one.
bool loadLibrary()
{
    Dl_info here{};
    if (::dladdr(&factorSymbol, &here) == 0) {
        return false;
    }
    const std::string path = here.dli_fname;
    return ::dlopen((path.substr(0, path.rfind('/')) + "/libcublas_of_tests.so").c_str(), RTLD_NOW)
        != nullptr;
}

int act(Mode mode, const float* x, float* y, int n)
{
    const auto bytes = static_cast<std::size_t>(n) * sizeof(float);
    void* memory = nullptr;
    switch (mode) {
    case Mode::Scale:
        return launch(x, y, n, 2);
    case Mode::ScaleTwice:
        return scaleTwice(x, y, n);
    case Mode::ScaleByVariable:
        return scaleByThree(x, y, n);
    case Mode::Together:
        return scaleTogether(x, y, n);
    case Mode::CopyThroughHost: {
        std::vector<float> values(static_cast<std::size_t>(n));
        return cudaMemcpy(values.data(), x, bytes, 2) | cudaMemcpy(y, values.data(), bytes, 4);
    }
    case Mode::Raise:
        return 1;
    case Mode::LoopForEver:
        for (;;) {
            ::getppid(); // an empty loop may be left out
        }
    case Mode::Exit:
        std::exit(0);
    case Mode::Abort:
        std::abort();
    case Mode::TouchDevice:
        y[3] = 1;
        return 0;
    case Mode::TouchNothing:
        *reinterpret_cast<volatile int*>(64) = 1;
        return 0;
    case Mode::Forge:
        forge();
        return 0;
    case Mode::CopyTooMuch:
        return cudaMemcpy(y, x, bytes + 4, 3) == 1 ? 0 : 1;
    case Mode::MissingEntryPoint:
        return useEntryPoint();
    case Mode::TooMuchShared:
        return launch(x, y, n, 2, nullptr, 100U << 10);
    case Mode::AllowedShared:
        return cudaFuncSetAttribute(pointerTo(scale), 8, 100 << 10) | launch(x, y, n, 2, nullptr, 100U << 10);
    case Mode::LaunchForEver:
        while (launch(x, y, 32, 2) == 0) { }
        return 0;
    case Mode::UseFreed:
        return cudaMalloc(&memory, bytes) | cudaFree(memory) | launch(x, memory, n, 2);
    case Mode::WrongBlock:
        return launch(x, y, n, 2, nullptr, 0, 2048);
    case Mode::AllocateTooMuch: {
        int failures = 0;
        for (int i = 0; i < 4; ++i) {
            failures += cudaMalloc(&memory, std::size_t{1} << 40) == 2 ? 1 : 0;
        }
        return failures == 4 && cudaGetLastError() == 2 && cudaGetLastError() == 0 ? launch(x, y, n, 2) : 1;
    }
    case Mode::LoadLibrary:
        return loadLibrary() ? launch(x, y, n, 2) : 1;
    case Mode::Fork:
        if (::fork() == 0) {
            ::sleep(60);
            ::_exit(0);
        }
        ::_exit(7);
    }
    return 1;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int __tvm_ffi_run(
    void* /*self*/, const ptxwb::ffi::Any* arguments, int count, ptxwb::ffi::Any* /*result*/)
{
    if (count != 3 || !registered) {
        return 1;
    }
    const auto* x = static_cast<const ptxwb::ffi::DlTensor*>(arguments[0].asPointer);
    const auto* y = static_cast<const ptxwb::ffi::DlTensor*>(arguments[1].asPointer);
    return act(static_cast<Mode>(arguments[2].asInteger), static_cast<const float*>(x->data),
        static_cast<float*>(y->data), static_cast<int>(x->shape[0]));
}
