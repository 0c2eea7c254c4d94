// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/cache_record.h"

#include "core/support/files.h"
#include "core/support/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace ptxwb::detail {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view magic = "ptxwb-cache-1\n";
constexpr std::size_t digestLength = 64;
constexpr std::uintmax_t maxBytes = 1024U << 20;
constexpr std::uintmax_t keptBytes = 768U << 20;

fs::path fileOf(const fs::path& directory, std::string_view key)
{
    return directory / std::string(key.substr(0, 2)) / std::string(key);
}

// "<length of meta> <length of each blob>...\n" and then the bytes.
std::string payloadOf(const CacheRecord& record)
{
    std::string payload = fmt::format("{}", record.meta.size());
    for (const auto& blob : record.blobs) {
        payload += fmt::format(" {}", blob.size());
    }
    payload += '\n' + record.meta;
    for (const auto& blob : record.blobs) {
        payload += blob;
    }
    return payload;
}

std::optional<CacheRecord> recordOf(std::string_view payload)
{
    const auto headEnd = payload.find('\n');
    if (headEnd == std::string_view::npos) {
        return std::nullopt;
    }
    auto head = payload.substr(0, headEnd);
    auto bytes = payload.substr(headEnd + 1);
    std::vector<std::string> parts;
    while (!head.empty()) {
        std::size_t length = 0;
        const auto parsed = std::from_chars(head.data(), head.data() + head.size(), length);
        if (parsed.ec != std::errc{} || length > bytes.size()) {
            return std::nullopt;
        }
        parts.emplace_back(bytes.substr(0, length));
        bytes.remove_prefix(length);
        head.remove_prefix(static_cast<std::size_t>(parsed.ptr - head.data()));
        if (head.starts_with(' ')) {
            head.remove_prefix(1);
        } else if (!head.empty()) {
            return std::nullopt;
        }
    }
    if (parts.empty() || !bytes.empty()) {
        return std::nullopt;
    }
    CacheRecord record{.meta = std::move(parts.front())};
    record.blobs.assign(std::make_move_iterator(parts.begin() + 1), std::make_move_iterator(parts.end()));
    return record;
}

void removeOldest(const fs::path& directory)
{
    struct Entry {
        fs::path path;
        fs::file_time_type time;
        std::uintmax_t bytes = 0;
    };
    std::vector<Entry> entries;
    std::uintmax_t total = 0;
    std::error_code failed;
    for (fs::recursive_directory_iterator at(directory, failed), end; !failed && at != end;
         at.increment(failed)) {
        std::error_code ignored;
        if (at->is_regular_file(ignored)) {
            entries.push_back({at->path(), at->last_write_time(ignored), at->file_size(ignored)});
            total += entries.back().bytes;
        }
    }
    if (total <= maxBytes) {
        return;
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time < b.time; });
    for (const auto& entry : entries) {
        if (total <= keptBytes) {
            break;
        }
        total -= entry.bytes;
        fs::remove(entry.path, failed);
    }
}

} // namespace

std::optional<CacheRecord> loadRecord(const fs::path& directory, std::string_view key)
{
    if (directory.empty()) {
        return std::nullopt;
    }
    const auto bytes = readFile(fileOf(directory, key));
    if (!bytes || !bytes->starts_with(magic) || bytes->size() < magic.size() + digestLength) {
        return std::nullopt;
    }
    const auto digest = std::string_view(*bytes).substr(magic.size(), digestLength);
    const auto payload = std::string_view(*bytes).substr(magic.size() + digestLength);
    return sha256Hex(payload) == digest ? recordOf(payload) : std::nullopt;
}

void storeRecord(const fs::path& directory, std::string_view key, const CacheRecord& record)
{
    if (directory.empty()) {
        return;
    }
    const auto file = fileOf(directory, key);
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    // No fsync: after a power cut the digest tells a torn entry, and a build must not wait for the disk.
    std::string temporary = file.string() + ".XXXXXX";
    const int fd = ::mkstemp(temporary.data());
    if (fd < 0) {
        return;
    }
    ::close(fd);
    const auto payload = payloadOf(record);
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out << magic << sha256Hex(payload) << payload;
        out.close();
        if (!out) {
            ::unlink(temporary.c_str());
            return;
        }
    }
    if (::rename(temporary.c_str(), file.c_str()) != 0) {
        ::unlink(temporary.c_str());
    }
    if (key.starts_with("00")) { // one key in 256
        removeOldest(directory);
    }
}

} // namespace ptxwb::detail
