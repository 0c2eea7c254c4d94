// SPDX-License-Identifier: Apache-2.0
// ptxwb-runner: runs one candidate on a GPU and speaks the protocol of core/runner/protocol.h on stdin and
// stdout.
#include "core/gpu/device.h"
#include "core/gpu/host_child.h"
#include "core/gpu/session.h"
#include "core/support/files.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <thread>
#include <unistd.h>

namespace {

using namespace ptxwb;
using namespace ptxwb::gpu;

constexpr const char* usage = R"(ptxwb-runner: runs kernels on a GPU for ptxwb and ptx-workbench.

  ptxwb-runner [--record LOG]                 one request on stdin, events on stdout, one JSON object a line
  ptxwb-runner --request FILE [--record LOG]  the request from a file
  ptxwb-runner --probe                        the devices and libraries that are here, as JSON
  ptxwb-runner --version | --help

--record writes an evaluation's conversation with its times, to be played again without a GPU.
Exit status: 0 done (also for a wrong kernel), 2 bad request or usage, 3 no usable GPU or driver, 4 internal error,
5 a kernel hung, 6 cancelled, 7 a kernel's fault ended the context.
)";

struct Options {
    std::string requestFile;
    std::string recordFile;
    bool probe = false;
};

Hello greeting()
{
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    return {
        .version = runnerProtocolVersion, .build = PTXWB_VERSION, .cudaRuntime = cudaVersionText(runtime)};
}

/// Ends the process when the front end cancels or goes away.
void watchInput(EventWriter& events)
{
    std::thread([&events] {
        std::string line;
        while (std::getline(std::cin, line)) {
            const auto request = decodeRequest(line);
            if (request && std::holds_alternative<CancelRequest>(*request)) {
                break;
            }
        }
        events.write(Cancelled{});
        events.leave(RunnerExit::Cancelled);
    }).detach();
}

int serve(const Options& options)
{
    static EventWriter events;
    events.write(greeting());
    std::string line;
    if (options.requestFile.empty()) {
        if (!std::getline(std::cin, line)) {
            return static_cast<int>(RunnerExit::Ok); // asked for nothing
        }
    } else {
        auto text = readFile(options.requestFile);
        if (!text) {
            events.write(Failed{text.error()});
            return static_cast<int>(RunnerExit::BadRequest);
        }
        line = text->substr(0, text->find('\n'));
    }
    events.requestReceived();
    const auto request = decodeRequest(line);
    if (!request) {
        events.write(Failed{request.error()});
        events.leave(RunnerExit::BadRequest);
    }
    static const Nvml nvml;
    if (const auto* evaluation = std::get_if<EvaluateRequest>(&*request)) {
        // Only evaluations are recorded: a probe that follows a fault must not overwrite what led to it.
        if (const auto opened =
                options.recordFile.empty() ? Result<void>() : events.recordTo(options.recordFile);
            !opened) {
            events.write(Failed{opened.error()});
            events.leave(RunnerExit::BadRequest);
        }
        if (options.requestFile.empty()) {
            watchInput(events);
        }
        events.leave(evaluate(*evaluation, events, nvml));
    }
    if (std::holds_alternative<CancelRequest>(*request)) {
        events.write(Cancelled{});
        events.leave(RunnerExit::Cancelled);
    }
    events.leave(answerProbe(events, nvml));
}

int printProbe()
{
    const Nvml nvml;
    const ProbeResult result = probe(nvml);
    std::cout << encode(RunnerEvent(result)) << '\n';
    if (!result.problem.empty()) {
        std::cerr << "ptxwb-runner: " << result.problem << '\n';
    }
    return static_cast<int>(result.devices.empty() ? RunnerExit::NoDevice : RunnerExit::Ok);
}

int wrongUsage(const std::string& problem)
{
    std::cerr << "ptxwb-runner: " << problem << "\n\n" << usage;
    return static_cast<int>(RunnerExit::BadRequest);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 3 && std::strcmp(argv[1], "--host-child") == 0) {
        return runHostChild(std::atoi(argv[2])); // started by the runner itself, never by a user
    }
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--help" || argument == "-h") {
            std::cout << usage;
            return 0;
        }
        if (argument == "--version") {
            const Hello hello = greeting();
            std::cout << fmt::format("ptxwb-runner {} (protocol {}, CUDA runtime {})\n", hello.build,
                hello.version, hello.cudaRuntime);
            return 0;
        }
        if (argument == "--probe") {
            options.probe = true;
        } else if ((argument == "--request" || argument == "--record") && i + 1 < argc) {
            (argument == "--request" ? options.requestFile : options.recordFile) = argv[++i];
        } else {
            return wrongUsage(fmt::format("'{}' is unknown or lacks its value", argument));
        }
    }
    if (options.probe) {
        return printProbe();
    }
    if (options.requestFile.empty() && ::isatty(STDIN_FILENO) != 0) {
        return wrongUsage("a request is expected on stdin, not a terminal");
    }
    return serve(options);
}
