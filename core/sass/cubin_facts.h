// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// What a cubin says of one kernel beside its instructions. The smallest number of CTAs per multiprocessor is
/// not in it: it only tells the assembler how many registers it may use.
struct KernelFacts {
    using Dimensions = std::array<int, 3>;

    std::string name{};
    std::optional<int> registers{}; ///< per thread, as launched
    std::optional<int> frameBytes{}; ///< local memory per thread
    int barriers = 0; ///< named barriers, 0 also where the cubin does not say
    int sharedBytes = 0; ///< static; without what the system keeps for itself
    int parameterBytes = 0;
    std::map<int, int> parameters{}; ///< offset in bytes: size in bytes
    std::optional<Dimensions> requiredThreads{}; ///< .reqntid
    std::optional<Dimensions> mostThreads{}; ///< .maxntid, __launch_bounds__
    std::optional<Dimensions> cluster{}; ///< .reqnctapercluster, __cluster_dims__
    std::optional<int> mostCtasInCluster{}; ///< .maxclusterrank
    bool explicitCluster = false; ///< .explicitcluster: only launches with cluster dimensions
    bool blocksAreClusters = false; ///< .blocksareclusters: the grid counts clusters
};

/// A variable, or a stretch of constant data that the assembler made.
struct DataFact {
    std::string name{}; ///< "table"; "bank 2 of kernel" for what has no name
    std::string space{}; ///< "constant" or "global"
    std::uint64_t size = 0; ///< bytes
    std::string bytes{}; ///< initial value; empty: zeros
    std::map<std::uint64_t, std::string> addresses{}; ///< offset: what it holds the address of, "counter+4"
};

struct CubinFacts {
    std::vector<KernelFacts> kernels{};
    std::vector<DataFact> data{};
};

/// Reads the sections of a cubin that hold no instructions. Attribute codes as `cuobjdump -elf` names them
/// (EIATTR_*). Unknown attributes are left out. Pure, thread-safe. Errors: BadFormat.
Result<CubinFacts> readCubinFacts(std::string_view cubin);

} // namespace ptxwb
