// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "check.h"

#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"

namespace ptxwb::test {

/// Assembles a PTX file for a target with the toolkit's ptxas and gives the cubin.
inline std::string assemble(const std::filesystem::path& ptx, const std::string& target)
{
    const auto directory = NEED(TemporaryDirectory::create());
    const auto cubin = directory.path() / "candidate.cubin";
    const auto outcome =
        NEED(runProcess({.argv = {PTXWB_TEST_PTXAS, "-arch=" + target, "-o", cubin.string(), ptx.string()}}));
    CHECK_SAY(outcome.succeeded(), outcome.standardError);
    return NEED(readFile(cubin));
}

} // namespace ptxwb::test
