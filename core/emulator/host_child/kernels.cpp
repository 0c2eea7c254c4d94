// SPDX-License-Identifier: Apache-2.0
// Registration and launch: what nvcc's own code and launch calls use.
#include "core/emulator/host_child/channel.h"
#include "core/emulator/host_child/runtime.h"
#include "core/support/base64.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <map>
#include <memory>
#include <mutex>

namespace ptxwb::emulator::cuda {

namespace {

struct Variable {
    std::string name{};
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool isAsked = false;
};

struct Registry {
    std::recursive_mutex mutex{};
    std::map<const void*, Kernel*> byFunction{};
    std::map<std::string, std::unique_ptr<Kernel>> kernels{};
    std::map<const void*, Variable> variables{};
};

Registry& registry()
{
    static auto* const one = new Registry; // host code may still launch when statics are gone
    return *one;
}

/// What <<< >>> said, between its two calls.
struct Configuration {
    Dim3 grid;
    Dim3 block;
    std::size_t sharedBytes;
    void* stream;
};
thread_local std::vector<Configuration> configurations;

Variable* variableOf(const void* symbol)
{
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().variables.find(symbol);
    if (found == registry().variables.end()) {
        return nullptr;
    }
    auto& variable = found->second;
    if (!variable.isAsked) {
        const auto answer = host::ask({{"do", "variable"}, {"name", variable.name}});
        variable.address = answer.value("address", std::uint64_t{0});
        variable.bytes = answer.value("bytes", std::uint64_t{0});
        variable.isAsked = true;
    }
    return variable.address != 0 ? &variable : nullptr;
}

} // namespace

Kernel* kernelNamed(const std::string& name)
{
    const std::scoped_lock lock(registry().mutex);
    auto& kernel = registry().kernels[name];
    if (!kernel) {
        kernel = std::make_unique<Kernel>();
        kernel->name = name;
    }
    return kernel.get();
}

Kernel* kernelOf(const void* function)
{
    const std::scoped_lock lock(registry().mutex);
    const auto found = registry().byFunction.find(function);
    if (found != registry().byFunction.end()) {
        return found->second;
    }
    for (const auto& [name, kernel] : registry().kernels) {
        if (kernel.get() == function) {
            return kernel.get();
        }
    }
    return nullptr;
}

int learn(Kernel& kernel)
{
    const std::scoped_lock lock(registry().mutex);
    if (!kernel.isAsked) {
        const auto answer = host::ask({{"do", "kernel"}, {"name", kernel.name}});
        kernel.isAsked = true;
        kernel.code = answer.at("code").get<int>();
        if (kernel.code == success) {
            answer.at("sizes").get_to(kernel.sizes);
            answer.at("offsets").get_to(kernel.offsets);
            answer.at("bytes").get_to(kernel.parameterBytes);
            answer.at("shared").get_to(kernel.sharedBytes);
            answer.at("threads").get_to(kernel.maxThreads);
        }
    }
    return kernel.code;
}

void apply(const LaunchAttribute& attribute, LaunchShape& shape)
{
    if (attribute.id == LaunchAttribute::clusterDimension) {
        shape.cluster = {attribute.words[0], attribute.words[1], attribute.words[2]};
    } else if (attribute.id == LaunchAttribute::cooperative) {
        shape.cooperative = attribute.words[0] != 0;
    }
}

int launch(Kernel& kernel, const LaunchShape& shape, void** arguments)
{
    if (const int code = learn(kernel); code != success) {
        return failed(code);
    }
    std::string parameters(kernel.parameterBytes, '\0');
    for (std::size_t i = 0; i < kernel.sizes.size(); ++i) {
        if (arguments == nullptr || arguments[i] == nullptr) {
            return failed(invalidValue);
        }
        std::memcpy(parameters.data() + kernel.offsets[i], arguments[i], kernel.sizes[i]);
    }
    const auto three = [](const Dim3& d) { return std::array{d.x, d.y, d.z}; };
    const auto answer = host::ask({{"do", "launch"}, {"kernel", kernel.name}, {"grid", three(shape.grid)},
        {"block", three(shape.block)}, {"cluster", shape.cluster}, {"shared", shape.sharedBytes},
        {"cooperative", shape.cooperative}, {"allowed", kernel.allowedSharedBytes},
        {"parameters", base64Encode(parameters)}});
    return failed(answer.at("code").get<int>());
}

} // namespace ptxwb::emulator::cuda

