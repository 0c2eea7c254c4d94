// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/buffers.h"
#include "core/gpu/candidate_fault.h"
#include "core/gpu/device.h"
#include "core/gpu/host_clock.h"
#include "core/gpu/host_process.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace ptxwb::gpu {

/// A candidate that brings its own host code, in a child process that is never trusted: the buffers, inputs,
/// reference and checks are ours, shared with it by CUDA IPC. One thread; the buffers must outlive it.
class HostCandidate {
public:
    /// The path of libtvm_ffi.so: PTXWB_TVM_FFI, .deps/lib beside the tree, the private environment,
    /// python3's packages.
    static std::optional<std::string> ffiLibrary();

    /// Starts the child and has it load `sharedObject` (bytes). Gives what is wrong with the candidate, if
    /// anything. Errors: MissingTool (libtvm_ffi.so), Unsupported (no CUDA IPC here, too many tensors),
    /// Internal.
    Result<std::optional<CandidateFault>> load(const std::string& sharedObject, const ResolvedPlan& plan,
        const BufferSet& buffers, const Device& device, std::chrono::milliseconds limit);

    /// Calls it once; it waits for the stream that the candidate was given, for no other.
    std::optional<CandidateFault> call(const std::string& doing, std::chrono::milliseconds limit);
    /// Timed by the child. `seed`: of the inputs that are there.
    std::optional<CandidateFault> time(bool warm, std::uint64_t seed, const std::string& doing,
        std::chrono::milliseconds limit, double& microseconds);
    /// Exchanges without a call, for the clock; `before` is what the runner does on the GPU before each call,
    /// so that the GPU changes processes here too.
    Result<std::optional<CandidateFault>> calibrate(
        const std::function<Result<void>()>& before, std::chrono::milliseconds limit);
    const HostClock& clock() const { return m_clock; }

    /// What shows only afterwards: a library that it must not use, a result line among what it printed.
    std::optional<CandidateFault> inspect() const;

private:
    std::optional<CandidateFault> order(HostWhat what, std::uint64_t seed, const std::string& doing,
        std::chrono::milliseconds limit, double& microseconds);
    Result<void> describeBuffers(const BufferSet& buffers);

    HostProcess m_process;
    HostClock m_clock;
    std::uint64_t m_orders = 0;
    bool m_dead = false;
};

} // namespace ptxwb::gpu
