// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/host_candidate.h"

#include "core/bench/banned_library.h"
#include "core/bench/host_abi.h"
#include "core/gpu/cuda_error.h"
#include "core/gpu/shared_library.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>

namespace ptxwb::gpu {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int emptyExchanges = 9;
constexpr std::size_t mostQuoted = 160;

/// A file without a name; it is the child's to load.
class MemoryFile {
public:
    explicit MemoryFile(const std::string& bytes)
        : m_fd(::memfd_create("candidate.so", MFD_CLOEXEC))
    {
        std::size_t done = 0;
        while (m_fd >= 0 && done < bytes.size()) {
            const ssize_t wrote = ::write(m_fd, bytes.data() + done, bytes.size() - done);
            if (wrote <= 0) {
                ::close(m_fd);
                m_fd = -1;
            }
            done += wrote > 0 ? static_cast<std::size_t>(wrote) : 0;
        }
    }
    ~MemoryFile()
    {
        if (m_fd >= 0) {
            ::close(m_fd);
        }
    }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    int fd() const { return m_fd; }

private:
    int m_fd;
};

CandidateFault banned(const std::string& what)
{
    return {Verdict::BannedLibrary,
        fmt::format("It uses {}: a candidate is to do the work itself, not to call a library for it.", what),
        "libraries of its process"};
}

std::optional<CandidateFault> forgedLine(const std::string& output)
{
    const auto at = output.find("\"event\"");
    if (at == std::string::npos) {
        return std::nullopt;
    }
    const auto begin = output.rfind('\n', at) == std::string::npos ? 0 : output.rfind('\n', at) + 1;
    const auto line = output.substr(begin, std::min(output.find('\n', at), begin + mostQuoted) - begin);
    return CandidateFault{Verdict::RuntimeError,
        fmt::format("It printed a forged result line, which counts for nothing: {}", line),
        "what its process printed"};
}

std::string lastWords(const std::string& output)
{
    std::string_view text = output;
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.remove_suffix(1);
    }
    const auto line = text.substr(text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1);
    return line.empty()
        ? std::string()
        : fmt::format(" It printed: {}", line.substr(0, std::min(line.size(), 2 * mostQuoted)));
}

} // namespace

std::optional<std::string> HostCandidate::ffiLibrary()
{
    if (const char* named = std::getenv("PTXWB_TVM_FFI"); named != nullptr && *named != '\0') {
        return named;
    }
    std::error_code ignored;
    if (const auto share = shareDirectory()) {
        const auto kept = *share / ".deps/tvm_ffi/lib/libtvm_ffi.so";
        if (std::filesystem::exists(kept, ignored)) {
            return kept.string();
        }
    }
    return inPythonPackages("tvm_ffi/lib/libtvm_ffi.so");
}

Result<void> HostCandidate::describeBuffers(const BufferSet& buffers)
{
    for (std::size_t i = 0; i < buffers.buffers().size(); ++i) {
        const GuardedBuffer& buffer = buffers.buffers()[i];
        const BufferSpec& spec = buffer.spec();
        HostBuffer message{};
        const auto dlpack = ffi::dlpackType(spec.type.dtype);
        message.frontBytes = buffer.frontBytes();
        message.rank = static_cast<std::int32_t>(spec.type.shape.size());
        std::copy(spec.type.shape.begin(), spec.type.shape.end(), message.shape);
        message.scalar = spec.scalar;
        message.dtype = static_cast<std::int32_t>(spec.type.dtype);
        message.dlpackCode = dlpack.code;
        message.dlpackBits = dlpack.bits;
        message.isOutput = spec.role == BufferRole::Output ? 1 : 0;
        message.isScalar = spec.type.shape.empty() ? 1 : 0;
        message.isRestored = buffers.isIndependent(i) ? 1 : 0;
        if (message.isScalar == 0) {
            const cudaError_t code = cudaIpcGetMemHandle(&message.memory, buffer.allocation());
            if (code != cudaSuccess) {
                return Error{.code = ErrorCode::Unsupported,
                    .message =
                        fmt::format("a buffer cannot be shared with the candidate's process (CUDA IPC): {}",
                            cudaMessage(code)),
                    .hint = "the host contract needs CUDA IPC, which containers and WSL may lack"};
            }
        }
        if (const auto sent = m_process.send(message); !sent) {
            return sent;
        }
    }
    return {};
}

