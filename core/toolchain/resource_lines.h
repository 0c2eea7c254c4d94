// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// Collects what `ptxas -v` says of each entry function. The property block of a .func, which may follow that
/// of an entry, is told apart by its name and left out.
class ResourceLines {
public:
    /// Takes the line if it is one of -v; false for every other line.
    bool take(std::string_view line);
    void finish(std::vector<KernelResources>& kernels);

private:
    KernelResources* named(std::string_view name);

    std::vector<KernelResources> m_kernels;
    std::string m_entry; ///< whose "Used ..." line is awaited
    std::string m_properties; ///< whose stack and spill line is awaited
};

} // namespace ptxwb::detail
