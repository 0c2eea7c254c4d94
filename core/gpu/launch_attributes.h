// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"

#include <cuda_runtime_api.h>

namespace ptxwb::gpu {

/// Cluster, cooperative, programmatic serialisation and preferred cluster, as far as the plan asks for them.
std::vector<cudaLaunchAttribute> launchAttributes(const Launch& plan);

/// `attributes` must outlive the configuration.
cudaLaunchConfig_t launchConfig(const Launch& plan, std::vector<cudaLaunchAttribute>& attributes);

} // namespace ptxwb::gpu
