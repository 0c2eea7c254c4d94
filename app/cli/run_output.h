// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command_line.h"
#include "core/bench/tensor_content.h"

namespace ptxwb::cli {

/// One `--dump TENSOR=FILE.npy`.
struct Dump {
    std::string tensor;
    std::string file;
};

/// Errors: InvalidArgument (not of that form, or the file is `input`).
Result<std::vector<Dump>> dumpsOf(const std::vector<std::string>& words, const std::string& input);

/// Writes each as .npy. Errors: InvalidArgument (no such output), those of writing.
Result<void> writeDumps(
    const std::vector<Dump>& dumps, const std::vector<TensorContent>& outputs, const Session& session);

/// Type, shape, range, hash and first values; `among`: what its `difference` lies between.
std::string outputText(const TensorContent& output, std::string_view among);

} // namespace ptxwb::cli
