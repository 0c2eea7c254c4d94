// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/triage_run.h"

#include <string>

namespace ptxwb::cli {

/// The rows as a table, the causes as a histogram, and what was passed over; for people.
std::string triageReport(const records::TriageRun& run);

} // namespace ptxwb::cli
