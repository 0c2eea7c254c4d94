// SPDX-License-Identifier: Apache-2.0
// What can be tested of the GPU room without a GPU.
#include "check.h"

#include "core/bench/banned_library.h"
#include "core/gpu/candidate_fault.h"
#include "core/gpu/host_clock.h"
#include "core/gpu/nvml.h"
#include "core/gpu/roofline.h"
#include "core/gpu/target_match.h"
#include "core/gpu/watchdog.h"
#include "core/runner/runner_client.h"
#include "core/support/files.h"

#include <atomic>
#include <cstring>
#include <elf.h>

using namespace ptxwb;
using namespace ptxwb::gpu;
using namespace std::chrono_literals;

namespace {

/// DT_NEEDED entries of a 64-bit ELF file.
std::vector<std::string> neededLibraries(const std::string& file)
{
    const auto at = [&]<class T>(std::size_t offset, T) {
        T value{};
        std::memcpy(&value, file.data() + offset, sizeof value);
        return value;
    };
    const auto header = at(0, Elf64_Ehdr{});
    std::vector<std::string> names;
    for (std::size_t i = 0; i < header.e_shnum; ++i) {
        const auto section = at(header.e_shoff + i * header.e_shentsize, Elf64_Shdr{});
        if (section.sh_type != SHT_DYNAMIC) {
            continue;
        }
        const auto strings =
            at(header.e_shoff + section.sh_link * std::size_t{header.e_shentsize}, Elf64_Shdr{});
        for (std::size_t offset = 0; offset < section.sh_size; offset += sizeof(Elf64_Dyn)) {
            const auto entry = at(section.sh_offset + offset, Elf64_Dyn{});
            if (entry.d_tag == DT_NEEDED) {
                names.emplace_back(file.data() + strings.sh_offset + entry.d_un.d_val);
            }
        }
    }
    return names;
}

} // namespace

PTXWB_CASE(host, the_runner_needs_no_library_of_nvidia)
{
    const auto names = neededLibraries(NEED(readFile(PTXWB_BIN_DIR "/ptxwb-runner")));
    CHECK(!names.empty());
    for (const std::string& name : names) {
        for (const char* forbidden : {"cuda", "cublas", "cudnn", "nvidia", "nvrtc", "Qt"}) {
            CHECK_SAY(name.find(forbidden) == std::string::npos, name);
        }
    }
}

PTXWB_CASE(host, libraries_that_do_the_work_are_banned)
{
    constexpr const char* maps =
        "7f00-7f01 r--p 00000000 08:01 12   /usr/lib/libcuda.so.1\n"
        "7f02-7f03 r-xp 00000000 08:01 13   /usr/local/cuda/lib64/libcublasLt.so.13.1.0.3\n";
    CHECK(bannedLibraryIn(maps) == "libcublasLt.so.13.1.0.3");
    CHECK(
        !bannedLibraryIn("7f00-7f01 r--p 0 08:01 12 /usr/lib/libcudart.so.13\n7f02 rw-p 0 00:00 0 [heap]\n"));
    CHECK(!bannedLibraryIn(""));
    CHECK(bannedFunctionIn(std::string("\0libcublas.so\0cublasCreate_v2\0", 31)) == "cublasCreate_v2");
    CHECK(!bannedFunctionIn("slower than cublas and cudnn"));
}

PTXWB_CASE(host, a_forged_timer_does_not_fit_our_clock)
{
    HostClock honest;
    HostClock forged;
    for (int i = 0; i < 9; ++i) {
        honest.noteEmpty(400 + i);
        forged.noteEmpty(400 + i);
        honest.noteCall(1250 + i, 800); // changing processes costs some
        forged.noteCall(3450 + i, 500);
    }
    CHECK(!honest.disagreement());
    CHECK(honest.ownUs() == 850.0);
    CHECK(forged.disagreement().value_or("").find("500.0 us") != std::string::npos);
    CHECK(!HostClock().disagreement()); // nothing was timed
}

PTXWB_CASE(host, targets_of_devices)
{
    CHECK(targetOf(9, 0) == "sm_90a");
    CHECK(targetOf(10, 0) == "sm_100a");
    CHECK(targetOf(12, 0) == "sm_120a");
    CHECK(targetOf(8, 6) == "sm_86");
    CHECK(targetOf(8, 0) == "sm_80");
}

PTXWB_CASE(host, which_code_loads_where)
{
    CHECK(!whyNotLoadable("sm_90a", 9, 0));
    CHECK(!whyNotLoadable("sm_90", 9, 0));
    CHECK(!whyNotLoadable("sm_80", 8, 6));
    CHECK(!whyNotLoadable("sm_100f", 10, 3));
    CHECK(!whyNotLoadable("sm_100", 10, 3));
    CHECK(whyNotLoadable("sm_86", 8, 0));
    CHECK(whyNotLoadable("sm_90a", 10, 0));
    CHECK(whyNotLoadable("sm_100a", 10, 3));
    CHECK(whyNotLoadable("sm_103f", 10, 0));
    CHECK(whyNotLoadable("sm_80", 9, 0));
    for (const char* nonsense : {"", "sm_", "sm_90b", "compute_90", "90a", "sm_90a "}) {
        CHECK_SAY(whyNotLoadable(nonsense, 9, 0), nonsense);
    }
    CHECK(whyNotLoadable("sm_100a", 9, 0)->find("9.0 (sm_90a)") != std::string::npos);
}

