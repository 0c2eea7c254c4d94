// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/toolchain.h"

namespace ptxwb::detail {

/// Where a tool stands, before anything was asked of it.
struct ToolPlace {
    ToolKind kind = ToolKind::Ptxas;
    std::filesystem::path path{};
    std::string origin{};
    int rank = 0; ///< places of one rank belong to one toolkit
};

/// Every place that holds a tool, in order of preference, one per real file. A named tool is listed though it
/// may be absent.
std::vector<ToolPlace> toolPlaces(const ToolchainSearch& search);

/// site-packages directories of a venv.
std::vector<std::filesystem::path> sitePackagesOf(const std::filesystem::path& venv);

} // namespace ptxwb::detail
