// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/candidate.h"

#include "core/gpu/cuda_error.h"
#include "core/gpu/driver_entry.h"
#include "core/gpu/launch_attributes.h"
#include "core/gpu/tensor_map.h"

#include <fmt/format.h>

#include <cstring>

namespace ptxwb::gpu {

namespace {

CandidateFault launchError(std::string explanation)
{
    return {Verdict::LaunchError, std::move(explanation)};
}

constexpr const char* kindNames[]{
    "tensor", "tensor_map", "workspace", "i32", "u32", "i64", "u64", "f32", "f64"};

template <class T> void store(unsigned char* bytes, std::size_t& size, T value)
{
    std::memcpy(bytes, &value, sizeof value);
    size = sizeof value;
}

} // namespace

Candidate::~Candidate()
{
    if (m_library != nullptr) {
        cudaLibraryUnload(m_library);
    }
}

std::optional<CandidateFault> Candidate::load(
    const std::string& cubin, const ResolvedPlan& plan, const BufferSet& buffers, const Device& device)
{
    const cudaError_t loaded =
        cudaLibraryLoadData(&m_library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
    if (loaded != cudaSuccess) {
        m_library = nullptr;
        CandidateFault fault = faultOf(loaded, "Loading the code");
        fault.verdict =
            loaded == cudaErrorNoKernelImageForDevice ? Verdict::Unsupported : Verdict::LaunchError;
        return fault;
    }
    std::vector<CUtensorMap> maps;
    for (const TensorMapSpec& spec : plan.tensorMaps) {
        auto encoded = encodeTensorMap(spec, buffers.buffers()[static_cast<std::size_t>(spec.buffer)].data());
        if (auto* fault = std::get_if<CandidateFault>(&encoded)) {
            return std::move(*fault);
        }
        maps.push_back(std::get<CUtensorMap>(encoded));
    }
    if (plan.launches.empty()) {
        return launchError("The plan launches nothing.");
    }
    for (const Launch& launchPlan : plan.launches) {
        ReadyLaunch launch;
        launch.name = launchPlan.kernel;
        launch.plan = launchPlan;
        if (auto fault = findKernel(launch)) {
            return fault;
        }
        if (auto fault = checkResources(launch, device)) {
            return fault;
        }
        if (auto fault = packArguments(launch, buffers, maps)) {
            return fault;
        }
        m_title += (m_title.empty() ? "" : ", then ") + launch.name;
        m_launches.push_back(std::move(launch));
    }
    // Pointers into a launch are taken only now, when the vector no longer moves them.
    for (ReadyLaunch& launch : m_launches) {
        for (ArgumentBytes& argument : launch.arguments) {
            launch.pointers.push_back(argument.bytes);
        }
        launch.attributes = launchAttributes(launch.plan);
        launch.config = launchConfig(launch.plan, launch.attributes);
    }
    return std::nullopt;
}

std::string Candidate::kernelNames() const
{
    unsigned count = 0;
    if (cudaLibraryGetKernelCount(&count, m_library) != cudaSuccess || count == 0) {
        return "no kernel";
    }
    std::vector<cudaKernel_t> kernels(count);
    const auto nameOf = driverFunction<CUresult (*)(const char**, CUkernel)>("cuKernelGetName", 12030);
    if (nameOf == nullptr || cudaLibraryEnumerateKernels(kernels.data(), count, m_library) != cudaSuccess) {
        return fmt::format("{} other kernels", count);
    }
    std::string names;
    for (const cudaKernel_t kernel : kernels) {
        const char* name = nullptr;
        if (nameOf(&name, reinterpret_cast<CUkernel>(kernel)) == CUDA_SUCCESS) {
            names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
        }
    }
    return names;
}

std::optional<CandidateFault> Candidate::findKernel(ReadyLaunch& launch) const
{
    const cudaError_t found = cudaLibraryGetKernel(&launch.kernel, m_library, launch.name.c_str());
    if (found == cudaSuccess) {
        return std::nullopt;
    }
    if (found == cudaErrorSymbolNotFound || found == cudaErrorInvalidDeviceFunction
        || found == cudaErrorInvalidValue) {
        return launchError(
            fmt::format("The plan launches '{}', the code holds {}.", launch.name, kernelNames()));
    }
    return faultOf(found, fmt::format("Loading kernel '{}'", launch.name));
}

std::optional<CandidateFault> Candidate::checkResources(const ReadyLaunch& launch, const Device& device) const
{
    const auto* const function = reinterpret_cast<const void*>(launch.kernel);
    cudaFuncAttributes has{};
    if (const cudaError_t code = cudaFuncGetAttributes(&has, function); code != cudaSuccess) {
        return faultOf(code, fmt::format("Loading kernel '{}'", launch.name));
    }
    const Launch& plan = launch.plan;
    const std::uint64_t threads = std::uint64_t{plan.block[0]} * plan.block[1] * plan.block[2];
    if (threads > static_cast<std::uint64_t>(has.maxThreadsPerBlock)) {
        return launchError(fmt::format("Kernel '{}' allows {} threads per block ({} registers each, or its "
                                       ".maxntid), the plan asks for {}.",
            launch.name, has.maxThreadsPerBlock, has.numRegs, threads));
    }
    const std::uint64_t shared = has.sharedSizeBytes + plan.dynamicSharedBytes;
    if (shared > static_cast<std::uint64_t>(device.info.sharedBytesPerBlockOptin)) {
        return launchError(fmt::format("Kernel '{}' needs {} bytes of shared memory ({} of its own and {} "
                                       "dynamic), a block has at most {} here.",
            launch.name, shared, has.sharedSizeBytes, plan.dynamicSharedBytes,
            device.info.sharedBytesPerBlockOptin));
    }
    if (const cudaError_t code = cudaFuncSetAttribute(
            function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(plan.dynamicSharedBytes));
        code != cudaSuccess) {
        return faultOf(code,
            fmt::format("Giving kernel '{}' {} bytes of dynamic shared memory", launch.name,
                plan.dynamicSharedBytes));
    }
    const std::uint64_t cluster = std::uint64_t{plan.cluster[0]} * plan.cluster[1] * plan.cluster[2];
    if (cluster > 1 && device.major < 9) {
        return CandidateFault{
            Verdict::Unsupported, "Clusters need a device of compute capability 9.0 or later."};
    }
    constexpr std::uint64_t portableClusterSize = 8;
    if (cluster > portableClusterSize) {
        cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    }
    return std::nullopt;
}

std::optional<CandidateFault> Candidate::packArguments(
    ReadyLaunch& launch, const BufferSet& buffers, const std::vector<CUtensorMap>& maps) const
{
    for (const LaunchArgument& argument : launch.plan.arguments) {
        ArgumentBytes packed{};
        const auto index = static_cast<std::size_t>(argument.index);
        switch (argument.kind) {
        case ArgumentKind::Tensor:
        case ArgumentKind::Workspace:
            store(packed.bytes, packed.size,
                static_cast<char*>(buffers.buffers()[index].data()) + argument.offsetBytes);
            break;
        case ArgumentKind::TensorMap:
            store(packed.bytes, packed.size, maps[index]);
            break;
        case ArgumentKind::I32:
            store(packed.bytes, packed.size, static_cast<std::int32_t>(argument.integer));
            break;
        case ArgumentKind::U32:
            store(packed.bytes, packed.size, static_cast<std::uint32_t>(argument.integer));
            break;
        case ArgumentKind::I64:
        case ArgumentKind::U64:
            store(packed.bytes, packed.size, argument.integer);
            break;
        case ArgumentKind::F32:
            store(packed.bytes, packed.size, static_cast<float>(argument.real));
            break;
        case ArgumentKind::F64:
            store(packed.bytes, packed.size, argument.real);
            break;
        }
        launch.arguments.push_back(packed);
    }
    // The launch copies as many bytes as the kernel declares: too few given would read past ours.
    const auto parameter =
        driverFunction<CUresult (*)(CUkernel, size_t, size_t*, size_t*)>("cuKernelGetParamInfo", 12040);
    if (parameter == nullptr) {
        return std::nullopt;
    }
    for (std::size_t i = 0;; ++i) {
        std::size_t offset = 0;
        std::size_t size = 0;
        const bool declared =
            parameter(reinterpret_cast<CUkernel>(launch.kernel), i, &offset, &size) == CUDA_SUCCESS;
        if (!declared && i == launch.arguments.size()) {
            return std::nullopt;
        }
        if (!declared || i >= launch.arguments.size()) {
            std::size_t count = i;
            while (declared
                && parameter(reinterpret_cast<CUkernel>(launch.kernel), count, &offset, &size)
                    == CUDA_SUCCESS) {
                ++count;
            }
            return launchError(fmt::format("Kernel '{}' takes {} parameters, the plan gives {} arguments.",
                launch.name, count, launch.arguments.size()));
        }
        if (size != launch.arguments[i].size) {
            return launchError(
                fmt::format("Parameter {} of kernel '{}' has {} bytes, the plan gives a {} of {} bytes.", i,
                    launch.name, size, kindNames[static_cast<std::size_t>(launch.plan.arguments[i].kind)],
                    launch.arguments[i].size));
        }
    }
}

cudaError_t Candidate::launch(cudaStream_t stream)
{
    for (ReadyLaunch& ready : m_launches) {
        ready.config.stream = stream;
        const cudaError_t code = cudaLaunchKernelExC(
            &ready.config, reinterpret_cast<const void*>(ready.kernel), ready.pointers.data());
        if (code != cudaSuccess) {
            return code;
        }
    }
    return cudaSuccess;
}

} // namespace ptxwb::gpu