using namespace ptxwb::emulator::cuda;

PTXWB_CUDA_API void** __cudaRegisterFatBinary(void* /*binary*/)
{
    static void* handle = nullptr; // the device has the PTX of the one file already
    return &handle;
}
PTXWB_CUDA_API void __cudaRegisterFatBinaryEnd(void** /*handle*/) { }
PTXWB_CUDA_API void __cudaUnregisterFatBinary(void** /*handle*/) { }
PTXWB_CUDA_API char __cudaInitModule(void** /*handle*/)
{
    return 1;
}

PTXWB_CUDA_API void __cudaRegisterFunction(void** /*handle*/, const char* function, char* /*device*/,
    const char* name, int /*threads*/, void* /*tid*/, void* /*bid*/, void* /*block*/, void* /*grid*/,
    int* /*warp*/)
{
    const std::scoped_lock lock(registry().mutex);
    registry().byFunction[function] = kernelNamed(name);
}

PTXWB_CUDA_API void __cudaRegisterVar(void** /*handle*/, char* symbol, char* /*device*/, const char* name,
    int /*isExtern*/, std::size_t /*bytes*/, int /*isConstant*/, int /*isGlobal*/)
{
    const std::scoped_lock lock(registry().mutex);
    registry().variables[symbol].name = name;
}

PTXWB_CUDA_API unsigned __cudaPushCallConfiguration(
    Dim3 grid, Dim3 block, std::size_t sharedBytes, void* stream)
{
    configurations.push_back({grid, block, sharedBytes, stream});
    return 0;
}

PTXWB_CUDA_API int __cudaPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* sharedBytes, void* stream)
{
    if (configurations.empty()) {
        return failed(invalidConfiguration);
    }
    const auto last = configurations.back();
    configurations.pop_back();
    *grid = last.grid;
    *block = last.block;
    *sharedBytes = last.sharedBytes;
    *static_cast<void**>(stream) = last.stream;
    return success;
}

PTXWB_CUDA_API int __cudaGetKernel(void** handle, const void* function)
{
    auto* kernel = kernelOf(function);
    *handle = kernel;
    return kernel != nullptr ? success : failed(invalidDeviceFunction);
}

PTXWB_CUDA_API int cudaLaunchKernel(
    const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t sharedBytes, void* /*stream*/)
{
    auto* kernel = kernelOf(function);
    return kernel == nullptr
        ? failed(invalidDeviceFunction)
        : launch(*kernel, {.grid = grid, .block = block, .sharedBytes = sharedBytes}, arguments);
}

PTXWB_CUDA_API int __cudaLaunchKernel(
    void* handle, Dim3 grid, Dim3 block, void** arguments, std::size_t sharedBytes, void* stream)
{
    return cudaLaunchKernel(handle, grid, block, arguments, sharedBytes, stream);
}

PTXWB_CUDA_API int cudaLaunchCooperativeKernel(
    const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t sharedBytes, void* /*stream*/)
{
    auto* kernel = kernelOf(function);
    return kernel == nullptr
        ? failed(invalidDeviceFunction)
        : launch(*kernel, {.grid = grid, .block = block, .sharedBytes = sharedBytes, .cooperative = true},
            arguments);
}

