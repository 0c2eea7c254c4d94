// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command_line.h"
#include "core/bench/task.h"
#include "core/evaluation/requirement.h"

#include <cstdint>
#include <map>

namespace ptxwb::cli {

/// One line of a batch: {"id", "file" or "text" with "name", "task", "workload", "seed"}.
struct BatchLine {
    std::string id{}; ///< the line's number when it names none
    std::string name{}; ///< of the candidate's file
    std::string text{};
    std::filesystem::path directory{};
    Task task{};
    std::string workload{};
    std::uint64_t seed = 0;
    std::string work{}; ///< hash of everything that decides its answer
};

/// Errors: InvalidArgument or BadFormat naming the line; those of reading a file.
Result<std::vector<BatchLine>> readBatchLines(
    const std::string& file, const std::string& task, const Session& session);

std::string workOf(const BatchLine& line, const std::string& settings);

/// An answer as OUT.jsonl has it.
struct BatchAnswer {
    std::string work{};
    int status = 3;
    std::string document{}; ///< one line
    std::string summary{};
};
using BatchAnswers = std::map<std::string, BatchAnswer>;

/// What a file of answers holds; a last line that was cut off does not count.
BatchAnswers readBatchAnswers(const std::string& file);
/// Rewrites the file with these answers only, so that lines can be added.
Result<void> startBatchAnswers(const std::string& file, const BatchAnswers& answers);

BatchAnswer answerLine(
    const BatchLine& line, Evaluation evaluation, const std::vector<Requirement>& requirements);
BatchAnswer failureLine(const BatchLine& line, const Error& error);

/// Every answer in the order of the lines.
std::string inOrder(const std::vector<BatchLine>& lines, const BatchAnswers& answers);
/// `ptxwb.batch.v1`, or a table.
std::string batchSummary(
    const std::vector<BatchLine>& lines, const BatchAnswers& answers, const std::string& output, bool json);

} // namespace ptxwb::cli
