// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/host/host_run.h"

#include "core/bench/banned_library.h"
#include "core/bench/host_abi.h"
#include "core/emulator/device.h"
#include "core/emulator/host/host_calls.h"
#include "core/support/files.h"
#include "core/support/sandbox.h"
#include "core/support/subprocess.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <unistd.h>

namespace ptxwb::emulator {

namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* programName = "ptxwb-host-emulator";
constexpr milliseconds endGrace{2000};
constexpr std::size_t mostQuoted = 320;

HostFault fault(Verdict verdict, std::string text)
{
    return {.verdict = verdict, .text = std::move(text)};
}

std::string lastWords(std::string_view text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.remove_suffix(1);
    }
    text = text.substr(text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1);
    return text.empty() ? std::string() : fmt::format(" It printed: {}", text.substr(0, mostQuoted));
}

HostFault banned(const std::string& what)
{
    return fault(Verdict::BannedLibrary,
        fmt::format("It uses {}: a candidate is to do the work itself, not to call a library for it.", what));
}

/// Of a process and those that it started: inside a sandbox the candidate's is one of these.
std::string mappedFiles(int pid, int depth)
{
    constexpr int deepest = 3;
    std::string text = readFile(fmt::format("/proc/{}/maps", pid)).value_or(std::string());
    std::istringstream children(
        readFile(fmt::format("/proc/{0}/task/{0}/children", pid)).value_or(std::string()));
    for (int child = 0; depth < deepest && children >> child;) {
        text += mappedFiles(child, depth + 1);
    }
    return text;
}

Json argumentOf(const BufferSpec& spec, std::uint64_t address)
{
    Json argument{{"dtype", dtypeName(spec.type.dtype)}};
    if (spec.type.shape.empty()) {
        argument["value"] = spec.scalar;
    } else {
        argument["shape"] = spec.type.shape;
        argument["address"] = address;
    }
    return argument;
}

/// One call of host code, from the start of its process to its end.
class Conversation {
public:
    Conversation(const HostCode& code, Device& device, LineProcess& process, EmulatorProgress onProgress,
        std::stop_token stop)
        : m_code(code)
        , m_process(process)
        , m_calls(device, std::move(onProgress))
        , m_stop(std::move(stop))
    {
    }

    /// Until the child has nothing more to say.
    std::optional<HostFault> hold(const Json& setup)
    {
        if (!send(setup)) {
            return ended();
        }
        for (;;) {
            const auto before = Clock::now();
            auto read = m_process.readLine(left(), m_stop);
            m_hostTime += Clock::now() - before;
            switch (read.wait) {
            case LineProcess::Wait::Stopped:
                m_end = EmulatorEnd::Cancelled;
                return std::nullopt;
            case LineProcess::Wait::TimedOut:
                return fault(Verdict::Timeout,
                    fmt::format("{} did not end within {} ms of its own time; its process was killed.",
                        doing(), m_code.hostLimit.count()));
            case LineProcess::Wait::EndOfOutput:
                return ended();
            case LineProcess::Wait::Line:
                break;
            }
            const Json call = Json::parse(read.line, nullptr, false);
            bool isOver = false;
            std::optional<HostFault> found;
            try {
                found = call.is_object() ? hear(call, isOver) : foreign();
            } catch (const Json::exception&) {
                found = foreign();
            }
            if (isOver || found) {
                return found;
            }
        }
    }

    EmulatorEnd end() const { return m_end; }

private:
    std::string doing() const { return m_isLoaded ? "run" : "loading it"; }

    milliseconds left() const
    {
        const auto used = std::chrono::duration_cast<milliseconds>(m_hostTime);
        return std::max(m_code.hostLimit - used, milliseconds(0));
    }

    bool send(const Json& message)
    {
        const auto before = Clock::now();
        const bool sent =
            m_process.writeLine(message.dump(-1, ' ', false, Json::error_handler_t::replace), left(), m_stop)
                .has_value();
        m_hostTime += Clock::now() - before;
        return sent;
    }

    HostFault foreign() const
    {
        return fault(Verdict::RuntimeError,
            "It wrote something of its own into the channel between its process and the emulator.");
    }

    std::optional<HostFault> hear(const Json& call, bool& isOver)
    {
        const auto what = call.at("do").get<std::string>();
        const auto text = [&] { return call.at("text").get<std::string>(); };
        if (what == "loaded") {
            m_isLoaded = true;
            return std::nullopt;
        }
        if (what == "done") {
            isOver = true;
            return usedLibrary();
        }
        if (what == "raised") {
            if (auto found = usedLibrary()) {
                return found;
            }
            return fault(Verdict::RuntimeError, fmt::format("run raised {}", text()));
        }
        if (what == "missing") {
            return fault(Verdict::Unsupported, text());
        }
        if (what == "problem") {
            return problem(call.at("kind").get<std::string>(), text());
        }
        if (what == "touched") {
            m_touched = call.at("address").get<std::uint64_t>();
            return std::nullopt;
        }
        const Json answer = m_calls.answer(call);
        if (m_calls.end() != EmulatorEnd::Completed) {
            m_end = m_calls.end();
            isOver = true;
            return std::nullopt;
        }
        if (answer.empty()) {
            return foreign();
        }
        return send(answer) ? std::nullopt : std::optional(ended());
    }

