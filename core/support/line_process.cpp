// SPDX-License-Identifier: Apache-2.0
#include "core/support/child.h"
#include "core/support/subprocess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ptxwb {

namespace {
using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds pollSlice{20};
constexpr std::size_t maxLogBytes = 4U << 20;
constexpr std::size_t maxLineBytes = 512U << 20; // a cubin in base64 fits; endless output does not
} // namespace

struct LineProcess::State {
    detail::Child child;
    std::string buffer;
    std::size_t scanned = 0;
    std::string log;
    bool logTruncated = false;
    bool outputEnded = false;
    std::optional<int> status;
    Clock::time_point begin = Clock::now();

    // Reads whatever is there from both streams, waiting at most `slice` for it.
    void pump(std::chrono::milliseconds slice)
    {
        std::array<pollfd, 2> fds{{{child.out, POLLIN, 0}, {child.err, POLLIN, 0}}};
        ::poll(fds.data(), fds.size(), static_cast<int>(slice.count()));
        bool ignored = false;
        if (child.out >= 0 && fds[0].revents != 0
            && !detail::drain(child.out, buffer, maxLineBytes, ignored)) {
            detail::closeFd(child.out);
            outputEnded = true;
        }
        if (child.err >= 0 && fds[1].revents != 0
            && !detail::drain(child.err, log, maxLogBytes, logTruncated)) {
            detail::closeFd(child.err);
        }
    }

    bool reap(bool wait)
    {
        int raw = 0;
        if (!status && ::waitpid(child.pid, &raw, wait ? 0 : WNOHANG) == child.pid) {
            status = raw;
        }
        return status.has_value();
    }

    ~State()
    {
        if (child.pid > 0) {
            detail::killGroup(child.pid);
            reap(true);
        }
        detail::closeFd(child.in);
        detail::closeFd(child.out);
        detail::closeFd(child.err);
    }
};

LineProcess::LineProcess(std::unique_ptr<State> state)
    : m_state(std::move(state))
{
}
LineProcess::LineProcess(LineProcess&&) noexcept = default;
LineProcess& LineProcess::operator=(LineProcess&&) noexcept = default;
LineProcess::~LineProcess() = default;

Result<LineProcess> LineProcess::start(const ProcessRequest& request)
{
    auto child = detail::startChild(request);
    if (!child) {
        return child.error();
    }
    auto state = std::make_unique<State>();
    state->child = *child;
    for (const int fd : {child->out, child->err}) {
        ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    }
    return LineProcess(std::move(state));
}

Result<void> LineProcess::writeLine(
    std::string_view line, std::chrono::milliseconds timeout, std::stop_token stop)
{
    const std::string text = std::string(line) + '\n';
    const auto deadline = Clock::now() + timeout;
    std::size_t written = 0;
    while (written < text.size()) {
        // The child may fill its own output before it reads on: keep both directions moving.
        std::array<pollfd, 1> fds{{{m_state->child.in, POLLOUT, 0}}};
        if (m_state->child.in < 0) {
            return Error{.code = ErrorCode::Protocol, .message = "the child's input is closed"};
        }
        if (stop.stop_requested()) {
            return Error{
                .code = ErrorCode::Cancelled, .message = "cancelled while the child's input was written"};
        }
        if (Clock::now() >= deadline) {
            return Error{.code = ErrorCode::TimedOut, .message = "the child does not read its input"};
        }
        ::poll(fds.data(), fds.size(), static_cast<int>(pollSlice.count()));
        m_state->pump(std::chrono::milliseconds(0));
        if ((fds[0].revents & (POLLERR | POLLHUP)) != 0) {
            return Error{.code = ErrorCode::Protocol, .message = "the child closed its input"};
        }
        if ((fds[0].revents & POLLOUT) == 0) {
            continue;
        }
        // A pipe that polls writable takes at least PIPE_BUF bytes without blocking.
        const auto piece = std::min<std::size_t>(text.size() - written, 4096);
        const ssize_t put = detail::writeWithoutSignal(m_state->child.in, text.data() + written, piece);
        if (put > 0) {
            written += static_cast<std::size_t>(put);
        } else if (put < 0 && errno != EINTR && errno != EAGAIN) {
            return Error{.code = ErrorCode::Protocol, .message = "the child closed its input"};
        }
    }
    return {};
}

void LineProcess::closeInput()
{
    detail::closeFd(m_state->child.in);
}

LineProcess::Read LineProcess::readLine(std::chrono::milliseconds timeout, std::stop_token stop)
{
    const auto deadline = Clock::now() + timeout;
    auto& state = *m_state;
    for (;;) {
        const auto end = state.buffer.find('\n', state.scanned);
        if (end != std::string::npos) {
            Read read{.wait = Wait::Line, .line = state.buffer.substr(0, end)};
            state.buffer.erase(0, end + 1);
            state.scanned = 0;
            return read;
        }
        state.scanned = state.buffer.size();
        if (state.outputEnded) {
            if (state.buffer.empty()) {
                return {.wait = Wait::EndOfOutput, .line = {}};
            }
            Read read{.wait = Wait::Line, .line = std::move(state.buffer)};
            state.buffer.clear();
            state.scanned = 0;
            return read;
        }
        if (stop.stop_requested()) {
            return {.wait = Wait::Stopped, .line = {}};
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        if (left.count() <= 0) {
            return {.wait = Wait::TimedOut, .line = {}};
        }
        state.pump(std::min(left, pollSlice));
    }
}

ProcessOutcome LineProcess::finish(std::chrono::milliseconds grace)
{
    auto& state = *m_state;
    closeInput();
    const auto deadline = Clock::now() + grace;
    ProcessOutcome outcome;
    while (!state.reap(false)) {
        if (Clock::now() >= deadline) {
            outcome.timedOut = true;
            kill();
            state.reap(true);
            break;
        }
        state.pump(pollSlice);
    }
    detail::killGroup(state.child.pid);
    state.pump(std::chrono::milliseconds(0));
    state.child.pid = -1;
    if (state.status && WIFSIGNALED(*state.status)) {
        outcome.signal = WTERMSIG(*state.status);
    } else if (state.status) {
        outcome.exitCode = WEXITSTATUS(*state.status);
    }
    outcome.standardOutput = state.buffer;
    outcome.standardError = state.log;
    outcome.outputTruncated = state.logTruncated;
    outcome.wallMs = Clock::now() - state.begin;
    return outcome;
}

void LineProcess::kill()
{
    detail::killGroup(m_state->child.pid);
}

std::string LineProcess::standardError() const
{
    return m_state->log;
}

int LineProcess::pid() const
{
    return static_cast<int>(m_state->child.pid);
}

} // namespace ptxwb
