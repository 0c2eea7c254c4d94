// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <filesystem>

namespace ptxwb {

/// A fresh private directory (mode 0700) that is removed with its content when this object goes.
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
    explicit TemporaryDirectory(std::filesystem::path path);
    std::filesystem::path m_path;
};

} // namespace ptxwb
