// SPDX-License-Identifier: Apache-2.0
// Inputs, guards, hashes and poison on the device against the host's.
#include "device_helpers.h"

#include "core/bench/poison.h"
#include "core/bench/seeded_input.h"
#include "core/gpu/fill.h"

#include <algorithm>
#include <cstring>

using namespace ptxwb;
using namespace ptxwb::gpu;
using namespace ptxwb::test;

namespace {

constexpr std::uint64_t count = 1'000'003;

/// The element at (seed, tensor, index) as bytes, made on the host.
void hostElement(
    Dtype dtype, std::uint64_t seed, std::uint32_t tensor, std::uint64_t index, std::byte* element)
{
    const std::uint64_t bits = mixedBits(seed, tensor, index);
    double value = 0;
    switch (dtype) {
    case Dtype::Float64:
    case Dtype::Float32:
    case Dtype::Float16:
    case Dtype::Bfloat16:
        value = static_cast<double>(randomNormal(seed, tensor, index));
        break;
    case Dtype::Float8E4m3:
    case Dtype::Float8E5m2:
        value = std::clamp(static_cast<double>(normalFromBits(bits)), -2.0, 2.0);
        break;
    case Dtype::Int8:
        value = static_cast<double>(uniformInteger(bits, -128, 256));
        break;
    case Dtype::Uint8:
        value = static_cast<double>(uniformInteger(bits, 0, 256));
        break;
    case Dtype::Bool:
        value = static_cast<double>(uniformInteger(bits, 0, 2));
        break;
    default:
        value = static_cast<double>(uniformInteger(bits, -1024, 2048));
        break;
    }
    fromDouble(dtype, value, element);
}

GuardedBuffer buffer(const char* name, Dtype dtype, std::int64_t elements, BufferRole role)
{
    return NEED(GuardedBuffer::allocate({.name = name,
        .type = {.dtype = dtype, .shape = {elements}},
        .role = role,
        .init = role == BufferRole::Output ? BufferInit::Poison : BufferInit::Random}));
}

} // namespace

PTXWB_CASE(buffers, random_inputs_equal_the_hosts_bit_for_bit)
{
    for (const Dtype dtype : {Dtype::Float64, Dtype::Float32, Dtype::Float16, Dtype::Bfloat16,
             Dtype::Float8E4m3, Dtype::Float8E5m2, Dtype::Int64, Dtype::Int32, Dtype::Int16, Dtype::Int8,
             Dtype::Uint8, Dtype::Bool}) {
        const auto width = static_cast<std::size_t>(dtypeBytes(dtype));
        const auto memory = deviceMemory(count * width);
        CUDA(fillRandom(memory.data(), elementKind(dtype), count, 77, 3, nullptr));
        const auto made = toHost<std::byte>(memory.data(), count * width);
        for (std::uint64_t i = 0; i < count; ++i) {
            std::byte expected[8]{};
            hostElement(dtype, 77, 3, i, expected);
            CHECK_SAY(std::memcmp(made.data() + i * width, expected, width) == 0,
                fmt::format("{} at {}", dtypeName(dtype), i));
        }
    }
}

PTXWB_CASE(buffers, guards_show_a_single_byte)
{
    const GuardedBuffer guarded = buffer("x", Dtype::Bfloat16, 1001, BufferRole::Output);
    const auto damage = deviceMemory(8);
    const auto damagedBytes = [&] {
        CUDA(cudaMemset(damage.data(), 0, 8));
        CUDA(guarded.countDamage(damage.as<std::uint64_t>(), nullptr));
        return toHost<std::uint64_t>(damage.data(), 1)[0];
    };
    CUDA(guarded.writeGuards(nullptr));
    CUDA(guarded.fill(1, 0, nullptr));
    CHECK(damagedBytes() == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(guarded.data()) % 256 == 0);
    auto* const data = static_cast<std::uint8_t*>(guarded.data());
    CUDA(cudaMemset(data + guarded.bytes(), 1, 1)); // right behind the last element
    CHECK(damagedBytes() == 1);
    CUDA(guarded.writeGuards(nullptr));
    CUDA(cudaMemset(data - 1, 1, 1));
    CHECK(damagedBytes() == 1);
    CUDA(guarded.writeGuards(nullptr));
    CUDA(cudaMemset(data, 1, guarded.bytes())); // all of its own memory
    CHECK(damagedBytes() == 0);
}

PTXWB_CASE(buffers, hash_sees_a_changed_bit_and_a_swap)
{
    std::vector<std::uint8_t> bytes(100'001);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(mixedBits(5, 0, i));
    }
    const auto result = deviceMemory(8);
    const auto hash = [&] {
        const auto memory = toDevice(bytes);
        CUDA(cudaMemset(result.data(), 0, 8));
        CUDA(hashBytes(memory.data(), bytes.size(), result.as<std::uint64_t>(), nullptr));
        return toHost<std::uint64_t>(result.data(), 1)[0];
    };
    const std::uint64_t before = hash();
    CHECK(hash() == before);
    bytes.back() ^= 1U;
    CHECK(hash() != before);
    bytes.back() ^= 1U;
    bytes[50'000] ^= 0x80U;
    CHECK(hash() != before);
    bytes[50'000] ^= 0x80U;
    std::swap_ranges(bytes.begin(), bytes.begin() + 8, bytes.begin() + 800);
    CHECK(hash() != before);
}

PTXWB_CASE(buffers, poison_scalar_and_iota)
{
    const GuardedBuffer output = buffer("o", Dtype::Float32, 999, BufferRole::Output);
    CUDA(output.fill(1, 0, nullptr));
    for (const std::uint32_t word : toHost<std::uint32_t>(output.data(), 999)) {
        CHECK(word == poisonWord * 0x10001U);
    }
    const auto memory = deviceMemory(4 * 100);
    CUDA(fillScalar(memory.data(), ElementKind::F32, 100, -1.5, nullptr));
    CHECK(toHost<float>(memory.data(), 100)[99] == -1.5F);
    CUDA(fillIota(memory.data(), ElementKind::I32, 100, nullptr));
    CHECK(toHost<std::int32_t>(memory.data(), 100)[99] == 99);
}
