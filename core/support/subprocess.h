// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace ptxwb {

/// What to start. The child leads its own process group and dies with the *thread* that started it
/// (PR_SET_PDEATHSIG): start it on the thread that waits for it.
struct ProcessRequest {
    std::vector<std::string> argv{}; ///< argv[0] is a path, or a name looked up in PATH
    std::filesystem::path workingDirectory{}; ///< empty: inherited
    std::map<std::string, std::string>
        environment{}; ///< added to (or, with clearEnvironment, instead of) ours
    bool clearEnvironment = false;
    std::string standardInput{}; ///< written to the child's stdin, then closed
    std::chrono::milliseconds timeout{60'000};
    std::size_t maxOutputBytes = 256U << 20; ///< per stream; more is dropped and said
    bool endsAtOutputLimit = false; ///< a child that writes more is killed, group and all
};

/// How a child ended. A non-zero exit code is data, not an Error.
struct ProcessOutcome {
    int exitCode = -1; ///< meaningful unless `signal` is set
    std::optional<int> signal{};
    bool timedOut = false;
    bool cancelled = false;
    bool outputTruncated = false; ///< with endsAtOutputLimit: and the child was killed for it
    std::string standardOutput{};
    std::string standardError{};
    std::chrono::duration<double, std::milli> wallMs{0};

    bool succeeded() const { return !signal && !timedOut && !cancelled && exitCode == 0; }
};

/// Runs a child to its end; on timeout or stop the whole group is killed and reaped. Blocks; any thread.
/// Errors: MissingTool (not startable: no such file), Internal (no pipes or processes left).
Result<ProcessOutcome> runProcess(const ProcessRequest& request, std::stop_token stop = {});

/// A child that talks in lines on stdin / stdout while it runs; its stderr is collected as log.
/// Move-only; destruction kills the group and reaps it. One thread at a time.
class LineProcess {
public:
    static Result<LineProcess> start(const ProcessRequest& request);
    LineProcess(LineProcess&&) noexcept;
    LineProcess& operator=(LineProcess&&) noexcept;
    LineProcess(const LineProcess&) = delete;
    LineProcess& operator=(const LineProcess&) = delete;
    ~LineProcess();

    /// Writes one line ('\n' is added). Errors: Protocol when the child closed its stdin, TimedOut when it
    /// does not read, Cancelled.
    Result<void> writeLine(std::string_view line, std::chrono::milliseconds timeout = std::chrono::hours(1),
        std::stop_token stop = {});
    void closeInput();

    /// What a wait for the next line brought.
    enum class Wait { Line, EndOfOutput, TimedOut, Stopped };
    struct Read {
        Wait wait = Wait::EndOfOutput;
        std::string line{}; ///< without the line end
    };
    Read readLine(std::chrono::milliseconds timeout, std::stop_token stop = {});

    /// Waits for the exit (kills the group when `grace` is over) and returns how it ended.
    ProcessOutcome finish(std::chrono::milliseconds grace);
    void kill();
    std::string standardError() const;
    int pid() const;

private:
    struct State;
    explicit LineProcess(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// The full path of `name` in PATH, or nothing.
std::optional<std::filesystem::path> findInPath(std::string_view name);

} // namespace ptxwb
