// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/error.h"

#include <optional>
#include <string>

namespace ptxwb::records {

/// What a trajectory says about an answer: the words of the system that wrote the file, never a result of
/// ours.
struct Recorded {
    std::optional<std::string> event{}; ///< "evaluation", "test_failed", "no_code" ...
    std::optional<bool> allPassed{};
    std::optional<double> minSpeedup{};
    std::optional<int> returnCode{};
    std::string paperClass{}; ///< class of the observation's text by the paper's rules, see paperClassOf
};

/// One answer of a model, or a file that stands for one.
struct Answer {
    std::string path{}; ///< of the file, below the folder that was named
    std::optional<int> line{}; ///< of a JSON-lines file
    std::optional<int> turn{}; ///< from 0
    std::optional<std::string> model{};
    std::optional<std::string> task{};
    bool isCode = false; ///< the text is the code; else a message with code blocks
    std::string text{};
    std::optional<Recorded> recorded{};
    std::optional<Error> problem{}; ///< why there is no text
};

/// "dir/exp_001.json turn 3", "answers.jsonl:7"
std::string answerTitle(const std::string& path, std::optional<int> line, std::optional<int> turn);

} // namespace ptxwb::records
