// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/shared_library.h"

#include "core/support/files.h"
#include "core/support/subprocess.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <glob.h>

namespace ptxwb::gpu {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> expand(const std::string& pattern)
{
    std::vector<std::string> paths;
    glob_t found{};
    if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) {
        paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
    return paths;
}

/// Prefixes that may hold lib/python3*/site-packages: an active environment, ours, and that of `python3`.
std::vector<std::string> pythonPrefixes()
{
    std::vector<std::string> prefixes;
    for (const char* name : {"PTXWB_VENV", "VIRTUAL_ENV", "CONDA_PREFIX"}) {
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
            prefixes.emplace_back(value);
        }
    }
    if (const auto python = findInPath("python3")) {
        prefixes.push_back(python->parent_path().parent_path().string());
        std::error_code failed;
        if (const auto real = fs::canonical(*python, failed); !failed) {
            prefixes.push_back(real.parent_path().parent_path().string());
        }
    }
    prefixes.push_back((userCacheDirectory() / "venv").string());
    if (const char* home = std::getenv("HOME"); home != nullptr) {
        prefixes.push_back(std::string(home) + "/.cache/ptx-workbench/venv");
        prefixes.push_back(std::string(home) + "/.local");
    }
    prefixes.emplace_back("/usr/local");
    return prefixes;
}

std::vector<std::string> directories()
{
    std::vector<std::string> result;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
            result.push_back(std::string(value) + "/lib64");
        }
    }
    result.emplace_back("/usr/local/cuda/lib64");
    for (const auto& path : expand("/usr/local/cuda-*/lib64")) {
        result.push_back(path);
    }
    result.emplace_back("/usr/local/nvidia/lib64");
    for (const std::string& prefix : pythonPrefixes()) {
        for (const char* packages : {"site-packages", "dist-packages"}) {
            for (const auto& path :
                expand(fmt::format("{}/lib/python3*/{}/nvidia/*/lib", prefix, packages))) {
                result.push_back(path);
            }
        }
    }
    return result;
}

std::string fileOf(void* handle, const char* fallback)
{
    // Any symbol tells the file; every one of these libraries has one of them.
    for (const char* symbol :
        {"cublasLtGetVersion", "cudnnGetVersion", "nvmlInit_v2", "cudaRuntimeGetVersion"}) {
        Dl_info info{};
        if (void* address = ::dlsym(handle, symbol); address != nullptr && ::dladdr(address, &info) != 0) {
            return info.dli_fname;
        }
    }
    return fallback;
}

} // namespace

std::optional<std::string> inPythonPackages(const std::string& below)
{
    for (const std::string& prefix : pythonPrefixes()) {
        for (const char* packages : {"site-packages", "dist-packages"}) {
            for (auto& path : expand(fmt::format("{}/lib/python3*/{}/{}", prefix, packages, below))) {
                return std::move(path);
            }
        }
    }
    return std::nullopt;
}

SharedLibrary SharedLibrary::open(const std::vector<std::string>& names)
{
    SharedLibrary library;
    std::string firstProblem;
    const auto attempt = [&](const std::string& name) {
        library.m_handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library.m_handle != nullptr) {
            library.m_path = fileOf(library.m_handle, name.c_str());
            return true;
        }
        const char* problem = ::dlerror();
        // "cannot open shared object file" is said by the sum below; anything else is news.
        if (problem != nullptr && firstProblem.empty() && fs::exists(name)) {
            firstProblem = problem;
        }
        return false;
    };
    for (const std::string& name : names) {
        if (attempt(name)) {
            return library;
        }
    }
    for (const std::string& directory : directories()) {
        for (const std::string& name : names) {
            const auto path = fs::path(directory) / name;
            if (fs::exists(path) && attempt(path.string())) {
                return library;
            }
        }
    }
    library.m_reason = firstProblem.empty()
        ? fmt::format("{} was not found by the loader, below /usr/local/cuda or in Python's packages",
            fmt::join(names, " or "))
        : firstProblem;
    return library;
}

void* SharedLibrary::symbol(const char* name) const
{
    return m_handle == nullptr ? nullptr : ::dlsym(m_handle, name);
}

} // namespace ptxwb::gpu
