// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runner/runner_client.h"

namespace ptxwb::detail {

/// What stands between this machine and a runner on another one (ssh, a scheduler, a shell) said when it
/// ended: a password asked for, an unknown host, a connection that could not be made or was lost, a job
/// preempted or out of time, no runner there. Nothing for a local runner, or where the end says none of
/// these: then it is the runner's own. `greeted`: the runner had spoken before. Pure.
std::optional<Error> remoteEnd(const RunnerEndpoint& endpoint, const ProcessOutcome& end, bool greeted);

} // namespace ptxwb::detail
