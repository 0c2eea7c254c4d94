// SPDX-License-Identifier: Apache-2.0
// ptxwb-host-emulator: holds the host code of a candidate while its kernels run on the emulator, in the
// process that started this one. It has the CUDA runtime's and some of the driver's functions as its own
// symbols, so that the candidate finds them here; each becomes a call over the channel. It holds neither
// inputs nor reference.
#include "core/bench/host_abi.h"
#include "core/emulator/host_child/channel.h"
#include "core/emulator/host_child/runtime.h"
#include "core/emulator/host_child/undefined_symbols.h"
#include "core/support/files.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ptxwb::emulator::host {

namespace {

using Json = nlohmann::json;

/// One argument of the entry.
struct Argument {
    Dtype dtype = Dtype::Float32;
    bool isScalar = false;
    double value = 0;
    std::vector<std::int64_t> shape{};
    std::vector<std::int64_t> strides{};
    ffi::DlTensor tensor{};
};

[[noreturn]] void end(const Json& message)
{
    std::fflush(nullptr);
    tell(message);
    ::_exit(0); // what the candidate registered with atexit is no part of its call
}

/// The libraries of this process are looked at before it goes.
[[noreturn]] void endWhenTold(const Json& message)
{
    std::fflush(nullptr);
    ask(message);
    ::_exit(0);
}

[[noreturn]] void endWithProblem(const char* kind, const std::string& text)
{
    end({{"do", "problem"}, {"kind", kind}, {"text", text}});
}

/// Its shadow memory is larger than any limit.
constexpr bool isAddressSanitized =
#if defined(__SANITIZE_ADDRESS__)
    true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    true;
#else
    false;
#endif
#else
    false;
#endif

void limitProcess()
{
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    constexpr rlim_t mostBytes = 32ULL << 30;
    rlimit space{};
    if (!isAddressSanitized && ::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur > mostBytes) {
        space.rlim_cur = mostBytes;
        ::setrlimit(RLIMIT_AS, &space);
    }
}

std::vector<Argument> argumentsOf(const Json& setup)
{
    std::vector<Argument> arguments(setup.at("arguments").size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        auto& argument = arguments[i];
        const auto& said = setup.at("arguments")[i];
        argument.dtype = dtypeByName(said.at("dtype").get<std::string>()).value_or(Dtype::Float32);
        argument.isScalar = said.contains("value");
        if (argument.isScalar) {
            argument.value = said.at("value").get<double>();
            continue;
        }
        said.at("shape").get_to(argument.shape);
        argument.strides.assign(argument.shape.size(), 1);
        for (std::size_t d = argument.shape.size(); d-- > 1;) {
            argument.strides[d - 1] = argument.strides[d] * argument.shape[d];
        }
        argument.tensor = {.data = reinterpret_cast<void*>(said.at("address").get<std::uint64_t>()),
            .device = {ffi::deviceCuda, 0},
            .dimensions = static_cast<std::int32_t>(argument.shape.size()),
            .dtype = ffi::dlpackType(argument.dtype),
            .shape = argument.shape.data(),
            .strides = argument.strides.data(),
            .byteOffset = 0};
    }
    return arguments;
}

std::string loaderError()
{
    const char* why = ::dlerror();
    return why == nullptr ? "the loader gave no reason" : why;
}

void* loadFfi(const std::string& path)
{
    // Loaded first and for all: the candidate needs it by its name, wherever it was built.
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
        endWithProblem("setup", "loading libtvm_ffi.so: " + loaderError());
    }
    return library;
}

/// Says which of CUDA's functions the candidate wants and nobody here has.
void checkNames(const std::string& path)
{
    const auto object = readFile(path);
    if (!object) {
        endWithProblem("setup", describe(object.error()));
    }
    std::string missing;
    std::size_t count = 0;
    for (const auto& name : undefinedSymbols(*object)) {
        if (isCudaName(name) && ::dlsym(RTLD_DEFAULT, name.c_str()) == nullptr) {
            constexpr std::size_t mostNamed = 8;
            missing += count < mostNamed ? (count == 0 ? "" : ", ") + name : std::string();
            ++count;
        }
    }
    if (count != 0) {
        endWithProblem(
            "missing", "its host code uses what the emulated CUDA runtime does not have: " + missing);
    }
}

ffi::Entry loadCandidate(const std::string& path)
{
    checkNames(path);
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        endWithProblem("load", loaderError());
    }
    const auto entry = reinterpret_cast<ffi::Entry>(::dlsym(library, ffi::entrySymbol));
    if (entry == nullptr) {
        endWithProblem("entry", ffi::entrySymbol);
    }
    return entry;
}

std::string raisedError(ffi::TakeError take)
{
    void* object = nullptr;
    take(&object);
    if (object == nullptr) {
        return "an error without a text";
    }
    const auto* const error = static_cast<const ffi::Error*>(object);
    return std::string(error->kind.data, error->kind.size) + ": "
        + std::string(error->message.data, error->message.size);
}

/// Calls the entry once.
[[noreturn]] void callEntry(ffi::Entry entry, void* ffiLibrary, std::vector<Argument>& arguments)
{
    const auto setStream = reinterpret_cast<ffi::SetStream>(::dlsym(ffiLibrary, ffi::setStreamSymbol));
    const auto take = reinterpret_cast<ffi::TakeError>(::dlsym(ffiLibrary, ffi::takeErrorSymbol));
    if (setStream == nullptr || take == nullptr) {
        endWithProblem("setup", "libtvm_ffi.so lacks " + std::string(ffi::setStreamSymbol));
    }
    std::vector<ffi::Any> words(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        auto& argument = arguments[i];
        if (!argument.isScalar) {
            words[i].type = ffi::Any::tensor;
            words[i].asPointer = &argument.tensor;
        } else if (argument.dtype <= Dtype::Float8E5m2) { // the floats stand first
            words[i].type = ffi::Any::real;
            words[i].asReal = argument.value;
        } else {
            words[i].type = ffi::Any::integer;
            words[i].asInteger = static_cast<std::int64_t>(argument.value);
        }
    }
    tell({{"do", "loaded"}});
    static int stream = 0; // any address that is no other stream's
    setStream(ffi::deviceCuda, 0, &stream, nullptr);
    ffi::Any result{};
    const int code = entry(nullptr, words.data(), static_cast<std::int32_t>(words.size()), &result);
    if (code != 0) {
        endWhenTold({{"do", "raised"}, {"text", raisedError(take)}});
    }
    endWhenTold({{"do", "done"}});
}

} // namespace

} // namespace ptxwb::emulator::host

int main()
{
    using namespace ptxwb::emulator;
    host::openChannel();
    host::limitProcess();
    try {
        const auto setup = host::hearSetup();
        auto arguments = host::argumentsOf(setup);
        cuda::setTarget(setup.at("target").get<std::string>());
        void* const ffiLibrary = host::loadFfi(setup.at("ffi_library").get<std::string>());
        host::tellOfFaults();
        const auto entry = host::loadCandidate(setup.at("shared_object").get<std::string>());
        host::callEntry(entry, ffiLibrary, arguments);
    } catch (const nlohmann::json::exception& unusable) {
        host::endWithProblem("setup", std::string("the setup is not what it should be: ") + unusable.what());
    }
}
