// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/answer.h"
#include "core/support/result.h"

#include <string_view>
#include <vector>

namespace ptxwb::records {

/// The answers in a JSON document: a trajectory (an object with `messages`, as mini-swe-agent 1.1 writes; the
/// n-th assistant message is turn n-1), an object with `answer`, `response` or `completion`, or an array of
/// such. No answers when it is another document. A `path` is set in every answer. Pure. Errors: BadFormat.
Result<std::vector<Answer>> answersOfJson(std::string_view text, const std::string& path);

/// The same for a document a line. A line that is not JSON becomes an answer with a problem.
std::vector<Answer> answersOfJsonLines(std::string_view text, const std::string& path);

/// `definition` of every `exp_index` in a run root's plan.json; empty strings where there is none.
std::vector<std::string> definitionsOfPlan(std::string_view text);

/// The class that the paper's export gives an observation: the first of its phrases that the text has
/// decides.
std::string_view paperClassOf(std::string_view observation);

} // namespace ptxwb::records
