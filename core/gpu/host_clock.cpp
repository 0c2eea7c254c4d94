// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/host_clock.h"

#include "core/bench/statistics.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {
// Waking a process takes tens of microseconds, changing the GPU from one process to the other up to some
// hundred, and the candidate's host code some more.
constexpr double allowanceUs = 300;
constexpr double allowanceFactor = 1.1;
} // namespace

void HostClock::noteCall(double wallUs, double reportedUs)
{
    m_wallUs.push_back(wallUs);
    m_reportedUs.push_back(reportedUs);
}

std::optional<double> HostClock::ownUs() const
{
    const auto empty = median(m_emptyUs);
    const auto wall = median(m_wallUs);
    return empty && wall ? std::optional(*wall - *empty) : std::nullopt;
}

std::optional<std::string> HostClock::disagreement() const
{
    const auto own = ownUs();
    const auto reported = median(m_reportedUs);
    if (!own || !reported || *own <= *reported * allowanceFactor + allowanceUs) {
        return std::nullopt;
    }
    return fmt::format(
        "the candidate's process reports {:.1f} us for a call, the runner's own clock sees {:.1f} us: its "
        "timer is forged, or it waits outside the timed span",
        *reported, *own);
}

} // namespace ptxwb::gpu
