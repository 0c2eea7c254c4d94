// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/answer_source.h"
#include "core/records/triage.h"
#include "core/records/triage_log.h"

#include <functional>

namespace ptxwb::records {

/// How far a run is.
struct TriageProgress {
    int rows = 0;
    int filesRead = 0;
    int files = 0;
    const TriageRow* row = nullptr; ///< the one that is ready now
};

struct TriageRun {
    std::vector<TriageRow> rows{}; ///< in the order of the files and of the answers in them
    AnswerFiles files{};
    bool sandboxed = false; ///< the compilers ran behind walls
    bool stopped = false; ///< by `stop`; the rows are those that were ready
};

/// Looks through all answers on `jobs` threads (0: one a core). With a log, rows that it has are taken from
/// it and new ones appended as they are made. `onRow` is called on the working threads, one at a time.
/// Blocks. Errors: DiskFull, Unreadable (of the log).
Result<TriageRun> runTriage(AnswerSource source, const TriageSettings& settings, const Compiler& compiler,
    int jobs, TriageLog* log, const std::function<void(const TriageProgress&)>& onRow,
    const std::stop_token& stop);

/// One class of causes in a run.
struct CauseCount {
    CauseClass cause = CauseClass::Other;
    int answers = 0;
    std::string commonMessage{}; ///< the commonest message, names in it left out: "Unknown symbol '...'"
    std::string example{}; ///< title of an answer
};

/// The answers that do not compile by the class of their cause, most frequent first. Pure.
std::vector<CauseCount> countCauses(const std::vector<TriageRow>& rows);

/// `ptxwb.triage.v1`, pretty-printed.
std::string toJson(const TriageRun& run);

} // namespace ptxwb::records
