// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/schedules.h"

#include <nlohmann/json_fwd.hpp>

namespace ptxwb {

/// The members `reports` and `schedules` of ptxwb.eval.v1 and ptxwb.run.v1.
nlohmann::ordered_json reportsJson(const std::vector<emulator::Report>& reports);
nlohmann::ordered_json schedulesJson(const std::optional<emulator::Schedules>& schedules);

} // namespace ptxwb