Result<std::optional<CandidateFault>> HostCandidate::load(const std::string& sharedObject,
    const ResolvedPlan& plan, const BufferSet& buffers, const Device& device, std::chrono::milliseconds limit)
{
    if (const auto function = bannedFunctionIn(sharedObject)) {
        return std::optional(banned(*function));
    }
    const bool fits = plan.buffers.size() <= hostMaxBuffers
        && std::all_of(plan.buffers.begin(), plan.buffers.end(), [](const BufferSpec& spec) {
               return spec.type.shape.size() <= static_cast<std::size_t>(hostMaxRank);
           });
    if (!fits) {
        return Error{.code = ErrorCode::Unsupported,
            .message = fmt::format(
                "the host contract takes at most {} tensors of rank {}", hostMaxBuffers, hostMaxRank)};
    }
    const auto ffi = ffiLibrary();
    if (!ffi) {
        return Error{.code = ErrorCode::MissingTool,
            .message = "libtvm_ffi.so, which host-contract candidates call, is not here",
            .hint = "packaging/run installs it (wheel apache-tvm-ffi), packaging/deps puts it into .deps; "
                    "PTXWB_TVM_FFI names one elsewhere"};
    }
    const MemoryFile file(sharedObject);
    if (file.fd() < 0) {
        return Error{.message = "the shared object cannot be kept in memory"};
    }
    auto process = HostProcess::start(file.fd());
    if (!process) {
        return process.error();
    }
    m_process = *std::move(process);
    HostSetup setup{.magic = hostMagic,
        .device = device.info.index,
        .buffers = static_cast<std::int32_t>(plan.buffers.size()),
        .library = file.fd(),
        .l2Bytes = device.info.l2Bytes,
        .ffiLibrary = {}};
    ffi->copy(setup.ffiLibrary, sizeof setup.ffiLibrary - 1);
    if (const auto sent = m_process.send(setup); !sent) {
        return sent.error();
    }
    if (const auto described = describeBuffers(buffers); !described) {
        return described.error();
    }
    HostReply reply{};
    const auto fault = [&](Verdict verdict, std::string text, const char* check) {
        return std::optional(CandidateFault{verdict, std::move(text), check});
    };
    switch (m_process.hear(0, limit, reply)) {
    case HostProcess::Heard::Reply:
        break;
    case HostProcess::Heard::TimedOut:
        m_process.end();
        return fault(
            Verdict::Timeout, fmt::format("Loading it did not end within {} ms.", limit.count()), "watchdog");
    case HostProcess::Heard::Ended: {
        const auto how = m_process.howItEnded();
        return fault(Verdict::RuntimeError,
            fmt::format("Its process ended while it was loaded ({}).{}", how, lastWords(m_process.output())),
            "end of its process");
    }
    case HostProcess::Heard::Foreign:
        m_process.end();
        return fault(Verdict::RuntimeError,
            "It wrote a message of its own, a forged result, into the channel between its process and the "
            "runner.",
            "channel of its process");
    }
    const std::string said = reply.message;
    switch (reply.status) {
    case HostStatus::Ok:
        break;
    case HostStatus::LoadFailed:
        if (bannedLibraryIn(said) || said.find("cublas") != std::string::npos
            || said.find("cudnn") != std::string::npos) {
            return std::optional(banned(said));
        }
        return fault(
            Verdict::LaunchError, fmt::format("The shared object cannot be loaded: {}", said), "loader");
    case HostStatus::NoEntry:
        return fault(Verdict::LaunchError, std::string(ffi::noEntry), "entry point");
    default:
        return Error{.code = ErrorCode::Unavailable, .message = "the candidate's process: " + said};
    }
    return inspect();
}

