// SPDX-License-Identifier: Apache-2.0
#include "core/bench/gathered_attention.h"

#include "core/bench/seeded_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ptxwb {

namespace {

// No buffer of a plan has these indices.
constexpr std::uint32_t queryDraw = 0xFFE0;
constexpr std::uint32_t keyDraw = 0xFFE1;
constexpr std::uint32_t pageDraw = 0xFFE2;

Error unfit(std::string why)
{
    return {.code = ErrorCode::InvalidArgument, .message = std::move(why)};
}

class Finder {
public:
    explicit Finder(const std::vector<BufferSpec>& buffers)
    {
        for (const BufferSpec& buffer : buffers) {
            if (buffer.role == BufferRole::Input) {
                m_inputs.push_back(&buffer);
            } else if (buffer.role == BufferRole::Output) {
                m_outputs.push_back(&buffer);
            }
        }
    }
    std::optional<std::size_t> find(std::initializer_list<const char*> names) const
    {
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            if (std::any_of(names.begin(), names.end(),
                    [&](const char* name) { return m_inputs[i]->name == name; })) {
                return i;
            }
        }
        return std::nullopt;
    }
    const std::vector<std::int64_t>& shape(std::size_t input) const { return m_inputs[input]->type.shape; }
    Dtype dtype(std::size_t input) const { return m_inputs[input]->type.dtype; }
    const std::vector<const BufferSpec*>& outputs() const { return m_outputs; }

private:
    std::vector<const BufferSpec*> m_inputs;
    std::vector<const BufferSpec*> m_outputs;
};

bool isReal(Dtype dtype)
{
    return dtype == Dtype::Bfloat16 || dtype == Dtype::Float16 || dtype == Dtype::Float32;
}

/// A cache is [pages, 1, heads, dim], or [pages, 1, dim] where all heads share it; a ragged tensor [keys,
/// heads, dim].
struct Rows {
    std::int64_t count = 0;
    std::int64_t heads = 1;
    std::int64_t dim = 0;
};
std::optional<Rows> rowsOf(const std::vector<std::int64_t>& shape, bool paged)
{
    if (paged && shape.size() >= 3 && shape[1] != 1) {
        return std::nullopt;
    }
    if (paged && shape.size() == 4) {
        return Rows{shape[0], shape[2], shape[3]};
    }
    if (paged && shape.size() == 3) {
        return Rows{shape[0], 1, shape[2]};
    }
    return !paged && shape.size() == 3 ? std::optional(Rows{shape[0], shape[1], shape[2]}) : std::nullopt;
}

std::optional<std::string> whyNotOutputs(const GatheredAttention& p, const Finder& found)
{
    const auto& outputs = found.outputs();
    if (outputs.size() != 2
        || outputs[0]->type.shape != std::vector<std::int64_t>{p.tokens, p.queryHeads, p.valueDim}
        || outputs[1]->type.shape != std::vector<std::int64_t>{p.tokens, p.queryHeads}) {
        return "it makes output [tokens, heads, dim] and lse [tokens, heads]";
    }
    return std::nullopt;
}

} // namespace

