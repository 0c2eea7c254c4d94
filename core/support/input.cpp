// SPDX-License-Identifier: Apache-2.0
#include "core/support/input.h"

#include "core/support/file_error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ptxwb {

namespace {

constexpr int pollMs = 50; // how late a stop may be noticed
constexpr std::string_view elfMagic = "\x7F"
                                      "ELF";
constexpr std::string_view fatbinMagic = "\x50\xED\x55\xBA";

std::size_t limitFor(std::string_view head, const InputLimits& limits)
{
    return head.starts_with(elfMagic) || head.starts_with(fatbinMagic) ? limits.binaryBytes : limits.bytes;
}

Error tooLong(const std::string& name, std::size_t limit)
{
    return {.code = ErrorCode::Unreadable,
        .message = limit % mebibyte == 0
            ? fmt::format("cannot read: it is longer than {} MiB", limit / mebibyte)
            : fmt::format("cannot read: it is longer than the {} bytes that it may have here", limit),
        .hint = "the workbench reads no more from one file, so that a device or an endless pipe cannot fill "
                "the memory",
        .path = name};
}

Error stopped(const std::string& name)
{
    return {.code = ErrorCode::Cancelled, .message = "reading was stopped", .path = name};
}

// Blocks in poll alone, which a stop ends; a read behind it finds bytes or the end.
Result<std::string> readAll(
    int fd, const std::string& name, const InputLimits& limits, const std::stop_token& stop)
{
    struct stat info { };
    if (::fstat(fd, &info) != 0) {
        return detail::fileError(name, errno, "cannot read");
    }
    if (S_ISDIR(info.st_mode)) {
        return detail::fileError(name, EISDIR, "cannot read");
    }
    const auto longest = std::max(limits.bytes, limits.binaryBytes);
    const auto size = static_cast<std::size_t>(std::max<off_t>(info.st_size, 0));
    if (S_ISREG(info.st_mode) && size > longest) {
        return tooLong(name, longest);
    }
    std::string bytes;
    bytes.reserve(std::min(size, limits.bytes));
    std::array<char, 65536> buffer;
    for (;;) {
        if (stop.stop_requested()) {
            return stopped(name);
        }
        pollfd waited{.fd = fd, .events = POLLIN, .revents = 0};
        // Interrupted by a signal it tells nothing, and a read would take a pipe without a writer for ended.
        if (const int ready = ::poll(&waited, 1, pollMs); ready == 0 || (ready < 0 && errno == EINTR)) {
            continue;
        }
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got == 0) {
            return bytes;
        }
        if (got < 0 && errno != EINTR && errno != EAGAIN) {
            return detail::fileError(name, errno, "cannot read");
        }
        bytes.append(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        if (const auto limit = limitFor(bytes, limits); bytes.size() > limit) {
            return tooLong(name, limit);
        }
    }
}

} // namespace

Result<std::string> readInput(
    const std::filesystem::path& path, const InputLimits& limits, const std::stop_token& stop)
{
    // O_NONBLOCK: a pipe without a writer is opened at once, and waited for in poll.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return detail::fileError(path.native(), errno, "cannot open");
    }
    auto bytes = readAll(fd, path.native(), limits, stop);
    ::close(fd);
    return bytes;
}

Result<std::string> readStandardInput(const InputLimits& limits, const std::stop_token& stop)
{
    return readAll(STDIN_FILENO, "<stdin>", limits, stop);
}

} // namespace ptxwb
