// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"

namespace ptxwb {

/// What the ledger needs beside the evaluation itself.
struct LedgerSources {
    std::string compileCommand{};
    std::string disassembleCommand{};
    std::string notInspected{}; ///< why there is no SASS, empty if there is
    std::string notRun{}; ///< why the candidate was not run, empty if it was
    std::string notTimed{}; ///< why there is no time, empty if there is
    std::string hostCodeHow{}; ///< how host code was kept, where the emulator ran it
    const Tool* compiler = nullptr;
    const Tool* disassembler = nullptr;
    std::string cubinSha256{};
};

/// Every claim that an evaluation can make, each with its state: what was not measured stands there with its
/// reason.
std::vector<Evidence> buildLedger(const Evaluation& evaluation, const LedgerSources& sources);

} // namespace ptxwb
