// SPDX-License-Identifier: Apache-2.0
#include "core/bench/plan_scope.h"

#include "core/bench/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ptxwb {

namespace {

// Limits of cuTensorMapEncodeTiled (CUDA driver API, tensor map object management).
constexpr std::size_t highestRank = 5;
constexpr std::int64_t largestExtent = std::int64_t{1} << 32;
constexpr std::int64_t largestStrideBytes = (std::int64_t{1} << 40) - 1;
constexpr std::int64_t largestBox = 256;
constexpr std::int64_t largestElementStride = 8;
constexpr std::uint64_t alignment = 16;

template <class E> struct Choice {
    std::string_view name;
    E value;
};

constexpr Choice<Swizzle> swizzles[] = {
    {"none", Swizzle::None}, {"32B", Swizzle::B32}, {"64B", Swizzle::B64}, {"128B", Swizzle::B128}};
constexpr Choice<OutOfBoundsFill> fills[] = {{"zero", OutOfBoundsFill::Zero}, {"nan", OutOfBoundsFill::Nan}};
constexpr Choice<L2Promotion> promotions[] = {{"none", L2Promotion::None}, {"64B", L2Promotion::B64},
    {"128B", L2Promotion::B128}, {"256B", L2Promotion::B256}};

template <class E, std::size_t N>
E chosen(const JsonNode& map, std::string_view key, const Choice<E> (&choices)[N], E standard)
{
    if (!map.has(key)) {
        return standard;
    }
    const JsonNode node = map.at(key);
    const std::string name = node.string();
    std::vector<std::string> known;
    for (const Choice<E>& choice : choices) {
        if (choice.name == name) {
            return choice.value;
        }
        known.emplace_back(choice.name);
    }
    node.fail(fmt::format("unknown {} \"{}\"", key, name), fmt::format("one of {}", fmt::join(known, ", ")));
}

std::uint64_t swizzleSpanBytes(Swizzle swizzle)
{
    switch (swizzle) {
    case Swizzle::B32:
        return 32;
    case Swizzle::B64:
        return 64;
    case Swizzle::B128:
        return 128;
    case Swizzle::None:
        break;
    }
    return 0;
}

bool isFloating(Dtype dtype)
{
    return dtype == Dtype::Float64 || dtype == Dtype::Float32 || dtype == Dtype::Float16
        || dtype == Dtype::Bfloat16;
}

class TensorMapReader {
public:
    TensorMapReader(std::string name, const JsonNode& node, const PlanScope& scope)
        : m_node(node)
        , m_scope(scope)
    {
        m_spec.name = std::move(name);
    }

    TensorMapSpec read()
    {
        m_node.allowOnly({"tensor", "workspace", "box", "swizzle", "oob", "l2", "dims", "strides",
            "element_strides", "offset"});
        readBuffer();
        readDims();
        readStrides();
        readOffset();
        checkExtent();
        m_spec.swizzle = chosen(m_node, "swizzle", swizzles, Swizzle::None);
        m_spec.fill = chosen(m_node, "oob", fills, OutOfBoundsFill::Zero);
        m_spec.l2 = chosen(m_node, "l2", promotions, L2Promotion::None);
        if (m_spec.fill == OutOfBoundsFill::Nan && !isFloating(m_spec.dtype)) {
            m_node.at("oob").fail(
                fmt::format("\"nan\" cannot fill {}", dtypeName(m_spec.dtype)), "use \"zero\"");
        }
        readBox();
        readElementStrides();
        return m_spec;
    }

private:
    void readBuffer()
    {
        if (m_node.has("tensor") == m_node.has("workspace")) {
            m_node.fail("a tensor map needs either `tensor` or `workspace`");
        }
        m_spec.buffer = m_node.has("tensor") ? m_scope.tensorIndex(m_node.at("tensor"))
                                             : m_scope.workspaceIndex(m_node.at("workspace"));
        m_spec.dtype = buffer().type.dtype;
        m_elementBytes = static_cast<std::uint64_t>(dtypeBytes(m_spec.dtype));
    }

    const BufferSpec& buffer() const { return m_scope.plan.buffers[static_cast<std::size_t>(m_spec.buffer)]; }

    void readDims()
    {
        if (m_node.has("dims")) {
            const std::vector<JsonNode> items = m_node.at("dims").items();
            checkCount(m_node.at("dims"), items.size(), 1, highestRank, "dims");
            for (const JsonNode& item : items) {
                m_spec.dims.push_back(static_cast<std::uint64_t>(
                    m_scope.inRange(item, "a tensor map's extent", 1, largestExtent)));
            }
            return;
        }
        const std::vector<std::int64_t>& shape = buffer().type.shape;
        if (shape.empty() || shape.size() > highestRank) {
            m_node.fail(fmt::format("{} has rank {}, a tensor map has 1 to {}", buffer().name, shape.size(),
                            highestRank),
                "give `dims`, innermost first");
        }
        for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent) {
            if (*extent < 1 || *extent > largestExtent) {
                m_node.fail(fmt::format(
                    "{} has an extent of {}, a tensor map takes 1 to 2^32", buffer().name, *extent));
            }
            m_spec.dims.push_back(static_cast<std::uint64_t>(*extent));
        }
    }

