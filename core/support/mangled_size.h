// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb {

/// Whether the name behind a mangled one is of a size that a person reads. Each substitution of the Itanium
/// ABI may double the text, so that 240 bytes can stand for gigabytes: where the size cannot be told and
/// there are many substitutions, the answer is no.
bool staysReadable(std::string_view mangled);

} // namespace ptxwb
