// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "check.h"

#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"

namespace ptxwb::test {

/// Builds a PTX or CUDA C++ file for a target with the toolkit's ptxas or nvcc and gives the cubin.
inline std::string assemble(const std::filesystem::path& file, const std::string& target)
{
    const auto directory = NEED(TemporaryDirectory::create());
    const auto cubin = directory.path() / "candidate.cubin";
    const bool isCuda = file.extension() == ".cu";
    std::vector<std::string> argv{
        isCuda ? PTXWB_TEST_NVCC : PTXWB_TEST_PTXAS, "-arch=" + target, "-o", cubin.string(), file.string()};
    if (isCuda) {
        argv.insert(argv.end(), {"-cubin", "-std=c++20"});
    }
    const auto outcome = NEED(runProcess({.argv = std::move(argv)}));
    CHECK_SAY(outcome.succeeded(), outcome.standardError);
    return NEED(readFile(cubin));
}

} // namespace ptxwb::test
