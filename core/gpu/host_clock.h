// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ptxwb::gpu {

/// Times that a host-contract child reports, held against the runner's own clock. The child's clock may be
/// forged, ours may not: from the order to the reply passes what the child reports and what an exchange takes
/// without a call.
class HostClock {
public:
    /// Our time of an exchange in which the candidate was not called.
    void noteEmpty(double wallUs) { m_emptyUs.push_back(wallUs); }
    /// Our time of one with a call, and the time that the child reports of it.
    void noteCall(double wallUs, double reportedUs);

    /// Median of what our clock saw beyond an empty exchange: at most so much can a call have taken.
    std::optional<double> ownUs() const;
    /// Why the reported times do not fit; nothing while they do. Jitter of a scheduler is allowed for.
    std::optional<std::string> disagreement() const;

private:
    std::vector<double> m_emptyUs;
    std::vector<double> m_wallUs;
    std::vector<double> m_reportedUs;
};

} // namespace ptxwb::gpu
