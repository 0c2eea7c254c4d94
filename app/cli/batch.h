// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command_line.h"
#include "core/evaluation/requirement.h"

namespace ptxwb::cli {

/// `ptxwb eval --batch IN.jsonl --out OUT.jsonl`
struct BatchOptions {
    std::string input{};
    std::string output{};
    std::string gpus = "all"; ///< "all", or numbers: "0,2"
    std::string on{}; ///< "emulator", "none", "ssh:HOST", "exec:COMMAND" (its GPUs) or "" (the GPUs here)
    std::string task{}; ///< of lines that name none
    std::string target{};
    std::vector<Requirement> requirements{};
    bool paperRule = false;
    bool measure = true;
    bool again = false; ///< also what OUT.jsonl has already
    bool unsafeHostCode = false;
};

/// Evaluates what OUT.jsonl does not have yet, appends each answer as it comes, and puts the lines into the
/// order of the input when all are there. Exit status 0: every one correct (and what was required); 1; 3.
int runBatchFile(const BatchOptions& options, const Session& session);

} // namespace ptxwb::cli
