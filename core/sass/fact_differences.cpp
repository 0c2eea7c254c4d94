// SPDX-License-Identifier: Apache-2.0
#include "core/sass/diff.h"

#include "core/sass/elf_sections.h"
#include "core/support/kernel_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ptxwb {

namespace {

using Dimensions = KernelFacts::Dimensions;

std::string text(const std::optional<int>& value)
{
    return value ? std::to_string(*value) : std::string();
}

std::string text(const std::optional<Dimensions>& value)
{
    return value ? fmt::format("{}x{}x{}", (*value)[0], (*value)[1], (*value)[2]) : std::string();
}

std::string text(bool value)
{
    return value ? "yes" : "no";
}

/// "8 at 0, 4 at 8"
std::string text(const std::map<int, int>& parameters)
{
    std::string all;
    for (const auto& [offset, size] : parameters) {
        all += fmt::format("{}{} at {}", all.empty() ? "" : ", ", size, offset);
    }
    return all;
}

void compareKernels(SassDiff& diff, const KernelFacts& a, const KernelFacts& b)
{
    const auto add = [&](const char* what, const auto& x, const auto& y) {
        if (x != y) {
            diff.facts.push_back({.what = what, .kernel = a.name, .a = text(x), .b = text(y)});
        }
    };
    const auto bytes = [&](const char* what, const std::optional<int>& x, const std::optional<int>& y) {
        if (x != y && x && y) {
            add(what, x, y);
        }
    };
    bytes("registers", a.registers, b.registers);
    bytes("stack_bytes", a.frameBytes, b.frameBytes);
    bytes("shared_bytes", a.sharedBytes, b.sharedBytes);
    bytes("barriers", a.barriers, b.barriers);
    bytes("parameter_bytes", a.parameterBytes, b.parameterBytes);
    if (a.parameterBytes == b.parameterBytes) { // else the layout differs by what is said already
        add("parameters", a.parameters, b.parameters);
    }
    add("reqntid", a.requiredThreads, b.requiredThreads);
    add("maxntid", a.mostThreads, b.mostThreads);
    add("cluster", a.cluster, b.cluster);
    add("maxclusterrank", a.mostCtasInCluster, b.mostCtasInCluster);
    add("explicitcluster", a.explicitCluster, b.explicitCluster);
    add("blocksareclusters", a.blocksAreClusters, b.blocksAreClusters);
}

const KernelFacts* named(const CubinFacts& facts, std::string_view name)
{
    const auto at = std::ranges::find(facts.kernels, name, &KernelFacts::name);
    return at == facts.kernels.end() ? nullptr : &*at;
}

bool holdsTheSame(const DataFact& a, const DataFact& b)
{
    return a.space == b.space && a.size == b.size && a.bytes == b.bytes && a.addresses == b.addresses;
}

std::string quoted(std::string_view text)
{
    std::string all(1, '"');
    for (const char c : text) {
        all += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(c == '"' || c == '\\' ? "\\" : "") + c;
    }
    return all + '"';
}

/// Where all of it is text that ends with NUL, in quotes; else the word around the byte.
std::string contentAt(const DataFact& fact, std::size_t byte)
{
    constexpr std::size_t longest = 60;
    const std::string_view text(fact.bytes.data(), fact.bytes.empty() ? 0 : fact.bytes.size() - 1);
    const auto isText = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\t'; };
    if (!text.empty() && text.size() <= longest && fact.bytes.back() == '\0'
        && std::ranges::all_of(text, isText)) {
        return quoted(text);
    }
    auto bytes = fact.bytes.substr(std::min(byte / 4 * 4, fact.bytes.size()), 4);
    bytes.resize(4);
    return fmt::format("{:#010x}", detail::valueAt<std::uint32_t>(bytes, 0));
}

std::string sizeText(const DataFact& fact)
{
    return fmt::format("{} byte{}", fact.size, fact.size == 1 ? "" : "s");
}

std::optional<std::size_t> firstDifference(const DataFact& a, const DataFact& b)
{
    for (std::size_t i = 0; i < std::max(a.bytes.size(), b.bytes.size()); ++i) {
        const auto at = [i](const std::string& bytes) { return i < bytes.size() ? bytes[i] : '\0'; };
        if (at(a.bytes) != at(b.bytes)) {
            return i;
        }
    }
    return {};
}

std::string addressesText(const DataFact& fact)
{
    std::string all;
    for (const auto& [offset, name] : fact.addresses) {
        all += fmt::format("{}{} at {}", all.empty() ? "" : ", ", name, offset);
    }
    return all;
}

void compareData(SassDiff& diff, const DataFact& a, const DataFact& b)
{
    const auto add = [&](const std::string& what, std::string x, std::string y, std::string where = {}) {
        diff.facts.push_back({.what = what,
            .symbol = a.name,
            .where = std::move(where),
            .a = std::move(x),
            .b = std::move(y)});
    };
    if (a.space != b.space) {
        add("data_space", a.space, b.space);
    }
    if (a.size != b.size) {
        add(a.space + "_data", sizeText(a), sizeText(b));
    } else if (const auto at = firstDifference(a, b)) {
        add(a.space + "_data", contentAt(a, *at), contentAt(b, *at),
            fmt::format("byte {} of {}", *at / 4 * 4, a.size));
    }
    if (a.addresses != b.addresses) {
        add("addresses", addressesText(a), addressesText(b));
    }
}

/// Variables by name; what is left, by content: a string or a static variable that is named otherwise.
void compareAllData(SassDiff& diff, const CubinFacts& a, const CubinFacts& b)
{
    std::multimap<std::string_view, const DataFact*> left;
    for (const auto& fact : b.data) {
        left.emplace(fact.name, &fact);
    }
    std::vector<const DataFact*> unnamed;
    for (const auto& fact : a.data) {
        if (const auto at = left.find(fact.name); at != left.end()) {
            compareData(diff, fact, *at->second);
            left.erase(at);
        } else {
            unnamed.push_back(&fact);
        }
    }
    std::multimap<std::string_view, decltype(left)::iterator> byContent;
    for (auto at = left.begin(); at != left.end(); ++at) {
        byContent.emplace(at->second->bytes, at);
    }
    for (const auto* fact : unnamed) {
        const auto [first, last] = byContent.equal_range(fact->bytes);
        const auto at = std::find_if(
            first, last, [fact](const auto& entry) { return holdsTheSame(*fact, *entry.second->second); });
        if (at != last) {
            left.erase(at->second);
            byContent.erase(at);
        } else {
            diff.facts.push_back(
                {.what = fact->space + "_data", .symbol = fact->name, .a = sizeText(*fact), .b = {}});
        }
    }
    for (const auto& [name, fact] : left) {
        diff.facts.push_back(
            {.what = fact->space + "_data", .symbol = std::string(name), .a = {}, .b = sizeText(*fact)});
    }
}

/// As a person calls it.
std::string_view titleOf(std::string_view what)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 14> titles{
        {{"registers", "registers"}, {"stack_bytes", "local memory per thread (bytes)"},
            {"shared_bytes", "static shared memory (bytes)"}, {"barriers", "named barriers"},
            {"parameter_bytes", "parameters (bytes)"}, {"parameters", "layout of the parameters (bytes)"},
            {"reqntid", ".reqntid"}, {"maxntid", ".maxntid"}, {"cluster", "cluster"},
            {"maxclusterrank", ".maxclusterrank"}, {"explicitcluster", ".explicitcluster"},
            {"blocksareclusters", ".blocksareclusters"}, {"addresses", "addresses in"},
            {"data_space", "memory space of"}}};
    const auto* const at =
        std::ranges::find(titles, what, &std::pair<std::string_view, std::string_view>::first);
    return at != titles.end() ? at->second : what == "constant_data" ? "constant data" : "global data";
}

} // namespace

