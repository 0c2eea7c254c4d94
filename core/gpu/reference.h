// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"
#include "core/gpu/attention_problem.h"
#include "core/gpu/buffers.h"
#include "core/gpu/candidate.h"

#include <cstdint>

namespace ptxwb::gpu {

/// A kernel that stands in for an oracle, with its own buffers.
struct OracleVersion {
    BufferSet buffers{};
    Candidate candidate{};
};

/// The oracle of one evaluation: its own copies of the inputs, made from the seed again, and its own outputs,
/// in memory that the candidate never saw. One thread.
class Reference {
public:
    /// Why this oracle cannot be run for these buffers; nothing when it can.
    static std::optional<std::string> whyNot(const OracleSpec& oracle, const ResolvedPlan& plan);
    /// Errors: Unavailable (memory).
    static Result<Reference> allocate(const OracleSpec& oracle, const ResolvedPlan& plan);

    /// Another kernel makes the reference: `version` on buffers of its own. Errors: Unavailable (memory),
    /// InvalidArgument (the kernel cannot be loaded, or its tensors are not the plan's).
    static Result<Reference> fromVersion(
        const Rival& version, const ResolvedPlan& plan, const Device& device);
    /// The reference is given. Errors: Unavailable, BadFormat (not one content per output, of its size).
    static Result<Reference> fromStored(const std::vector<BufferContent>& outputs, const ResolvedPlan& plan);

    /// Makes the inputs and reference outputs of `seed`, `altered` as by BufferSet::alter; synchronises.
    Result<void> compute(std::uint64_t seed, cudaStream_t stream, bool altered = false);

    /// Compares output number `i` of the plan (counted among outputs) at `data` with the reference;
    /// synchronises.
    Result<OutputComparison> compare(
        std::size_t output, const void* data, const Tolerance& tolerance, cudaStream_t stream) const;
    std::size_t outputCount() const { return m_outputs.size(); }
    /// Device memory of reference output `i`, float32.
    const float* output(std::size_t i) const { return m_outputs[i].memory.as<float>(); }

private:
    struct Tensor {
        BufferSpec spec;
        std::uint32_t index = 0; ///< in the plan
        DeviceMemory memory;
    };
    cudaError_t run(cudaStream_t stream) const;
    Result<void> computeByVersion(std::uint64_t seed, cudaStream_t stream, bool altered);

    OracleSpec m_oracle;
    DerivedInputs m_derived;
    std::vector<Tensor> m_inputs;
    std::vector<Tensor> m_outputs; ///< float32
    DeviceMemory m_scratch; ///< attention_backward's scores
    DeviceMemory m_parts;
    std::unique_ptr<OracleVersion> m_version;
    bool m_isStored = false;
};

} // namespace ptxwb::gpu
