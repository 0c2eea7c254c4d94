// SPDX-License-Identifier: Apache-2.0
#include "device_helpers.h"

#include "core/gpu/device.h"
#include "core/gpu/fill.h"
#include "core/gpu/stopwatch.h"

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::gpu;
using namespace ptxwb::test;

PTXWB_CASE(stopwatch, tells_a_known_duration)
{
    const Nvml nvml;
    const Device device = NEED(openDevice(0, nvml));
    cudaStream_t stream = nullptr;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    {
        Stopwatch watch = NEED(Stopwatch::make(stream, device.info.l2Bytes, 1));
        for (const double wanted : {200.0, 2000.0}) {
            double shortest = 1e9;
            for (int i = 0; i < 10; ++i) {
                double us = 0;
                CUDA(watch.cold(
                    [&](cudaStream_t on) {
                        return holdStream(static_cast<std::uint64_t>(wanted * 1000), on);
                    },
                    us));
                shortest = std::min(shortest, us);
            }
            fmt::print("     {:.0f} us kernel: {:.1f} us\n", wanted, shortest);
            CHECK(shortest >= wanted * 0.98 && shortest <= wanted + 20);
        }
        double us = 0;
        CUDA(watch.cold([](cudaStream_t) { return cudaSuccess; }, us));
        fmt::print("     nothing: {:.1f} us\n", us);
        CHECK(us < 20);
    }
    CUDA(cudaStreamDestroy(stream));
}

PTXWB_CASE(stopwatch, sweep_makes_reads_slower)
{
    const Nvml nvml;
    const Device device = NEED(openDevice(0, nvml));
    cudaStream_t stream = nullptr;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    {
        Stopwatch watch = NEED(Stopwatch::make(stream, device.info.l2Bytes, 1));
        // A quarter of the cache: it stays between two warm calls and is gone after a sweep.
        const auto data = deviceMemory(device.info.l2Bytes / 4 / 16 * 16);
        const auto sum = deviceMemory(8);
        CUDA(cudaMemset(data.data(), 1, data.bytes()));
        CUDA(cudaMemset(sum.data(), 0, 8));
        const auto read = [&](cudaStream_t on) {
            return hashBytes(data.data(), data.bytes(), sum.as<std::uint64_t>(), on);
        };
        const auto nothing = [](cudaStream_t) { return cudaSuccess; };
        double cold = 1e9;
        double warm = 1e9;
        for (int i = 0; i < 20; ++i) {
            double us = 0;
            CUDA(watch.cold(read, us));
            cold = std::min(cold, us);
            CUDA(watch.warm(read, nothing, us));
            warm = std::min(warm, us);
        }
        fmt::print("     {} bytes: cold {:.1f} us, warm {:.1f} us\n", data.bytes(), cold, warm);
        CHECK(cold > warm);
    }
    CUDA(cudaStreamDestroy(stream));
}
