// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/candidate_fault.h"

#include "core/gpu/cuda_error.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

std::string_view checkNameOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Unsupported:
        return "target check";
    case Verdict::LaunchError:
        return "status of the launch";
    case Verdict::Timeout:
        return "watchdog";
    case Verdict::OutOfBounds:
    case Verdict::RuntimeError:
        return "status of the call";
    default:
        return "";
    }
}

CandidateFault faultOf(cudaError_t code, const std::string& doing)
{
    const auto fault = [&](Verdict verdict, const char* meaning) {
        return CandidateFault{verdict, fmt::format("{}: {}. {}", doing, cudaMessage(code), meaning), {}};
    };
    switch (code) {
    case cudaErrorIllegalAddress:
        return fault(Verdict::OutOfBounds, "The kernel accessed an address that lies in no buffer.");
    case cudaErrorMisalignedAddress:
        return fault(Verdict::RuntimeError, "An access was not aligned to its own size.");
    case cudaErrorInvalidAddressSpace:
        return fault(Verdict::RuntimeError,
            "An instruction got an address of the wrong state space, e.g. a generic address where a shared "
            "one is needed.");
    case cudaErrorIllegalInstruction:
        return fault(Verdict::RuntimeError,
            "The hardware refused an instruction, e.g. a bad descriptor, or a barrier or matrix operation "
            "used wrongly.");
    case cudaErrorInvalidPc:
        return fault(Verdict::RuntimeError, "The kernel jumped to where no code is.");
    case cudaErrorHardwareStackError:
        return fault(Verdict::RuntimeError, "The kernel's call stack overflowed.");
    case cudaErrorAssert:
        return fault(Verdict::RuntimeError, "An assertion in the kernel failed.");
    case cudaErrorLaunchFailure:
        return fault(Verdict::RuntimeError,
            "The kernel stopped: `trap`, an access outside shared memory, or a fault of an asynchronous "
            "copy.");
    case cudaErrorLaunchTimeout:
        return fault(Verdict::Timeout, "The driver ended the kernel because it ran too long.");
    case cudaErrorInvalidConfiguration:
        return fault(Verdict::LaunchError, "Grid, block, cluster or shared memory do not fit this device.");
    case cudaErrorLaunchOutOfResources:
        return fault(Verdict::LaunchError,
            "The block needs more registers or shared memory than a multiprocessor has.");
    case cudaErrorCooperativeLaunchTooLarge:
        return fault(Verdict::LaunchError, "A cooperative grid must fit on the device at once.");
    case cudaErrorInvalidClusterSize:
        return fault(Verdict::LaunchError, "No such cluster fits on this device with these resources.");
    case cudaErrorInvalidValue:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorNotSupported:
        return fault(Verdict::LaunchError, "The driver refused the launch.");
    case cudaErrorNoKernelImageForDevice:
        return fault(Verdict::Unsupported, "The code was built for another GPU.");
    default:
        return fault(
            isSticky(code) ? Verdict::RuntimeError : Verdict::LaunchError, "The kernel did not run.");
    }
}

} // namespace ptxwb::gpu
