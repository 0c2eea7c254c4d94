// SPDX-License-Identifier: Apache-2.0
#include "core/runner/remote_end.h"

#include "core/runner/conversation.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::detail {

namespace {

constexpr int sshFailed = 255; // ssh's own status; the remote command's passes through else
constexpr int shellNotFound = 127;

/// What a program is known to say (words of OpenSSH and of Slurm), and what it means.
struct Saying {
    std::string_view words;
    ErrorCode code;
    std::string_view meaning;
    std::string_view hint;
};

constexpr Saying ofSsh[]{
    {"Host key verification failed", ErrorCode::Unavailable, "its host key is not known here, or has changed",
        "connect once by hand and check the key"},
    {"Permission denied", ErrorCode::Unavailable, "it asks for a password, or refuses the key",
        "set up a key (ssh-copy-id) or start an agent: nobody sees a password prompt from here"},
    {"Could not resolve hostname", ErrorCode::Unavailable, "there is no host of that name",
        "see the name, or ~/.ssh/config"},
    {"Connection refused", ErrorCode::Unavailable, "it refuses the connection", "is sshd running there?"},
    {"No route to host", ErrorCode::Unavailable, "it cannot be reached",
        "see the network between here and there"},
    {"Connection timed out", ErrorCode::Unavailable, "it does not answer",
        "see the network between here and there"},
};

constexpr Saying ofSchedulers[]{
    {"DUE TO PREEMPTION", ErrorCode::Unavailable, "the job was preempted", "the same command runs it again"},
    {"DUE TO TIME LIMIT", ErrorCode::Unavailable, "the job reached its time limit",
        "ask the scheduler for more time"},
    {"DUE TO NODE FAILURE", ErrorCode::Unavailable, "its node failed", "the same command runs it again"},
    {"job has been cancelled", ErrorCode::Unavailable, "the job was cancelled in its queue", ""},
};

template <std::size_t N> const Saying* saidIn(const Saying (&sayings)[N], std::string_view log)
{
    const auto found = std::find_if(std::begin(sayings), std::end(sayings),
        [&](const Saying& saying) { return log.find(saying.words) != std::string_view::npos; });
    return found == std::end(sayings) ? nullptr : &*found;
}

} // namespace

std::optional<Error> remoteEnd(const RunnerEndpoint& endpoint, const ProcessOutcome& end, bool greeted)
{
    if (!endpoint.host) {
        return std::nullopt;
    }
    const auto problem = [&](ErrorCode code, std::string_view what, std::string_view hint) {
        const std::string tail = logTail(end.standardError);
        return Error{.code = code,
            .message = fmt::format(
                "{}: {}{}", endpoint.title, what, tail.empty() ? "" : fmt::format("; it said: {}", tail)),
            .hint = std::string(hint),
            .path = endpoint.command.front()};
    };
    if (const auto* saying = saidIn(ofSchedulers, end.standardError)) {
        return problem(saying->code, saying->meaning, saying->hint);
    }
    if (!end.signal && end.exitCode == sshFailed) {
        if (const auto* saying = greeted ? nullptr : saidIn(ofSsh, end.standardError)) {
            return problem(saying->code, saying->meaning, saying->hint);
        }
        return greeted
            ? problem(ErrorCode::Unavailable, "the connection was lost",
                "the runner there ends by itself when its input closes; the same command runs it again")
            : problem(ErrorCode::Unavailable, "the connection could not be made", "run the command by hand");
    }
    if (!greeted && !end.signal && end.exitCode == shellNotFound) {
        return problem(ErrorCode::MissingTool, "ptxwb-runner is not on the path there",
            "build it there (preset `runner`) and put it on the path of a shell without a terminal");
    }
    return std::nullopt;
}

} // namespace ptxwb::detail
