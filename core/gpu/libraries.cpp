// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/libraries.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

namespace {

LibraryInfo describe(const char* name, const SharedLibrary& library, std::optional<std::string> version)
{
    LibraryInfo info{
        .name = name, .version = std::move(version), .path = library.path(), .reason = library.reason()};
    if (library.isOpen() && !info.version) {
        info.reason = "it does not tell its version";
    }
    return info;
}

} // namespace

const SharedLibrary& cublasLtLibrary()
{
    static const SharedLibrary library = SharedLibrary::open({"libcublasLt.so.13", "libcublasLt.so.12"});
    return library;
}

std::optional<std::string> cublasLtVersion()
{
    const auto get = cublasLtLibrary().function<std::size_t (*)()>("cublasLtGetVersion");
    if (get == nullptr) {
        return std::nullopt;
    }
    // 13.x: major * 10000 + minor * 100 + patch; 12.x the same.
    const std::size_t version = get();
    return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

const SharedLibrary& cudnnLibrary()
{
    static const SharedLibrary library = SharedLibrary::open({"libcudnn.so.9"});
    return library;
}

std::optional<std::string> cudnnVersion()
{
    const auto get = cudnnLibrary().function<std::size_t (*)()>("cudnnGetVersion");
    if (get == nullptr) {
        return std::nullopt;
    }
    const std::size_t version = get(); // 9.x: major * 10000 + minor * 100 + patch
    return fmt::format("{}.{}.{}", version / 10000, version % 10000 / 100, version % 100);
}

std::vector<LibraryInfo> libraries(const Nvml& nvml)
{
    std::vector<LibraryInfo> result;
    result.push_back({.name = "nvml",
        .version = nvml.driverVersion(),
        .path = nvml.path(),
        .reason = nvml.isHere() ? "" : nvml.reason()});
    result.push_back(describe("cublaslt", cublasLtLibrary(), cublasLtVersion()));
    result.push_back(describe("cudnn", cudnnLibrary(), cudnnVersion()));
    return result;
}

} // namespace ptxwb::gpu
