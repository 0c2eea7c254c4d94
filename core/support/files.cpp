// SPDX-License-Identifier: Apache-2.0
#include "core/support/files.h"

#include "core/support/file_error.h"
#include "core/support/output.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace ptxwb {

namespace {

Error fileError(const std::filesystem::path& path, int number, std::string_view what)
{
    return detail::fileError(path.native(), number, what);
}

// A pipe that nobody reads yet is waited for, and a stop ends that.
Result<void> writeInto(const std::filesystem::path& path, std::string_view bytes, const std::stop_token& stop)
{
    int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    while (fd < 0 && errno == ENXIO && std::filesystem::is_fifo(path) && !stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (fd < 0) {
        return stop.stop_requested()
            ? Error{.code = ErrorCode::Cancelled, .message = "writing was stopped", .path = path.string()}
            : fileError(path, errno, "cannot open");
    }
    auto written = writeTo(fd, bytes, path.native(), stop);
    ::close(fd);
    return written;
}

std::filesystem::path fromEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value != nullptr ? std::filesystem::path(value) : std::filesystem::path();
}

std::filesystem::path userDirectory(const char* ours, const char* xdg, const char* belowHome)
{
    if (auto path = fromEnvironment(ours); !path.empty()) {
        return path;
    }
    if (auto path = fromEnvironment(xdg); path.is_absolute()) {
        return path / "ptx-workbench";
    }
    auto home = fromEnvironment("HOME");
    if (home.empty()) {
        home = "/tmp";
    }
    return home / belowHome / "ptx-workbench";
}

} // namespace

Result<std::string> readFile(const std::filesystem::path& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fileError(path, errno, "cannot open");
    }
    struct stat info { };
    if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        ::close(fd);
        return fileError(path, EISDIR, "cannot read");
    }
    std::string bytes;
    if (info.st_size > 0) {
        bytes.reserve(static_cast<std::size_t>(info.st_size));
    }
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got > 0) {
            bytes.append(buffer.data(), static_cast<std::size_t>(got));
        } else if (got == 0) {
            break;
        } else if (errno != EINTR) {
            const int number = errno;
            ::close(fd);
            return fileError(path, number, "cannot read");
        }
    }
    ::close(fd);
    return bytes;
}

Result<void> writeFileAtomically(
    const std::filesystem::path& named, std::string_view bytes, const std::stop_token& stop)
{
    // A link's target is meant, not the link; a device or a pipe is written into, never replaced.
    std::error_code notThere;
    const auto resolved = std::filesystem::canonical(named, notThere);
    const auto& path = notThere ? named : resolved;
    if (!notThere && !std::filesystem::is_regular_file(path, notThere)) {
        return writeInto(path, bytes, stop);
    }
    std::string temporary = path.string() + ".XXXXXX";
    const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (fd < 0) {
        return fileError(path, errno, "cannot write beside it");
    }
    std::size_t written = 0;
    int failure = 0;
    while (written < bytes.size() && failure == 0) {
        const ssize_t put = ::write(fd, bytes.data() + written, bytes.size() - written);
        if (put > 0) {
            written += static_cast<std::size_t>(put);
        } else if (errno != EINTR) {
            failure = errno;
        }
    }
    struct stat existing { };
    const mode_t mode = ::stat(path.c_str(), &existing) == 0 ? existing.st_mode & 07777U : 0644U;
    if (failure == 0 && (::fchmod(fd, mode) != 0 || ::fsync(fd) != 0)) {
        failure = errno;
    }
    ::close(fd);
    if (failure == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
        failure = errno;
    }
    if (failure != 0) {
        ::unlink(temporary.c_str());
        return fileError(path, failure, "cannot write");
    }
    return {};
}

Result<void> checkWritableDirectory(const std::filesystem::path& path)
{
    std::error_code failed;
    std::filesystem::create_directories(path, failed);
    if (failed) {
        auto error = fileError(path, failed.value(), "cannot make this directory");
        error.hint = failed.value() == EEXIST || failed.value() == ENOTDIR
            ? "a file has its name, or that of a directory above it: move it away"
            : "make the directory above it writable for you";
        return error;
    }
    std::string probe = (path / ".writable.XXXXXX").string();
    const int fd = ::mkostemp(probe.data(), O_CLOEXEC);
    if (fd < 0) {
        auto error = fileError(path, errno, "cannot write in it");
        error.hint = error.code == ErrorCode::DiskFull ? "free some space" : "make it writable for you";
        return error;
    }
    ::close(fd);
    ::unlink(probe.c_str());
    return {};
}

std::filesystem::path userCacheDirectory()
{
    return userDirectory("PTXWB_CACHE_DIR", "XDG_CACHE_HOME", ".cache");
}

std::filesystem::path userDataDirectory()
{
    return userDirectory("PTXWB_DATA_DIR", "XDG_DATA_HOME", ".local/share");
}

std::filesystem::path programDirectory()
{
    std::error_code failed;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", failed);
    return failed ? std::filesystem::current_path(failed) : program.parent_path();
}

Result<std::filesystem::path> shareDirectory()
{
    std::error_code ignored;
    const std::array<std::filesystem::path, 3> places{fromEnvironment("PTXWB_SHARE_DIR"),
        programDirectory().parent_path() / PTXWB_INSTALL_SHARE, std::filesystem::path(PTXWB_SOURCE_DIR)};
    for (const auto& place : places) {
        if (!place.empty() && std::filesystem::is_directory(place / "tasks", ignored)) {
            return place;
        }
    }
    return Error{.code = ErrorCode::NotFound,
        .message = "the directory with tasks/ and resources/ was not found",
        .hint = "set PTXWB_SHARE_DIR to the source tree or to <prefix>/share/ptx-workbench"};
}

} // namespace ptxwb
