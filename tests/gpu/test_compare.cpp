// SPDX-License-Identifier: Apache-2.0
// The comparison on the device against compareOnHost.
#include "device_helpers.h"

#include "core/bench/comparison.h"
#include "core/bench/poison.h"
#include "core/bench/seeded_input.h"
#include "core/gpu/reference.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace ptxwb;
using namespace ptxwb::gpu;
using namespace ptxwb::test;

namespace {

constexpr std::int64_t rows = 64;
constexpr std::int64_t columns = 96;
constexpr std::int64_t depth = 32;

ResolvedPlan gemmPlan(Dtype out)
{
    ResolvedPlan plan;
    plan.buffers = {{.name = "A", .type = {.dtype = Dtype::Float32, .shape = {rows, depth}}},
        {.name = "B", .type = {.dtype = Dtype::Float32, .shape = {columns, depth}}},
        {.name = "C",
            .type = {.dtype = out, .shape = {rows, columns}},
            .role = BufferRole::Output,
            .init = BufferInit::Poison}};
    return plan;
}

bool close(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || a == b || std::fabs(a - b) <= 1e-9 * std::fabs(b);
}

void checkSame(const OutputComparison& device, const OutputComparison& host, const std::string& what)
{
    CHECK_SAY(device.elements == host.elements, what);
    CHECK_SAY(device.mismatched == host.mismatched,
        fmt::format("{}: {} {}", what, device.mismatched, host.mismatched));
    CHECK_SAY(device.nanCount == host.nanCount, what);
    CHECK_SAY(device.infCount == host.infCount, what);
    CHECK_SAY(device.poisonCount == host.poisonCount, what);
    CHECK_SAY(device.allZero == host.allZero, what);
    CHECK_SAY(device.firstMismatch == host.firstMismatch, what);
    CHECK_SAY(close(device.firstMismatchGot, host.firstMismatchGot), what);
    CHECK_SAY(close(device.firstMismatchExpected, host.firstMismatchExpected), what);
    CHECK_SAY(close(device.maxAbsError, host.maxAbsError), what);
    CHECK_SAY(close(device.maxRelError, host.maxRelError), what);
    CHECK_SAY(close(device.normwiseRelError, host.normwiseRelError),
        fmt::format("{}: {} {}", what, device.normwiseRelError, host.normwiseRelError));
}

} // namespace

PTXWB_CASE(compare, equals_the_hosts_comparison)
{
    const Tolerance tolerance{.rtol = 1e-2, .atol = 1e-2};
    for (const Dtype dtype : {Dtype::Bfloat16, Dtype::Float16, Dtype::Float32}) {
        Reference reference = NEED(Reference::allocate({.name = "gemm_nt"}, gemmPlan(dtype)));
        NEED(reference.compute(9, nullptr));
        const auto elements = static_cast<std::size_t>(rows * columns);
        const auto floats = toHost<float>(reference.output(0), elements);
        const std::vector<double> expected(floats.begin(), floats.end());
        const auto width = static_cast<std::size_t>(dtypeBytes(dtype));
        std::vector<std::byte> good(elements * width);
        for (std::size_t i = 0; i < elements; ++i) {
            fromDouble(dtype, expected[i], good.data() + i * width);
        }
        const auto compare = [&](const std::vector<std::byte>& bytes, const std::string& what) {
            const auto memory = toDevice(bytes);
            const auto device = NEED(reference.compare(0, memory.data(), tolerance, nullptr));
            checkSame(device, compareOnHost("C", dtype, bytes.data(), expected, tolerance),
                fmt::format("{}, {}", dtypeName(dtype), what));
            return device;
        };
        CHECK(passesPaperRule(compare(good, "rounded reference"), tolerance));

        auto bytes = good;
        fromDouble(dtype, expected[4000] * 1.5 + 1, bytes.data() + 4000 * width);
        fromDouble(dtype, expected[17] - 3, bytes.data() + 17 * width);
        CHECK(compare(bytes, "two wrong").firstMismatch == 17U);

        bytes = good;
        fromDouble(dtype, std::numeric_limits<double>::quiet_NaN(), bytes.data() + 5 * width);
        fromDouble(dtype, -std::numeric_limits<double>::infinity(), bytes.data() + 6 * width);
        const auto special = compare(bytes, "NaN and Inf");
        CHECK(special.nanCount == 1 && special.infCount == 1);

        bytes = good;
        for (std::size_t i = 0; i < 3 * width; i += 2) {
            std::memcpy(bytes.data() + 100 * width + i, &poisonWord, 2);
        }
        CHECK(compare(bytes, "not written").poisonCount == 3);

        const auto zero = compare(std::vector<std::byte>(elements * width), "zeros");
        CHECK(zero.allZero && zero.normwiseRelError == 1.0);
    }
}