    void readStrides()
    {
        if (!m_node.has("strides")) {
            std::uint64_t stride = m_elementBytes;
            for (std::size_t i = 0; i + 1 < m_spec.dims.size(); ++i) {
                if (__builtin_mul_overflow(stride, m_spec.dims[i], &stride)) {
                    m_node.fail("the extents of this tensor map multiply beyond 64 bits");
                }
                m_spec.stridesBytes.push_back(stride);
            }
        } else {
            const JsonNode node = m_node.at("strides");
            const std::vector<JsonNode> items = node.items();
            checkCount(node, items.size(), m_spec.dims.size() - 1, m_spec.dims.size() - 1, "strides");
            for (const JsonNode& item : items) {
                m_spec.stridesBytes.push_back(m_elementBytes
                    * static_cast<std::uint64_t>(
                        m_scope.inRange(item, "a stride in elements", 0, largestStrideBytes)));
            }
        }
        for (std::size_t i = 0; i < m_spec.stridesBytes.size(); ++i) {
            checkStride(i);
        }
    }

    void checkStride(std::size_t i) const
    {
        const std::uint64_t stride = m_spec.stridesBytes[i];
        const JsonNode place = m_node.has("strides") ? m_node.at("strides").items()[i] : m_node;
        if (stride % alignment != 0) {
            place.fail(fmt::format("the stride of dimension {} is {} bytes, TMA needs a multiple of {}",
                           i + 1, stride, alignment),
                "pad the inner dimension, or copy with plain loads");
        }
        if (stride > static_cast<std::uint64_t>(largestStrideBytes)) {
            place.fail(fmt::format(
                "the stride of dimension {} is {} bytes, TMA takes less than 2^40", i + 1, stride));
        }
    }

    void readOffset()
    {
        if (!m_node.has("offset")) {
            return;
        }
        const JsonNode node = m_node.at("offset");
        const std::int64_t elements = m_scope.inRange(node, "an offset in elements", 0,
            static_cast<std::int64_t>(buffer().type.bytes() / m_elementBytes));
        m_spec.offsetBytes = static_cast<std::uint64_t>(elements) * m_elementBytes;
        if (m_spec.offsetBytes % alignment != 0) {
            node.fail(fmt::format("the map starts {} bytes into {}, TMA needs a multiple of {}",
                m_spec.offsetBytes, buffer().name, alignment));
        }
    }

    void checkExtent() const
    {
        std::uint64_t last = m_spec.dims[0] * m_elementBytes;
        bool beyond = false;
        for (std::size_t i = 1; i < m_spec.dims.size(); ++i) {
            std::uint64_t step = 0;
            beyond = beyond || __builtin_mul_overflow(m_spec.dims[i] - 1, m_spec.stridesBytes[i - 1], &step)
                || __builtin_add_overflow(last, step, &last);
        }
        beyond = beyond || __builtin_add_overflow(last, m_spec.offsetBytes, &last);
        if (beyond || last > buffer().type.bytes()) {
            m_node.fail(fmt::format("this map reaches {} bytes into {}, which has {}",
                            beyond ? std::string("beyond 2^64") : std::to_string(last), buffer().name,
                            buffer().type.bytes()),
                "check `dims`, `strides` and `offset`: they count elements, innermost first");
        }
    }

    void readBox()
    {
        const JsonNode node = m_node.at("box");
        const std::vector<JsonNode> items = node.items();
        checkCount(node, items.size(), m_spec.dims.size(), m_spec.dims.size(), "box");
        for (const JsonNode& item : items) {
            m_spec.box.push_back(
                static_cast<std::uint32_t>(m_scope.inRange(item, "a box extent", 1, largestBox)));
        }
        const std::uint64_t inner = m_spec.box[0] * m_elementBytes;
        const std::uint64_t span = swizzleSpanBytes(m_spec.swizzle);
        if (inner % alignment != 0) {
            items[0].fail(
                fmt::format("the box is {} bytes wide inside, TMA needs a multiple of {}", inner, alignment));
        }
        if (span != 0 && inner > span) {
            items[0].fail(fmt::format("the box is {} bytes wide inside, more than the {}-byte swizzle spans",
                              inner, span),
                fmt::format("use at most {} elements of {}, and several boxes", span / m_elementBytes,
                    dtypeName(m_spec.dtype)));
        }
    }

    void readElementStrides()
    {
        m_spec.elementStrides.assign(m_spec.dims.size(), 1);
        if (!m_node.has("element_strides")) {
            return;
        }
        const JsonNode node = m_node.at("element_strides");
        const std::vector<JsonNode> items = node.items();
        checkCount(node, items.size(), m_spec.dims.size(), m_spec.dims.size(), "element_strides");
        for (std::size_t i = 0; i < items.size(); ++i) {
            m_spec.elementStrides[i] = static_cast<std::uint32_t>(
                m_scope.inRange(items[i], "an element stride", 1, largestElementStride));
        }
    }

    static void checkCount(
        const JsonNode& node, std::size_t count, std::size_t least, std::size_t most, std::string_view what)
    {
        if (count < least || count > most) {
            const std::string wanted =
                least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
            node.fail(fmt::format("`{}` has {} entries, {} are needed", what, count, wanted),
                "one per dimension, innermost first (`strides`: without the innermost)");
        }
    }

    JsonNode m_node;
    const PlanScope& m_scope;
    TensorMapSpec m_spec{};
    std::uint64_t m_elementBytes = 1;
};

} // namespace

void resolveTensorMaps(const JsonNode& node, PlanScope& scope)
{
    for (const auto& [name, map] : node.members()) {
        scope.plan.tensorMaps.push_back(TensorMapReader(name, map, scope).read());
    }
}

} // namespace ptxwb
