// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/differential/probe_run.h"

#include "core/support/files.h"
#include "tests/emulator/harness.h"

#include <charconv>
#include <cstring>

namespace ptxwb::differential {

namespace {

using namespace ptxwb::emulator;

TensorMapSpec specOf(const ProbeMap& map)
{
    TensorMapSpec spec;
    spec.name = "map";
    spec.buffer = map.ofOutput ? 1 : 0;
    spec.dtype = map.type == 'b' ? Dtype::Uint8
        : map.type == 'h'        ? Dtype::Float16
        : map.type == 'B'        ? Dtype::Bfloat16
        : map.type == 'w'        ? Dtype::Int32
                                 : Dtype::Float32;
    spec.dims = map.dims;
    spec.stridesBytes = map.stridesBytes;
    spec.box = map.box;
    spec.elementStrides = map.elementStrides;
    spec.swizzle = map.span == 128 ? Swizzle::B128
        : map.span == 64           ? Swizzle::B64
        : map.span == 32           ? Swizzle::B32
                                   : Swizzle::None;
    spec.fill = map.nanFill ? OutOfBoundsFill::Nan : OutOfBoundsFill::Zero;
    return spec;
}

} // namespace

Result<std::vector<std::uint8_t>> emulated(const Probe& probe)
{
    KernelRun kernel(probe.text);
    kernel.measuredSums()
        .grid(probe.ctas)
        .cluster(probe.ctas)
        .block(probe.threads)
        .shared(probe.sharedBytes)
        .buffer("in", probe.input)
        .buffer("out", probe.output);
    if (!probe.maps.empty()) {
        kernel.tensorMap(specOf(probe.maps[0]));
    }
    auto outcome = kernel.run();
    if (!outcome) {
        return outcome.error();
    }
    if (outcome->end != EmulatorEnd::Completed || !outcome->reports.empty()) {
        return Error{.code = ErrorCode::InvalidArgument, .message = summaryOf(*outcome)};
    }
    return contentOf<std::uint8_t>(*outcome, 1);
}

Result<Recording> readRecording(const std::string& path)
{
    const auto text = readFile(path);
    if (!text) {
        return text.error();
    }
    Recording recording;
    std::size_t at = text->find('\n');
    recording.device = text->substr(0, at);
    while (at != std::string::npos && at + 1 < text->size()) {
        const std::size_t start = at + 1;
        const std::size_t end = text->find('\n', start);
        const std::size_t blank = text->find(' ', start + 2);
        std::size_t size = 0;
        if (end == std::string::npos || blank == std::string::npos
            || std::from_chars(text->data() + start + 2, text->data() + blank, size).ec != std::errc()
            || end + 1 + size > text->size()) {
            return Error{
                .code = ErrorCode::BadFormat, .message = "a recording that ends too early", .path = path};
        }
        const std::string name = text->substr(blank + 1, end - blank - 1);
        const char* bytes = text->data() + end + 1;
        switch ((*text)[start]) {
        case 'R':
            recording.outputs[name].assign(bytes, bytes + size);
            break;
        case 'H':
            std::memcpy(&recording.hashes[name], bytes, std::min<std::size_t>(size, 8));
            break;
        default:
            recording.errors[name].assign(bytes, size);
        }
        at = end + size; // the next record follows without a line's end: `at` is the byte before it
    }
    return recording;
}

} // namespace ptxwb::differential
