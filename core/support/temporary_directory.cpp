// SPDX-License-Identifier: Apache-2.0
#include "core/support/temporary_directory.h"

#include "core/support/files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ptxwb {

namespace fs = std::filesystem;

namespace {

std::string baseDirectory()
{
    const char* base = std::getenv("TMPDIR");
    return base != nullptr && *base != '\0' ? base : "/tmp";
}

constexpr std::string_view ownerMark = "-pid";

// The process of `ptxwb-ptx-pid4711-Ab12Cd`; 0 when the name is not one of ours.
pid_t ownerInName(std::string_view name)
{
    constexpr std::size_t randomLength = 6;
    const auto mark = name.rfind(ownerMark);
    const auto random = name.rfind('-');
    if (!name.starts_with("ptxwb") || mark == std::string_view::npos || mark == random
        || name.size() - random - 1 != randomLength) {
        return 0;
    }
    pid_t pid = 0;
    const auto* first = name.data() + mark + ownerMark.size();
    const auto [end, failure] = std::from_chars(first, name.data() + random, pid);
    return failure == std::errc{} && end == name.data() + random ? std::max(pid, 0) : 0;
}

// An open, locked descriptor of the directory; -1 when it cannot be had.
int lockedDirectory(const fs::path& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd);
        return -1;
    }
    return fd;
}

// Ended, be it that nobody has asked for its status yet (a zombie; some containers never do).
bool isGone(pid_t process)
{
    if (::kill(process, 0) != 0) {
        return errno == ESRCH;
    }
    const auto stat = readFile("/proc/" + std::to_string(process) + "/stat").value_or("");
    const auto name = stat.rfind(") "); // the name before it may hold anything
    return name != std::string::npos && stat.substr(name + 2, 1) == "Z";
}

bool isStale(const fs::path& path, std::chrono::minutes age)
{
    const auto owner = ownerInName(path.filename().native());
    struct stat info { };
    return owner > 0 && ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)
        && info.st_uid == ::geteuid() && (info.st_mode & 07777U) == 0700U
        && std::time(nullptr) - info.st_mtime >= std::chrono::seconds(age).count() && isGone(owner);
}

} // namespace

Result<TemporaryDirectory> TemporaryDirectory::create(std::string_view prefix)
{
    std::string pattern = baseDirectory();
    pattern += '/';
    pattern += prefix;
    pattern += ownerMark;
    pattern += std::to_string(::getpid()) + "-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
        const int number = errno;
        return Error{
            .code = number == ENOSPC || number == EDQUOT ? ErrorCode::DiskFull : ErrorCode::Unavailable,
            .message = std::string("cannot make a temporary directory: ") + std::strerror(number),
            .hint = "free some space, or point TMPDIR at a writable directory",
            .path = pattern};
    }
    // Without the lock (a file system that has none) the process id alone protects it.
    return TemporaryDirectory(pattern, lockedDirectory(pattern));
}

TemporaryDirectory::TemporaryDirectory(fs::path path, int lock)
    : m_path(std::move(path))
    , m_lock(lock)
{
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_lock(std::exchange(other.m_lock, -1))
{
}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_lock, other.m_lock);
    return *this;
}

TemporaryDirectory::~TemporaryDirectory()
{
    if (!m_path.empty()) {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    if (m_lock >= 0) {
        ::close(m_lock);
    }
}

int sweepStaleTemporaryDirectories(std::chrono::minutes age)
{
    int removed = 0;
    std::error_code failed;
    for (fs::directory_iterator entry(baseDirectory(), failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (!isStale(entry->path(), age)) {
            continue;
        }
        // A process in another container may own that number; it holds the lock then.
        const int lock = lockedDirectory(entry->path());
        if (lock < 0) {
            continue;
        }
        std::error_code ignored;
        fs::remove_all(entry->path(), ignored);
        removed += fs::exists(fs::symlink_status(entry->path(), ignored)) ? 0 : 1;
        ::close(lock);
    }
    return removed;
}

} // namespace ptxwb
