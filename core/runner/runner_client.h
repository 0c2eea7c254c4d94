// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runner/protocol.h"
#include "core/support/subprocess.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb {

/// How this machine's runner gets to another one.
struct RunnerCopy {
    std::filesystem::path program{}; ///< the runner here
    std::vector<std::string> command{}; ///< argv that unpacks a tar archive from stdin there
};

/// How to start a runner: locally (the program beside this one), over ssh, through any command, or a recorded
/// log.
struct RunnerEndpoint {
    std::vector<std::string> command{}; ///< argv that gives the runner's stdin and stdout
    std::string title{}; ///< "local", "ssh:host"
    std::optional<std::string> host{}; ///< set when it is another machine
    std::chrono::milliseconds greetingTimeout{
        30'000}; ///< from start to Hello (a queue in front of it counts)
    /// Silence beyond EvaluateRequest::phaseTimeoutMs after which the runner itself is taken for hung.
    std::chrono::milliseconds silenceMargin{30'000};
    std::optional<RunnerCopy> copy{}; ///< tried once where no runner of this protocol answers
    bool probeAfterFault = true; ///< after a hang or a fault, ask whether the device still answers
};

/// The local runner: PTXWB_RUNNER, or ptxwb-runner beside this program. Errors: MissingTool with how to get
/// it.
Result<RunnerEndpoint> localRunner();

/// Starts a runner, checks its hello, asks for devices. Each of the two takes at most `timeout`, beside the
/// copying of a runner that is not there.
Result<ProbeResult> probeRunner(const RunnerEndpoint& endpoint,
    std::chrono::milliseconds timeout = std::chrono::seconds(20), std::stop_token stop = {});

/// Runs one candidate in one runner process and forwards its events. Returns the terminal event's content; a
/// runner that dies before its terminal event is reported as Finished with runtime_error or timeout where the
/// candidate was running, else as an Error. `onEvent` (on this thread) sees every event and exactly one
/// terminal one, made here where the runner could not send it. The child's group is killed and reaped in
/// every case. Blocks; any thread. Errors: MissingTool, Unavailable (no driver, no GPU, wrong GPU), Protocol,
/// Cancelled.
Result<Finished> runOnRunner(const RunnerEndpoint& endpoint, const EvaluateRequest& request,
    const std::function<void(const RunnerEvent&)>& onEvent, std::stop_token stop = {});

} // namespace ptxwb
