// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::cli {

/// Exit statuses of every command (README.md).
enum ExitStatus {
    Holds = 0,
    DoesNotHold = 1,
    WrongUsage = 2,
    Missing = 3,
    InternalError = 4,
    Interrupted = 130
};

/// What every command shares: its flags, what came after `--`, and where its answers go.
struct Session {
    bool json = false;
    bool quiet = false;
    std::vector<std::string> passThrough{}; ///< after `--`
    std::stop_token stop{}; ///< set by Ctrl+C

    /// A line on stderr, unless --quiet.
    void progress(std::string_view line) const;
    /// Prints the failure (ptxwb.error.v1 with --json, a sentence on stderr without) and returns its exit
    /// status.
    int fail(const Error& error) const;
    /// The answer on stdout, nothing else. Returns `status`, or the exit status of the failure when stdout
    /// does not take all of it (closed, a full disk), which is then said on stderr.
    int print(std::string_view answer, int status) const;
};

int exitStatusOf(const Error& error);

/// A command registers its flags on a subcommand; `run` is called after parsing and returns the exit status.
using RunCommand = std::function<int(const Session&)>;
RunCommand addDoctorCommand(CLI::App& app);
RunCommand addCompileCommand(CLI::App& app);
RunCommand addMatrixCommand(CLI::App& app);
RunCommand addPtxCommand(CLI::App& app);
RunCommand addSassCommand(CLI::App& app);
RunCommand addDiffCommand(CLI::App& app);
RunCommand addTasksCommand(CLI::App& app);
RunCommand addEvalCommand(CLI::App& app);
RunCommand addRunCommand(CLI::App& app);
RunCommand addBenchCommand(CLI::App& app);
RunCommand addHistoryCommand(CLI::App& app);
RunCommand addTaskCommand(CLI::App& app);
RunCommand addDebugCommand(CLI::App& app);
RunCommand addExplainCommand(CLI::App& app);
RunCommand addSelfCheckCommand(CLI::App& app);
RunCommand addTriageCommand(CLI::App& app);

} // namespace ptxwb::cli
