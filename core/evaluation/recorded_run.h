// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluation.h"

#include <filesystem>

namespace ptxwb {

/// A stored evaluation of a task's `recorded/` folder.
struct RecordedRun {
    std::filesystem::path path{};
    Evaluation evaluation{};
};

/// What `recorded/` of one task holds, sorted by file name. Files that cannot be read are reported, not
/// hidden.
struct RecordedRuns {
    std::vector<RecordedRun> runs{};
    std::vector<Error> problems{};
};
RecordedRuns loadRecordedRuns(const Task& task);

/// `<device>-<candidate>-<workload>.json`, lower case, blanks as '-'.
std::string recordedFileName(const Evaluation& evaluation);

/// "recorded on NVIDIA H200, 2026-12-01"
std::string recordedLabel(const Evaluation& evaluation);

} // namespace ptxwb
