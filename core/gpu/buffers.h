// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/launch_plan.h"
#include "core/gpu/attention_problem.h"
#include "core/gpu/elements.h"
#include "core/runner/protocol.h"
#include "core/support/result.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

namespace ptxwb::gpu {

ElementKind elementKind(Dtype dtype);

/// Device memory that frees itself. Move-only.
class DeviceMemory {
public:
    DeviceMemory() = default;
    /// Errors: Unavailable, saying how much was asked for and how much is free.
    static Result<DeviceMemory> allocate(std::uint64_t bytes, const std::string& purpose);
    void* data() const { return m_data.get(); }
    std::uint64_t bytes() const { return m_bytes; }
    template <class T> T* as() const { return static_cast<T*>(m_data.get()); }

private:
    struct Free {
        void operator()(void* data) const { cudaFree(data); }
    };
    std::unique_ptr<void, Free> m_data;
    std::uint64_t m_bytes = 0;
};

/// A buffer of the plan with a guard band before and after it. The data begin 4096 bytes into the allocation,
/// so they keep its alignment; the rear guard begins right behind the last element.
class GuardedBuffer {
public:
    static constexpr std::uint64_t guardBytes = 4096;

    /// Allocations of another process's buffers are multiples of this, so that none shares its pages with
    /// ours.
    static constexpr std::uint64_t sharedGranularity = 2U << 20;

    static Result<GuardedBuffer> allocate(
        const BufferSpec& spec, bool guarded = true, std::uint64_t granularity = 256);
    /// Where the allocation begins, the front guard first; data() lies frontBytes() behind it.
    void* allocation() const { return m_memory.data(); }
    std::uint64_t frontBytes() const { return m_frontBytes; }
    const BufferSpec& spec() const { return m_spec; }
    void* data() const { return m_memory.as<std::uint8_t>() + m_frontBytes; }
    std::uint64_t bytes() const { return m_spec.type.bytes(); }
    std::uint64_t elements() const { return static_cast<std::uint64_t>(m_spec.type.elements()); }
    ElementKind kind() const { return elementKind(m_spec.type.dtype); }

    cudaError_t writeGuards(cudaStream_t stream) const;
    /// Adds the number of damaged guard bytes to *result (device memory).
    cudaError_t countDamage(std::uint64_t* result, cudaStream_t stream) const;
    /// From now on fill() gives these bytes. Errors: BadFormat (another size), Unavailable.
    Result<void> setContent(const std::string& content);
    /// What its init says: random values of (seed, index), a scalar, poison ...
    cudaError_t fill(std::uint64_t seed, std::uint32_t index, cudaStream_t stream) const;

private:
    BufferSpec m_spec;
    DeviceMemory m_memory;
    DeviceMemory m_content; ///< empty: fill() follows the init
    std::uint64_t m_frontBytes = 0;
    std::uint64_t m_rearBytes = 0;
};

/// Fills plain memory as an input of the plan, without guards; derived ones are made by DerivedInputs.
cudaError_t fillInput(
    void* data, const BufferSpec& spec, std::uint64_t seed, std::uint32_t index, cudaStream_t stream);

/// Replaces a part of a random input, chosen by the seed, by other random values: one part in 64, so that who
/// looks at a few elements only takes it for the input that it saw before. Other inputs stay as they are.
cudaError_t alterInput(
    void* data, const BufferSpec& spec, std::uint64_t seed, std::uint32_t index, cudaStream_t stream);
/// Sets that part back to what fillInput makes.
cudaError_t restoreInput(
    void* data, const BufferSpec& spec, std::uint64_t seed, std::uint32_t index, cudaStream_t stream);

/// Every buffer of a plan, and what happened to them.
class BufferSet {
public:
    /// `oracle` says how derived inputs are made. Errors: Unavailable (not enough memory), Unsupported (an
    /// input that cannot be made here).
    static Result<BufferSet> allocate(const ResolvedPlan& plan, const OracleSpec& oracle = {},
        bool guarded = true, std::uint64_t granularity = 256);

    const std::vector<GuardedBuffer>& buffers() const { return m_buffers; }
    /// Inputs from the seed, outputs poisoned, workspaces as the plan says, guards written.
    Result<void> prepare(std::uint64_t seed, cudaStream_t stream) const;
    /// Values that no seed makes. Errors: BadFormat, Unavailable.
    Result<void> setContents(const std::vector<BufferContent>& contents);
    /// Whether an input is made from others by an oracle, which takes time.
    bool hasDerived() const;
    /// Alters the inputs of `seed` in place (alterInput); those derived from them are made again.
    Result<void> alter(std::uint64_t seed, cudaStream_t stream) const;
    /// Alters the inputs of `seed` from which no other is derived, and sets them back. Both enqueue.
    cudaError_t alterIndependent(std::uint64_t seed, cudaStream_t stream) const;
    cudaError_t restoreIndependent(std::uint64_t seed, cudaStream_t stream) const;
    /// Whether alterIndependent changes buffer `i`.
    bool isIndependent(std::size_t i) const;
    /// Poisons the outputs again and sets workspaces back, for another call on the same inputs.
    Result<void> renew(std::uint64_t seed, cudaStream_t stream) const;
    /// Outputs poisoned and workspaces as a plan's `init` promises, enqueued: what stands before every call.
    cudaError_t renewForCall(std::uint64_t seed, cudaStream_t stream) const;
    /// One hash per buffer; synchronises.
    Result<std::vector<std::uint64_t>> hashes(cudaStream_t stream) const;
    /// Names of inputs whose hash differs.
    std::vector<std::string> changedInputs(
        const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& after) const;
    /// Names of buffers whose guards were written; synchronises.
    Result<std::vector<std::string>> damagedGuards(cudaStream_t stream) const;

private:
    Result<std::vector<std::uint64_t>> readCounters(cudaStream_t stream) const;
    std::vector<void*> inputs() const;
    std::vector<GuardedBuffer> m_buffers;
    DerivedInputs m_derived;
    DeviceMemory m_counters; ///< one 64-bit word per buffer
};

} // namespace ptxwb::gpu
