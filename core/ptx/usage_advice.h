// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace ptxwb {

/// What an asynchronous or collective instruction needs around it, beyond its syntax: one sentence each, in
/// our own words after the PTX ISA's memory consistency and asynchronous operation chapters. Empty for
/// ordinary instructions.
std::vector<std::string_view> usageAdvice(std::string_view mnemonic);

} // namespace ptxwb