    std::optional<HostFault> usedLibrary() const
    {
        const auto library = bannedLibraryIn(mappedFiles(m_process.pid(), 0));
        return library ? std::optional(banned(*library)) : std::nullopt;
    }

    static HostFault problem(const std::string& kind, const std::string& text)
    {
        if (kind == "missing") {
            return fault(Verdict::Unsupported, text);
        }
        if (kind == "entry") {
            return fault(Verdict::LaunchError, std::string(ffi::noEntry));
        }
        if (kind == "load"
            && (text.find("cublas") != std::string::npos || text.find("cudnn") != std::string::npos)) {
            return banned(text);
        }
        if (kind == "load") {
            return fault(Verdict::LaunchError, fmt::format("The shared object cannot be loaded: {}", text));
        }
        return fault(Verdict::InfrastructureError, fmt::format("the candidate's process: {}", text));
    }

    HostFault ended()
    {
        if (m_stop.stop_requested()) {
            m_end = EmulatorEnd::Cancelled;
        }
        const auto outcome = m_process.finish(endGrace);
        auto how = outcome.timedOut ? std::string("its channel was closed, and it was killed")
            : outcome.signal ? fmt::format("signal {} ({})", *outcome.signal, ::strsignal(*outcome.signal))
                             : fmt::format("exit status {}", outcome.exitCode);
        // A shell's and a sandbox's way to tell of a signal.
        if (!outcome.signal && m_code.sandboxed && outcome.exitCode > 128 && outcome.exitCode < 160) {
            how = fmt::format("signal {} ({})", outcome.exitCode - 128, ::strsignal(outcome.exitCode - 128));
        }
        if (m_touched) {
            const auto place = m_calls.describe(*m_touched);
            how += place.starts_with("no memory")
                ? fmt::format(" at address {:#x}", *m_touched)
                : fmt::format(": host code used the device address {:#x} ({}) as its own", *m_touched, place);
        }
        return fault(Verdict::RuntimeError,
            fmt::format("Its process ended {}: {}.{}", m_isLoaded ? "during run" : "while it was loaded", how,
                lastWords(outcome.standardError)));
    }

    const HostCode& m_code;
    LineProcess& m_process;
    HostCalls m_calls;
    std::stop_token m_stop;
    Clock::duration m_hostTime{0};
    bool m_isLoaded = false;
    std::optional<std::uint64_t> m_touched{};
    EmulatorEnd m_end = EmulatorEnd::Completed;
};

Result<ProcessRequest> processFor(const HostCode& code)
{
    ProcessRequest request{
        .argv = {code.program.string()}, .workingDirectory = code.sharedObject.parent_path()};
    if (!code.sandboxed) {
        return request;
    }
    return sandboxed(std::move(request),
        SandboxWalls{.readable = {code.program, code.ffiLibrary, code.sharedObject.parent_path()},
            .environment = {"LANG", "LC_ALL", "ASAN_OPTIONS", "UBSAN_OPTIONS"},
            .processorTime =
                std::chrono::duration_cast<std::chrono::seconds>(code.hostLimit) + std::chrono::seconds(60)});
}

} // namespace

Result<std::filesystem::path> hostProgram()
{
    const auto isProgram = [](const std::filesystem::path& path) {
        std::error_code ignored;
        return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
    };
    std::filesystem::path wanted = programDirectory() / programName;
    if (const char* named = std::getenv("PTXWB_HOST_PROGRAM"); named != nullptr && *named != '\0') {
        wanted = named;
    }
    if (isProgram(wanted)) {
        return wanted;
    }
    return Error{.code = ErrorCode::MissingTool,
        .message = fmt::format("{}, which holds the host code of a candidate, is not here", programName),
        .hint = "it is built and installed beside ptxwb; PTXWB_HOST_PROGRAM names one elsewhere",
        .path = wanted.string()};
}

Result<EmulatorOutcome> runHostCode(
    const HostCode& code, EmulatorRequest request, const EmulatorProgress& onProgress, std::stop_token stop)
{
    auto device = Device::make(std::move(request), stop);
    if (!device) {
        return device.error();
    }
    const auto& plan = (*device)->request().plan;
    Json setup{{"ffi_library", code.ffiLibrary.string()}, {"shared_object", code.sharedObject.string()},
        {"target", code.target}, {"arguments", Json::array()}};
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
        setup["arguments"].push_back(argumentOf(plan.buffers[b], (*device)->bufferAddresses()[b]));
    }
    const auto started = processFor(code);
    if (!started) {
        return started.error();
    }
    auto process = LineProcess::start(*started);
    if (!process) {
        return process.error();
    }
    Conversation conversation(code, **device, *process, onProgress, stop);
    auto found = conversation.hold(setup);
    auto end = conversation.end();
    if (found && end == EmulatorEnd::Completed) {
        end = EmulatorEnd::Fault;
    }
    auto outcome = (*device)->finish(end);
    if (found && end == EmulatorEnd::Fault) {
        outcome.hostFault = std::move(found);
    }
    outcome.printed += process->standardError();
    return outcome;
}

} // namespace ptxwb::emulator
