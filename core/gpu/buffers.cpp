// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/buffers.h"

#include "core/bench/seeded_input.h"
#include "core/gpu/cuda_error.h"
#include "core/gpu/fill.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::gpu {

ElementKind elementKind(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Float64:
        return ElementKind::F64;
    case Dtype::Float32:
        return ElementKind::F32;
    case Dtype::Float16:
        return ElementKind::F16;
    case Dtype::Bfloat16:
        return ElementKind::Bf16;
    case Dtype::Float8E4m3:
        return ElementKind::E4m3;
    case Dtype::Float8E5m2:
        return ElementKind::E5m2;
    case Dtype::Int64:
        return ElementKind::I64;
    case Dtype::Int32:
        return ElementKind::I32;
    case Dtype::Int16:
        return ElementKind::I16;
    case Dtype::Int8:
        return ElementKind::I8;
    case Dtype::Uint8:
        return ElementKind::U8;
    case Dtype::Bool:
        return ElementKind::Bool;
    }
    return ElementKind::U8;
}

Result<DeviceMemory> DeviceMemory::allocate(std::uint64_t bytes, const std::string& purpose)
{
    DeviceMemory memory;
    void* data = nullptr;
    const cudaError_t code = cudaMalloc(&data, bytes);
    if (code != cudaSuccess) {
        std::size_t freeBytes = 0;
        std::size_t totalBytes = 0;
        cudaMemGetInfo(&freeBytes, &totalBytes);
        return cudaFailure(code,
            fmt::format("taking {:.2f} GiB of device memory for {} ({:.2f} GiB are free)",
                static_cast<double>(bytes) / (1U << 30), purpose,
                static_cast<double>(freeBytes) / (1U << 30)));
    }
    memory.m_data.reset(data);
    memory.m_bytes = bytes;
    return memory;
}

Result<GuardedBuffer> GuardedBuffer::allocate(const BufferSpec& spec, bool guarded, std::uint64_t granularity)
{
    GuardedBuffer buffer;
    buffer.m_spec = spec;
    std::uint64_t total = spec.type.bytes();
    if (guarded) {
        // The rear guard runs to the end of the allocation.
        total = (guardBytes + spec.type.bytes() + guardBytes + granularity - 1) / granularity * granularity;
        buffer.m_frontBytes = guardBytes;
        buffer.m_rearBytes = total - guardBytes - spec.type.bytes();
    }
    auto memory = DeviceMemory::allocate(total, "'" + spec.name + "'");
    if (!memory) {
        return memory.error();
    }
    buffer.m_memory = *std::move(memory);
    return buffer;
}

cudaError_t GuardedBuffer::writeGuards(cudaStream_t stream) const
{
    if (m_frontBytes == 0) {
        return cudaSuccess;
    }
    auto* const begin = m_memory.as<std::uint8_t>();
    const cudaError_t front = cudaMemsetAsync(begin, guardPattern, guardBytes, stream);
    return front != cudaSuccess
        ? front
        : cudaMemsetAsync(begin + guardBytes + bytes(), guardPattern, m_rearBytes, stream);
}

cudaError_t GuardedBuffer::countDamage(std::uint64_t* result, cudaStream_t stream) const
{
    if (m_frontBytes == 0) {
        return cudaSuccess;
    }
    auto* const begin = m_memory.as<std::uint8_t>();
    const cudaError_t front = countGuardDamage(begin, guardBytes, result, stream);
    return front != cudaSuccess ? front
                                : countGuardDamage(begin + guardBytes + bytes(), m_rearBytes, result, stream);
}

Result<void> GuardedBuffer::setContent(const std::string& content)
{
    if (content.size() != bytes()) {
        return Error{.code = ErrorCode::BadFormat,
            .message = fmt::format(
                "the content of '{}' has {} bytes, its type {}", m_spec.name, content.size(), bytes())};
    }
    auto memory = DeviceMemory::allocate(bytes(), fmt::format("the content of '{}'", m_spec.name));
    if (!memory) {
        return memory.error();
    }
    m_content = *std::move(memory);
    return check(cudaMemcpy(m_content.data(), content.data(), content.size(), cudaMemcpyHostToDevice),
        fmt::format("copying the content of '{}'", m_spec.name));
}

cudaError_t GuardedBuffer::fill(std::uint64_t seed, std::uint32_t index, cudaStream_t stream) const
{
    if (m_content.bytes() != 0) {
        return cudaMemcpyAsync(data(), m_content.data(), bytes(), cudaMemcpyDeviceToDevice, stream);
    }
    return fillInput(data(), m_spec, seed, index, stream);
}

