// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/build_cache.h"

#include "core/support/files.h"
#include "core/support/sha256.h"
#include "core/toolchain/cache_record.h"
#include "core/toolchain/file_stamp.h"
#include "core/toolchain/header_search.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <sys/stat.h>

namespace ptxwb::detail {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// Raised whenever the meaning of an entry or the commands of a build change.
constexpr int buildFormat = 2;

// Each part with its length, so that no two lists of parts look the same.
void addPart(std::string& text, std::string_view part)
{
    text += fmt::format("{}:{}\n", part.size(), part);
}

// An included file as it was: its stamp spares reading it again while nothing touched it.
Json describeInclude(const fs::path& path, const std::string& bytes)
{
    return {{"path", path.string()}, {"stamp", fileStamp(path)}, {"sha256", sha256Hex(bytes)}};
}

bool isUnchanged(const Json& include)
{
    const fs::path path = include.at("path").get<std::string>();
    const auto stamp = fileStamp(path);
    if (stamp.empty()) {
        return false;
    }
    if (stamp == include.at("stamp").get<std::string>()) {
        return true;
    }
    const auto bytes = readFile(path);
    return bytes && sha256Hex(*bytes) == include.at("sha256").get<std::string>();
}

// By the time of status change, which a file that is moved here with its old time of modification has too.
bool changedSince(const fs::path& path, fs::file_time_type begun)
{
    struct stat info { };
    if (::stat(path.c_str(), &info) != 0) {
        return true;
    }
    using namespace std::chrono;
    const sys_time<nanoseconds> changed(seconds(info.st_ctim.tv_sec) + nanoseconds(info.st_ctim.tv_nsec));
    return changed >= fs::file_time_type::clock::to_sys(begun);
}

// Nothing when the build must not be stored.
std::optional<Json> describeSearch(const BuildRun& run, const BuildPlan& plan, fs::file_time_type begun)
{
    const auto search = headerSearchOf(plan, run.includes);
    if (!search) {
        return std::nullopt;
    }
    const auto present = namesakes(*search, run.includes);
    if (std::any_of(
            present.begin(), present.end(), [&](const auto& path) { return changedSince(path, begun); })) {
        return std::nullopt;
    }
    return Json{{"directories", search->directories}, {"asked", search->asked}, {"present", present}};
}

bool foundTheSame(const Json& search, const std::vector<fs::path>& includes)
{
    const HeaderSearch where{search.at("directories").get<std::vector<std::string>>(),
        search.at("asked").get<std::vector<std::string>>()};
    return namesakes(where, includes) == search.at("present").get<std::vector<std::string>>();
}

} // namespace

std::string buildKey(const std::vector<Tool>& tools, Language language, const BuildPlan& plan)
{
    std::string parts;
    addPart(parts,
        fmt::format("{} {} {} {} {}{}", buildFormat, languageName(language), plan.hostContract,
            plan.emitPtxOnly, plan.sandboxed, plan.emulatedHost ? " emulated" : ""));
    for (const auto& tool : tools) {
        addPart(parts,
            fmt::format(
                "{} {} {} {}", toolName(tool.kind), tool.version, tool.path.string(), fileStamp(tool.path)));
    }
    addPart(parts, plan.target);
    addPart(parts, plan.displayName);
    for (const auto& option : plan.options) {
        addPart(parts, option);
    }
    if (language == Language::Cuda) {
        addPart(parts, plan.directory.string());
        for (const char* name : {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH",
                 "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "PATH"}) {
            const char* value = std::getenv(name);
            addPart(parts, value != nullptr ? value : "");
        }
    }
    addPart(parts, plan.text);
    return sha256Hex(parts);
}

std::optional<BuildRun> loadBuild(const fs::path& directory, const std::string& key)
{
    auto record = loadRecord(directory, key);
    if (!record) {
        return std::nullopt;
    }
    BuildRun run;
    try {
        const auto meta = Json::parse(record->meta);
        for (const auto& include : meta.at("includes")) {
            if (!isUnchanged(include)) {
                return std::nullopt;
            }
            run.includes.emplace_back(include.at("path").get<std::string>());
        }
        if (!meta.at("search").is_null() && !foundTheSame(meta.at("search"), run.includes)) {
            return std::nullopt;
        }
        run.ok = meta.at("ok").get<bool>();
        run.toolFile = meta.at("tool_file").get<std::string>();
        run.generatedPtxFile = meta.at("generated_ptx_file").get<std::string>();
        run.command = meta.at("command").get<std::vector<std::string>>();
        const auto kinds = meta.at("products").get<std::vector<std::string>>();
        if (record->blobs.size() != kinds.size() + 1) {
            return std::nullopt;
        }
        run.rawOutput = std::move(record->blobs.front());
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            run.products[kinds[i]] = std::move(record->blobs[i + 1]);
        }
    } catch (const Json::exception&) {
        return std::nullopt; // of another version of this program
    }
    return run;
}

void storeBuild(const fs::path& directory, const std::string& key, const BuildRun& run, const BuildPlan& plan,
    Language language, fs::file_time_type begun)
{
    if (directory.empty() || (language == Language::Cuda && !run.ok)) {
        return;
    }
    Json includes = Json::array();
    for (const auto& path : run.includes) {
        const auto bytes = readFile(path);
        if (!bytes || changedSince(path, begun)) {
            return;
        }
        includes.push_back(describeInclude(path, *bytes));
    }
    Json search;
    if (language == Language::Cuda) {
        auto described = describeSearch(run, plan, begun);
        if (!described) {
            return;
        }
        search = std::move(*described);
    }
    Json kinds = Json::array();
    CacheRecord record;
    record.blobs.push_back(run.rawOutput);
    for (const auto& [kind, bytes] : run.products) {
        kinds.push_back(kind);
        record.blobs.push_back(bytes);
    }
    const Json meta{{"ok", run.ok}, {"tool_file", run.toolFile}, {"generated_ptx_file", run.generatedPtxFile},
        {"command", run.command}, {"products", kinds}, {"includes", includes}, {"search", search}};
    record.meta = meta.dump(-1, ' ', false, Json::error_handler_t::replace);
    storeRecord(directory, key, record);
}

} // namespace ptxwb::detail
