// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/triage_row.h"
#include "core/toolchain/compiler.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb::records {

/// What every answer of one run is compiled with.
struct TriageSettings {
    std::optional<std::string> target{};
    std::vector<std::string> options{}; ///< for nvcc or ptxas
    std::filesystem::path sassCache{}; ///< of disassemblies
    std::chrono::seconds timeout{120}; ///< of one compilation
    std::filesystem::path root{}; ///< that the answers' paths start from; empty where there is no folder
    bool sandboxed = false; ///< the compilers see their toolkit and the -I folders of `options`, no more
};

/// The row of an answer without its outcome: where it comes from, what each rule finds, its key.
TriageRow identify(const Answer& answer, const TriageSettings& settings, const Toolchain& toolchain);

/// Extracts, compiles and inspects one answer. Nothing of it is run. Thread-safe; blocks. What goes wrong is
/// said in the row; Errors: Cancelled, DiskFull.
Result<TriageRow> triageAnswer(const Answer& answer, const TriageSettings& settings, const Compiler& compiler,
    const std::stop_token& stop = {});

} // namespace ptxwb::records