Result<GatheredAttention> gatheredAttention(const OracleSpec& oracle, const std::vector<BufferSpec>& buffers)
{
    const Finder found(buffers);
    const auto q = found.find({"q", "q_nope"});
    const auto k = found.find({"k", "k_cache", "ckv_cache"});
    const auto v = found.find({"v", "v_cache", "ckv_cache"});
    const auto kvIndptr = found.find({"kv_indptr"});
    const auto scale = found.find({"sm_scale"});
    if (!q || !k || !v || !kvIndptr || !scale) {
        return unfit("it takes q, k and v (or their caches), kv_indptr and sm_scale by these names");
    }
    GatheredAttention p{.q = *q, .k = *k, .v = *v, .kvIndptr = *kvIndptr, .scale = *scale};
    p.qExtra = found.find({"q_pe"});
    p.kExtra = found.find({"kpe_cache"});
    p.qoIndptr = found.find({"qo_indptr"});
    p.kvIndices = found.find({"kv_indices"});
    const auto causal = oracle.parameters.find("causal");
    p.causal = causal != oracle.parameters.end() && causal->second != 0;
    const bool paged = p.kvIndices.has_value();
    const auto keys = rowsOf(found.shape(p.k), paged);
    const auto values = rowsOf(found.shape(p.v), paged);
    if (found.shape(p.q).size() != 3 || !keys || !values || values->count != keys->count
        || values->heads != keys->heads) {
        return unfit(
            "q must be [tokens, heads, dim], keys and values [pages, 1, heads, dim] or [keys, heads, dim]");
    }
    p.tokens = found.shape(p.q)[0];
    p.queryHeads = found.shape(p.q)[1];
    p.keyDim = found.shape(p.q)[2];
    p.keyHeads = keys->heads;
    p.valueDim = values->dim;
    p.slots = keys->count;
    if (keys->dim != p.keyDim || p.keyHeads < 1 || p.queryHeads % p.keyHeads != 0) {
        return unfit("queries and keys have different dimensions, or the heads make no groups");
    }
    if (p.qExtra.has_value() != p.kExtra.has_value()) {
        return unfit("q_pe and kpe_cache come together");
    }
    if (p.qExtra) {
        const auto extra = rowsOf(found.shape(*p.kExtra), paged);
        const auto& shape = found.shape(*p.qExtra);
        if (!extra || extra->heads != 1 || p.keyHeads != 1 || extra->count != p.slots || shape.size() != 3
            || shape[0] != p.tokens || shape[1] != p.queryHeads || shape[2] != extra->dim) {
            return unfit("q_pe and kpe_cache do not have the shapes of q_nope and ckv_cache");
        }
        p.extraDim = extra->dim;
    }
    p.sequences = found.shape(p.kvIndptr)[0] - 1;
    p.keys = paged ? found.shape(*p.kvIndices)[0] : p.slots;
    const std::int64_t ends = p.qoIndptr ? found.shape(*p.qoIndptr)[0] - 1 : p.tokens;
    if (p.sequences < 1 || ends != p.sequences || p.tokens < p.sequences || p.keys < p.tokens) {
        return unfit(
            fmt::format("{} sequences, {} queries, {} keys: each sequence needs a query, each query a key",
                p.sequences, p.tokens, p.keys));
    }
    if (paged && p.keys > p.slots) {
        return unfit("more keys than the cache has pages");
    }
    for (const auto& table : {std::optional(p.kvIndptr), p.qoIndptr, p.kvIndices}) {
        if (table && found.dtype(*table) != Dtype::Int32) {
            return unfit("its tables are int32");
        }
    }
    for (const auto& tensor :
        {std::optional(p.q), std::optional(p.k), std::optional(p.v), p.qExtra, p.kExtra}) {
        if (tensor && (!isReal(found.dtype(*tensor)) || found.dtype(*tensor) != found.dtype(p.q))) {
            return unfit("queries, keys and values have one type: bfloat16, float16 or float32");
        }
    }
    if (found.dtype(p.scale) != Dtype::Float32 || p.keyDim + p.extraDim > mostGatheredDim
        || p.valueDim > mostGatheredDim) {
        return unfit("sm_scale is float32, and no head has more than 1024 dimensions");
    }
    if (const auto why = whyNotOutputs(p, found)) {
        return unfit(*why);
    }
    return p;
}

