// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/statistics.h"
#include "core/bench/tensor_content.h"
#include "core/runner/protocol.h"
#include "core/toolchain/toolchain.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb {

/// What a tensor holds, as a member of `outputs`. `TensorContent::difference` lies between what `among` says:
/// "between schedules", "between calls".
nlohmann::ordered_json contentJson(const TensorContent& content, const std::string& among);

/// Member `device` of every document.
nlohmann::ordered_json deviceJson(const std::optional<DeviceInfo>& device);

/// Median, percentiles, interval and every sample of cold or warm calls; null without samples.
nlohmann::ordered_json timesJson(const std::vector<double>& samplesUs);

/// Member `made`: when, by which version, with which tools.
nlohmann::ordered_json madeJson(const std::vector<Tool>& tools);

} // namespace ptxwb
