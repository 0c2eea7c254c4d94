// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/emulator.h"

#include "core/emulator/device.h"

#include <array>

namespace ptxwb::emulator {

std::string_view endName(EmulatorEnd end)
{
    constexpr std::array<std::string_view, 8> names{"completed", "deadlock", "livelock", "fault",
        "not_emulated", "resource_limit", "cancelled", "stopped_early"};
    return names[static_cast<std::size_t>(end)];
}

Result<EmulatorOutcome> emulate(
    EmulatorRequest request, const EmulatorProgress& onProgress, std::stop_token stop)
{
    auto device = Device::make(std::move(request), std::move(stop));
    if (!device) {
        return device.error();
    }
    const auto& plan = (*device)->request().plan;
    std::uint64_t total = 0;
    for (const auto& launch : plan.launches) {
        total += std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    }
    EmulatorEnd end = EmulatorEnd::Completed;
    for (std::size_t i = 0; i < plan.launches.size() && end == EmulatorEnd::Completed; ++i) {
        const auto& planned = plan.launches[i];
        auto program = (*device)->kernel(planned.kernel);
        if (!program) {
            return kernelError(program.error(), (*device)->request(), i);
        }
        end = (*device)->launch(
            *program, planned,
            [&](LaunchContext& launch) {
                return packArguments(launch, planned, (*device)->request(), (*device)->bufferAddresses());
            },
            [&](std::uint64_t ctas) {
                if (onProgress) {
                    onProgress(ctas, total);
                }
            });
    }
    return (*device)->finish(end);
}

} // namespace ptxwb::emulator
