// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/isa_table.h"

#include <array>
#include <utility>

namespace ptxwb {

namespace {

// The first prefix that fits decides, so the longer of two overlapping ones stands first.
constexpr std::array<std::pair<std::string_view, PtxFamily>, 31> prefixes{{
    {"wgmma", PtxFamily::Wgmma},
    {"setmaxnreg", PtxFamily::Setmaxnreg},
    {"tcgen05", PtxFamily::Tcgen05},
    {"cp.async.bulk.prefetch.tensor", PtxFamily::Tma},
    {"cp.async.bulk.tensor", PtxFamily::Tma},
    {"cp.reduce.async.bulk.tensor", PtxFamily::Tma},
    {"tensormap", PtxFamily::Tma},
    {"prefetch.tensormap", PtxFamily::Tma},
    {"fence.proxy.tensormap", PtxFamily::Fence},
    {"cp.async.bulk", PtxFamily::BulkCopy},
    {"cp.reduce.async.bulk", PtxFamily::BulkCopy},
    {"multimem.cp.async.bulk", PtxFamily::BulkCopy},
    {"multimem.cp.reduce.async.bulk", PtxFamily::BulkCopy},
    {"st.bulk", PtxFamily::BulkCopy},
    {"cp.async", PtxFamily::CpAsync},
    {"mbarrier", PtxFamily::Mbarrier},
    {"fence", PtxFamily::Fence},
    {"membar", PtxFamily::Fence},
    {"barrier.cluster", PtxFamily::Cluster},
    {"clusterlaunchcontrol", PtxFamily::Cluster},
    {"griddepcontrol", PtxFamily::Cluster},
    {"mapa", PtxFamily::Cluster},
    {"getctarank", PtxFamily::Cluster},
    {"st.async", PtxFamily::Cluster},
    {"red.async", PtxFamily::Cluster},
    {"multimem", PtxFamily::Cluster},
    {"ldmatrix", PtxFamily::MatrixMove},
    {"stmatrix", PtxFamily::MatrixMove},
    {"movmatrix", PtxFamily::MatrixMove},
    {"mma", PtxFamily::MmaSync},
    {"wmma", PtxFamily::MmaSync},
}};

constexpr std::array<std::string_view, 12> names{"ordinary", "wgmma", "tma", "bulk_copy", "cp_async",
    "mbarrier", "tcgen05", "setmaxnreg", "cluster", "matrix_move", "mma_sync", "fence"};

} // namespace

PtxFamily ptxFamilyOf(std::string_view dottedOpcode)
{
    for (const auto& [prefix, family] : prefixes) {
        const bool wholeParts = dottedOpcode.size() == prefix.size()
            || (dottedOpcode.size() > prefix.size()
                && (dottedOpcode[prefix.size()] == '.' || dottedOpcode[prefix.size()] == ':'));
        if (wholeParts && dottedOpcode.starts_with(prefix)) {
            return family;
        }
    }
    return PtxFamily::Ordinary;
}

std::string_view ptxFamilyName(PtxFamily family)
{
    return names[static_cast<std::size_t>(family)];
}

} // namespace ptxwb