cudaError_t fillInput(
    void* data, const BufferSpec& spec, std::uint64_t seed, std::uint32_t index, cudaStream_t stream)
{
    const ElementKind kind = elementKind(spec.type.dtype);
    const auto elements = static_cast<std::uint64_t>(spec.type.elements());
    switch (spec.init) {
    case BufferInit::Random:
        return fillRandom(data, kind, elements, seed, index, stream);
    case BufferInit::Zero:
        return cudaMemsetAsync(data, 0, spec.type.bytes(), stream);
    case BufferInit::Iota:
        return fillIota(data, kind, elements, stream);
    case BufferInit::Scalar:
        return fillScalar(data, kind, elements, spec.scalar, stream);
    case BufferInit::Poison:
        return fillPoison(data, kind, spec.type.bytes(), stream);
    case BufferInit::Derived:
        return cudaErrorNotSupported;
    }
    return cudaErrorInvalidValue;
}

namespace {

constexpr std::uint64_t otherSeed = 0x5EC2E7ULL << 40;

/// The secret part of a random input.
struct Part {
    std::uint64_t begin = 0; ///< in elements
    std::uint64_t length = 0; ///< 0: the input is not random
    void* place = nullptr;
};

Part secretPart(void* data, const BufferSpec& spec, std::uint64_t seed, std::uint32_t index)
{
    if (spec.role != BufferRole::Input || spec.init != BufferInit::Random) {
        return {};
    }
    constexpr std::uint64_t parts = 64;
    const auto elements = static_cast<std::uint64_t>(spec.type.elements());
    const std::uint64_t length = std::max<std::uint64_t>(1, elements / parts);
    // A part begins at a multiple of its length and of 8 elements: fills want their data aligned.
    const std::uint64_t begin = mixedBits(seed ^ otherSeed, index, 0) % (elements / length) * length / 8 * 8;
    return {.begin = begin,
        .length = std::min(length, elements - begin),
        .place = static_cast<char*>(data) + begin * static_cast<std::uint64_t>(dtypeBytes(spec.type.dtype))};
}

} // namespace

cudaError_t alterInput(
    void* data, const BufferSpec& spec, std::uint64_t seed, std::uint32_t index, cudaStream_t stream)
{
    const Part part = secretPart(data, spec, seed, index);
    return part.length == 0
        ? cudaSuccess
        : fillRandom(part.place, elementKind(spec.type.dtype), part.length, seed ^ otherSeed, index, stream);
}

cudaError_t restoreInput(
    void* data, const BufferSpec& spec, std::uint64_t seed, std::uint32_t index, cudaStream_t stream)
{
    const Part part = secretPart(data, spec, seed, index);
    return part.length == 0
        ? cudaSuccess
        : fillRandom(part.place, elementKind(spec.type.dtype), part.length, seed, index, stream, part.begin);
}

Result<BufferSet> BufferSet::allocate(
    const ResolvedPlan& plan, const OracleSpec& oracle, bool guarded, std::uint64_t granularity)
{
    BufferSet set;
    auto derived = DerivedInputs::make(oracle, plan);
    if (!derived) {
        return derived.error();
    }
    set.m_derived = *std::move(derived);
    for (const BufferSpec& spec : plan.buffers) {
        if (spec.type.elements() <= 0) {
            return Error{.code = ErrorCode::BadFormat,
                .message = fmt::format("buffer '{}' has no elements", spec.name)};
        }
        auto buffer = GuardedBuffer::allocate(spec, guarded, granularity);
        if (!buffer) {
            return buffer.error();
        }
        set.m_buffers.push_back(*std::move(buffer));
    }
    auto counters = DeviceMemory::allocate(
        sizeof(std::uint64_t) * std::max<std::size_t>(1, plan.buffers.size()), "counters");
    if (!counters) {
        return counters.error();
    }
    set.m_counters = *std::move(counters);
    return set;
}

Result<void> BufferSet::prepare(std::uint64_t seed, cudaStream_t stream) const
{
    for (std::uint32_t i = 0; i < m_buffers.size(); ++i) {
        const GuardedBuffer& buffer = m_buffers[i];
        const bool isInput = buffer.spec().role == BufferRole::Input;
        const bool isDerived = isInput && buffer.spec().init == BufferInit::Derived;
        for (const cudaError_t code :
            {buffer.writeGuards(stream), isDerived ? cudaSuccess : buffer.fill(seed, i, stream)}) {
            if (const auto done = check(code, "filling '" + buffer.spec().name + "'"); !done) {
                return done;
            }
        }
    }
    if (const auto done = check(m_derived.fill(inputs(), seed, stream), "deriving inputs"); !done) {
        return done;
    }
    return check(cudaStreamSynchronize(stream), "filling the buffers");
}

std::vector<void*> BufferSet::inputs() const
{
    std::vector<void*> result;
    for (const GuardedBuffer& buffer : m_buffers) {
        if (buffer.spec().role == BufferRole::Input) {
            result.push_back(buffer.data());
        }
    }
    return result;
}

Result<void> BufferSet::setContents(const std::vector<BufferContent>& contents)
{
    for (const BufferContent& content : contents) {
        if (content.buffer < 0 || static_cast<std::size_t>(content.buffer) >= m_buffers.size()) {
            return Error{.code = ErrorCode::BadFormat,
                .message = fmt::format("content for buffer {}, which is not there", content.buffer)};
        }
        if (const auto set = m_buffers[static_cast<std::size_t>(content.buffer)].setContent(content.bytes);
            !set) {
            return set;
        }
    }
    return {};
}

