// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/resource_lines.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ptxwb::detail {

namespace {

constexpr std::string_view prefix = "ptxas info    : ";

// The number that stands right before `unit` in "30 registers, used 0 barriers, 400 bytes smem".
std::optional<int> numberBefore(std::string_view text, std::string_view unit)
{
    const auto at = text.find(unit);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const auto head = text.substr(0, at);
    const auto end = head.find_last_not_of(' ');
    const auto start = end == std::string_view::npos ? end : head.find_last_not_of("0123456789", end);
    const auto first = start == std::string_view::npos ? 0 : start + 1;
    int value = 0;
    if (end == std::string_view::npos
        || std::from_chars(head.data() + first, head.data() + end + 1, value).ec != std::errc{}) {
        return std::nullopt;
    }
    return value;
}

std::string_view quoted(std::string_view text)
{
    const auto open = text.find('\'');
    const auto close = open == std::string_view::npos ? open : text.find('\'', open + 1);
    return close == std::string_view::npos ? std::string_view{} : text.substr(open + 1, close - open - 1);
}

} // namespace

KernelResources* ResourceLines::named(std::string_view name)
{
    const auto found = std::find_if(m_kernels.begin(), m_kernels.end(),
        [&](const KernelResources& kernel) { return kernel.name == name; });
    return found == m_kernels.end() ? nullptr : &*found;
}

bool ResourceLines::take(std::string_view line)
{
    if (!line.starts_with(prefix)) {
        const auto text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
        const auto stack = numberBefore(text, " bytes stack frame");
        if (!line.starts_with(' ') || !stack) {
            return false;
        }
        if (auto* kernel = named(std::exchange(m_properties, {}))) {
            kernel->stackBytes = stack;
            kernel->spillStoreBytes = numberBefore(text, " bytes spill stores");
            kernel->spillLoadBytes = numberBefore(text, " bytes spill loads");
        }
        return true;
    }
    const auto text = line.substr(prefix.size());
    if (text.starts_with("Compiling entry function ")) {
        m_entry = std::string(quoted(text));
        if (named(m_entry) == nullptr) {
            m_kernels.push_back({.name = m_entry});
        }
        return true;
    }
    if (constexpr std::string_view marker = "Function properties for "; text.starts_with(marker)) {
        m_properties = std::string(text.substr(marker.size()));
        return true;
    }
    if (text.starts_with("Used ") && numberBefore(text, " registers")) {
        if (auto* kernel = named(std::exchange(m_entry, {}))) {
            kernel->registers = numberBefore(text, " registers");
            kernel->barriers = numberBefore(text, " barriers").value_or(0);
            kernel->sharedBytes = numberBefore(text, " bytes smem").value_or(0);
            if (const auto stack = numberBefore(text, " bytes cumulative stack size")) {
                kernel->stackBytes = std::max(kernel->stackBytes.value_or(0), *stack);
            }
        }
        return true;
    }
    return numberBefore(text, " bytes gmem").has_value();
}

void ResourceLines::finish(std::vector<KernelResources>& kernels)
{
    kernels = std::move(m_kernels);
}

} // namespace ptxwb::detail
