// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/emulator.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace ptxwb::emulator {

/// A kernel with its launch, without a task or a plan in its text.
class KernelRun {
public:
    explicit KernelRun(std::string text) { m_request.text = std::move(text); }

    KernelRun& grid(std::uint32_t x, std::uint32_t y = 1)
    {
        m_launch.grid = {x, y, 1};
        return *this;
    }
    KernelRun& block(std::uint32_t threads)
    {
        m_launch.block = {threads, 1, 1};
        return *this;
    }
    KernelRun& cooperative()
    {
        m_launch.cooperative = true;
        return *this;
    }
    KernelRun& cluster(std::uint32_t ctas)
    {
        m_launch.cluster = {ctas, 1, 1};
        return *this;
    }
    KernelRun& shared(std::uint32_t bytes)
    {
        m_launch.dynamicSharedBytes = bytes;
        return *this;
    }
    KernelRun& limit(std::uint64_t steps)
    {
        m_request.limits.stepsPerCluster = steps;
        return *this;
    }
    KernelRun& measuredSums()
    {
        m_request.measuredSums = true;
        return *this;
    }
    KernelRun& value(std::uint32_t v)
    {
        m_launch.arguments.push_back({.kind = ArgumentKind::U32, .integer = v});
        return *this;
    }

    /// A buffer, passed by pointer.
    template <class T> KernelRun& buffer(const std::string& name, const std::vector<T>& content)
    {
        m_launch.arguments.push_back({.kind = ArgumentKind::Tensor, .index = addBuffer(name, content)});
        return *this;
    }
    /// A two-dimensional tensor of 16-bit elements, passed as a tensor map.
    KernelRun& map(const std::string& name, const std::vector<std::uint16_t>& content, std::uint64_t columns,
        std::uint32_t boxColumns, std::uint32_t boxRows, Swizzle swizzle)
    {
        TensorMapSpec spec;
        spec.name = name;
        spec.buffer = addBuffer(name, content);
        spec.dims = {columns, content.size() / columns};
        spec.stridesBytes = {columns * 2};
        spec.box = {boxColumns, boxRows};
        spec.elementStrides = {1, 1};
        spec.swizzle = swizzle;
        m_launch.arguments.push_back(
            {.kind = ArgumentKind::TensorMap, .index = static_cast<int>(m_request.plan.tensorMaps.size())});
        m_request.plan.tensorMaps.push_back(spec);
        return *this;
    }

    /// A tensor map as it is, over a buffer that was given before.
    KernelRun& tensorMap(const TensorMapSpec& spec)
    {
        m_launch.arguments.push_back(
            {.kind = ArgumentKind::TensorMap, .index = static_cast<int>(m_request.plan.tensorMaps.size())});
        m_request.plan.tensorMaps.push_back(spec);
        return *this;
    }

    Result<EmulatorOutcome> run(AsyncPolicy policy = AsyncPolicy::Early, std::uint64_t seed = 1) const
    {
        EmulatorRequest request = m_request;
        request.policy = policy;
        request.seed = seed;
        request.displayName = "kernel.ptx";
        Launch launch = m_launch;
        const auto entry = request.text.find(".entry ");
        if (launch.kernel.empty() && entry != std::string::npos) {
            const auto start = entry + 7;
            launch.kernel = request.text.substr(start, request.text.find_first_of("( \n", start) - start);
        }
        request.plan.launches = {launch};
        return emulate(std::move(request));
    }

private:
    template <class T> int addBuffer(const std::string& name, const std::vector<T>& content)
    {
        BufferSpec spec;
        spec.name = name;
        spec.type.dtype = Dtype::Uint8;
        spec.type.shape = {static_cast<std::int64_t>(content.size() * sizeof(T))};
        spec.role = BufferRole::Output; // kernels may write all of them
        m_request.plan.buffers.push_back(spec);
        auto& bytes = m_request.buffers.emplace_back(content.size() * sizeof(T));
        std::memcpy(bytes.data(), content.data(), bytes.size());
        return static_cast<int>(m_request.buffers.size()) - 1;
    }

    EmulatorRequest m_request{};
    Launch m_launch{};
};

template <class T> std::vector<T> contentOf(const EmulatorOutcome& outcome, std::size_t buffer)
{
    std::vector<T> content(outcome.buffers[buffer].size() / sizeof(T));
    std::memcpy(content.data(), outcome.buffers[buffer].data(), content.size() * sizeof(T));
    return content;
}

/// "rule:line" of every report, for messages of failing tests.
inline std::string summaryOf(const EmulatorOutcome& outcome)
{
    std::string text(endName(outcome.end));
    for (const auto& r : outcome.reports) {
        text += "\n  " + std::string(ruleName(r.rule)) + ":"
            + std::to_string(r.lines.empty() ? 0 : r.lines[0].line) + " " + r.message;
    }
    return text;
}

} // namespace ptxwb::emulator
