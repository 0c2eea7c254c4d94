// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/cubin_facts.h"
#include "core/sass/listing.h"
#include "core/toolchain/compiler.h"

#include <filesystem>
#include <stop_token>

namespace ptxwb {

/// One text on its way to SASS.
struct BuildRequest {
    int revision = 0; ///< of the editor's text
    CompileRequest compile{};
};

/// What a text became. A text that does not compile is a build with compile.ok == false.
struct Build {
    int revision = 0;
    std::string sourceSha256{};
    std::string source{}; ///< the bytes that were compiled
    std::string displayName{}; ///< under which the tools know the text
    std::string title{}; ///< "gemm.ptx (sm_90a)", as in `ptxwb sass`
    CompileOutcome compile{};
    std::optional<Error> failure{}; ///< the tool could not do its work
    std::optional<SassListing> listing{};
    std::optional<CubinFacts> facts{}; ///< beside the instructions
    Tool disassembler{}; ///< what made the listing
    std::optional<Error> listingFailure{}; ///< why there is no listing though it compiled
};

/// Compiles and disassembles; blocks. `cacheDirectory` as userCacheDirectory().
Build makeBuild(const Compiler& compiler, const BuildRequest& request,
    const std::filesystem::path& cacheDirectory, std::stop_token stop);

} // namespace ptxwb