PTXWB_CUDA_API int cudaLaunchKernelExC(const LaunchConfig* config, const void* function, void** arguments)
{
    auto* kernel = kernelOf(function);
    if (kernel == nullptr || config == nullptr) {
        return failed(kernel == nullptr ? invalidDeviceFunction : invalidValue);
    }
    LaunchShape shape{.grid = config->grid, .block = config->block, .sharedBytes = config->sharedBytes};
    for (std::uint32_t i = 0; i < config->attributeCount; ++i) {
        apply(config->attributes[i], shape);
    }
    return launch(*kernel, shape, arguments);
}

PTXWB_CUDA_API int cudaGetFuncBySymbol(void** handle, const void* function)
{
    return __cudaGetKernel(handle, function);
}

PTXWB_CUDA_API int cudaFuncSetAttribute(const void* function, int attribute, int value)
{
    constexpr int maxDynamicShared = 8; // cudaFuncAttributeMaxDynamicSharedMemorySize
    constexpr std::size_t mostShared = 227U << 10;
    auto* kernel = kernelOf(function);
    if (kernel == nullptr) {
        return failed(invalidDeviceFunction);
    }
    if (const int code = learn(*kernel); code != success) {
        return failed(code);
    }
    if (attribute != maxDynamicShared) {
        return success; // carveouts and clusters beyond the portable size change no result
    }
    if (value < 0 || static_cast<std::size_t>(value) + kernel->sharedBytes > mostShared) {
        return failed(invalidValue);
    }
    kernel->allowedSharedBytes = static_cast<std::size_t>(value);
    return success;
}

PTXWB_CUDA_API int cudaFuncSetCacheConfig(const void* /*function*/, int /*config*/)
{
    return success;
}

PTXWB_CUDA_API int cudaFuncGetAttributes(FunctionAttributes* attributes, const void* function)
{
    auto* kernel = kernelOf(function);
    if (kernel == nullptr || learn(*kernel) != success) {
        return failed(invalidDeviceFunction);
    }
    *attributes = {};
    attributes->sharedBytes = kernel->sharedBytes;
    attributes->maxThreads = kernel->maxThreads;
    attributes->ptxVersion = 90;
    attributes->binaryVersion = 90;
    attributes->maxDynamicSharedBytes = static_cast<int>(kernel->allowedSharedBytes);
    return success;
}

PTXWB_CUDA_API int cudaGetSymbolAddress(void** address, const void* symbol)
{
    const auto* variable = variableOf(symbol);
    *address = variable != nullptr ? reinterpret_cast<void*>(variable->address) : nullptr;
    return variable != nullptr ? success : failed(invalidSymbol);
}

PTXWB_CUDA_API int cudaGetSymbolSize(std::size_t* bytes, const void* symbol)
{
    const auto* variable = variableOf(symbol);
    *bytes = variable != nullptr ? variable->bytes : 0;
    return variable != nullptr ? success : failed(invalidSymbol);
}

PTXWB_CUDA_API int cudaMemcpyToSymbol(
    const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind)
{
    const auto* variable = variableOf(symbol);
    return variable == nullptr ? failed(invalidSymbol)
                               : copy(reinterpret_cast<void*>(variable->address + offset), from, bytes,
                                   kind == deviceToDevice ? deviceToDevice : byAddress);
}

PTXWB_CUDA_API int cudaMemcpyToSymbolAsync(
    const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int kind, void* /*stream*/)
{
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}

PTXWB_CUDA_API int cudaMemcpyFromSymbol(
    void* to, const void* symbol, std::size_t bytes, std::size_t offset, int /*kind*/)
{
    const auto* variable = variableOf(symbol);
    return variable == nullptr
        ? failed(invalidSymbol)
        : copy(to, reinterpret_cast<const void*>(variable->address + offset), bytes, byAddress);
}

PTXWB_CUDA_API int cudaMemcpyFromSymbolAsync(
    void* to, const void* symbol, std::size_t bytes, std::size_t offset, int kind, void* /*stream*/)
{
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
