// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runner/runner_client.h"

namespace ptxwb {

/// The runner of `host` by ssh: the copy of this machine's that an earlier run put there, else the
/// ptxwb-runner on the path there. Where neither is, or it speaks another version of the protocol, this
/// machine's is copied there once, below ${XDG_CACHE_HOME:-~/.cache}/ptx-workbench/runners/<its SHA-256>.
/// Reads the local runner's bytes; without one nothing is copied. Nothing is started.
RunnerEndpoint sshRunner(const std::string& host);

namespace detail {

/// Puts endpoint.copy there. Blocks until it is there. Errors: Unavailable (the connection, the disk there,
/// another kind of machine), MissingTool (no tar here), Cancelled.
Result<void> copyRunner(const RunnerEndpoint& endpoint, std::stop_token stop);

/// What `ldd` printed: paths of the libraries that a machine with a C++ runtime need not have. Pure.
std::vector<std::filesystem::path> librariesToSend(std::string_view lddOutput);

} // namespace detail
} // namespace ptxwb
