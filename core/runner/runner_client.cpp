// SPDX-License-Identifier: Apache-2.0
#include "core/runner/runner_client.h"

#include "core/runner/conversation.h"
#include "core/runner/remote_end.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

using detail::Conversation;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds endGrace{5'000};
constexpr std::chrono::milliseconds afterFaultProbe{20'000};

/// What became of one run, before the device was asked again.
struct Ended {
    Result<Finished> result;
    bool reported = false; ///< onEvent has seen a terminal event
    bool deviceInDoubt = false;
};

Error cancelled()
{
    return {.code = ErrorCode::Cancelled, .message = "cancelled; the runner was ended"};
}

Finished blame(Verdict verdict, std::string explanation, const char* check)
{
    Finished finished;
    finished.verdict = verdict;
    finished.explanation = explanation;
    finished.paper = {.verdict = verdict, .explanation = std::move(explanation), .check = check};
    finished.strict = finished.paper;
    return finished;
}

/// The runner went away without a terminal event.
Ended died(const RunnerEndpoint& endpoint, Conversation& conversation, bool candidateRunning,
    const std::string& doing)
{
    const ProcessOutcome end = conversation.finish(endGrace);
    // Nobody knows what the candidate did behind a connection that is gone: that is not its fault.
    if (auto remote = detail::remoteEnd(endpoint, end, true)) {
        remote->message += fmt::format(" ({})", doing);
        return {.result = *std::move(remote), .deviceInDoubt = false};
    }
    const std::string how = detail::describeEnd(end);
    if (candidateRunning) {
        return {
            .result = blame(Verdict::RuntimeError,
                fmt::format("the runner's process died while the candidate was running ({}): {}", doing, how),
                "end of the runner's process"),
            .deviceInDoubt = true};
    }
    const bool noDevice = !end.signal && end.exitCode == static_cast<int>(RunnerExit::NoDevice);
    return {.result = Error{.code = noDevice ? ErrorCode::Unavailable : ErrorCode::ToolCrashed,
                .message = fmt::format("the runner ended without a result ({}): {}", doing, how),
                .hint = "`ptxwb-runner --probe` shows whether the device works"},
        .deviceInDoubt = false};
}

Ended silent(bool candidateRunning, const std::string& doing, std::chrono::milliseconds waited)
{
    if (candidateRunning) {
        return {
            .result = blame(Verdict::Timeout,
                fmt::format(
                    "no word from the runner for {} ms while the candidate was running ({}); its process was "
                    "killed",
                    waited.count(), doing),
                "silence of the runner"),
            .deviceInDoubt = true};
    }
    return {.result = Error{.code = ErrorCode::TimedOut,
                .message = fmt::format(
                    "no word from the runner for {} ms ({}); it was killed", waited.count(), doing),
                .hint = "the device or its driver may be stuck: `ptxwb-runner --probe`"},
        .deviceInDoubt = true};
}

Ended converse(const RunnerEndpoint& endpoint, const EvaluateRequest& request,
    const std::function<void(const RunnerEvent&)>& onEvent, const std::stop_token& stop)
{
    auto conversation = Conversation::open(endpoint, endpoint.greetingTimeout, stop);
    if (!conversation) {
        return {.result = conversation.error()};
    }
    onEvent(conversation->hello());
    const auto patience = std::chrono::milliseconds(request.phaseTimeoutMs) + endpoint.silenceMargin;
    std::string doing = "before the first step";
    bool candidateRunning = false;
    if (const auto sent = conversation->send(request, patience, stop); !sent) {
        if (sent.error().code == ErrorCode::Cancelled) {
            return {.result = cancelled()};
        }
        if (sent.error().code == ErrorCode::TimedOut) {
            return silent(false, "it does not read the request", patience);
        }
        // It may have said why before it closed its input: read on.
    }
    for (;;) {
        auto next = conversation->next(patience, stop);
        switch (next.outcome) {
        case Conversation::Outcome::Stopped:
            return {.result = cancelled()};
        case Conversation::Outcome::Silent:
            return silent(candidateRunning, doing, patience);
        case Conversation::Outcome::Ended:
            return died(endpoint, *conversation, candidateRunning, doing);
        case Conversation::Outcome::Garbage:
            next.garbage.message = "the runner wrote something that is no event: " + next.garbage.message;
            return {.result = std::move(next.garbage)};
        case Conversation::Outcome::Event:
            break;
        }
        RunnerEvent& event = *next.event;
        onEvent(event);
        if (const auto* progress = std::get_if<ProgressEvent>(&event)) {
            candidateRunning = progress->candidateRunning;
            doing = fmt::format("{}: {}", progress->phase, progress->message);
        } else if (const auto* phase = std::get_if<PhaseEvent>(&event)) {
            candidateRunning = false;
            doing = fmt::format("after {}", phase->phase);
        }
        if (!isTerminal(event)) {
            continue;
        }
        const ProcessOutcome end = conversation->finish(endGrace);
        if (auto* finished = std::get_if<Finished>(&event)) {
            const bool clean =
                !end.signal && !end.timedOut && end.exitCode == static_cast<int>(RunnerExit::Ok);
            return {.result = std::move(*finished), .reported = true, .deviceInDoubt = !clean};
        }
        if (const auto* failed = std::get_if<Failed>(&event)) {
            return {.result = failed->error, .reported = true};
        }
        if (std::holds_alternative<Cancelled>(event)) {
            return {.result = cancelled(), .reported = true};
        }
        return {.result = Error{.code = ErrorCode::Protocol,
                    .message = "the runner answered an evaluation with a probe"},
            .reported = true};
    }
}

/// One sentence about the device after a run that may have damaged it.
std::string deviceAfterwards(const RunnerEndpoint& endpoint, int device, const std::stop_token& stop)
{
    const auto probe = probeRunner(endpoint, afterFaultProbe, stop);
    if (!probe) {
        return probe.error().code == ErrorCode::Cancelled
            ? std::string()
            : fmt::format(" Afterwards the device could not be asked: {}.", probe.error().message);
    }
    const auto found = std::find_if(probe->devices.begin(), probe->devices.end(),
        [device](const DeviceInfo& info) { return info.index == device; });
    if (found == probe->devices.end()) {
        return fmt::format(" Afterwards device {} is lost: {}.", device,
            probe->problem.empty() ? "it is no longer listed" : probe->problem);
    }
    if (!found->problem.empty()) {
        return fmt::format(" Afterwards device {} is lost: {}.", device, found->problem);
    }
    return " Afterwards the device answers.";
}

} // namespace

Result<ProbeResult> probeRunner(
    const RunnerEndpoint& endpoint, std::chrono::milliseconds timeout, std::stop_token stop)
{
    auto conversation = Conversation::open(endpoint, timeout, stop);
    if (!conversation) {
        return conversation.error();
    }
    // From its greeting on: a runner that was copied there first has not used up its time.
    const auto deadline = Clock::now() + timeout;
    const auto left = [&] {
        return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()),
            std::chrono::milliseconds(0));
    };
    const auto late = [&] {
        return Error{.code = ErrorCode::TimedOut,
            .message = fmt::format("the runner did not list its devices within {} ms", timeout.count()),
            .hint = "the device or its driver may be stuck"};
    };
    if (const auto sent = conversation->send(ProbeRequest{}, left(), stop);
        !sent && sent.error().code != ErrorCode::Protocol) {
        return sent.error();
    }
    for (;;) {
        auto next = conversation->next(left(), stop);
        switch (next.outcome) {
        case Conversation::Outcome::Stopped:
            return cancelled();
        case Conversation::Outcome::Silent:
            return late();
        case Conversation::Outcome::Ended:
            return std::move(died(endpoint, *conversation, false, "asked for its devices").result).error();
        case Conversation::Outcome::Garbage:
            return std::move(next.garbage);
        case Conversation::Outcome::Event:
            break;
        }
        if (auto* probe = std::get_if<ProbeResult>(&*next.event)) {
            conversation->finish(endGrace);
            return std::move(*probe);
        }
        if (const auto* failed = std::get_if<Failed>(&*next.event)) {
            return failed->error;
        }
        if (isTerminal(*next.event)) {
            return Error{
                .code = ErrorCode::Protocol, .message = "the runner answered a probe with something else"};
        }
    }
}

Result<Finished> runOnRunner(const RunnerEndpoint& endpoint, const EvaluateRequest& request,
    const std::function<void(const RunnerEvent&)>& onEvent, std::stop_token stop)
{
    const auto tell = [&](const RunnerEvent& event) {
        if (onEvent) {
            onEvent(event);
        }
    };
    Ended ended = converse(endpoint, request, tell, stop);
    if (ended.result && ended.deviceInDoubt && endpoint.probeAfterFault && !stop.stop_requested()) {
        ended.result.value().explanation += deviceAfterwards(endpoint, request.device, stop);
    }
    if (!ended.reported) {
        if (ended.result) {
            tell(ended.result.value());
        } else if (ended.result.error().code == ErrorCode::Cancelled) {
            tell(Cancelled{});
        } else {
            tell(Failed{ended.result.error()});
        }
    }
    return std::move(ended.result);
}

} // namespace ptxwb
