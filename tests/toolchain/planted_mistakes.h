// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ptxwb::test {

/// One mistake in an example kernel.
struct Planted {
    const char* name;
    const char* kernel; ///< below tasks/
    std::string from; ///< stands once in the kernel; empty: the text's start
    std::string to;
    std::string at; ///< text of the line to be named, in the kernel with the mistake; stands once
    int below; ///< lines from there to the line to be named
    std::string rule; ///< of lint; empty: an error, of the compiler or ours
    std::string words; ///< of message or explanation
    bool isMended = true; ///< the first fix gives a text that compiles and that nothing is said of any more
};

const std::vector<Planted>& plantedMistakes();

} // namespace ptxwb::test
