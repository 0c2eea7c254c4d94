// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::detail {

/// What one entry of the cache holds: a description and byte strings.
struct CacheRecord {
    std::string meta{};
    std::vector<std::string> blobs{};
};

/// The entry of `key` (hex digits), or nothing when it is absent, damaged or unreadable.
std::optional<CacheRecord> loadRecord(const std::filesystem::path& directory, std::string_view key);

/// Writes the entry so that a reader sees all of it or none. A full or read-only disk loses the entry,
/// nothing else. Now and then the oldest entries are removed, so that the directory stays below about 1 GiB.
void storeRecord(const std::filesystem::path& directory, std::string_view key, const CacheRecord& record);

} // namespace ptxwb::detail
