// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ptxwb::records {

/// One evaluation as it is kept: columns to look for it by, and its whole document.
struct HistoryEntry {
    std::int64_t id = 0; ///< given by add()
    std::string work{}; ///< hash of everything that decides the answer; equal: the same work
    std::string madeUtc{};
    std::string candidatePath{};
    std::string candidateSha256{};
    std::string task{};
    std::string workload{}; ///< name
    std::string target{};
    std::string on{}; ///< "gpu", "emulator", "none"
    std::string device{};
    std::string verdict{};
    std::optional<double> speedup{};
    std::optional<double> coldMedianUs{};
    std::string productVersion{};
    std::string document{}; ///< ptxwb.eval.v1; empty in lists
};

/// Source and artefacts of an evaluation, kept once however often they are used.
struct HistoryBlob {
    std::string kind{}; ///< "source", "ptx", "cubin", "so"
    std::string sha256{};
    std::string bytes{};
};

/// What list() is to give; empty fields ask for nothing.
struct HistoryQuery {
    std::string task{};
    std::string candidate{}; ///< part of the path, or the start of the hash
    int limit = 20; ///< newest first
};

/// The evaluations of a user: a SQLite file with a write-ahead log. A process that is killed at any moment
/// leaves it whole: an entry is there with all its parts, or not at all. Several processes may use one file.
/// One thread.
class History {
public:
    /// Makes the file and its folder where they are missing. Errors: Unreadable (no database, no permission,
    /// of a later version), Unavailable (locked by another process for more than five seconds).
    static Result<History> open(const std::filesystem::path& file);
    History(History&&) noexcept;
    History& operator=(History&&) noexcept;
    ~History();

    /// Gives the id. Errors: Unavailable (locked), DiskFull, Unreadable.
    Result<std::int64_t> add(const HistoryEntry& entry, const std::vector<HistoryBlob>& blobs);
    /// The newest entry of this work, with its document.
    Result<std::optional<HistoryEntry>> find(const std::string& work) const;
    Result<std::vector<HistoryEntry>> list(const HistoryQuery& query) const;
    /// With its document. Errors: NotFound.
    Result<HistoryEntry> entry(std::int64_t id) const;
    /// With their bytes.
    Result<std::vector<HistoryBlob>> blobs(std::int64_t id) const;

private:
    class Database;
    explicit History(std::unique_ptr<Database> database);
    std::unique_ptr<Database> m_database;
};

} // namespace ptxwb::records
