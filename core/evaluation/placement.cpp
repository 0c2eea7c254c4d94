// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/placement.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::chrono::seconds probeTimeout{20};

std::string withHint(const Error& error)
{
    return error.hint.empty() ? error.message : fmt::format("{} ({})", error.message, error.hint);
}

Placement nowhere(std::string reason)
{
    return {.on = "none", .reason = std::move(reason), .endpoint = {}, .device = {}, .libraries = {}};
}

Placement emulated(std::string reason)
{
    return {.on = "emulator", .reason = std::move(reason), .endpoint = {}, .device = {}, .libraries = {}};
}

} // namespace

Placement placeCandidate(const EvaluationRequest& request, std::stop_token stop)
{
    if (request.where == Where::None) {
        return nowhere("running was switched off (--on none)");
    }
    if (request.where == Where::Emulator) {
        return emulated("the CPU emulator was asked for");
    }
    const auto withoutGpu = [&](const std::string& reason) {
        return request.where == Where::Auto
            ? emulated("the CPU emulator, since there is no GPU to run it: " + reason)
            : nowhere(reason);
    };
    RunnerEndpoint endpoint;
    if (request.endpoint) {
        endpoint = *request.endpoint;
    } else {
        auto local = localRunner();
        if (!local) {
            return withoutGpu(withHint(local.error()));
        }
        endpoint = *std::move(local);
    }
    const auto probe = probeRunner(endpoint, probeTimeout, stop);
    if (!probe) {
        return withoutGpu(withHint(probe.error()));
    }
    const auto found = std::find_if(probe->devices.begin(), probe->devices.end(),
        [&](const DeviceInfo& device) { return device.index == request.device; });
    if (found == probe->devices.end()) {
        if (!probe->devices.empty()) {
            return withoutGpu(
                fmt::format("there is no GPU number {} ({} found)", request.device, probe->devices.size()));
        }
        return withoutGpu(probe->problem.empty() ? "no NVIDIA GPU was found" : probe->problem);
    }
    return {.on = "gpu",
        .reason = fmt::format("{} ({}), {}", found->name, found->target, endpoint.title),
        .endpoint = std::move(endpoint),
        .device = *found,
        .libraries = probe->libraries};
}

} // namespace ptxwb