PTXWB_CASE(host, roofline_is_below_every_honest_time)
{
    const Peak h200{.major = 9,
        .minor = 0,
        .multiprocessors = 132,
        .maxSmClockMhz = 1980,
        .memoryBytesPerSecond = 4.9e12,
        .l2Bytes = 60ULL << 20};
    const double flops = 2.0 * 8192 * 7168 * 5120;
    const auto floor = rooflineFloorUs(h200, flops, 2.75e8, false);
    // The vendor's 989 TFLOP/s would need 608 us; at the highest clock of all 562 us.
    CHECK(floor && *floor > 500 && *floor < 608);
    CHECK(*rooflineFloorUs(h200, flops, 0, true) * 2 == *floor);
    // Memory-bound: 10 GB at 4.9 TB/s.
    const auto copy = rooflineFloorUs(h200, 1, 1e10, false);
    CHECK(copy && *copy > 2000 && *copy < 2050);
    // Nothing is claimed where nothing is known.
    CHECK(!rooflineFloorUs({.major = 7, .minor = 5}, flops, 0, false));
    CHECK(!rooflineFloorUs(h200, 0, 0, false));
}

PTXWB_CASE(host, throttle_reasons)
{
    CHECK(throttleReasonNames(0).empty());
    CHECK(throttleReasonNames(0x44) == std::vector<std::string>({"sw_power_cap", "hw_thermal_slowdown"}));
    CHECK(meansSlowdown(0x40));
    CHECK(meansSlowdown(0x80));
    CHECK(!meansSlowdown(0x4)); // the power cap is how the board runs under load: it meets both sides
    CHECK(!meansSlowdown(0x1));
}

PTXWB_CASE(host, codes_become_verdicts)
{
    CHECK(faultOf(cudaErrorIllegalAddress, "x").verdict == Verdict::OutOfBounds);
    CHECK(faultOf(cudaErrorLaunchFailure, "x").verdict == Verdict::RuntimeError);
    CHECK(faultOf(cudaErrorMisalignedAddress, "x").verdict == Verdict::RuntimeError);
    CHECK(faultOf(cudaErrorInvalidConfiguration, "x").verdict == Verdict::LaunchError);
    CHECK(faultOf(cudaErrorLaunchTimeout, "x").verdict == Verdict::Timeout);
    CHECK(faultOf(cudaErrorIllegalAddress, "Running k").explanation.find("Running k") == 0);
}

PTXWB_CASE(host, watchdog_barks_once_and_only_when_late)
{
    std::atomic<int> barks = 0;
    std::string doing;
    Watchdog dog([&](const std::string& what, std::chrono::milliseconds) {
        doing = what;
        ++barks;
    });
    for (int i = 0; i < 200; ++i) {
        const Watchdog::Watch watch(dog, 10s, "quick");
    }
    {
        const Watchdog::Watch watch(dog, 30ms, "slow");
        std::this_thread::sleep_for(300ms);
    }
    std::this_thread::sleep_for(50ms);
    CHECK(barks == 1);
    CHECK(doing == "slow");
}

PTXWB_CASE(host, probe_is_an_answer_everywhere)
{
    // With a driver the devices, without one the reason: never an error, never silence.
    const auto probe = NEED(probeRunner({.command = {PTXWB_BIN_DIR "/ptxwb-runner"}, .title = "here"}, 60s));
    CHECK(probe.devices.empty() == !probe.problem.empty());
    CHECK(probe.libraries.size() == 3);
    for (const LibraryInfo& library : probe.libraries) {
        CHECK_SAY(library.version.has_value() || !library.reason.empty(), library.name);
    }
}

PTXWB_CASE(host, without_a_device_an_evaluation_is_unavailable)
{
    const RunnerEndpoint endpoint{
        .command = {"/usr/bin/env", "CUDA_VISIBLE_DEVICES=", PTXWB_BIN_DIR "/ptxwb-runner"}};
    EvaluateRequest request;
    request.target = "sm_90a";
    int terminals = 0;
    const auto result = runOnRunner(
        endpoint, request, [&](const RunnerEvent& event) { terminals += isTerminal(event) ? 1 : 0; });
    CHECK(!result);
    CHECK_SAY(result.error().code == ErrorCode::Unavailable, describe(result.error()));
    CHECK(!result.error().hint.empty());
    CHECK(terminals == 1);
}