AttentionForward gatheredAttentionOnHost(
    const GatheredAttention& p, const std::vector<std::vector<double>>& inputs)
{
    AttentionForward result;
    result.o.assign(static_cast<std::size_t>(p.tokens * p.queryHeads * p.valueDim), 0.0);
    result.lse.assign(static_cast<std::size_t>(p.tokens * p.queryHeads), -INFINITY);
    const auto at = [&](std::size_t input, std::int64_t i) {
        return inputs[input][static_cast<std::size_t>(i)];
    };
    const auto entry = [&](std::size_t input, std::int64_t i) {
        return static_cast<std::int64_t>(at(input, i));
    };
    const double scale = inputs[p.scale][0];
    for (std::int64_t s = 0; s < p.sequences; ++s) {
        const std::int64_t firstToken = p.qoIndptr ? entry(*p.qoIndptr, s) : s;
        const std::int64_t endToken = p.qoIndptr ? entry(*p.qoIndptr, s + 1) : s + 1;
        const std::int64_t firstKey = entry(p.kvIndptr, s);
        const std::int64_t keyCount = entry(p.kvIndptr, s + 1) - firstKey;
        for (std::int64_t i = 0; i < (endToken - firstToken) * p.queryHeads; ++i) {
            const std::int64_t token = firstToken + i / p.queryHeads;
            const std::int64_t head = i % p.queryHeads;
            const std::int64_t row = token * p.queryHeads + head;
            const std::int64_t keyHead = head / (p.queryHeads / p.keyHeads);
            const std::int64_t seen =
                p.causal ? std::max<std::int64_t>(0, keyCount - (endToken - 1 - token)) : keyCount;
            const auto slotOf = [&](std::int64_t j) {
                return p.kvIndices ? entry(*p.kvIndices, firstKey + j) : firstKey + j;
            };
            std::vector<double> weights(static_cast<std::size_t>(seen));
            double largest = -INFINITY;
            for (std::int64_t j = 0; j < seen; ++j) {
                const std::int64_t slot = slotOf(j);
                double sum = 0;
                for (std::int64_t e = 0; e < p.keyDim; ++e) {
                    sum +=
                        at(p.q, row * p.keyDim + e) * at(p.k, (slot * p.keyHeads + keyHead) * p.keyDim + e);
                }
                for (std::int64_t e = 0; e < p.extraDim; ++e) {
                    sum += at(*p.qExtra, row * p.extraDim + e) * at(*p.kExtra, slot * p.extraDim + e);
                }
                weights[static_cast<std::size_t>(j)] = scale * sum;
                largest = std::max(largest, scale * sum);
            }
            double total = 0;
            for (double& weight : weights) {
                weight = std::exp(weight - largest);
                total += weight;
            }
            for (std::int64_t j = 0; j < seen; ++j) {
                const std::int64_t base = (slotOf(j) * p.keyHeads + keyHead) * p.valueDim;
                const double weight = weights[static_cast<std::size_t>(j)] / total;
                for (std::int64_t e = 0; e < p.valueDim; ++e) {
                    result.o[static_cast<std::size_t>(row * p.valueDim + e)] += weight * at(p.v, base + e);
                }
            }
            if (seen > 0) {
                result.lse[static_cast<std::size_t>(row)] = (largest + std::log(total)) / std::log(2.0);
            }
        }
    }
    return result;
}

namespace {

/// Where `count` parts of `total` end: cuts at random places, so that lengths range from 0 to several times
/// their mean.
std::vector<std::int64_t> cutEnds(
    std::int64_t total, std::int64_t count, std::uint64_t seed, std::uint32_t draw)
{
    std::vector<std::int64_t> ends;
    for (std::int64_t i = 0; i + 1 < count; ++i) {
        const auto bits = mixedBits(seed, draw, static_cast<std::uint64_t>(i));
        ends.push_back(static_cast<std::int64_t>(bits % static_cast<std::uint64_t>(total + 1)));
    }
    ends.push_back(total);
    std::sort(ends.begin(), ends.end());
    return ends;
}

} // namespace

GatheredTables gatheredTables(const GatheredAttention& p, std::uint64_t seed)
{
    GatheredTables tables;
    const auto more = cutEnds(p.tokens - p.sequences, p.sequences, seed, queryDraw);
    const auto older = cutEnds(p.keys - p.tokens, p.sequences, seed, keyDraw);
    tables.qoIndptr.push_back(0);
    tables.kvIndptr.push_back(0);
    for (std::size_t s = 0; s < more.size(); ++s) {
        const auto queries = static_cast<std::int64_t>(s) + 1 + more[s];
        tables.qoIndptr.push_back(static_cast<std::int32_t>(queries));
        tables.kvIndptr.push_back(static_cast<std::int32_t>(queries + older[s]));
    }
    if (!p.kvIndices) {
        return tables;
    }
    std::vector<std::pair<std::uint64_t, std::int32_t>> drawn;
    drawn.reserve(static_cast<std::size_t>(p.slots));
    for (std::int64_t page = 0; page < p.slots; ++page) {
        drawn.emplace_back(
            mixedBits(seed, pageDraw, static_cast<std::uint64_t>(page)), static_cast<std::int32_t>(page));
    }
    const auto end = drawn.begin() + static_cast<std::ptrdiff_t>(p.keys);
    std::partial_sort(drawn.begin(), end, drawn.end());
    std::transform(drawn.begin(), end, std::back_inserter(tables.kvIndices),
        [](const auto& pair) { return pair.second; });
    return tables;
}

} // namespace ptxwb