bool BufferSet::hasDerived() const
{
    return !m_derived.isEmpty();
}

bool BufferSet::isIndependent(std::size_t i) const
{
    const auto isInput = [](const GuardedBuffer& buffer) { return buffer.spec().role == BufferRole::Input; };
    const auto end = m_buffers.begin() + static_cast<std::ptrdiff_t>(i);
    return isInput(m_buffers[i]) && m_buffers[i].spec().init == BufferInit::Random
        && !m_derived.reads(static_cast<std::size_t>(std::count_if(m_buffers.begin(), end, isInput)));
}

cudaError_t BufferSet::alterIndependent(std::uint64_t seed, cudaStream_t stream) const
{
    cudaError_t code = cudaSuccess;
    for (std::uint32_t i = 0; i < m_buffers.size() && code == cudaSuccess; ++i) {
        if (isIndependent(i)) {
            code = alterInput(m_buffers[i].data(), m_buffers[i].spec(), seed, i, stream);
        }
    }
    return code;
}

cudaError_t BufferSet::restoreIndependent(std::uint64_t seed, cudaStream_t stream) const
{
    cudaError_t code = cudaSuccess;
    for (std::uint32_t i = 0; i < m_buffers.size() && code == cudaSuccess; ++i) {
        if (isIndependent(i)) {
            code = restoreInput(m_buffers[i].data(), m_buffers[i].spec(), seed, i, stream);
        }
    }
    return code;
}

Result<void> BufferSet::alter(std::uint64_t seed, cudaStream_t stream) const
{
    for (std::uint32_t i = 0; i < m_buffers.size(); ++i) {
        const GuardedBuffer& buffer = m_buffers[i];
        if (const auto done = check(alterInput(buffer.data(), buffer.spec(), seed, i, stream),
                "altering '" + buffer.spec().name + "'");
            !done) {
            return done;
        }
    }
    return check(m_derived.fill(inputs(), seed, stream), "deriving inputs");
}

Result<void> BufferSet::renew(std::uint64_t seed, cudaStream_t stream) const
{
    return check(renewForCall(seed, stream), "filling outputs and workspaces");
}

cudaError_t BufferSet::renewForCall(std::uint64_t seed, cudaStream_t stream) const
{
    for (std::uint32_t i = 0; i < m_buffers.size(); ++i) {
        if (m_buffers[i].spec().role == BufferRole::Input) {
            continue;
        }
        if (const cudaError_t code = m_buffers[i].fill(seed, i, stream); code != cudaSuccess) {
            return code;
        }
    }
    return cudaSuccess;
}

Result<std::vector<std::uint64_t>> BufferSet::readCounters(cudaStream_t stream) const
{
    std::vector<std::uint64_t> values(m_buffers.size());
    for (const cudaError_t code : {cudaMemcpyAsync(values.data(), m_counters.data(),
                                       values.size() * sizeof values[0], cudaMemcpyDeviceToHost, stream),
             cudaStreamSynchronize(stream)}) {
        if (const auto done = check(code, "reading counters"); !done) {
            return done.error();
        }
    }
    return values;
}

Result<std::vector<std::uint64_t>> BufferSet::hashes(cudaStream_t stream) const
{
    auto* const counters = m_counters.as<std::uint64_t>();
    cudaError_t code = cudaMemsetAsync(counters, 0, m_counters.bytes(), stream);
    for (std::size_t i = 0; i < m_buffers.size() && code == cudaSuccess; ++i) {
        code = hashBytes(m_buffers[i].data(), m_buffers[i].bytes(), counters + i, stream);
    }
    if (const auto done = check(code, "hashing the buffers"); !done) {
        return done.error();
    }
    return readCounters(stream);
}

std::vector<std::string> BufferSet::changedInputs(
    const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& after) const
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const BufferSpec& spec = m_buffers[i].spec();
        if (spec.role == BufferRole::Input && before[i] != after[i]) {
            names.push_back(spec.name);
        }
    }
    return names;
}

Result<std::vector<std::string>> BufferSet::damagedGuards(cudaStream_t stream) const
{
    auto* const counters = m_counters.as<std::uint64_t>();
    cudaError_t code = cudaMemsetAsync(counters, 0, m_counters.bytes(), stream);
    for (std::size_t i = 0; i < m_buffers.size() && code == cudaSuccess; ++i) {
        code = m_buffers[i].countDamage(counters + i, stream);
    }
    if (const auto done = check(code, "reading the guard bands"); !done) {
        return done.error();
    }
    const auto damage = readCounters(stream);
    if (!damage) {
        return damage.error();
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < damage->size(); ++i) {
        if ((*damage)[i] != 0) {
            names.push_back(m_buffers[i].spec().name);
        }
    }
    return names;
}

} // namespace ptxwb::gpu
