// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/tool_facts.h"

#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/toolchain/file_stamp.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ctime>
#include <set>

namespace ptxwb::detail {

namespace {

using Json = nlohmann::json;

constexpr int cacheFormat = 1;
constexpr long long problemLifetimeSeconds = 300;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string firstLine(std::string_view text)
{
    const auto start = text.find_first_not_of(" \t\r\n");
    return start == std::string_view::npos
        ? std::string()
        : std::string(text.substr(start, text.find_first_of("\r\n", start) - start));
}

Result<std::string> ask(const std::filesystem::path& path, const char* flag,
    std::chrono::milliseconds timeout, const std::stop_token& stop)
{
    const auto outcome =
        runProcess({.argv = {path.string(), flag}, .timeout = timeout, .maxOutputBytes = 1U << 20}, stop);
    if (!outcome) {
        return outcome.error();
    }
    const auto failed = [](std::string why) {
        return Error{.code = ErrorCode::ToolFailed, .message = std::move(why)};
    };
    if (outcome->timedOut) {
        return failed(
            fmt::format("does not answer {} within {} s", flag, static_cast<double>(timeout.count()) / 1000));
    }
    if (outcome->signal) {
        return failed(fmt::format(
            "{} ends with signal {} ({})", flag, *outcome->signal, ::strsignal(*outcome->signal)));
    }
    if (outcome->exitCode != 0) {
        const auto said =
            firstLine(outcome->standardError.empty() ? outcome->standardOutput : outcome->standardError);
        return failed(fmt::format(
            "{} ends with status {}{}{}", flag, outcome->exitCode, said.empty() ? "" : ": ", said));
    }
    return outcome->standardOutput;
}

ToolFacts askAll(ToolKind kind, const std::filesystem::path& path, std::chrono::milliseconds timeout,
    const std::stop_token& stop)
{
    ToolFacts facts;
    const auto version = ask(path, "--version", timeout, stop);
    if (!version) {
        facts.problem = version.error().message;
        return facts;
    }
    facts.version = versionInText(*version);
    if (facts.version.empty()) {
        facts.problem =
            fmt::format("is no {} of NVIDIA's: --version says \"{}\"", toolName(kind), firstLine(*version));
        return facts;
    }
    if (kind == ToolKind::Ptxas) {
        if (const auto help = ask(path, "--help", timeout, stop)) {
            facts.targets = targetsInHelp(*help);
        }
    }
    return facts;
}

} // namespace

std::string versionInText(std::string_view versionOutput)
{
    for (auto at = versionOutput.find(" V"); at != std::string_view::npos;
         at = versionOutput.find(" V", at + 1)) {
        std::size_t end = at + 2;
        while (end < versionOutput.size() && (isDigit(versionOutput[end]) || versionOutput[end] == '.')) {
            ++end;
        }
        if (end > at + 2 && isDigit(versionOutput[at + 2])) {
            return std::string(versionOutput.substr(at + 2, end - at - 2));
        }
    }
    return {};
}

std::vector<std::string> targetsInHelp(std::string_view help)
{
    std::set<std::pair<int, std::string>> found;
    for (auto at = help.find("'sm_"); at != std::string_view::npos; at = help.find("'sm_", at + 1)) {
        const auto close = help.find('\'', at + 1);
        if (close == std::string_view::npos) {
            break;
        }
        const auto name = help.substr(at + 1, close - at - 1);
        int number = 0;
        std::size_t end = 3;
        while (end < name.size() && isDigit(name[end]) && number < 100'000) {
            number = number * 10 + (name[end++] - '0');
        }
        const auto suffix = name.substr(end);
        if (end > 3 && (suffix.empty() || suffix == "a" || suffix == "f")) {
            found.emplace(number, name);
        }
    }
    std::vector<std::string> targets;
    for (const auto& [number, name] : found) {
        targets.push_back(name);
    }
    return targets;
}

ToolFactsCache::ToolFactsCache(std::filesystem::path file)
    : m_file(std::move(file))
{
    const auto text = readFile(m_file);
    const auto document = text ? Json::parse(*text, nullptr, false) : Json();
    if (!document.is_object() || document.value("format", 0) != cacheFormat) {
        return;
    }
    try {
        for (const auto& [path, row] : document.at("tools").items()) {
            Entry entry;
            entry.stamp = row.at("stamp").get<std::string>();
            entry.askedAt = row.at("asked_at").get<long long>();
            entry.facts.version = row.at("version").get<std::string>();
            entry.facts.targets = row.at("targets").get<std::vector<std::string>>();
            if (!row.at("problem").is_null()) {
                entry.facts.problem = row.at("problem").get<std::string>();
            }
            m_entries.emplace(path, std::move(entry));
        }
    } catch (const Json::exception&) {
        m_entries.clear(); // written by another version or damaged: ask again
    }
}

ToolFacts ToolFactsCache::factsOf(ToolKind kind, const std::filesystem::path& path,
    std::chrono::milliseconds timeout, const std::stop_token& stop)
{
    const auto stamp = fileStamp(path);
    if (stamp.empty()) {
        return {.problem = "no such file"};
    }
    const auto now = static_cast<long long>(std::time(nullptr));
    const auto key = fmt::format("{} {}", toolName(kind), path.string());
    if (const auto known = m_entries.find(key); known != m_entries.end() && known->second.stamp == stamp) {
        const auto age = now - known->second.askedAt;
        if (!known->second.facts.problem || (age >= 0 && age < problemLifetimeSeconds)) {
            return known->second.facts;
        }
    }
    auto facts = askAll(kind, path, timeout, stop);
    if (stop.stop_requested()) {
        return facts;
    }
    m_entries[key] = {.stamp = stamp, .askedAt = now, .facts = facts};
    m_changed = true;
    return facts;
}

void ToolFactsCache::save() const
{
    if (!m_changed) {
        return;
    }
    Json tools = Json::object();
    for (const auto& [path, entry] : m_entries) {
        const auto& facts = entry.facts;
        tools[path] = {{"stamp", entry.stamp}, {"asked_at", entry.askedAt}, {"version", facts.version},
            {"targets", facts.targets}, {"problem", facts.problem ? Json(*facts.problem) : Json()}};
    }
    std::error_code failed;
    std::filesystem::create_directories(m_file.parent_path(), failed);
    // Best effort: without a cache the tools are asked again.
    static_cast<void>(writeFileAtomically(m_file,
        Json{{"format", cacheFormat}, {"tools", tools}}.dump(1, ' ', false, Json::error_handler_t::replace)));
}

} // namespace ptxwb::detail
