// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/triage_run.h"

#include <cstddef>
#include <optional>
#include <string>

namespace ptxwb::cli {

/// The rows as a table, the causes as a histogram, and what was passed over; for people. Fitted to `columns`,
/// or with every word of it where the answer goes into a file.
std::string triageReport(const records::TriageRun& run, std::optional<std::size_t> columns);

} // namespace ptxwb::cli
