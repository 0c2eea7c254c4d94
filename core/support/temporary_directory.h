// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <chrono>
#include <filesystem>

namespace ptxwb {

/// A fresh private directory (mode 0700) that is removed with its content when this object goes. Its name
/// holds the process id and it is locked (flock) while its owner lives, which is what the sweep below goes
/// by.
class TemporaryDirectory {
public:
    /// Below $TMPDIR or /tmp. Errors: DiskFull, Unreadable.
    static Result<TemporaryDirectory> create(std::string_view prefix = "ptxwb");
    TemporaryDirectory(TemporaryDirectory&& other) noexcept;
    TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    ~TemporaryDirectory();

    const std::filesystem::path& path() const { return m_path; }

private:
    TemporaryDirectory(std::filesystem::path path, int lock);
    std::filesystem::path m_path;
    int m_lock = -1;
};

/// Removes directories that an earlier process of this user made by TemporaryDirectory and could not remove
/// (kill -9, a power cut): name, owner and mode must be ours, the process gone, the lock free and the last
/// change `age` ago. Returns how many went. Never fails; links are not followed.
int sweepStaleTemporaryDirectories(std::chrono::minutes age = std::chrono::minutes(10));

} // namespace ptxwb
