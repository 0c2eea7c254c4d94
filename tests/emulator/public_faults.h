// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ptxwb::emulator {

/// A mistake that a public issue tells of, in a small kernel of ours: `find` replaced by `replacement` makes
/// it.
struct PublicFault {
    const char* name; ///< what was wrong
    const char* source; ///< of the issue or pull request, without https://github.com/
    std::string body; ///< of the correct kernel; see publicKernel()
    std::string find;
    std::string replacement;
    RuleId rule;
    const char* at; ///< text on a line that the report names; | between alternatives
    std::uint32_t threads = 64;
    std::uint32_t ctas = 1; ///< of one cluster
};

const std::vector<PublicFault>& publicFaults();
/// %r0 thread, %r1 tile (8 KiB), %r2 mbarriers, %r3 the thread's word of the tile, %rd1 input, %rd3 its word
/// of it, %rd2 its word of the output, %p thread 0, %r31 lane.
std::string publicKernel(const std::string& body);

} // namespace ptxwb::emulator
