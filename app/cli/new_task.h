// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"

namespace ptxwb::cli {

/// A task as its author describes it.
struct NewTask {
    std::string name{};
    std::vector<std::string> axes{}; ///< "M", "N=7168"
    std::vector<std::string> inputs{}; ///< "A:bfloat16:M,K"
    std::vector<std::string> outputs{};
    std::vector<std::string> workloads{}; ///< "M=4096", "M=4096:paper"
    std::string oracle{}; ///< "", "none", a native one, "candidate:FILE"
    std::string oracleText{}; ///< of that file
    std::string referenceText{}; ///< Python with a function `run`; empty: none
    std::string flops{};
    std::string bytes{};
    double rtol = 1e-2;
    double atol = 1e-2;
    double strict = 0.01; ///< 0: none
};

/// Name and text of every file of the task's folder. Errors: InvalidArgument naming the option and what is
/// wrong.
Result<std::vector<std::pair<std::string, std::string>>> filesOf(const NewTask& task);

/// `ptxwb.task.v1`, or where it lies and what to do with it.
std::string newTaskReport(const Task& task, const std::string& directory, bool json);

} // namespace ptxwb::cli
