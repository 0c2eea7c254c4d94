// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/oracle.h"

#include <cstdint>

namespace ptxwb {

/// Attention of query tokens of several sequences over keys that lie one behind the other (ragged) or that a
/// table finds in a cache (paged, one token a page). Sequence s has queries qoIndptr[s] .. qoIndptr[s + 1],
/// or the one query s where there is no such table, and keys kvIndptr[s] .. kvIndptr[s + 1]. Query heads
/// share key heads in groups (GQA); multi-head latent attention (MLA) adds a second part to query and key,
/// and its values are the first part of its keys. The statistics are logarithms to base 2.
struct GatheredAttention {
    // Places among the inputs; unset: there is none.
    std::size_t q = 0;
    std::size_t k = 0;
    std::size_t v = 0;
    std::optional<std::size_t> qExtra{};
    std::optional<std::size_t> kExtra{};
    std::optional<std::size_t> qoIndptr{};
    std::size_t kvIndptr = 0;
    std::optional<std::size_t> kvIndices{};
    std::size_t scale = 0;

    std::int64_t tokens = 0; ///< queries of all sequences
    std::int64_t sequences = 0;
    std::int64_t queryHeads = 0;
    std::int64_t keyHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t extraDim = 0;
    std::int64_t valueDim = 0;
    std::int64_t slots = 0; ///< rows of the cache, or keys of all sequences
    std::int64_t keys = 0; ///< keys of all sequences
    bool causal = false; ///< query i of n sees keys up to i + (number of keys - n)
};

inline constexpr std::int64_t mostGatheredDim = 1024;

/// Finds the tensors by their names in the definitions (q, k_cache, qo_indptr, q_nope ...). Errors:
/// InvalidArgument with what does not fit.
Result<GatheredAttention> gatheredAttention(const OracleSpec& oracle, const std::vector<BufferSpec>& buffers);

/// `inputs` in the plan's order. A sequence without keys has outputs 0 and statistics of minus infinity.
AttentionForward gatheredAttentionOnHost(
    const GatheredAttention& problem, const std::vector<std::vector<double>>& inputs);

/// The tables of a seed: lengths that differ from sequence to sequence, and pages in no order, none of them
/// twice. Each query sees a key at least.
struct GatheredTables {
    std::vector<std::int32_t> qoIndptr{};
    std::vector<std::int32_t> kvIndptr{};
    std::vector<std::int32_t> kvIndices{};
};
GatheredTables gatheredTables(const GatheredAttention& problem, std::uint64_t seed);

} // namespace ptxwb
