// SPDX-License-Identifier: Apache-2.0
#include "tests/emulator/corpus/expectation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace ptxwb::emulator {

namespace {

using Ints = std::vector<std::int32_t>;
using U = std::uint32_t;

std::string treeReduction(const CorpusTensors& t)
{
    const auto x = t.in<std::int32_t>("X");
    Ints sums(x.size() / 512);
    for (std::size_t i = 0; i < x.size(); ++i) {
        sums[i / 512] += x[i];
    }
    return compare("Y", t.out<std::int32_t>("Y"), sums);
}

std::string inclusiveScan(const CorpusTensors& t)
{
    auto x = t.in<std::int32_t>("X");
    std::partial_sum(x.begin(), x.end(), x.begin());
    return compare("Y", t.out<std::int32_t>("Y"), x);
}

std::string gridSync(const CorpusTensors& t)
{
    const auto x = t.in<std::int32_t>("X");
    std::vector<std::int32_t> y(x.size());
    std::partial_sum(x.begin(), x.end(), y.begin());
    std::vector<std::int32_t> sums;
    for (std::size_t last = 255; last < y.size(); last += 256) {
        sums.push_back(y[last]);
    }
    const auto said = compare("Sums", t.out<std::int32_t>("Sums"), sums);
    return said.empty() ? compare("Y", t.out<std::int32_t>("Y"), y) : said;
}

std::string histogram(const CorpusTensors& t)
{
    Ints bins(256);
    for (const auto v : t.in<U>("X")) {
        ++bins[(v * 2654435761U) >> 24U];
    }
    return compare("Y", t.out<std::int32_t>("Y"), bins);
}

std::string bitonicSort(const CorpusTensors& t)
{
    auto x = t.in<std::int32_t>("X");
    for (auto at = x.begin(); at != x.end(); at += 512) {
        std::sort(at, at + 512);
    }
    return compare("Y", t.out<std::int32_t>("Y"), x);
}

std::string atomics(const CorpusTensors& t)
{
    const auto x = t.in<std::int32_t>("X");
    Ints y(8);
    for (const auto v : x) {
        y[0] += v;
        y[1] = std::max(y[1], v);
        y[2] = std::min(y[2], v);
        y[3] ^= v;
        y[4] |= static_cast<std::int32_t>(1U << (static_cast<U>(v) & 31U));
        y[5] -= 1;
        y[6] += v & 1;
    }
    if (auto wrong = compare("Y", t.out<std::int32_t>("Y"), y); !wrong.empty()) {
        return wrong;
    }
    const auto d = t.out<float>("D");
    const double sum = CorpusTensors::values<double>(t.outputs.at("D"))[1];
    if (d[0] != 500.0F || sum != 250.0) {
        return fmt::format("D is {} and {}, expected 500 and 250", d[0], sum);
    }
    return compare("Lock", t.out<std::int32_t>("Lock"), Ints{0, 6});
}

std::string bulkBarrier(const CorpusTensors& t)
{
    auto x = t.in<std::int32_t>("X");
    for (auto& v : x) {
        ++v;
    }
    return compare("Y", t.out<std::int32_t>("Y"), x);
}

std::string clusterReduce(const CorpusTensors& t)
{
    const auto x = t.in<std::int32_t>("X");
    Ints sums(x.size() / 1024);
    Ints bins(256);
    for (std::size_t i = 0; i < x.size(); ++i) {
        sums[i / 1024] += x[i];
        ++bins[static_cast<U>(x[i]) & 255U];
    }
    auto wrong = compare("Y", t.out<std::int32_t>("Y"), sums);
    return wrong.empty() ? compare("H", t.out<std::int32_t>("H"), bins) : wrong;
}

std::string warpReduce(const CorpusTensors& t)
{
    const auto x = t.in<std::int32_t>("X");
    Ints y(x.size() * 8);
    for (std::size_t i = 0; i < x.size(); ++i) {
        auto* out = y.data() + i * 8;
        const std::size_t tile = i / 8 * 8;
        const std::size_t warp = i / 32 * 32;
        const std::size_t block = i / 128 * 128;
        out[1] = x[warp];
        bool any = false;
        bool same = true;
        for (std::size_t l = 0; l < 32; ++l) {
            out[1] = std::max(out[1], x[warp + l]);
            out[2] |= x[warp + l] > 0 ? static_cast<std::int32_t>(1U << l) : 0;
            out[3] |= ((x[warp + l] ^ x[i]) & 3) == 0 ? static_cast<std::int32_t>(1U << l) : 0;
            any = any || x[warp + l] == 1;
            same = same && x[warp + l] == x[warp];
        }
        for (std::size_t j = tile; j < tile + 8; ++j) {
            out[0] += x[j];
            out[4] += j < i ? x[j] & 15 : 0;
        }
        out[5] = (same ? 1 : 0) + (any ? 2 : 0) + (any ? 0 : 4);
        out[6] = i + 3 < tile + 8 ? x[i + 3] : x[i];
        bool seven = false;
        for (std::size_t j = block; j < block + 128; ++j) {
            out[7] += x[j] > 0 ? 1 : 0;
            seven = seven || x[j] == 7;
        }
        out[7] += seven ? 1000 : 0;
    }
    return compare("Y", t.out<std::int32_t>("Y"), y);
}

/// The four bytes, or two halves, of two words, one after the other.
template <class Part> U byParts(U a, U b, U width, Part part)
{
    U result = 0;
    const U all = (1U << width) - 1U;
    for (U at = 0; at < 32; at += width) {
        result |= (part(a >> at & all, b >> at & all) & all) << at;
    }
    return result;
}

std::int64_t mix(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::int32_t word(std::uint64_t value)
{
    return static_cast<std::int32_t>(static_cast<U>(value));
}

void integersOf(std::int32_t x, std::int32_t w, std::int32_t* out)
{
    const std::int32_t a = x * 7919;
    const std::int32_t b = w * 104729 + 1;
    const U ua = static_cast<U>(a);
    const U ub = static_cast<U>(b) | 1U;
    const std::int64_t la = mix(a, 123456789);
    const auto ula = static_cast<std::uint64_t>(la);
    const auto byteOf = [](U v, U i) { return static_cast<std::int8_t>(v >> (8 * i)); };
    const std::uint64_t both = std::uint64_t{ub} << 32U | ua;
    out[0] = a / (b | 1);
    out[1] = word(ua % ub);
    out[2] = word(static_cast<std::uint64_t>(la / (b | 1)));
    out[3] = word(ula % (ub * 3ULL));
    out[4] = word(static_cast<std::uint64_t>(mix(a, b)) >> 32U);
    out[5] =
        word(static_cast<std::uint64_t>(static_cast<unsigned __int128>(ula) * 0x9E3779B97F4A7C15ULL >> 64U));
    out[6] =
        std::popcount(ua) + 100 * std::countl_zero(ua) + 10000 * (ua == 0 ? 0 : std::countr_zero(ua) + 1);
    U reversed = 0;
    U permuted = 0;
    const std::array<U, 4> selected{6, 1, 5, 2};
    for (U i = 0; i < 32; ++i) {
        reversed |= (ua >> i & 1U) << (31 - i);
    }
    for (U i = 0; i < 4; ++i) {
        permuted |= static_cast<U>(both >> (8 * selected[i]) & 0xFFU) << (8 * i);
    }
    out[7] = word(reversed);
    out[8] = word(permuted);
    out[9] = word(both << 13U >> 32U);
    out[10] = word(both >> 32U);
    out[11] = 5;
    out[20] = 1;
    for (U i = 0; i < 4; ++i) {
        out[11] += byteOf(ua, i) * byteOf(static_cast<U>(b), i);
    }
    for (U i = 0; i < 2; ++i) {
        out[20] += static_cast<std::int16_t>(ua >> (16 * i)) * byteOf(static_cast<U>(b), i);
    }
    out[12] = word(byParts(ua, ub, 8, [](U p, U q) { return p + q; }));
    out[13] = word(byParts(ua, ub, 8, [](U p, U q) { return p > q ? p - q : q - p; }));
    out[14] = word(byParts(ua, ub, 16,
        [](U p, U q) { return static_cast<std::int16_t>(p) > static_cast<std::int16_t>(q) ? p : q; }));
    out[15] = word(byParts(ua, ub, 8, [](U p, U q) { return p > q ? 0xFFU : 0U; }));
    out[16] = word(static_cast<U>(std::abs(std::int64_t{a} - b)) + 3U);
    U sum = 0;
    for (U at = 0; at < 32; at += 8) {
        const auto p = static_cast<std::int32_t>(ua >> at & 0xFFU);
        const auto q = static_cast<std::int32_t>(ub >> at & 0xFFU);
        sum += static_cast<U>(std::abs(p - q));
    }
    out[17] = word(sum);
    out[18] = word(static_cast<std::uint64_t>(static_cast<__int128>(la) * la >> 64U));
    out[19] = static_cast<std::uint8_t>(a) * static_cast<std::int8_t>(b) + static_cast<std::int16_t>(a);
    out[21] = std::countl_zero(ula) + 100 * std::popcount(ula);
    out[22] = word(ua << (static_cast<U>(b) & 31U)) ^ (a >> (b & 15));
    out[23] = std::max((a & 0xFFFF) + (b & 0xFFFF), 70000);
}

std::string integers(const CorpusTensors& t)
{
    const auto x = t.in<std::int32_t>("X");
    const auto w = t.in<std::int32_t>("W");
    Ints y(x.size() * 24);
    for (std::size_t i = 0; i < x.size(); ++i) {
        integersOf(x[i], w[i], y.data() + i * 24);
    }
    return compare("Y", t.out<std::int32_t>("Y"), y);
}

std::string calls(const CorpusTensors& t)
{
    const auto x = t.in<std::int32_t>("X");
    Ints y(x.size() * 6);
    const std::array<std::int32_t, 8> fibonacci{0, 1, 1, 2, 3, 5, 8, 13};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto v = x[i];
        auto* out = y.data() + i * 6;
        out[0] = static_cast<std::int32_t>(v + 0.5) + 3;
        out[1] = v + 10 * static_cast<std::int8_t>(static_cast<std::int8_t>(v) + 3) + 100 * 4;
        out[2] = fibonacci[static_cast<std::size_t>(v & 7)];
        const auto small = v & 1023;
        out[3] = (v & 1) != 0 ? small * small : 2 * small;
        out[4] = (v & 2) != 0 ? (v & 15) * (v & 15) : 3 * (v & 31);
        std::array<std::int32_t, 16> heap{};
        for (std::int32_t j = 0; j < 16; ++j) {
            heap[static_cast<std::size_t>((j * 7 + v) & 15)] = j;
        }
        out[5] = heap[static_cast<std::size_t>(v & 15)] + 100 * heap[static_cast<std::size_t>((v >> 3) & 15)];
    }
    return compare("Y", t.out<std::int32_t>("Y"), y);
}

std::int32_t escape(int c, int r)
{
    const float re = static_cast<float>(c - 32) / 16.0F;
    const float im = static_cast<float>(r - 10) / 8.0F;
    float a = 0;
    float b = 0;
    std::int32_t steps = 0;
    for (; steps < 100; ++steps) {
        const volatile float aa = a * a; // volatile: no contraction here
        const volatile float bb = b * b;
        const volatile float ab = 2.0F * a * b;
        if (!(aa + bb < 4.0F)) {
            break;
        }
        const volatile float difference = aa - bb;
        a = difference + re;
        b = ab + im;
    }
    return steps;
}

std::string divergence(const CorpusTensors& t)
{
    Ints steps;
    Ints lengths;
    for (int i = 0; i < 48 * 20; ++i) {
        steps.push_back(escape(i % 48, i / 48));
        int length = 0;
        for (std::uint64_t n = static_cast<std::uint64_t>(i) + 1; n != 1; ++length) {
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        }
        lengths.push_back(length);
    }
    auto wrong = compare("Y", t.out<std::int32_t>("Y"), steps);
    return wrong.empty() ? compare("Z", t.out<std::int32_t>("Z"), lengths) : wrong;
}

std::string printing(const CorpusTensors& t)
{
    return compare("Y", t.out<std::int32_t>("Y"), Ints{0, 1, 2, 3});
}

} // namespace

std::vector<CorpusExpectation> integerExpectations()
{
    return {{"tree_reduction", treeReduction}, {"scan", inclusiveScan}, {"scan_lookback", inclusiveScan},
        {"histogram", histogram}, {"bitonic_sort", bitonicSort}, {"atomics", atomics},
        {"bulk_barrier", bulkBarrier}, {"cluster_reduce", clusterReduce}, {"warp_reduce", warpReduce},
        {"integers", integers}, {"calls", calls}, {"grid_sync", gridSync}, {"divergence", divergence},
        {"printing", printing}};
}

const std::vector<CorpusExpectation>& corpusExpectations()
{
    static const std::vector<CorpusExpectation> all = [] {
        auto list = integerExpectations();
        for (const auto& more : {realExpectations(), productExpectations()}) {
            list.insert(list.end(), more.begin(), more.end());
        }
        return list;
    }();
    return all;
}

} // namespace ptxwb::emulator
