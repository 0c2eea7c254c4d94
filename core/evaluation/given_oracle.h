// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runner/protocol.h"

#include <filesystem>
#include <functional>
#include <stop_token>

namespace ptxwb {

/// Oracles whose answer belongs to one set of inputs: "stored" (a folder with a .npy file for each input and
/// output) and "python" (the definition's reference, run with torch in the user's own interpreter:
/// PTXWB_PYTHON, else python3; on its GPU where torch has one; OracleSpec::file then names the oracle that
/// says how derived inputs are made).
bool isGivenOracle(const OracleSpec& oracle);

/// Gives inputs and outputs to the request; every trial then sees the same inputs. Errors: NotFound,
/// BadFormat (a file of a stored tensor, by path), MissingTool (no interpreter, no torch; says what to
/// install), ToolFailed (the reference raised; with its last words), TimedOut, Cancelled.
Result<void> addGivenOracle(EvaluateRequest& request, const Task& task, std::stop_token stop);

/// Runs the definition's reference on these inputs, in the plan's order: the outputs, in order, of their
/// types.
Result<std::vector<std::vector<std::byte>>> runPythonReference(const Task& task,
    const std::vector<BufferSpec>& buffers, const std::vector<std::vector<std::byte>>& inputs,
    std::stop_token stop);

/// For the emulator, which draws its own inputs: Unsupported for stored tensors.
std::function<Result<std::vector<std::vector<double>>>(
    const std::vector<std::vector<std::byte>>&, std::stop_token)>
emulatedGivenOracle(const Task& task, const std::vector<BufferSpec>& buffers);

} // namespace ptxwb
