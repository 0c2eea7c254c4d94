// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/toolchain.h"

#include "core/support/files.h"
#include "core/toolchain/tool_facts.h"
#include "core/toolchain/tool_places.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace ptxwb {

namespace fs = std::filesystem;

namespace {

struct Found {
    Tool tool;
    int rank = 0;
    std::vector<std::string> targets;
};

std::tuple<int, int, int> versionNumbers(const std::string& version)
{
    int parts[3] = {0, 0, 0};
    const char* at = version.data();
    const char* end = at + version.size();
    for (int& part : parts) {
        const auto parsed = std::from_chars(at, end, part);
        at = parsed.ptr != end && *parsed.ptr == '.' ? parsed.ptr + 1 : end;
    }
    return {parts[0], parts[1], parts[2]};
}

const Found* firstUsable(const std::vector<Found>& found, ToolKind kind, auto accepts)
{
    const auto first = std::find_if(found.begin(), found.end(),
        [&](const Found& one) { return one.tool.kind == kind && !one.tool.problem && accepts(one); });
    return first == found.end() ? nullptr : &*first;
}

const Found* firstUsable(const std::vector<Found>& found, ToolKind kind)
{
    return firstUsable(found, kind, [](const Found&) { return true; });
}

// The tool that the user named for this kind (rank 0), working or not: nothing else may stand in for it
// silently.
const Found* named(const std::vector<Found>& found, ToolKind kind)
{
    const auto first = std::find_if(
        found.begin(), found.end(), [&](const Found& one) { return one.tool.kind == kind && one.rank == 0; });
    return first == found.end() ? nullptr : &*first;
}

const Found* usable(const Found* one)
{
    return one != nullptr && !one->tool.problem ? one : nullptr;
}

const Found* companionOf(const std::vector<Found>& found, ToolKind kind, const Found* leader)
{
    if (const auto* own = named(found, kind)) {
        return usable(own);
    }
    if (leader == nullptr) {
        return firstUsable(found, kind);
    }
    const auto directory = leader->tool.path.parent_path();
    const auto* beside = firstUsable(found, kind, [&](const Found& one) {
        return one.rank == leader->rank || one.tool.path.parent_path() == directory;
    });
    return beside != nullptr ? beside : firstUsable(found, kind);
}

// A disassembler reads cubins of its own version and of older ones.
const Found* disassemblerFor(const std::vector<Found>& found, ToolKind kind, const Found* ptxas)
{
    const auto* beside = companionOf(found, kind, ptxas);
    if (beside == nullptr || ptxas == nullptr || beside->rank == 0) {
        return beside;
    }
    const auto needed = versionNumbers(ptxas->tool.version);
    if (versionNumbers(beside->tool.version) >= needed) {
        return beside;
    }
    const auto* newEnough = firstUsable(
        found, kind, [&](const Found& one) { return versionNumbers(one.tool.version) >= needed; });
    return newEnough != nullptr ? newEnough : beside;
}

void findTvmFfi(Toolchain& made, const ToolchainSearch& search)
{
    for (const auto& venv : search.venvs) {
        for (const auto& packages : detail::sitePackagesOf(venv)) {
            std::error_code failed;
            const auto root = packages / "tvm_ffi";
            if (!fs::exists(root / "include" / "tvm" / "ffi" / "tvm_ffi.h", failed)) {
                continue;
            }
            made.tvmFfiInclude = root / "include";
            if (fs::exists(root / "lib" / "libtvm_ffi.so", failed)) {
                made.tvmFfiLibrary = root / "lib" / "libtvm_ffi.so";
            }
            return;
        }
    }
    // Where packaging/deps puts it for a machine without a network.
    if (const auto share = shareDirectory(); share && made.tvmFfiInclude.empty()) {
        std::error_code failed;
        const auto root = *share / ".deps" / "tvm_ffi";
        if (fs::exists(root / "include" / "tvm" / "ffi" / "tvm_ffi.h", failed)) {
            made.tvmFfiInclude = root / "include";
            made.tvmFfiLibrary = root / "lib" / "libtvm_ffi.so";
        }
    }
}

} // namespace

std::string_view toolName(ToolKind kind)
{
    switch (kind) {
    case ToolKind::Ptxas:
        return "ptxas";
    case ToolKind::Nvcc:
        return "nvcc";
    case ToolKind::Nvdisasm:
        return "nvdisasm";
    case ToolKind::Cuobjdump:
        return "cuobjdump";
    }
    return "tool";
}

const std::optional<Tool>& Toolchain::chosen(ToolKind kind) const
{
    switch (kind) {
    case ToolKind::Ptxas:
        return ptxas;
    case ToolKind::Nvcc:
        return nvcc;
    case ToolKind::Nvdisasm:
        return nvdisasm;
    case ToolKind::Cuobjdump:
        return cuobjdump;
    }
    return ptxas;
}

Toolchain findToolchain(const ToolchainSearch& search, const std::stop_token& stop)
{
    detail::ToolFactsCache cache(userCacheDirectory() / "tools.json");
    std::vector<Found> found;
    for (const auto& place : detail::toolPlaces(search)) {
        if (stop.stop_requested()) {
            break;
        }
        auto facts = cache.factsOf(place.kind, place.path, search.queryTimeout, stop);
        found.push_back({.tool = {.kind = place.kind,
                             .path = place.path,
                             .version = std::move(facts.version),
                             .origin = place.origin,
                             .problem = std::move(facts.problem)},
            .rank = place.rank,
            .targets = std::move(facts.targets)});
    }
    cache.save();

    const auto chosen = [](const Found* one) {
        return one != nullptr ? std::optional(one->tool) : std::nullopt;
    };
    Toolchain made;
    const auto* ptxas = companionOf(found, ToolKind::Ptxas, nullptr);
    made.ptxas = chosen(ptxas);
    made.nvcc = chosen(companionOf(found, ToolKind::Nvcc, ptxas));
    made.nvdisasm = chosen(disassemblerFor(found, ToolKind::Nvdisasm, ptxas));
    made.cuobjdump = chosen(disassemblerFor(found, ToolKind::Cuobjdump, ptxas));
    if (ptxas != nullptr) {
        made.targets = ptxas->targets;
    }
    for (auto& one : found) {
        made.all.push_back(std::move(one.tool));
    }
    findTvmFfi(made, search);
    return made;
}

std::string howToGet(ToolKind kind)
{
    const std::string common =
        "run packaging/run, which installs NVIDIA's wheels into a private venv, or install the CUDA "
        "toolkit 13.0";
    switch (kind) {
    case ToolKind::Ptxas:
        return common + " (wheel nvidia-cuda-nvcc); PTXWB_PTXAS names one elsewhere";
    case ToolKind::Nvcc:
        return common
            + " (wheels nvidia-cuda-nvcc, nvidia-cuda-crt, nvidia-nvvm, nvidia-cuda-runtime, "
              "nvidia-cuda-cccl); "
              "PTXWB_NVCC names one elsewhere";
    case ToolKind::Nvdisasm:
        return common + " (wheel nvidia-cuda-nvdisasm); PTXWB_NVDISASM names one elsewhere";
    case ToolKind::Cuobjdump:
        return common + " (wheel nvidia-cuda-cuobjdump); PTXWB_CUOBJDUMP names one elsewhere";
    }
    return common;
}

} // namespace ptxwb
