// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/differential/probe.h"

#include <cstdlib>
#include <cstring>

namespace ptxwb::differential {

namespace {

struct Format {
    const char* name;
    unsigned exponent;
    unsigned fraction;
    unsigned shift; ///< unused low bits
    int wide; ///< Range::Wide: exponents from -wide to wide
};

constexpr Format formats[] = {
    {"f16", 5, 10, 0, 15},
    {"bf16", 8, 7, 0, 30},
    {"tf32", 8, 10, 13, 30},
    {"e4m3", 4, 3, 0, 7},
    {"e5m2", 5, 2, 0, 13},
    {"f32", 8, 23, 0, 30},
    {"f64", 11, 52, 0, 60},
};

const Format* formatOf(const std::string& type)
{
    for (const auto& format : formats) {
        if (type == format.name) {
            return &format;
        }
    }
    return nullptr;
}

/// A whole number from 0 to 4.
std::uint64_t smallNumber(const Format& f, unsigned value)
{
    if (value == 0) {
        return 0;
    }
    const unsigned exponent = value >= 4 ? 2 : value >= 2 ? 1 : 0;
    const std::uint64_t bias = (1ULL << (f.exponent - 1)) - 1;
    const std::uint64_t rest = value == 3 ? 1ULL << (f.fraction - 1) : 0;
    return (bias + exponent) << f.fraction | rest;
}

} // namespace

std::string seedOfEnvironment()
{
    const char* seed = std::getenv("PTXWB_DIFFERENTIAL_SEED");
    return seed == nullptr ? "" : seed;
}

Values::Values(const std::string& seed)
{
    const std::string whole = seed + seedOfEnvironment();
    m_state = hashOf(reinterpret_cast<const std::uint8_t*>(whole.data()), whole.size());
}

std::uint64_t Values::next()
{
    std::uint64_t z = m_state += 0x9E3779B97F4A7C15ULL; // splitmix64
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
}

std::uint32_t elementWidth(const std::string& type)
{
    if (type == "f64") {
        return 64;
    }
    if (type == "tf32" || type == "f32" || type == "s32" || type == "b1") {
        return 32;
    }
    if (type == "f16" || type == "bf16") {
        return 16;
    }
    return 8; // also pairs of 4 bits
}

std::uint64_t elementBits(const std::string& type, Range range, Values& values)
{
    const std::uint64_t r = values.next();
    const auto* f = formatOf(type);
    if (f == nullptr) {
        if (type == "s32") { // sums: small enough not to overflow, but at the edge in Wide
            const auto small = static_cast<std::int32_t>(r >> 40U) - (1 << 23);
            return static_cast<std::uint32_t>(range == Range::Wide
                    ? ((r & 1U) != 0 ? 0x7FFFFF00 : static_cast<std::int32_t>(0x80000100))
                    : small);
        }
        return r;
    }
    const std::uint64_t sign = (r & 1U) << (f->exponent + f->fraction);
    if (range >= Range::Zero) {
        return (range == Range::Zero ? 0 : 1ULL << (f->exponent + f->fraction)) << f->shift;
    }
    if (range == Range::Small) {
        return (sign | smallNumber(*f, static_cast<unsigned>(r >> 1U) % 5)) << f->shift;
    }
    const std::int64_t bias = (1LL << (f->exponent - 1)) - 1;
    if (range == Range::Special && (r >> 24U) % 24 == 0 && type != "e4m3") {
        const std::uint64_t top = ((1ULL << f->exponent) - 1) << f->fraction;
        return (sign | top | ((r >> 32U) % 3 == 0 ? 1ULL << (f->fraction - 1) : 0)) << f->shift;
    }
    if (range == Range::Special && (r >> 24U) % 24 == 0) {
        return sign | 0x7F; // e4m3 has no infinity
    }
    const std::int64_t most = range == Range::Wide ? f->wide : 3;
    std::int64_t exponent = bias - most + static_cast<std::int64_t>((r >> 1U) % (2 * most + 1));
    if (range == Range::Wide && (r >> 20U) % 16 == 0) {
        exponent = 0; // zero or subnormal
    }
    exponent = exponent < 0 ? 0 : exponent;
    const std::uint64_t fraction = values.next() & ((1ULL << f->fraction) - 1);
    std::uint64_t bits = static_cast<std::uint64_t>(exponent) << f->fraction | fraction;
    if (type == "e4m3" && bits == 0x7F) {
        bits = 0x7E; // 0x7F is NaN
    }
    return (sign | bits) << f->shift;
}

std::vector<std::uint32_t> wordsOf(const std::string& type, Range range, std::size_t count, Values& values)
{
    std::vector<std::uint32_t> words(count);
    const auto width = elementWidth(type);
    if (width == 64) {
        for (std::size_t i = 0; i + 1 < count; i += 2) {
            const auto bits = elementBits(type, range, values);
            words[i] = static_cast<std::uint32_t>(bits);
            words[i + 1] = static_cast<std::uint32_t>(bits >> 32U);
        }
        return words;
    }
    for (auto& word : words) {
        for (std::uint32_t at = 0; at < 32; at += width) {
            const auto mask = width == 32 ? ~0ULL : (1ULL << width) - 1;
            word |= static_cast<std::uint32_t>((elementBits(type, range, values) & mask) << at);
        }
    }
    return words;
}

void appendWords(std::vector<std::uint8_t>& bytes, const std::vector<std::uint32_t>& words)
{
    const std::size_t at = bytes.size();
    bytes.resize(at + words.size() * 4);
    std::memcpy(bytes.data() + at, words.data(), words.size() * 4);
}

std::string registerVector(const std::string& prefix, std::size_t count)
{
    std::string list = "{";
    for (std::size_t i = 0; i < count; ++i) {
        list += (i == 0 ? "" : ", ") + prefix + std::to_string(i);
    }
    return list + "}";
}

std::uint64_t hashOf(const std::uint8_t* bytes, std::size_t count)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (std::size_t i = 0; i < count; ++i) {
        hash = (hash ^ bytes[i]) * 0x100000001B3ULL;
    }
    return hash;
}

} // namespace ptxwb::differential
