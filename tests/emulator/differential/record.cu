// SPDX-License-Identifier: Apache-2.0
// Runs every form and probe on the GPU at hand and writes what they give, for tests/data/emulator:
//   cd tests/emulator/differential
//   nvcc -std=c++20 -I../../.. -o record record.cu forms.cpp probe_[!r]*.cpp -lcuda
//   ./record OUT DATE          writes OUT
//   ./record --whole OUT DATE  the same with every byte of large outputs, not their hash
//   ./record --ptx DIRECTORY   writes the PTX alone, to try it with ptxas
// With PTXWB_DIFFERENTIAL_SEED=TEXT in the environment, other values (of seeds that begin with "edge": floats
// where rounding, flushing and NaN decide) and 1000 other random programs;
// tst_emulator_recorded compares such a recording with the same variable and
// PTXWB_DIFFERENTIAL_RECORDING=OUT. With PTXWB_DIFFERENTIAL_TRACE=1 in both, the programs write their
// registers at every place instead of at their end, which names the place where the two part.
// Random programs are compiled without optimisation, since the optimiser takes liberties with NaN and with
// operands that PTX leaves undefined; PTXWB_DIFFERENTIAL_LEVEL=N has everything compiled at level N.
// One process for as long as the GPU answers: what breaks it is written as its error, and a fresh one goes
// on.
#include "tests/emulator/differential/forms.h"
#include "tests/emulator/differential/probe.h"

#include <cuda.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace ptxwb::differential;

namespace {

bool keepsWhole = false;

std::string textOf(CUresult result)
{
    const char* text = nullptr;
    cuGetErrorString(result, &text);
    return text == nullptr ? "unknown error" : text;
}

void must(CUresult result, const char* what)
{
    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr, "%s: %s\n", what, textOf(result).c_str());
        std::exit(1);
    }
}

int optimisationLevel(const Probe& probe)
{
    const char* level = std::getenv("PTXWB_DIFFERENTIAL_LEVEL");
    return level != nullptr ? std::atoi(level) : probe.name.rfind("program", 0) == 0 ? 0 : 4;
}

CUtensorMap encoded(const ProbeMap& map, CUdeviceptr address)
{
    CUtensorMap made{};
    const CUtensorMapDataType type = map.type == 'b' ? CU_TENSOR_MAP_DATA_TYPE_UINT8
        : map.type == 'h'                            ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
        : map.type == 'B'                            ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
        : map.type == 'w'                            ? CU_TENSOR_MAP_DATA_TYPE_INT32
                                                     : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    const CUtensorMapSwizzle swizzle = map.span == 128 ? CU_TENSOR_MAP_SWIZZLE_128B
        : map.span == 64                               ? CU_TENSOR_MAP_SWIZZLE_64B
        : map.span == 32                               ? CU_TENSOR_MAP_SWIZZLE_32B
                                                       : CU_TENSOR_MAP_SWIZZLE_NONE;
    static const cuuint64_t none[1] = {16};
    const cuuint64_t* strides = map.stridesBytes.empty() ? none : map.stridesBytes.data();
    const auto result = cuTensorMapEncodeTiled(&made, type, static_cast<cuuint32_t>(map.dims.size()),
        reinterpret_cast<void*>(address), map.dims.data(), strides, map.box.data(), map.elementStrides.data(),
        CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        map.nanFill ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr, "tensor map: %s\n", textOf(result).c_str());
    }
    return made;
}

/// A form as a probe: three 64-bit words a lane in, one out.
Probe probeOf(const Form& form)
{
    Probe probe;
    probe.name = form.label;
    probe.text = moduleHeader() + kernelOf(form, "k");
    probe.threads = lanes;
    const auto inputs = inputsOf(form);
    probe.input.resize(inputs.size() * 8);
    std::memcpy(probe.input.data(), inputs.data(), probe.input.size());
    probe.output.resize(lanes * 8);
    return probe;
}

/// The results of a form without the bytes between; of a large output that must agree in every bit, its hash.
std::string shortened(const Probe& probe, std::uint32_t bytesOfForm, const std::string& output, char& kind)
{
    std::string kept;
    for (std::size_t lane = 0; bytesOfForm != 0 && lane < lanes; ++lane) {
        kept += output.substr(lane * 8, bytesOfForm);
    }
    if (bytesOfForm == 0 && output.size() > 600 && !keepsWhole) {
        const auto hash = hashOf(reinterpret_cast<const std::uint8_t*>(output.data()), output.size());
        kind = 'H';
        kept.assign(reinterpret_cast<const char*>(&hash), sizeof hash);
    }
    return kept.empty() ? output : kept;
}

void write(std::FILE* file, char kind, const Probe& probe, const std::string& rest)
{
    std::fprintf(file, "%c %zu %s\n", kind, rest.size(), probe.name.c_str());
    std::fwrite(rest.data(), 1, rest.size(), file);
    std::fflush(file);
}

