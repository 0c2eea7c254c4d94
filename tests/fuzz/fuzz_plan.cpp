// SPDX-License-Identifier: Apache-2.0
// Any bytes as a kernel with a launch plan of its own.
#include "core/bench/launch_plan.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)ptxwb::plannedKernels(text);
    const auto declared = ptxwb::resolveDeclaredPlan(text);
    if (!declared) {
        if (declared.error().message.empty()) {
            std::abort();
        }
        return 0;
    }
    for (const auto& launch : declared->plan.launches) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (launch.grid[axis] == 0 || launch.block[axis] == 0) {
                std::abort();
            }
        }
    }
    return 0;
}
