// SPDX-License-Identifier: Apache-2.0
#include "core/runner/conversation.h"

#include "core/runner/remote_end.h"
#include "core/runner/ssh_runner.h"

#include <fmt/format.h>

#include <cstring>

namespace ptxwb::detail {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t maxTailBytes = 800;
constexpr std::chrono::milliseconds endGrace{2'000};
// A login shell, a scheduler or a wrapper may print a few lines of its own in front of the runner.
constexpr int maxForeignLines = 50;

std::string titleOf(const RunnerEndpoint& endpoint)
{
    return endpoint.title.empty() ? "the runner" : fmt::format("the runner ({})", endpoint.title);
}

// As a shell takes it.
std::string commandLine(const std::vector<std::string>& words)
{
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
    std::string line;
    for (const auto& word : words) {
        line += line.empty() ? "" : " ";
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
            line += word;
            continue;
        }
        line += '\'';
        for (const char c : word) {
            line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        }
        line += '\'';
    }
    return line;
}

Error silentStart(const RunnerEndpoint& endpoint, const ProcessOutcome& end, const std::string& foreign)
{
    if (auto remote = remoteEnd(endpoint, end, false)) {
        return *std::move(remote);
    }
    const bool noDevice = !end.signal && end.exitCode == static_cast<int>(RunnerExit::NoDevice);
    std::string message =
        fmt::format("{} ended before its greeting: {}", titleOf(endpoint), describeEnd(end));
    if (!foreign.empty()) {
        message += fmt::format("; it printed '{}'", foreign);
    }
    return {.code = noDevice ? ErrorCode::Unavailable : ErrorCode::Protocol,
        .message = std::move(message),
        .hint = "run the command by hand: " + commandLine(endpoint.command),
        .path = endpoint.command.front()};
}

Error checkHello(const Hello& hello, const RunnerEndpoint& endpoint)
{
    return {.code = ErrorCode::Protocol,
        .message = fmt::format("{} speaks version {} of the protocol, this program speaks {}",
            titleOf(endpoint), hello.version, runnerProtocolVersion),
        .hint = fmt::format("install the same release on both sides (there: {})", hello.build),
        .path = endpoint.command.front()};
}

} // namespace

std::string logTail(std::string_view log)
{
    while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) {
        log.remove_suffix(1);
    }
    if (log.size() > maxTailBytes) {
        log.remove_prefix(log.size() - maxTailBytes);
        const auto lineStart = log.find('\n');
        if (lineStart != std::string_view::npos && lineStart + 1 < log.size()) {
            log.remove_prefix(lineStart + 1);
        }
    }
    return std::string(log);
}

std::string describeEnd(const ProcessOutcome& outcome)
{
    std::string text = outcome.signal
        ? fmt::format("it was killed by signal {} ({})", *outcome.signal, ::strsignal(*outcome.signal))
        : fmt::format("it ended with exit status {}", outcome.exitCode);
    if (const std::string tail = logTail(outcome.standardError); !tail.empty()) {
        text += fmt::format("; its log ends with: {}", tail);
    }
    return text;
}

Result<Conversation> Conversation::open(
    const RunnerEndpoint& endpoint, std::chrono::milliseconds timeout, std::stop_token stop)
{
    if (endpoint.command.empty()) {
        return Error{.code = ErrorCode::InvalidArgument, .message = "the runner's command is empty"};
    }
    bool absent = false;
    auto opened = greet(endpoint, timeout, stop, absent);
    if (opened || !absent || !endpoint.copy) {
        return opened;
    }
    if (auto copied = copyRunner(endpoint, stop); !copied) {
        return copied.error();
    }
    opened = greet(endpoint, timeout, stop, absent);
    if (!opened && absent) {
        auto error = opened.error();
        error.message = fmt::format("{}: the runner that was copied there does not start", endpoint.title);
        error.hint = "run the command by hand: " + commandLine(endpoint.command);
        return error;
    }
    return opened;
}

Result<Conversation> Conversation::greet(const RunnerEndpoint& endpoint, std::chrono::milliseconds timeout,
    const std::stop_token& stop, bool& absent)
{
    absent = false;
    auto process = LineProcess::start({.argv = endpoint.command});
    if (!process) {
        return process.error();
    }
    const auto deadline = Clock::now() + timeout;
    std::string firstForeignLine;
    for (int foreignLines = 0;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
        auto read = process->readLine(std::max(left, std::chrono::milliseconds(0)), stop);
        switch (read.wait) {
        case LineProcess::Wait::Stopped:
            return Error{.code = ErrorCode::Cancelled, .message = "cancelled while the runner started"};
        case LineProcess::Wait::TimedOut:
            return Error{.code = ErrorCode::TimedOut,
                .message = fmt::format("{} did not greet within {} ms{}", titleOf(endpoint), timeout.count(),
                    firstForeignLine.empty() ? "" : fmt::format("; it printed '{}'", firstForeignLine)),
                .hint = "a password prompt, a waiting queue or a busy driver can be the cause",
                .path = endpoint.command.front()};
        case LineProcess::Wait::EndOfOutput: {
            auto error = silentStart(endpoint, process->finish(endGrace), firstForeignLine);
            absent = error.code == ErrorCode::MissingTool;
            return error;
        }
        case LineProcess::Wait::Line:
            break;
        }
        if (!read.line.starts_with('{') && ++foreignLines <= maxForeignLines) {
            if (firstForeignLine.empty()) {
                firstForeignLine = read.line.substr(0, maxTailBytes / 4);
            }
            continue;
        }
        auto event = decodeEvent(read.line);
        if (!event) {
            Error error = event.error();
            error.message =
                fmt::format("{} does not speak the protocol: {}", titleOf(endpoint), error.message);
            error.path = endpoint.command.front();
            return error;
        }
        if (const auto* failed = std::get_if<Failed>(&*event)) {
            return failed->error;
        }
        const auto* hello = std::get_if<Hello>(&*event);
        if (hello == nullptr) {
            return Error{.code = ErrorCode::Protocol,
                .message = fmt::format("{} did not begin with a greeting", titleOf(endpoint)),
                .path = endpoint.command.front()};
        }
        if (hello->version != runnerProtocolVersion) {
            absent = true;
            return checkHello(*hello, endpoint);
        }
        return Conversation(*std::move(process), *hello);
    }
}

Result<void> Conversation::send(
    const RunnerRequest& request, std::chrono::milliseconds timeout, std::stop_token stop)
{
    return m_process.writeLine(encode(request), timeout, stop);
}

Conversation::Next Conversation::next(std::chrono::milliseconds timeout, std::stop_token stop)
{
    const auto read = m_process.readLine(timeout, stop);
    switch (read.wait) {
    case LineProcess::Wait::Stopped:
        return {.outcome = Outcome::Stopped};
    case LineProcess::Wait::TimedOut:
        return {.outcome = Outcome::Silent};
    case LineProcess::Wait::EndOfOutput:
        return {.outcome = Outcome::Ended};
    case LineProcess::Wait::Line:
        break;
    }
    auto event = decodeEvent(read.line);
    if (!event) {
        return {.outcome = Outcome::Garbage, .garbage = event.error()};
    }
    return {.outcome = Outcome::Event, .event = *std::move(event)};
}

} // namespace ptxwb::detail