/// False: the context is of no more use.
bool run(const Probe& probe, std::uint32_t bytesOfForm, std::FILE* file)
{
    CUmodule module = nullptr;
    char log[2048] = "";
    CUjit_option options[] = {
        CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL};
    void* values[] = {log, reinterpret_cast<void*>(sizeof log),
        reinterpret_cast<void*>(static_cast<std::uintptr_t>(optimisationLevel(probe)))};
    CUresult result = cuModuleLoadDataEx(&module, probe.text.c_str(), 3, options, values);
    if (result != CUDA_SUCCESS) {
        write(file, 'E', probe, textOf(result) + ": " + log);
        return true;
    }
    CUfunction function = nullptr;
    must(cuModuleGetFunction(&function, module, "k"), probe.name.c_str());
    if (probe.sharedBytes > 48000) {
        must(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                 static_cast<int>(probe.sharedBytes)),
            probe.name.c_str());
    }
    CUdeviceptr in = 0;
    CUdeviceptr out = 0;
    must(cuMemAlloc(&in, probe.input.size() + 4096), "memory");
    must(cuMemAlloc(&out, probe.output.size() + 4096), "memory");
    must(cuMemcpyHtoD(in, probe.input.data(), probe.input.size()), "copy");
    must(cuMemcpyHtoD(out, probe.output.data(), probe.output.size()), "copy");
    CUtensorMap map{};
    void* arguments[] = {&in, &out, &map};
    if (!probe.maps.empty()) {
        map = encoded(probe.maps[0], probe.maps[0].ofOutput ? out : in);
    }
    CUlaunchAttribute cluster{};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim = {probe.ctas, 1, 1};
    CUlaunchConfig config{};
    config.gridDimX = probe.ctas;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = probe.threads;
    config.sharedMemBytes = probe.sharedBytes;
    config.attrs = &cluster;
    config.numAttrs = probe.ctas > 1 ? 1 : 0;
    result = cuLaunchKernelEx(&config, function, arguments, nullptr);
    std::string output(probe.output.size(), '\0');
    if (result == CUDA_SUCCESS) {
        result = cuMemcpyDtoH(output.data(), out, output.size());
    }
    if (result != CUDA_SUCCESS) {
        write(file, 'E', probe, textOf(result));
        return false;
    }
    char kind = 'R';
    const std::string kept = shortened(probe, bytesOfForm, output, kind);
    write(file, kind, probe, kept);
    must(cuMemFree(in), "memory");
    must(cuMemFree(out), "memory");
    must(cuModuleUnload(module), "module");
    return true;
}

int runFrom(const std::vector<Probe>& probes, const std::vector<Form>& forms, std::size_t first,
    const char* path, const char* date)
{
    must(cuInit(0), "cuInit");
    CUdevice device = 0;
    must(cuDeviceGet(&device, 0), "cuDeviceGet");
    CUcontext context = nullptr;
    must(cuDevicePrimaryCtxRetain(&context, device), "context");
    must(cuCtxSetCurrent(context), "context");
    std::FILE* file = std::fopen(path, first == 0 ? "wb" : "ab");
    if (file == nullptr) {
        return 1;
    }
    if (first == 0) {
        char name[128] = "";
        int driver = 0;
        must(cuDeviceGetName(name, sizeof name, device), "name");
        must(cuDriverGetVersion(&driver), "driver");
        std::fprintf(file, "%s; CUDA driver API %d; recorded %s\n", name, driver, date);
    }
    for (std::size_t i = first; i < probes.size(); ++i) {
        if (!run(probes[i], i < forms.size() ? resultBytes(forms[i]) : 0, file)) {
            std::fclose(file);
            return 2;
        }
    }
    std::fclose(file);
    return 0;
}

/// Records in the file, so that a fresh process knows where to go on.
std::size_t recorded(const char* path)
{
    std::FILE* file = std::fopen(path, "rb");
    std::size_t count = 0;
    char line[1024];
    if (file == nullptr || std::fgets(line, sizeof line, file) == nullptr) {
        return 0;
    }
    while (std::fgets(line, sizeof line, file) != nullptr) {
        std::size_t size = 0;
        if (std::sscanf(line + 1, "%zu", &size) != 1) {
            break;
        }
        std::fseek(file, static_cast<long>(size), SEEK_CUR);
        ++count;
    }
    std::fclose(file);
    return count;
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<Probe> probes;
    const auto forms = allForms();
    for (const Form& form : forms) {
        probes.push_back(probeOf(form));
    }
    for (const Probe& probe : allProbes()) {
        probes.push_back(probe);
    }
    if (const char* only = std::getenv("PTXWB_DIFFERENTIAL_ONLY")) { // names between semicolons
        const std::string list = std::string(";") + only + ";";
        for (std::size_t i = probes.size(); i-- > forms.size();) {
            if (list.find(";" + probes[i].name + ";") == std::string::npos) {
                probes.erase(probes.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }
    if (argc == 4 && std::string(argv[1]) == "--whole") {
        keepsWhole = true;
        --argc;
        ++argv;
    }
    if (argc != 3) {
        std::fprintf(stderr, "record [--whole] OUT DATE | record --ptx DIRECTORY\n");
        return 2;
    }
    if (std::string(argv[1]) == "--ptx") {
        for (std::size_t i = 0; i < probes.size(); ++i) {
            const std::string path = std::string(argv[2]) + "/" + std::to_string(i) + ".ptx";
            std::FILE* file = std::fopen(path.c_str(), "wb");
            if (file != nullptr) {
                std::fprintf(file, "// %s\n%s", probes[i].name.c_str(), probes[i].text.c_str());
                std::fclose(file);
            }
        }
        return 0;
    }
    for (std::size_t done = 0; done < probes.size();) {
        std::fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            return runFrom(probes, forms, done, argv[1], argv[2]);
        }
        int status = 0;
        waitpid(child, &status, 0);
        const std::size_t now = recorded(argv[1]);
        if (now <= done) {
            std::fprintf(stderr, "no progress at %s\n", probes[done].name.c_str());
            return 1;
        }
        done = now;
        std::printf("%zu of %zu\n", done, probes.size());
    }
    return 0;
}
