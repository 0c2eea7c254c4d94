// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/host_child.h"

#include "core/bench/host_abi.h"
#include "core/gpu/buffers.h"
#include "core/gpu/cuda_error.h"
#include "core/gpu/fill.h"
#include "core/gpu/host_channel.h"
#include "core/gpu/stopwatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <sys/socket.h>

namespace ptxwb::gpu {

namespace {

// Host code of an unknown number of launches is to be enqueued while the stream is held.
constexpr std::size_t heldLaunches = 8;

bool isFloating(Dtype dtype)
{
    return dtype <= Dtype::Float8E5m2; // the floats stand first
}

struct Problem {
    HostStatus status = HostStatus::SetupFailed;
    cudaError_t cuda = cudaSuccess;
    std::string message{};
};

Problem setupProblem(cudaError_t code, const char* doing)
{
    return {.cuda = code, .message = fmt::format("{}: {}", doing, cudaMessage(code))};
}

/// One argument of the entry.
struct Argument {
    BufferSpec spec{};
    char* data = nullptr;
    bool isScalar = false;
    bool isRestored = false;
    std::vector<std::int64_t> strides{};
    ffi::DlTensor tensor{};
};

class HostChild {
public:
    explicit HostChild(int channel)
        : m_channel(channel)
    {
    }

    int run()
    {
        if (auto problem = setUp()) {
            reply(0, *problem);
            return 1;
        }
        reply(0, {.status = HostStatus::Ok});
        HostOrder order{};
        while (receive(order) && order.magic == hostMagic) {
            obey(order);
        }
        return 0;
    }

private:
    template <class T> bool receive(T& message) const
    {
        return ::recv(m_channel, &message, sizeof message, 0) == static_cast<ssize_t>(sizeof message);
    }

    void reply(std::uint64_t number, const Problem& problem, double microseconds = 0) const
    {
        HostReply message{.magic = hostMagic,
            .status = problem.status,
            .number = number,
            .cuda = static_cast<std::int32_t>(problem.cuda),
            .unused = 0,
            .microseconds = microseconds,
            .message = {}};
        problem.message.copy(message.message, sizeof message.message - 1);
        [[maybe_unused]] const auto sent = ::send(m_channel, &message, sizeof message, MSG_NOSIGNAL);
    }

    std::optional<Problem> setUp()
    {
        HostSetup setup{};
        if (!receive(setup) || setup.magic != hostMagic || setup.buffers < 0
            || setup.buffers > hostMaxBuffers) {
            return Problem{.message = "the runner's first message was not understood"};
        }
        m_device = setup.device;
        if (const cudaError_t code = cudaSetDevice(m_device); code != cudaSuccess) {
            return setupProblem(code, "choosing the device");
        }
        m_arguments.resize(static_cast<std::size_t>(setup.buffers));
        for (Argument& argument : m_arguments) {
            if (auto problem = takeBuffer(argument)) {
                return problem;
            }
        }
        if (const cudaError_t code = cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking);
            code != cudaSuccess) {
            return setupProblem(code, "making a stream");
        }
        auto stopwatch = Stopwatch::make(m_stream, setup.l2Bytes, heldLaunches);
        if (!stopwatch) {
            return Problem{.message = describe(stopwatch.error())};
        }
        m_stopwatch.emplace(*std::move(stopwatch));
        // What a candidate writes before its span, from another stream, is not to be found behind it.
        m_stopwatch->setPrelude([this](cudaStream_t stream) {
            return forOutputs([&](const Argument& output) {
                return poisonSpots(output.data, elementKind(output.spec.type.dtype), output.spec.type.bytes(),
                    m_seed, stream);
            });
        });
        return loadCandidate(setup);
    }

    std::optional<Problem> takeBuffer(Argument& argument) const
    {
        HostBuffer buffer{};
        if (!receive(buffer) || buffer.rank < 0 || buffer.rank > hostMaxRank) {
            return Problem{.message = "the runner's description of a buffer was not understood"};
        }
        argument.isScalar = buffer.isScalar != 0;
        argument.isRestored = buffer.isRestored != 0;
        argument.spec.type.dtype = static_cast<Dtype>(buffer.dtype);
        argument.spec.type.shape.assign(buffer.shape, buffer.shape + buffer.rank);
        argument.spec.role = buffer.isOutput != 0 ? BufferRole::Output : BufferRole::Input;
        argument.spec.scalar = buffer.scalar;
        if (argument.isScalar) {
            return std::nullopt;
        }
        void* base = nullptr;
        if (const cudaError_t code =
                cudaIpcOpenMemHandle(&base, buffer.memory, cudaIpcMemLazyEnablePeerAccess);
            code != cudaSuccess) {
            return setupProblem(code, "taking a buffer of the runner (CUDA IPC)");
        }
        argument.data = static_cast<char*>(base) + buffer.frontBytes;
        const auto& shape = argument.spec.type.shape;
        argument.strides.assign(shape.size(), 1);
        for (std::size_t i = shape.size(); i-- > 1;) {
            argument.strides[i - 1] = argument.strides[i] * shape[i];
        }
        argument.tensor = {.data = argument.data,
            .device = {ffi::deviceCuda, m_device},
            .dimensions = buffer.rank,
            .dtype = {buffer.dlpackCode, buffer.dlpackBits, 1},
            .shape = argument.spec.type.shape.data(),
            .strides = argument.strides.data(),
            .byteOffset = 0};
        return std::nullopt;
    }

