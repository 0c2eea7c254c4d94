// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluation/evaluator.h"
#include "core/records/history.h"

#include <cstdint>

namespace ptxwb::records {

/// PTXWB_HISTORY, else history.sqlite in the user's data folder.
std::filesystem::path historyFile();

/// Hash of everything that decides the answer of an evaluation whose place, workload and shape are decided
/// (EvaluationRequest::known). Empty: something that the hash cannot hold decides it too (included files,
/// stored tensors, an interpreter). Reads the task's definition.
std::string workOf(const EvaluationRequest& request, const Evaluation& begun);

/// The newest evaluation of this work in `file`, with its number and time. Nothing where there is none, where
/// it does not answer (something was missing then), or where the file cannot be read: keeping says why.
struct KnownEvaluation {
    HistoryEntry entry{};
    Evaluation evaluation{};
};
std::optional<KnownEvaluation> findEvaluation(const std::filesystem::path& file, const std::string& work);

/// Adds an evaluation with its source and artefacts; gives its number. Blocks up to five seconds where the
/// file is locked. Errors: those of History.
Result<std::int64_t> keepEvaluation(const std::filesystem::path& file, const Evaluation& evaluation,
    const std::string& source, const std::string& work);

/// An evaluation that was kept, and the text that it was made of.
struct KeptEvaluation {
    Evaluation evaluation{};
    std::string source{};
};
/// Errors: those of History, BadFormat (a document of a later version).
Result<KeptEvaluation> keptEvaluation(const std::filesystem::path& file, std::int64_t id);

} // namespace ptxwb::records