void addFactDifferences(SassDiff& diff, const CubinFacts& a, const CubinFacts& b)
{
    diff.factsCompared = true;
    diff.facts.clear();
    for (const auto& kernel : diff.kernels) {
        const auto* inA = named(a, kernel.name);
        const auto* inB = named(b, kernel.nameInB.empty() ? kernel.name : kernel.nameInB);
        if (!kernel.onlyInA && !kernel.onlyInB && inA != nullptr && inB != nullptr) {
            compareKernels(diff, *inA, *inB);
            if (inA->registers && inB->registers) {
                diff.registersDelta = diff.registersDelta.value_or(0) + *inB->registers - *inA->registers;
            }
            diff.sharedBytesDelta = diff.sharedBytesDelta.value_or(0) + inB->sharedBytes - inA->sharedBytes;
        }
    }
    compareAllData(diff, a, b);
    diff.identical = diff.instructionsIdentical && diff.facts.empty();
    diff.summary = diffSummary(diff);
}

std::string factText(const FactDifference& difference, bool nameKernel)
{
    std::string text(titleOf(difference.what));
    if (!difference.kernel.empty() && nameKernel) {
        text += " of " + titleOfKernel(difference.kernel);
    } else if (!difference.symbol.empty()) {
        text += ' ' + difference.symbol;
    }
    if (!difference.where.empty()) {
        text += ", " + difference.where;
    }
    const auto side = [](const std::string& value) { return value.empty() ? "none" : value; };
    return fmt::format("{}: {} -> {}", text, side(difference.a), side(difference.b));
}

} // namespace ptxwb
