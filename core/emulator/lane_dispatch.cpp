// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/lane_form.h"

namespace ptxwb::emulator {

namespace lanes_portable {
Handler handler(const LaneForm& form);
}
#if defined(PTXWB_HAVE_AVX2_LANES)
namespace lanes_avx2 {
Handler handler(const LaneForm& form);
}
#endif

namespace {

bool portableOnly = false;

}

void usePortableLanes(bool portable)
{
    portableOnly = portable;
}

Handler laneHandler(const LaneForm& form)
{
#if defined(PTXWB_HAVE_AVX2_LANES)
    static const bool fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (fast && !portableOnly) {
        return lanes_avx2::handler(form);
    }
#endif
    return lanes_portable::handler(form);
}

} // namespace ptxwb::emulator
