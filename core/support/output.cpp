// SPDX-License-Identifier: Apache-2.0
#include "core/support/output.h"

#include "core/support/file_error.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ptxwb {

namespace {

constexpr int pollMs = 50; // how late a stop may be noticed
constexpr std::size_t pipeRoom = 4096; // PIPE_BUF: what poll promises that a pipe takes without blocking

} // namespace

Result<void> writeTo(int fd, std::string_view bytes, std::string_view name, const std::stop_token& stop)
{
    struct stat info { };
    const bool waits = ::fstat(fd, &info) == 0 && !S_ISREG(info.st_mode);
    while (!bytes.empty()) {
        if (stop.stop_requested()) {
            return Error{
                .code = ErrorCode::Cancelled, .message = "writing was stopped", .path = std::string(name)};
        }
        pollfd room{.fd = fd, .events = POLLOUT, .revents = 0};
        const int ready = waits ? ::poll(&room, 1, pollMs) : 1;
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            continue;
        }
        const auto put = ::write(fd, bytes.data(), waits ? std::min(bytes.size(), pipeRoom) : bytes.size());
        if (put >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno != EINTR && errno != EAGAIN) {
            return detail::fileError(name, errno, "cannot write");
        }
    }
    return {};
}

void reserveStandardDescriptors()
{
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            // The lowest free number is this one.
            static_cast<void>(::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
        }
    }
}

} // namespace ptxwb