    std::optional<Problem> loadCandidate(const HostSetup& setup)
    {
        // Loaded first and for all: the candidate needs it by its name, wherever it was built.
        void* const ffiLibrary = ::dlopen(setup.ffiLibrary, RTLD_NOW | RTLD_GLOBAL);
        if (ffiLibrary == nullptr) {
            return Problem{.message = fmt::format("loading libtvm_ffi.so: {}", ::dlerror())};
        }
        m_setStream = reinterpret_cast<ffi::SetStream>(::dlsym(ffiLibrary, ffi::setStreamSymbol));
        m_takeError = reinterpret_cast<ffi::TakeError>(::dlsym(ffiLibrary, ffi::takeErrorSymbol));
        if (m_setStream == nullptr || m_takeError == nullptr) {
            return Problem{.message = fmt::format("{} does not have {} and {}", setup.ffiLibrary,
                               ffi::setStreamSymbol, ffi::takeErrorSymbol)};
        }
        const auto file = fmt::format("/proc/self/fd/{}", setup.library);
        void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            const char* why = ::dlerror();
            return Problem{.status = HostStatus::LoadFailed, .message = why == nullptr ? "" : why};
        }
        m_entry = reinterpret_cast<ffi::Entry>(::dlsym(library, ffi::entrySymbol));
        if (m_entry == nullptr) {
            return Problem{.status = HostStatus::NoEntry, .message = ffi::entrySymbol};
        }
        return std::nullopt;
    }

    template <class F> cudaError_t forOutputs(F&& act) const
    {
        cudaError_t code = cudaSuccess;
        for (const Argument& argument : m_arguments) {
            if (argument.spec.role == BufferRole::Output && code == cudaSuccess) {
                code = act(argument);
            }
        }
        return code;
    }

    /// Calls the entry; an error that it raised is kept in m_raised.
    cudaError_t callEntry()
    {
        std::vector<ffi::Any> words(m_arguments.size());
        for (std::size_t i = 0; i < m_arguments.size(); ++i) {
            Argument& argument = m_arguments[i];
            const Dtype dtype = argument.spec.type.dtype;
            if (!argument.isScalar) {
                words[i].type = ffi::Any::tensor;
                words[i].asPointer = &argument.tensor;
            } else if (isFloating(dtype)) {
                words[i].type = ffi::Any::real;
                words[i].asReal = argument.spec.scalar;
            } else {
                words[i].type = ffi::Any::integer;
                words[i].asInteger = static_cast<std::int64_t>(argument.spec.scalar);
            }
        }
        ffi::Any result{};
        m_setStream(ffi::deviceCuda, m_device, m_stream, nullptr);
        const int code = m_entry(nullptr, words.data(), static_cast<std::int32_t>(words.size()), &result);
        if (code != 0) {
            m_raised = raisedError();
            return cudaErrorUnknown;
        }
        return cudaSuccess;
    }

    std::string raisedError() const
    {
        void* object = nullptr;
        m_takeError(&object);
        if (object == nullptr) {
            return "an error without a text";
        }
        const auto* const error = static_cast<const ffi::Error*>(object);
        return fmt::format("{}: {}", std::string_view(error->kind.data, error->kind.size),
            std::string_view(error->message.data, error->message.size));
    }

    cudaError_t between(cudaStream_t stream) const
    {
        cudaError_t code = cudaSuccess;
        for (std::uint32_t i = 0; i < m_arguments.size() && code == cudaSuccess; ++i) {
            const Argument& argument = m_arguments[i];
            if (argument.spec.role == BufferRole::Output) {
                code = fillPoison(
                    argument.data, elementKind(argument.spec.type.dtype), argument.spec.type.bytes(), stream);
            } else if (argument.isRestored) {
                code = restoreInput(argument.data, argument.spec, m_seed, i, stream);
            }
        }
        return code;
    }

    void obey(const HostOrder& order)
    {
        m_seed = order.seed;
        m_raised.clear();
        double microseconds = 0;
        cudaError_t code = cudaSuccess;
        const auto call = [this](cudaStream_t) { return callEntry(); };
        switch (order.what) {
        case HostWhat::Call:
            code = callEntry();
            if (code == cudaSuccess) {
                code = cudaStreamSynchronize(m_stream);
            }
            break;
        case HostWhat::Cold:
            code = m_stopwatch->cold(call, microseconds);
            break;
        case HostWhat::Warm:
            code = m_stopwatch->warm(
                call, [this](cudaStream_t stream) { return between(stream); }, microseconds);
            break;
        case HostWhat::EmptyCold:
            code = m_stopwatch->cold([](cudaStream_t) { return cudaSuccess; }, microseconds);
            break;
        }
        if (!m_raised.empty()) {
            reply(order.number, {.status = HostStatus::Raised, .message = m_raised});
        } else if (code != cudaSuccess) {
            reply(order.number, {.status = HostStatus::CudaFailed, .cuda = code});
        } else {
            reply(order.number, {.status = HostStatus::Ok}, microseconds);
        }
    }

    int m_channel;
    int m_device = 0;
    cudaStream_t m_stream = nullptr;
    std::vector<Argument> m_arguments;
    std::optional<Stopwatch> m_stopwatch;
    ffi::SetStream m_setStream = nullptr;
    ffi::TakeError m_takeError = nullptr;
    ffi::Entry m_entry = nullptr;
    std::uint64_t m_seed = 0;
    std::string m_raised;
};

} // namespace

int runHostChild(int channel)
{
    HostChild child(channel);
    return child.run();
}

} // namespace ptxwb::gpu
