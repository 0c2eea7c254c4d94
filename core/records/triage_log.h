// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/triage_row.h"
#include "core/support/result.h"

#include <filesystem>
#include <map>
#include <string>

namespace ptxwb::records {

/// A file of one row a line, to which rows are appended as they are made; a later run reads back what is
/// there. One process at a time (flock). Move-only.
class TriageLog {
public:
    /// Makes the file, or opens one that holds rows. A last line that was torn is cut off. Errors:
    /// InvalidArgument (the file is something else, or another process writes it), Unreadable, DiskFull.
    static Result<TriageLog> open(const std::filesystem::path& path);
    TriageLog(TriageLog&& other) noexcept;
    TriageLog& operator=(TriageLog&&) = delete;
    ~TriageLog();

    /// The row with this key, or null. Rows that were not compiled are tried again and never found.
    const TriageRow* find(const std::string& key) const;
    /// Appends a line, unless the last one with this key says the same. Errors: DiskFull, Unreadable.
    Result<void> append(const TriageRow& row);

    int badLines() const { return m_badLines; } ///< that hold no row; left as they are
    bool repaired() const { return m_repaired; } ///< a torn last line was cut off

private:
    TriageLog() = default;
    Result<void> load(std::string_view text, const std::string& path);

    int m_fd = -1;
    std::string m_path;
    std::map<std::string, TriageRow> m_rows;
    int m_badLines = 0;
    bool m_repaired = false;
};

} // namespace ptxwb::records
