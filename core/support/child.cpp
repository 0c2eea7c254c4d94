// SPDX-License-Identifier: Apache-2.0
#include "core/support/child.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace ptxwb::detail {

namespace {

struct Pipe {
    std::array<int, 2> fd{-1, -1};
    bool open() { return ::pipe2(fd.data(), O_CLOEXEC) == 0; }
    void close()
    {
        closeFd(fd[0]);
        closeFd(fd[1]);
    }
};

std::vector<std::string> environmentOf(const ProcessRequest& request)
{
    std::vector<std::string> entries;
    if (!request.clearEnvironment) {
        for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
            const std::string_view text(*entry);
            const auto name = std::string(text.substr(0, text.find('=')));
            if (!request.environment.contains(name)) {
                entries.emplace_back(text);
            }
        }
    }
    for (const auto& [name, value] : request.environment) {
        entries.push_back(name + '=' + value);
    }
    return entries;
}

std::vector<char*> pointersTo(std::vector<std::string>& strings)
{
    std::vector<char*> pointers;
    pointers.reserve(strings.size() + 1);
    for (auto& text : strings) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

Error startError(const std::string& program, int number)
{
    if (number == ENOENT || number == EACCES || number == ENOTDIR || number == ENOEXEC) {
        return {.code = ErrorCode::MissingTool,
            .message = "cannot start " + program + ": " + std::strerror(number),
            .hint = "install it, or correct its path"};
    }
    return {.code = ErrorCode::Internal, .message = "cannot start " + program + ": " + std::strerror(number)};
}

// Only async-signal-safe calls between fork and exec: other threads of the parent may hold locks.
[[noreturn]] void becomeChild(const char* program, char* const* argv, char* const* env, const char* directory,
    const Pipe& in, const Pipe& out, const Pipe& err, int reportFd, pid_t parent)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(127);
    }
    ::dup2(in.fd[0], STDIN_FILENO);
    ::dup2(out.fd[1], STDOUT_FILENO);
    ::dup2(err.fd[1], STDERR_FILENO);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    if (directory == nullptr || ::chdir(directory) == 0) {
        ::execve(program, argv, env);
    }
    const int number = errno;
    [[maybe_unused]] const auto written = ::write(reportFd, &number, sizeof number);
    ::_exit(127);
}

} // namespace

void closeFd(int& fd)
{
    if (fd >= 0) {
        ::close(fd);
        fd = -1;
    }
}

Result<Child> startChild(const ProcessRequest& request)
{
    if (request.argv.empty()) {
        return Error{.code = ErrorCode::InvalidArgument, .message = "no program to start"};
    }
    std::string program = request.argv.front();
    if (program.find('/') == std::string::npos) {
        const auto found = findInPath(program);
        if (!found) {
            return startError(program, ENOENT);
        }
        program = found->string();
    }
    Pipe in;
    Pipe out;
    Pipe err;
    Pipe report;
    if (!in.open() || !out.open() || !err.open() || !report.open()) {
        const int number = errno;
        in.close();
        out.close();
        err.close();
        report.close();
        return Error{.code = ErrorCode::Internal,
            .message = std::string("no pipe for ") + program + ": " + std::strerror(number),
            .hint = "too many open files; raise ulimit -n"};
    }
    auto arguments = request.argv;
    auto environment = environmentOf(request);
    const auto argv = pointersTo(arguments);
    const auto env = pointersTo(environment);
    const std::string directory = request.workingDirectory.string();
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
        becomeChild(program.c_str(), argv.data(), env.data(), directory.empty() ? nullptr : directory.c_str(),
            in, out, err, report.fd[1], parent);
    }
    const int forkError = errno;
    closeFd(in.fd[0]);
    closeFd(out.fd[1]);
    closeFd(err.fd[1]);
    closeFd(report.fd[1]);
    if (pid < 0) {
        in.close();
        out.close();
        err.close();
        report.close();
        return startError(program, forkError);
    }
    ::setpgid(pid, pid); // both sides set it, so that a kill right after the start already reaches the group
    int number = 0;
    ssize_t got = 0;
    do {
        got = ::read(report.fd[0], &number, sizeof number);
    } while (got < 0 && errno == EINTR);
    report.close();
    if (got == static_cast<ssize_t>(sizeof number)) {
        ::waitpid(pid, nullptr, 0);
        in.close();
        out.close();
        err.close();
        return startError(
            number == ENOENT && !directory.empty() ? program + " in " + directory : program, number);
    }
    return Child{.pid = pid, .in = in.fd[1], .out = out.fd[0], .err = err.fd[0]};
}

ssize_t writeWithoutSignal(int fd, const char* bytes, std::size_t count)
{
    // Blocked for this thread, and taken from its queue if the write raised it: other threads notice nothing.
    sigset_t pipeOnly;
    ::sigemptyset(&pipeOnly);
    ::sigaddset(&pipeOnly, SIGPIPE);
    sigset_t pending;
    ::sigemptyset(&pending);
    ::sigpending(&pending);
    const bool wasPending = ::sigismember(&pending, SIGPIPE) == 1;
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &pipeOnly, &before);
    const ssize_t put = ::write(fd, bytes, count);
    const int number = errno;
    if (put < 0 && number == EPIPE && !wasPending) {
        constexpr timespec now{};
        while (::sigtimedwait(&pipeOnly, nullptr, &now) < 0 && errno == EINTR) { }
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = number;
    return put;
}

void killGroup(pid_t pid)
{
    if (pid <= 0) {
        return;
    }
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);
}

bool drain(int fd, std::string& sink, std::size_t maxBytes, bool& truncated)
{
    std::array<char, 65536> buffer;
    for (;;) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got > 0) {
            const auto room = maxBytes - std::min(maxBytes, sink.size());
            const auto taken = std::min(room, static_cast<std::size_t>(got));
            sink.append(buffer.data(), taken);
            truncated = truncated || taken < static_cast<std::size_t>(got);
            return true;
        }
        if (got == 0) {
            return false;
        }
        if (errno == EAGAIN) {
            return true;
        }
        if (errno != EINTR) {
            return false;
        }
    }
}

} // namespace ptxwb::detail
