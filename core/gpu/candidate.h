// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/buffers.h"
#include "core/gpu/candidate_fault.h"
#include "core/gpu/device.h"

#include <cuda.h>

#include <optional>

namespace ptxwb::gpu {

/// A candidate's machine code, loaded, with every launch of its plan made ready. One thread; the buffers must
/// outlive it.
class Candidate {
public:
    Candidate() = default;
    Candidate(const Candidate&) = delete;
    Candidate& operator=(const Candidate&) = delete;
    ~Candidate();

    /// Loads the code and checks it against the plan: kernels by name, parameter count and sizes, block and
    /// shared memory against the kernel and the device, tensor maps. Gives what is wrong with the candidate,
    /// if anything.
    std::optional<CandidateFault> load(
        const std::string& cubin, const ResolvedPlan& plan, const BufferSet& buffers, const Device& device);

    /// Enqueues every launch of the plan in order.
    cudaError_t launch(cudaStream_t stream);
    /// "gemm" or "split, then reduce".
    const std::string& title() const { return m_title; }
    std::size_t launchCount() const { return m_launches.size(); }

private:
    /// One argument's bytes; a tensor map is the largest and must be 64-byte aligned.
    struct alignas(64) ArgumentBytes {
        unsigned char bytes[sizeof(CUtensorMap)];
        std::size_t size;
    };
    struct ReadyLaunch {
        cudaKernel_t kernel = nullptr;
        std::string name;
        Launch plan;
        std::vector<ArgumentBytes> arguments;
        std::vector<void*> pointers;
        std::vector<cudaLaunchAttribute> attributes;
        cudaLaunchConfig_t config{};
    };

    std::optional<CandidateFault> findKernel(ReadyLaunch& launch) const;
    std::optional<CandidateFault> checkResources(const ReadyLaunch& launch, const Device& device) const;
    std::optional<CandidateFault> packArguments(
        ReadyLaunch& launch, const BufferSet& buffers, const std::vector<CUtensorMap>& maps) const;
    std::string kernelNames() const;

    cudaLibrary_t m_library = nullptr;
    std::vector<ReadyLaunch> m_launches;
    std::string m_title;
};

} // namespace ptxwb::gpu
