// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runner/runner_client.h"

namespace ptxwb::detail {

/// A started runner that has said a valid hello. Destruction kills its group and reaps it. One thread.
class Conversation {
public:
    /// Starts the command and waits for its hello; where no runner of this protocol is there, copies ours
    /// once (RunnerEndpoint::copy) and starts again. Errors: MissingTool, Unavailable, Protocol, TimedOut,
    /// Cancelled.
    static Result<Conversation> open(
        const RunnerEndpoint& endpoint, std::chrono::milliseconds timeout, std::stop_token stop);

    Result<void> send(const RunnerRequest& request, std::chrono::milliseconds timeout, std::stop_token stop);

    enum class Outcome { Event, Ended, Silent, Stopped, Garbage };
    struct Next {
        Outcome outcome = Outcome::Ended;
        std::optional<RunnerEvent> event{};
        Error garbage{}; ///< why the line is no event
    };
    Next next(std::chrono::milliseconds timeout, std::stop_token stop);

    ProcessOutcome finish(std::chrono::milliseconds grace) { return m_process.finish(grace); }
    const Hello& hello() const { return m_hello; }

private:
    /// `absent`: no runner there, or one of another protocol.
    static Result<Conversation> greet(const RunnerEndpoint& endpoint, std::chrono::milliseconds timeout,
        const std::stop_token& stop, bool& absent);
    Conversation(LineProcess process, Hello hello)
        : m_process(std::move(process))
        , m_hello(std::move(hello))
    {
    }
    LineProcess m_process;
    Hello m_hello;
};

/// "it was killed by signal 11 (Segmentation fault)" / "it ended with exit status 3", and the end of its log.
std::string describeEnd(const ProcessOutcome& outcome);

/// The last lines of a log, bounded; empty when there are none.
std::string logTail(std::string_view log);

} // namespace ptxwb::detail