std::optional<CandidateFault> HostCandidate::order(HostWhat what, std::uint64_t seed,
    const std::string& doing, std::chrono::milliseconds limit, double& microseconds)
{
    const auto fault = [&](Verdict verdict, std::string text, const char* check) {
        m_dead = true;
        return CandidateFault{verdict, std::move(text), check};
    };
    HostReply reply{};
    const HostOrder message{.magic = hostMagic, .what = what, .number = ++m_orders, .seed = seed};
    const auto begin = Clock::now();
    const auto heard =
        m_process.send(message) ? m_process.hear(m_orders, limit, reply) : HostProcess::Heard::Ended;
    const std::chrono::duration<double, std::micro> wall = Clock::now() - begin;
    switch (heard) {
    case HostProcess::Heard::Reply:
        break;
    case HostProcess::Heard::TimedOut:
        m_process.end();
        return fault(Verdict::Timeout,
            fmt::format("run ({}) did not end within {} ms; its process was killed.", doing, limit.count()),
            "watchdog");
    case HostProcess::Heard::Ended: {
        const auto how = m_process.howItEnded();
        if (auto forged = forgedLine(m_process.output())) {
            return *forged;
        }
        return fault(Verdict::RuntimeError,
            fmt::format(
                "Its process ended during run ({}): {}.{}", doing, how, lastWords(m_process.output())),
            "end of its process");
    }
    case HostProcess::Heard::Foreign:
        m_process.end();
        return fault(Verdict::RuntimeError,
            fmt::format(
                "It wrote a message of its own, a forged result, into the channel between its process and "
                "the runner ({}); it counts for nothing.",
                doing),
            "channel of its process");
    }
    if (reply.status == HostStatus::Raised) {
        return fault(Verdict::RuntimeError, fmt::format("run ({}) raised {}", doing, reply.message),
            "error of the entry");
    }
    if (reply.status != HostStatus::Ok) {
        m_dead = true;
        return faultOf(static_cast<cudaError_t>(reply.cuda), fmt::format("run ({})", doing));
    }
    microseconds = reply.microseconds;
    if (what == HostWhat::Cold) {
        m_clock.noteCall(wall.count(), microseconds);
    } else if (what == HostWhat::EmptyCold) {
        m_clock.noteEmpty(wall.count());
    }
    return std::nullopt;
}

std::optional<CandidateFault> HostCandidate::call(const std::string& doing, std::chrono::milliseconds limit)
{
    double ignored = 0;
    return order(HostWhat::Call, 0, doing, limit, ignored);
}

std::optional<CandidateFault> HostCandidate::time(bool warm, std::uint64_t seed, const std::string& doing,
    std::chrono::milliseconds limit, double& microseconds)
{
    return order(warm ? HostWhat::Warm : HostWhat::Cold, seed, doing, limit, microseconds);
}

Result<std::optional<CandidateFault>> HostCandidate::calibrate(
    const std::function<Result<void>()>& before, std::chrono::milliseconds limit)
{
    double ignored = 0;
    for (int i = 0; i < emptyExchanges; ++i) {
        if (const auto done = before(); !done) {
            return done.error();
        }
        if (auto fault = order(HostWhat::EmptyCold, 0, "an exchange without a call", limit, ignored)) {
            return fault;
        }
    }
    return std::optional<CandidateFault>();
}

std::optional<CandidateFault> HostCandidate::inspect() const
{
    if (auto forged = forgedLine(m_process.output())) {
        return forged;
    }
    const auto maps = readFile(fmt::format("/proc/{}/maps", m_process.pid()));
    if (maps && !m_dead) {
        if (const auto library = bannedLibraryIn(*maps)) {
            return banned(*library);
        }
    }
    return std::nullopt;
}

} // namespace ptxwb::gpu
