// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/compare.h"

#include "core/gpu/element_access.cuh"

namespace ptxwb::gpu {

namespace {

constexpr int threads = 256;

__device__ bool holdsPoison(const void* data, ElementKind kind, std::uint64_t i)
{
    constexpr std::uint64_t word = poisonWord;
    switch (kind) {
    case ElementKind::F64:
        return static_cast<const std::uint64_t*>(data)[i] == word * 0x0001000100010001ULL;
    case ElementKind::F32:
        return static_cast<const std::uint32_t*>(data)[i] == word * 0x00010001ULL;
    case ElementKind::F16:
    case ElementKind::Bf16:
        return static_cast<const std::uint16_t*>(data)[i] == word;
    case ElementKind::E4m3:
    case ElementKind::E5m2:
        return static_cast<const std::uint8_t*>(data)[i] == poisonByte;
    default: // an integer that equals the pattern is a value like any other
        return false;
    }
}

__device__ void join(ComparisonPart& into, const ComparisonPart& other)
{
    into.mismatched += other.mismatched;
    into.nanCount += other.nanCount;
    into.infCount += other.infCount;
    into.poisonCount += other.poisonCount;
    into.nonZero += other.nonZero;
    into.firstMismatch = min(into.firstMismatch, other.firstMismatch);
    into.maxAbs = fmax(into.maxAbs, other.maxAbs);
    into.maxRel = fmax(into.maxRel, other.maxRel);
    into.errorSquares += other.errorSquares;
    into.referenceSquares += other.referenceSquares;
}

// The same rules as compareOnHost in core/bench/comparison.cpp.
__device__ void add(ComparisonPart& part, double got, double expected, bool poisoned, std::uint64_t i,
    double atol, double rtol)
{
    constexpr double tiny = 1e-8; // of the paper's relative error
    part.poisonCount += poisoned ? 1 : 0;
    part.nonZero += got != 0 ? 1 : 0;
    if (!isfinite(got) || !isfinite(expected)) {
        const bool same = (isnan(got) && isnan(expected)) || (isinf(got) && got == expected);
        if (!same) {
            part.nanCount += isnan(got) ? 1 : 0;
            part.infCount += isinf(got) ? 1 : 0;
            part.mismatched += 1;
            part.firstMismatch = min(part.firstMismatch, i);
        }
        return;
    }
    const double error = got - expected;
    part.errorSquares += error * error;
    part.referenceSquares += expected * expected;
    const double absolute = fabs(static_cast<double>(static_cast<float>(got)) - expected);
    const double relative = absolute / (fabs(expected) + tiny);
    part.maxAbs = fmax(part.maxAbs, absolute);
    part.maxRel = fmax(part.maxRel, relative);
    if (absolute > atol && relative > rtol) {
        part.mismatched += 1;
        part.firstMismatch = min(part.firstMismatch, i);
    }
}

__global__ void compareKernel(const void* output, ElementKind kind, const float* reference,
    std::uint64_t elements, double atol, double rtol, ComparisonPart* parts)
{
    __shared__ ComparisonPart shared[threads];
    ComparisonPart part{};
    part.firstMismatch = ~0ULL;
    const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * threads;
    for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * threads + threadIdx.x; i < elements;
         i += step) {
        add(part, loadElement(output, kind, i), reference[i], holdsPoison(output, kind, i), i, atol, rtol);
    }
    shared[threadIdx.x] = part;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            join(shared[threadIdx.x], shared[threadIdx.x + half]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = shared[0];
    }
}

__global__ void widenKernel(const void* data, ElementKind kind, std::uint64_t elements, float* out)
{
    const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
    for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < elements;
         i += step) {
        out[i] = static_cast<float>(loadElement(data, kind, i));
    }
}

} // namespace

cudaError_t widenToFloat(
    const void* data, ElementKind kind, std::uint64_t elements, float* out, cudaStream_t stream)
{
    widenKernel<<<comparisonBlocks, threads, 0, stream>>>(data, kind, elements, out);
    return cudaGetLastError();
}

cudaError_t compareElements(const void* output, ElementKind kind, const float* reference,
    std::uint64_t elements, double atol, double rtol, ComparisonPart* parts, cudaStream_t stream)
{
    compareKernel<<<comparisonBlocks, threads, 0, stream>>>(
        output, kind, reference, elements, atol, rtol, parts);
    return cudaGetLastError();
}

} // namespace ptxwb::gpu
