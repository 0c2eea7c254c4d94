// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb {

/// The product's version, e.g. "0.1.0".
std::string_view productVersion();

} // namespace ptxwb
