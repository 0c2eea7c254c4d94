// SPDX-License-Identifier: Apache-2.0
// Any bytes as PTX that is run: its first kernel, with arguments made up from its parameters. libFuzzer
// changes the text by whole lines, words and numbers, so that most of it still runs.
#include "core/emulator/emulator.h"
#include "core/emulator/module.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <random>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

constexpr std::uint32_t rows = 256;
constexpr std::uint32_t columns = 256;
constexpr std::size_t bufferBytes = std::size_t{2} * rows * columns;

/// The rank of the tensor copies in the text.
std::uint32_t rankIn(std::string_view text)
{
    for (std::uint32_t rank = 1; rank <= 5; ++rank) {
        if (text.find(".tensor." + std::to_string(rank) + "d") != std::string_view::npos) {
            return rank;
        }
    }
    return 2;
}

TensorMapSpec mapOf(int buffer, std::uint32_t rank)
{
    TensorMapSpec spec;
    spec.name = "map" + std::to_string(buffer);
    spec.buffer = buffer;
    const std::array<std::uint64_t, 5> dims = rank == 1
        ? std::array<std::uint64_t, 5>{std::uint64_t{rows} * columns, 1, 1, 1, 1}
        : std::array<std::uint64_t, 5>{64, rows, columns / 64, 1, 1};
    const std::array<std::uint32_t, 5> box{64, 64, 1, 1, 1};
    std::uint64_t bytes = 2;
    for (std::uint32_t axis = 0; axis < rank; ++axis) {
        spec.dims.push_back(dims[axis]);
        spec.box.push_back(box[axis]);
        spec.elementStrides.push_back(1);
        bytes *= dims[axis];
        if (axis + 1 < rank) {
            spec.stridesBytes.push_back(bytes);
        }
    }
    spec.swizzle = Swizzle::B128;
    return spec;
}

void run(std::string text)
{
    const auto module = parseModule(text);
    if (!module) {
        return;
    }
    const auto kernel = std::find_if(module->functions.begin(), module->functions.end(),
        [](const Function& f) { return f.isEntry && f.hasBody; });
    if (kernel == module->functions.end()) {
        return;
    }
    EmulatorRequest request;
    Launch launch;
    launch.kernel = kernel->name;
    launch.cluster =
        kernel->requiredCluster[0] == 0 ? std::array<std::uint32_t, 3>{1, 1, 1} : kernel->requiredCluster;
    launch.grid = launch.cluster;
    launch.block = {kernel->maxThreads == 0 ? 128 : kernel->maxThreads, 1, 1};
    launch.dynamicSharedBytes = 64 << 10;
    const auto rank = rankIn(text);
    for (const int parameter : kernel->parameters) {
        if (parameter < 0) {
            return;
        }
        const auto& variable = module->variables[static_cast<std::size_t>(parameter)];
        if (variable.bytes != 8 && variable.bytes != 128) {
            launch.arguments.push_back({.kind = ArgumentKind::U32, .integer = 256});
            continue;
        }
        BufferSpec spec;
        spec.name = variable.name;
        spec.type.dtype = Dtype::Uint8;
        spec.type.shape = {static_cast<std::int64_t>(bufferBytes)};
        request.plan.buffers.push_back(spec);
        request.buffers.emplace_back(bufferBytes, std::byte{0x3c});
        const auto buffer = static_cast<int>(request.buffers.size()) - 1;
        if (variable.bytes == 8) {
            launch.arguments.push_back({.kind = ArgumentKind::Tensor, .index = buffer});
            continue;
        }
        launch.arguments.push_back(
            {.kind = ArgumentKind::TensorMap, .index = static_cast<int>(request.plan.tensorMaps.size())});
        request.plan.tensorMaps.push_back(mapOf(buffer, rank));
    }
    request.plan.launches = {launch};
    request.displayName = "kernel.ptx";
    request.seed = text.size();
    request.policy = static_cast<AsyncPolicy>(text.size() % 3);
    request.limits.stepsPerCluster = 3000;
    request.limits.workers = 1;
    request.text = std::move(text);
    const auto outcome = emulate(std::move(request));
    if (!outcome) {
        return;
    }
    for (const auto& report : outcome->reports) {
        if (report.message.empty()) {
            std::abort();
        }
    }
}

// ---- changes that libFuzzer makes

using Random = std::minstd_rand;

bool isWordByte(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '.' || c == ':';
}

/// A span of the text around a random place: a line, or a word.
std::pair<std::size_t, std::size_t> spanIn(const std::string& text, Random& random, bool isLine)
{
    auto from = random() % text.size();
    auto end = from;
    const auto isInside = [&](std::size_t i) { return isLine ? text[i] != '\n' : isWordByte(text[i]); };
    for (; from > 0 && isInside(from - 1); --from) { }
    for (; end < text.size() && isInside(end); ++end) { }
    return {from, end - from};
}

void change(std::string& text, Random& random)
{
    const auto choice = random() % 8;
    const bool isLine = choice < 3;
    const auto [at, length] = spanIn(text, random, isLine);
    const auto [other, otherLength] = spanIn(text, random, isLine);
    const auto taken = text.substr(other, otherLength);
    static constexpr std::array numbers{"0", "1", "-1", "2", "16", "31", "32", "64", "127", "128", "4096",
        "65536", "0x7fffffff", "0xffffffff", "1e9"};
    switch (choice) {
    case 0: // a line goes
        text.erase(at, length);
        return;
    case 1: // another comes before it
        text.insert(at, taken + "\n");
        return;
    case 2:
    case 3:
    case 4: // a line, a word is another one of the text
        text.replace(at, length, taken);
        return;
    case 5: // a number
        text.replace(at, length, numbers[random() % numbers.size()]);
        return;
    case 6: { // a modifier goes
        const auto dot = text.find('.', at);
        if (dot != std::string::npos) {
            auto end = dot + 1;
            for (; end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0; ++end) { }
            text.erase(dot, end - dot);
        }
        return;
    }
    default:
        text[at] = static_cast<char>(random());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    run(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed);
extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned int seed)
{
    std::string text(reinterpret_cast<const char*>(data), size);
    Random random(seed);
    for (auto changes = 1 + random() % 4; changes > 0 && !text.empty(); --changes) {
        change(text, random);
    }
    const auto length = std::min(text.size(), maxSize);
    std::copy_n(text.begin(), length, reinterpret_cast<char*>(data));
    return length;
}
