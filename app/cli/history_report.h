// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command_line.h"

#include <filesystem>

namespace ptxwb::cli {

/// `ptxwb history ACTION ARGUMENT...`
struct HistoryOptions {
    std::string action = "list"; ///< list, show, compare, source, export
    std::vector<std::string> arguments{};
    std::string task{};
    std::string candidate{};
    std::string output{};
    int limit = 20;
};

/// Prints the answer and gives the exit status.
int runHistory(const HistoryOptions& options, const std::filesystem::path& file, const Session& session);

} // namespace ptxwb::cli
