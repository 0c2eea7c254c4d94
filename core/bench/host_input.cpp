// SPDX-License-Identifier: Apache-2.0
#include "core/bench/host_input.h"

#include "core/bench/poison.h"
#include "core/bench/seeded_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptxwb {

double randomElement(Dtype dtype, std::uint64_t seed, std::uint32_t bufferIndex, std::uint64_t index)
{
    const std::uint64_t bits = mixedBits(seed, bufferIndex, index);
    switch (dtype) {
    case Dtype::Float64:
    case Dtype::Float32:
    case Dtype::Float16:
    case Dtype::Bfloat16:
        return static_cast<double>(normalFromBits(bits));
    case Dtype::Float8E4m3:
    case Dtype::Float8E5m2:
        return static_cast<double>(std::clamp(normalFromBits(bits), -2.0F, 2.0F));
    case Dtype::Int64:
    case Dtype::Int32:
    case Dtype::Int16:
        return static_cast<double>(uniformInteger(bits, -1024, 2048));
    case Dtype::Int8:
        return static_cast<double>(uniformInteger(bits, -128, 256));
    case Dtype::Uint8:
        return static_cast<double>(uniformInteger(bits, 0, 256));
    case Dtype::Bool:
        return static_cast<double>(uniformInteger(bits, 0, 2));
    }
    return 0;
}

void fillWithPoison(Dtype dtype, std::byte* bytes, std::size_t count)
{
    if (dtypeBytes(dtype) == 1) {
        std::memset(bytes, poisonByte, count);
        return;
    }
    for (std::size_t i = 0; i + sizeof poisonWord <= count; i += sizeof poisonWord) {
        std::memcpy(bytes + i, &poisonWord, sizeof poisonWord);
    }
}

Result<void> fillOnHost(
    const BufferSpec& buffer, std::uint64_t seed, std::uint32_t bufferIndex, std::byte* bytes)
{
    const Dtype dtype = buffer.type.dtype;
    const auto width = static_cast<std::size_t>(dtypeBytes(dtype));
    const auto count = static_cast<std::uint64_t>(buffer.type.elements());
    const auto fill = [&](auto&& valueAt) {
        for (std::uint64_t i = 0; i < count; ++i) {
            fromDouble(dtype, valueAt(i), bytes + i * width);
        }
    };
    switch (buffer.init) {
    case BufferInit::Random:
        fill([&](std::uint64_t i) { return randomElement(dtype, seed, bufferIndex, i); });
        break;
    case BufferInit::Zero:
        std::memset(bytes, 0, count * width);
        break;
    case BufferInit::Iota:
        fill([](std::uint64_t i) { return static_cast<double>(i); });
        break;
    case BufferInit::Poison:
        fillWithPoison(dtype, bytes, count * width);
        break;
    case BufferInit::Scalar:
        fill([&](std::uint64_t) { return buffer.scalar; });
        break;
    case BufferInit::Derived: {
        Error error;
        error.code = ErrorCode::Unsupported;
        error.message = fmt::format("{} is derived from other inputs: an oracle makes it", buffer.name);
        return error;
    }
    }
    return {};
}

} // namespace ptxwb
