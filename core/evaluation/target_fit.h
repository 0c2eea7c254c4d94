// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ptxwb {

/// Whether a cubin for `cubinTarget` loads on a device whose own target is `deviceTarget` ("sm_90a"): same
/// major version and no newer minor; an `a` cubin needs exactly its device, an `f` cubin the same family
/// (CUDA programming guide, "Compute capabilities": feature sets).
bool cubinLoadsOn(std::string_view cubinTarget, std::string_view deviceTarget);

/// Empty when it loads, else one sentence that says why not.
std::string whyCubinDoesNotLoad(
    std::string_view cubinTarget, std::string_view deviceTarget, std::string_view deviceName);

} // namespace ptxwb
