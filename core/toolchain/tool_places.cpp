// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/tool_places.h"

#include "core/support/files.h"
#include "core/support/subprocess.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <set>
#include <unistd.h>
#include <utility>

namespace ptxwb {

namespace fs = std::filesystem;

namespace {

constexpr std::array<ToolKind, 4> kinds{
    ToolKind::Ptxas, ToolKind::Nvcc, ToolKind::Nvdisasm, ToolKind::Cuobjdump};

fs::path fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? fs::path(value) : fs::path();
}

void addUnique(std::vector<fs::path>& list, const fs::path& path)
{
    if (!path.empty() && std::find(list.begin(), list.end(), path) == list.end()) {
        list.push_back(path);
    }
}

// "cuda-13.0" -> {13, 0}
std::pair<int, int> versionInName(const std::string& name)
{
    std::pair<int, int> version{0, 0};
    const auto dash = name.find('-');
    if (dash == std::string::npos) {
        return version;
    }
    const char* end = name.data() + name.size();
    const auto major = std::from_chars(name.data() + dash + 1, end, version.first);
    if (major.ptr != end && *major.ptr == '.') {
        std::from_chars(major.ptr + 1, end, version.second);
    }
    return version;
}

std::vector<fs::path> installedHomes(const fs::path& parent)
{
    std::vector<fs::path> homes;
    std::error_code failed;
    for (fs::directory_iterator entry(parent, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().filename().string().starts_with("cuda-")) {
            homes.push_back(entry->path());
        }
    }
    std::sort(homes.begin(), homes.end(), [](const fs::path& a, const fs::path& b) {
        return versionInName(a.filename().string()) > versionInName(b.filename().string());
    });
    return homes;
}

bool isProgram(const fs::path& path)
{
    std::error_code failed;
    return fs::is_regular_file(path, failed) && ::access(path.c_str(), X_OK) == 0;
}

} // namespace

ToolchainSearch ToolchainSearch::fromEnvironment()
{
    const auto variable = [](const char* name) { return ::ptxwb::fromEnvironment(name); };
    ToolchainSearch search;
    constexpr std::array<std::pair<const char*, ToolKind>, 4> named{
        {{"PTXWB_PTXAS", ToolKind::Ptxas}, {"PTXWB_NVCC", ToolKind::Nvcc},
            {"PTXWB_NVDISASM", ToolKind::Nvdisasm}, {"PTXWB_CUOBJDUMP", ToolKind::Cuobjdump}}};
    for (const auto& [name, kind] : named) {
        if (const auto path = variable(name); !path.empty()) {
            search.namedTools[kind] =
                path.has_parent_path() ? path : findInPath(path.string()).value_or(path);
        }
    }
    for (const char* name : {"PTXWB_CUDA_HOME", "CUDA_HOME", "CUDA_PATH"}) {
        addUnique(search.cudaHomes, variable(name));
    }
    addUnique(search.standardHomes, "/usr/local/cuda");
    for (const auto& home : installedHomes("/usr/local")) {
        addUnique(search.standardHomes, home);
    }
    addUnique(search.venvs, variable("PTXWB_VENV"));
    addUnique(search.venvs, userCacheDirectory() / "venv");
    // A cache moved by PTXWB_CACHE_DIR does not move the wheels that packaging/run installed.
    const auto xdg = variable("XDG_CACHE_HOME");
    const auto home = variable("HOME");
    if (xdg.is_absolute()) {
        addUnique(search.venvs, xdg / "ptx-workbench" / "venv");
    } else if (!home.empty()) {
        addUnique(search.venvs, home / ".cache" / "ptx-workbench" / "venv");
    }
    return search;
}

namespace detail {

std::vector<fs::path> sitePackagesOf(const fs::path& venv)
{
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator entry(venv / "lib", failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const auto packages = entry->path() / "site-packages";
        std::error_code ignored;
        if (entry->path().filename().string().starts_with("python3") && fs::is_directory(packages, ignored)) {
            found.push_back(packages);
        }
    }
    std::sort(found.rbegin(), found.rend());
    return found;
}

std::vector<ToolPlace> toolPlaces(const ToolchainSearch& search)
{
    std::vector<ToolPlace> places;
    std::set<std::pair<ToolKind, fs::path>> seen;
    int rank = 0;
    const auto add = [&](ToolKind kind, const fs::path& path, const std::string& origin, bool mustExist) {
        if (mustExist && !isProgram(path)) {
            return;
        }
        std::error_code failed;
        auto real = fs::canonical(path, failed);
        if (seen.emplace(kind, failed ? path : real).second) {
            places.push_back({.kind = kind, .path = path, .origin = origin, .rank = rank});
        }
    };
    const auto addDirectory = [&](const fs::path& bin, const std::string& origin) {
        ++rank;
        for (const auto kind : kinds) {
            add(kind, bin / toolName(kind), origin, true);
        }
    };
    constexpr std::array<const char*, 4> variables{
        "PTXWB_PTXAS", "PTXWB_NVCC", "PTXWB_NVDISASM", "PTXWB_CUOBJDUMP"};
    for (const auto& [kind, path] : search.namedTools) {
        add(kind, path, variables[static_cast<std::size_t>(kind)], false);
    }
    for (const auto& home : search.cudaHomes) {
        addDirectory(home / "bin", "toolkit " + home.string());
    }
    ++rank;
    for (const auto kind : kinds) {
        if (const auto path = search.usePath ? findInPath(toolName(kind)) : std::nullopt) {
            add(kind, *path, "PATH", true);
        }
    }
    for (const auto& home : search.standardHomes) {
        addDirectory(home / "bin", "toolkit " + home.string());
    }
    for (const auto& venv : search.venvs) {
        for (const auto& packages : sitePackagesOf(venv)) {
            std::vector<fs::path> bins;
            std::error_code failed;
            for (fs::directory_iterator entry(packages / "nvidia", failed), end; !failed && entry != end;
                 entry.increment(failed)) {
                bins.push_back(entry->path() / "bin");
            }
            std::sort(bins.rbegin(), bins.rend());
            for (const auto& bin : bins) {
                addDirectory(bin, "wheel in " + venv.string());
            }
        }
    }
    return places;
}

} // namespace detail

} // namespace ptxwb
