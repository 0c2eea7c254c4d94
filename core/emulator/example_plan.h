// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ptxwb::emulator {

/// A launch plan for the first kernel of a PTX text, made from its .param list, as a comment to paste and to
/// correct: what a parameter means cannot be known. A general one for a text that does not parse.
std::string examplePlan(std::string_view ptx);

} // namespace ptxwb::emulator
