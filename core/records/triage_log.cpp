// SPDX-License-Identifier: Apache-2.0
#include "core/records/triage_log.h"

#include "core/support/file_error.h"
#include "core/support/input.h"
#include "core/support/output.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ptxwb::records {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view schema = "ptxwb.triage_row.v1";

std::optional<TriageRow> rowOf(std::string_view line)
{
    const auto json = Json::parse(line, nullptr, false);
    return json.is_object() && json.value("schema", Json()) == schema ? rowFromJson(json) : std::nullopt;
}

} // namespace

Result<TriageLog> TriageLog::open(const std::filesystem::path& path)
{
    const auto name = path.string();
    TriageLog log;
    log.m_path = name;
    log.m_fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
    if (log.m_fd < 0) {
        return detail::fileError(name, errno, "cannot open");
    }
    struct stat status { };
    if (::fstat(log.m_fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "rows can only be kept in a regular file",
            .hint = "for rows on stdout take --json",
            .path = name};
    }
    if (::flock(log.m_fd, LOCK_EX | LOCK_NB) != 0) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "another ptxwb triage writes this file now",
            .hint = "wait for it, or name another file",
            .path = name};
    }
    const auto text = readInput(path, {.bytes = 2048 * mebibyte, .binaryBytes = 0});
    if (!text) {
        return text.error();
    }
    if (auto loaded = log.load(*text, name); !loaded) {
        return loaded.error();
    }
    return log;
}

TriageLog::TriageLog(TriageLog&& other) noexcept
    : m_fd(std::exchange(other.m_fd, -1))
    , m_path(std::move(other.m_path))
    , m_rows(std::move(other.m_rows))
    , m_badLines(other.m_badLines)
    , m_repaired(other.m_repaired)
{
}

TriageLog::~TriageLog()
{
    if (m_fd >= 0) {
        ::close(m_fd);
    }
}

Result<void> TriageLog::load(std::string_view text, const std::string& path)
{
    std::size_t wholeEnd = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = text.find('\n', at);
        if (end == std::string_view::npos) {
            break;
        }
        if (auto row = rowOf(text.substr(at, end - at))) {
            row->fromLog = true;
            auto key = row->key;
            m_rows.insert_or_assign(std::move(key), *std::move(row));
        } else {
            ++m_badLines;
        }
        at = wholeEnd = end + 1;
    }
    const auto tail = text.substr(wholeEnd);
    // The first line may be the torn one.
    constexpr std::string_view start = "{\"schema\":\"ptxwb.triage_row.v1\"";
    const bool begunByUs = tail.starts_with(start) || start.starts_with(tail);
    if (!text.empty() && m_rows.empty() && (m_badLines > 0 || !begunByUs)) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "this file holds something else than rows of ptxwb triage; it stays as it is",
            .hint = "name a new file after --jsonl",
            .path = path};
    }
    if (!tail.empty()) {
        if (::ftruncate(m_fd, static_cast<off_t>(wholeEnd)) != 0) {
            return detail::fileError(path, errno, "cannot repair");
        }
        m_repaired = true;
    }
    return {};
}

const TriageRow* TriageLog::find(const std::string& key) const
{
    const auto found = m_rows.find(key);
    return found == m_rows.end() || found->second.result == TriageResult::NotCompiled ? nullptr
                                                                                      : &found->second;
}

Result<void> TriageLog::append(const TriageRow& row)
{
    const auto found = m_rows.find(row.key);
    if (found != m_rows.end() && rowJson(found->second) == rowJson(row)) {
        return {};
    }
    Json json{{"schema", schema}};
    json.update(rowJson(row));
    return writeTo(m_fd, json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n', m_path);
}

} // namespace ptxwb::records
