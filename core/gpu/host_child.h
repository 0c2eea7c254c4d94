// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ptxwb::gpu {

/// The process that holds a host-contract candidate: takes buffers of the runner by CUDA IPC, loads the
/// shared object, and calls its entry as the runner orders through the socket `channel`. It knows neither
/// reference nor protocol. Gives the exit status when the runner hangs up.
int runHostChild(int channel);

} // namespace ptxwb::gpu
