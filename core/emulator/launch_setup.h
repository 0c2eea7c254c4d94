// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/emulator.h"
#include "core/emulator/machine.h"

#include <cstdint>

namespace ptxwb::emulator {

/// Variables of the module in global and constant memory.
struct ModuleMemory {
    std::vector<std::vector<std::byte>> storage{};
    std::vector<std::uint64_t> addresses{}; ///< by variable; 0 where it lies elsewhere
    /// Where the CTAs of a cooperative grid meet: two words, size and count, as cooperative_groups'
    /// driver_abi.h of CUDA 13 has them. 0 when no instruction asks for it.
    std::uint64_t gridBarrier = 0;
};
ModuleMemory placeGlobals(const Module& module, GlobalMemory& memory);

/// The error of decodeKernel for a launch of the plan, with its place in the file.
Error kernelError(Error error, const EmulatorRequest& request, std::size_t launch);

/// Fills launch.parameters from the plan. False: a report says what does not fit.
bool packArguments(LaunchContext& launch, const Launch& planned, const EmulatorRequest& request,
    const std::vector<std::uint64_t>& addresses);

/// Errors: InvalidArgument when the buffers are not those of the plan.
Result<void> checkBuffers(const EmulatorRequest& request);

} // namespace ptxwb::emulator
