// SPDX-License-Identifier: Apache-2.0
#include "core/records/history.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <functional>

namespace ptxwb::records {

namespace {

constexpr int schemaVersion = 1;
constexpr int lockPatienceMs = 5'000;

constexpr const char* schema = R"(
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS evaluation (
  id INTEGER PRIMARY KEY AUTOINCREMENT, work TEXT NOT NULL, made_utc TEXT NOT NULL, candidate_path TEXT NOT NULL,
  candidate_sha256 TEXT NOT NULL, task TEXT NOT NULL, workload TEXT NOT NULL, target TEXT NOT NULL,
  place TEXT NOT NULL, device TEXT NOT NULL, verdict TEXT NOT NULL, speedup REAL, cold_median_us REAL,
  product_version TEXT NOT NULL, document TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS evaluation_work ON evaluation (work);
CREATE TABLE IF NOT EXISTS blob (sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS evaluation_blob (
  evaluation INTEGER NOT NULL REFERENCES evaluation (id), kind TEXT NOT NULL,
  sha256 TEXT NOT NULL REFERENCES blob (sha256), PRIMARY KEY (evaluation, kind, sha256));
PRAGMA user_version = 1;
COMMIT;
)";

constexpr const char* columns = "id, work, made_utc, candidate_path, candidate_sha256, task, workload, "
                                "target, place, device, verdict, speedup, "
                                "cold_median_us, product_version";

} // namespace

/// The connection; a statement lives within one call.
class History::Database {
public:
    explicit Database(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }
    ~Database() { sqlite3_close(m_handle); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    Result<void> open()
    {
        const int code =
            sqlite3_open_v2(m_file.c_str(), &m_handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
        if (code != SQLITE_OK) {
            return failure(code, "opening");
        }
        sqlite3_busy_timeout(m_handle, lockPatienceMs);
        // Full: an entry that was told to be kept is kept when the power fails, too.
        for (const char* pragma :
            {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON"}) {
            if (const auto done = run(pragma); !done) {
                return done;
            }
        }
        int version = 0;
        if (const auto asked = each(
                "PRAGMA user_version", {}, [&](sqlite3_stmt* row) { version = sqlite3_column_int(row, 0); });
            !asked) {
            return asked;
        }
        if (version > schemaVersion) {
            return Error{.code = ErrorCode::Unreadable,
                .message = fmt::format("the history is of a later version of this program ({})", version),
                .hint = "name another file by PTXWB_HISTORY, or use that version",
                .path = m_file.string()};
        }
        return version == schemaVersion ? Result<void>() : run(schema);
    }

    Result<void> run(const char* sql)
    {
        const int code = sqlite3_exec(m_handle, sql, nullptr, nullptr, nullptr);
        return code == SQLITE_OK ? Result<void>() : failure(code, "using");
    }

    using Bind = std::function<void(sqlite3_stmt*)>;
    Result<void> each(const std::string& sql, const Bind& bind, const Bind& onRow) const
    {
        sqlite3_stmt* statement = nullptr;
        int code = sqlite3_prepare_v2(m_handle, sql.c_str(), -1, &statement, nullptr);
        if (code == SQLITE_OK) {
            if (bind) {
                bind(statement);
            }
            while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
                if (onRow) {
                    onRow(statement);
                }
            }
        }
        // Said before the statement goes, which clears it.
        auto result = code == SQLITE_DONE ? Result<void>() : failure(code, "using");
        sqlite3_finalize(statement);
        return result;
    }

    std::int64_t lastId() const { return sqlite3_last_insert_rowid(m_handle); }

private:
    Error failure(int code, const char* doing) const
    {
        const int kind = code & 0xFF;
        const bool locked = kind == SQLITE_BUSY || kind == SQLITE_LOCKED;
        Error error{.code = locked    ? ErrorCode::Unavailable
                : kind == SQLITE_FULL ? ErrorCode::DiskFull
                                      : ErrorCode::Unreadable,
            .message = fmt::format("{} the history failed: {}", doing,
                m_handle == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(m_handle)),
            .path = m_file.string()};
        if (locked) {
            error.hint = fmt::format("another process held it for more than {} s; try again when it is done",
                lockPatienceMs / 1000);
        } else if (kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT) {
            error.hint = "move the file away, or name another one by PTXWB_HISTORY";
        } else if (kind == SQLITE_FULL) {
            error.hint = "make room on the disk";
        } else {
            error.hint = "see the file's permissions, or name another one by PTXWB_HISTORY";
        }
        return error;
    }

    std::filesystem::path m_file;
    sqlite3* m_handle = nullptr;
};

namespace {

std::string textAt(sqlite3_stmt* row, int column)
{
    const auto* data = static_cast<const char*>(sqlite3_column_blob(row, column));
    const int bytes = sqlite3_column_bytes(row, column);
    return data == nullptr ? std::string() : std::string(data, static_cast<std::size_t>(bytes));
}

std::optional<double> realAt(sqlite3_stmt* row, int column)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL
        ? std::nullopt
        : std::optional(sqlite3_column_double(row, column));
}

HistoryEntry entryAt(sqlite3_stmt* row, bool withDocument)
{
    HistoryEntry entry;
    int c = 0;
    entry.id = sqlite3_column_int64(row, c++);
    for (std::string* text : {&entry.work, &entry.madeUtc, &entry.candidatePath, &entry.candidateSha256,
             &entry.task, &entry.workload, &entry.target, &entry.on, &entry.device, &entry.verdict}) {
        *text = textAt(row, c++);
    }
    entry.speedup = realAt(row, c++);
    entry.coldMedianUs = realAt(row, c++);
    entry.productVersion = textAt(row, c++);
    if (withDocument) {
        entry.document = textAt(row, c);
    }
    return entry;
}

// The caller keeps `text` until the statement is done.
void bindText(sqlite3_stmt* statement, int place, const std::string& text)
{
    sqlite3_bind_text64(statement, place, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void bindReal(sqlite3_stmt* statement, int place, const std::optional<double>& value)
{
    if (value) {
        sqlite3_bind_double(statement, place, *value);
    } else {
        sqlite3_bind_null(statement, place);
    }
}

} // namespace

History::History(std::unique_ptr<Database> database)
    : m_database(std::move(database))
{
}
History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

Result<History> History::open(const std::filesystem::path& file)
{
    std::error_code failed;
    if (file.has_parent_path()) {
        std::filesystem::create_directories(file.parent_path(), failed);
    }
    auto database = std::make_unique<Database>(file);
    if (const auto opened = database->open(); !opened) {
        return opened.error();
    }
    return History(std::move(database));
}

Result<std::int64_t> History::add(const HistoryEntry& entry, const std::vector<HistoryBlob>& blobs)
{
    if (const auto begun = m_database->run("BEGIN IMMEDIATE"); !begun) {
        return begun.error();
    }
    const auto inserted = [&]() -> Result<std::int64_t> {
        const auto done =
            m_database->each("INSERT INTO evaluation (work, made_utc, candidate_path, candidate_sha256, "
                             "task, workload, target, place, device, verdict, speedup, cold_median_us, "
                             "product_version, document) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                [&](sqlite3_stmt* s) {
                    int place = 1;
                    for (const std::string* text : {&entry.work, &entry.madeUtc, &entry.candidatePath,
                             &entry.candidateSha256, &entry.task, &entry.workload, &entry.target, &entry.on,
                             &entry.device, &entry.verdict}) {
                        bindText(s, place++, *text);
                    }
                    bindReal(s, place++, entry.speedup);
                    bindReal(s, place++, entry.coldMedianUs);
                    bindText(s, place++, entry.productVersion);
                    bindText(s, place++, entry.document);
                },
                {});
        if (!done) {
            return done.error();
        }
        const std::int64_t id = m_database->lastId();
        for (const HistoryBlob& blob : blobs) {
            for (const auto& kept :
                {m_database->each("INSERT OR IGNORE INTO blob (sha256, bytes) VALUES (?,?)",
                     [&](sqlite3_stmt* s) {
                         bindText(s, 1, blob.sha256);
                         sqlite3_bind_blob64(s, 2, blob.bytes.data(), blob.bytes.size(), SQLITE_STATIC);
                     },
                     {}),
                    m_database->each(
                        "INSERT OR IGNORE INTO evaluation_blob (evaluation, kind, sha256) VALUES (?,?,?)",
                        [&](sqlite3_stmt* s) {
                            sqlite3_bind_int64(s, 1, id);
                            bindText(s, 2, blob.kind);
                            bindText(s, 3, blob.sha256);
                        },
                        {})}) {
                if (!kept) {
                    return kept.error();
                }
            }
        }
        return id;
    }();
    const auto ended = m_database->run(inserted ? "COMMIT" : "ROLLBACK");
    return inserted && !ended ? Result<std::int64_t>(ended.error()) : inserted;
}

Result<std::optional<HistoryEntry>> History::find(const std::string& work) const
{
    std::optional<HistoryEntry> found;
    const auto asked = m_database->each(
        fmt::format("SELECT {}, document FROM evaluation WHERE work = ? ORDER BY id DESC LIMIT 1", columns),
        [&](sqlite3_stmt* s) { bindText(s, 1, work); },
        [&](sqlite3_stmt* row) { found = entryAt(row, true); });
    return asked ? Result<std::optional<HistoryEntry>>(std::move(found)) : asked.error();
}

Result<std::vector<HistoryEntry>> History::list(const HistoryQuery& query) const
{
    std::vector<HistoryEntry> entries;
    const auto asked = m_database->each(
        fmt::format("SELECT {} FROM evaluation WHERE (?1 = '' OR task = ?1) AND (?2 = '' OR "
                    "instr(candidate_path, ?2) "
                    "OR candidate_sha256 LIKE ?2 || '%') ORDER BY id DESC LIMIT ?3",
            columns),
        [&](sqlite3_stmt* s) {
            bindText(s, 1, query.task);
            bindText(s, 2, query.candidate);
            sqlite3_bind_int(s, 3, query.limit);
        },
        [&](sqlite3_stmt* row) { entries.push_back(entryAt(row, false)); });
    return asked ? Result<std::vector<HistoryEntry>>(std::move(entries)) : asked.error();
}

Result<HistoryEntry> History::entry(std::int64_t id) const
{
    std::optional<HistoryEntry> found;
    const auto asked = m_database->each(
        fmt::format("SELECT {}, document FROM evaluation WHERE id = ?", columns),
        [&](sqlite3_stmt* s) { sqlite3_bind_int64(s, 1, id); },
        [&](sqlite3_stmt* row) { found = entryAt(row, true); });
    if (!asked) {
        return asked.error();
    }
    if (!found) {
        return Error{.code = ErrorCode::NotFound,
            .message = fmt::format("the history has no evaluation {}", id),
            .hint = "`ptxwb history` lists them"};
    }
    return *std::move(found);
}

Result<std::vector<HistoryBlob>> History::blobs(std::int64_t id) const
{
    std::vector<HistoryBlob> blobs;
    const auto asked = m_database->each(
        "SELECT kind, sha256, bytes FROM evaluation_blob JOIN blob USING (sha256) WHERE "
        "evaluation = ? ORDER BY kind",
        [&](sqlite3_stmt* s) { sqlite3_bind_int64(s, 1, id); },
        [&](sqlite3_stmt* row) {
            blobs.push_back({.kind = textAt(row, 0), .sha256 = textAt(row, 1), .bytes = textAt(row, 2)});
        });
    return asked ? Result<std::vector<HistoryBlob>>(std::move(blobs)) : asked.error();
}

} // namespace ptxwb::records
