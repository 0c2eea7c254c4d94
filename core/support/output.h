// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <stop_token>
#include <string_view>

namespace ptxwb {

/// All of `bytes` to an open descriptor: a file, a terminal, a pipe. `stop` ends it also while the reader of
/// a pipe takes nothing. A reader who is gone ends the program by SIGPIPE unless that is ignored, as usual.
/// Errors: DiskFull, Unreadable (closed, not writable), Cancelled; `name` is their path.
Result<void> writeTo(int fd, std::string_view bytes, std::string_view name, const std::stop_token& stop = {});

/// Descriptors 0 to 2 that the caller closed are opened on /dev/null the wrong way round, so that using them
/// fails as it would have, and no file or pipe of ours gets their number.
void reserveStandardDescriptors();

} // namespace ptxwb
