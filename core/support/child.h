// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/subprocess.h"

#include <sys/types.h>

namespace ptxwb::detail {

/// A started child with its ends of three pipes (close-on-exec on ours).
struct Child {
    pid_t pid = -1;
    int in = -1; ///< we write
    int out = -1; ///< we read
    int err = -1; ///< we read
};

/// fork + exec in a new process group, PR_SET_PDEATHSIG set, exec failure reported as an Error.
Result<Child> startChild(const ProcessRequest& request);

/// SIGKILL to the whole group and reaps the leader.
void killGroup(pid_t pid);

/// Reads what is there into `sink` (at most maxBytes in all). False at end of file.
bool drain(int fd, std::string& sink, std::size_t maxBytes, bool& truncated);

/// write(2) that answers a reader who is gone with EPIPE, never with SIGPIPE, whatever handler the program
/// has.
ssize_t writeWithoutSignal(int fd, const char* bytes, std::size_t count);

void closeFd(int& fd);

} // namespace ptxwb::detail
