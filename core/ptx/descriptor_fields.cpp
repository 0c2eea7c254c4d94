// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/descriptor_fields.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace ptxwb {

namespace {

std::uint64_t bitsOf(std::uint64_t value, int first, int last)
{
    const int width = last - first + 1;
    return value >> first & (width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
}

class Reader {
public:
    Reader(std::uint64_t value, DescriptorReading& reading)
        : m_value(value)
        , m_reading(reading)
    {
    }

    std::uint64_t field(std::string_view name, int first, int last, std::string meaning)
    {
        const auto raw = bitsOf(m_value, first, last);
        m_reading.fields.push_back({name, first, last, raw, std::move(meaning)});
        return raw;
    }

    std::uint64_t raw(int first, int last) const { return bitsOf(m_value, first, last); }

    void mustBeZero(int first, int last)
    {
        if (raw(first, last) != 0) {
            m_reading.problems.push_back(first == last
                    ? fmt::format("bit {} must be 0", first)
                    : fmt::format("bits {} to {} must be 0, they are 0x{:x}", first, last, raw(first, last)));
        }
    }

private:
    std::uint64_t m_value;
    DescriptorReading& m_reading;
};

std::string bytes(std::uint64_t raw)
{
    return fmt::format("0x{:x} * 16 = {} bytes", raw, raw * 16);
}

/// Start address, offsets and base offset lie at the same bits in both generations.
void commonFields(Reader& reader, DescriptorReading& reading, int swizzleBytes)
{
    const auto start =
        reader.field("start address", 0, 13, fmt::format("shared address 0x{:x}", reader.raw(0, 13) * 16));
    reader.mustBeZero(14, 15);
    const auto leading = reader.field("leading dimension offset (LBO)", 16, 29, bytes(reader.raw(16, 29)));
    reader.mustBeZero(30, 31);
    const auto stride = reader.field("stride dimension offset (SBO)", 32, 45, bytes(reader.raw(32, 45)));
    const auto base = reader.field("base offset", 49, 51,
        reader.raw(49, 51) == 0
            ? "0: the pattern of the swizzle begins at a multiple of its own size (1024, 512 or 256 bytes)"
            : fmt::format(
                "{}: the pattern begins {} rows of 128 bytes off", reader.raw(49, 51), reader.raw(49, 51)));
    const int atom = swizzleBytes * 8;
    if (swizzleBytes > 0 && base == 0 && start * 16 % static_cast<std::uint64_t>(swizzleBytes) != 0) {
        reading.remarks.push_back(fmt::format(
            "the start lies within a row of the {}-byte swizzle: right for a step along K, wrong for the "
            "first tile",
            swizzleBytes));
    } else if (swizzleBytes > 0 && base == 0 && start * 16 % static_cast<std::uint64_t>(atom) != 0) {
        reading.remarks.push_back(fmt::format("the start is no multiple of {} bytes, the size of the "
                                              "swizzle's pattern: a tile that TMA wrote begins "
                                              "at one, or the base offset says where the pattern begins",
            atom));
    }
    if (swizzleBytes > 0 && stride != 0 && static_cast<int>(stride) * 16 < atom) {
        reading.remarks.push_back(fmt::format(
            "SBO is {} bytes; 8 rows of a K-major tile with this swizzle take {} bytes", stride * 16, atom));
    }
    if (stride == 0) {
        reading.remarks.emplace_back(
            "SBO is 0: every group of 8 rows lies at the same place, right only for an operand of 8 rows");
    }
    if (swizzleBytes == 0 && leading == 0) {
        reading.remarks.emplace_back(
            "LBO is 0 without swizzle: both halves of K would be read from the same place");
    }
}

std::string yes(std::uint64_t raw)
{
    return raw != 0 ? "yes" : "no";
}

std::string major(std::uint64_t raw, std::string_view across)
{
    return raw != 0 ? fmt::format("{}-major (transposed)", across) : std::string("K-major");
}

std::string_view name(std::span<const std::string_view> names, std::uint64_t raw)
{
    return raw < names.size() && !names[raw].empty() ? names[raw] : std::string_view("no such value");
}

// The manual's table of kinds and shapes: steps of 8 for one CTA, of 16 for two; integers have fewer.
void shapeOf(DescriptorReading& reading, std::uint64_t rows, std::uint64_t columns, int ctas, bool isInteger)
{
    constexpr std::uint64_t finest = 32; // of integers, up to here in steps of 8
    const std::uint64_t ofTwo = isInteger ? 32 : 16;
    const bool isOfTwo = ctas == 2 || rows == 256;
    const std::uint64_t step = isOfTwo ? ofTwo : isInteger && columns > finest ? 16 : 8;
    if (columns == 0 || columns > 256) {
        reading.problems.push_back(fmt::format("N is {}; it can be 8 to 256", columns));
    } else if (columns % step != 0) {
        const auto* const where = rows == 256 ? "with M = 256"
            : isOfTwo                         ? "with cta_group::2"
                                              : "for integers, above 32,";
        reading.problems.push_back(
            fmt::format("N is {}; {} it must be a multiple of {}", columns, where, step));
    } else if (ctas == 0 && rows == 128 && columns % ofTwo != 0) {
        reading.remarks.push_back(
            fmt::format("N is {}: with cta_group::2 it must be a multiple of {}", columns, ofTwo));
    }
    if (ctas == 1 && rows == 256) {
        reading.problems.emplace_back("M is 256, which takes cta_group::2");
    } else if (ctas == 2 && (rows == 32 || rows == 64)) {
        reading.problems.push_back(fmt::format("M is {}; with cta_group::2 it is 128 or 256", rows));
    }
}

std::string scaleBytes(std::uint64_t raw, bool isFourBits)
{
    return isFourBits ? fmt::format("from byte {} of their columns (with four of them a row, from 0)", raw)
                      : fmt::format("byte {} of their columns", raw);
}

} // namespace

DescriptorReading readWgmmaDescriptor(std::uint64_t bits)
{
    DescriptorReading reading{.kind = "matrix descriptor of wgmma (sm_90a)",
        .manualUrl = "https://docs.nvidia.com/cuda/parallel-thread-execution/"
                     "#asynchronous-warpgroup-level-matrix-shared-memory-layout-matrix-descriptor"};
    constexpr std::array<std::string_view, 4> swizzles{"none", "128 bytes", "64 bytes", "32 bytes"};
    constexpr std::array<int, 4> widths{0, 128, 64, 32};
    Reader reader(bits, reading);
    const auto mode = reader.raw(62, 63);
    commonFields(reader, reading, widths[mode]);
    reader.mustBeZero(46, 48);
    reader.mustBeZero(52, 61);
    reader.field("swizzle", 62, 63, std::string(swizzles[mode]));
    return reading;
}

DescriptorReading readTcgen05Descriptor(std::uint64_t bits)
{
    DescriptorReading reading{.kind = "shared memory descriptor of tcgen05 (sm_100a)",
        .manualUrl =
            "https://docs.nvidia.com/cuda/parallel-thread-execution/#tcgen05-shared-memory-descriptor"};
    constexpr std::array<std::string_view, 7> swizzles{
        "none", "128 bytes, exchanging pieces of 32 bytes", "128 bytes", "", "64 bytes", "", "32 bytes"};
    constexpr std::array<int, 8> widths{0, 128, 128, 0, 64, 0, 32, 0};
    Reader reader(bits, reading);
    const auto mode = reader.raw(61, 63);
    commonFields(reader, reading, widths[mode]);
    if (reader.field("fixed", 46, 48, "must be 1") != 1) {
        reading.problems.emplace_back("bits 46 to 48 must be 1 (binary 001) for tcgen05");
    }
    reader.field("LBO mode", 52, 52,
        reader.raw(52, 52) == 0 ? "LBO is an offset in bytes"
                                : "LBO is an absolute shared address (K = 48 bytes)");
    reader.mustBeZero(53, 60);
    reader.field("swizzle", 61, 63, std::string(name(swizzles, mode)));
    if (name(swizzles, mode) == "no such value") {
        reading.problems.push_back(fmt::format("{} is no swizzle", mode));
    }
    return reading;
}

DescriptorReading readTcgen05InstructionDescriptor(std::uint32_t bits, int ctas)
{
    DescriptorReading reading{.kind = "instruction descriptor of tcgen05.mma (kinds f16, tf32, f8f6f4, i8)",
        .manualUrl =
            "https://docs.nvidia.com/cuda/parallel-thread-execution/#tcgen05-instruction-descriptor"};
    constexpr std::array<std::string_view, 3> sums{"f16", "f32", "s32"};
    constexpr std::array<std::string_view, 6> inputs{"f16 (kind::f16), e4m3 (f8f6f4) or u8 (i8)",
        "bf16 (kind::f16), e5m2 (f8f6f4) or s8 (i8)", "tf32", "e2m3 (f8f6f4)", "e3m2 (f8f6f4)",
        "e2m1 (f8f6f4)"};
    constexpr std::array<std::string_view, 4> shifts{"none", "8 rows", "16 rows", "32 rows"};
    Reader reader(bits, reading);
    reader.field("sparsity selector", 0, 1, fmt::format("{}", reader.raw(0, 1)));
    reader.field("sparse A", 2, 2, yes(reader.raw(2, 2)));
    reader.field("saturate", 3, 3, yes(reader.raw(3, 3)) + " (integers only)");
    const auto sum = reader.field("type of D", 4, 5, std::string(name(sums, reader.raw(4, 5))));
    reader.mustBeZero(6, 6);
    const auto a = reader.field("type of A", 7, 9, std::string(name(inputs, reader.raw(7, 9))));
    const auto b = reader.field("type of B", 10, 12, std::string(name(inputs, reader.raw(10, 12))));
    reader.field("negate A", 13, 13, yes(reader.raw(13, 13)));
    reader.field("negate B", 14, 14, yes(reader.raw(14, 14)));
    reader.field("A lies", 15, 15, major(reader.raw(15, 15), "M"));
    reader.field("B lies", 16, 16, major(reader.raw(16, 16), "N"));
    const auto n =
        reader.field("N", 17, 22, fmt::format("{} * 8 = {}", reader.raw(17, 22), reader.raw(17, 22) * 8));
    reader.mustBeZero(23, 23);
    const auto m =
        reader.field("M", 24, 28, fmt::format("{} * 16 = {}", reader.raw(24, 28), reader.raw(24, 28) * 16));
    reader.mustBeZero(29, 29);
    reader.field("largest shift of B (.ws)", 30, 31, std::string(name(shifts, reader.raw(30, 31))));
    if (sum >= sums.size()) {
        reading.problems.push_back(fmt::format("type of D: {} is no such value", sum));
    }
    if (a >= inputs.size() || b >= inputs.size()) {
        reading.problems.emplace_back("type of A or B: no such value");
    }
    constexpr std::uint64_t tf32 = 2;
    constexpr std::uint64_t s32 = 2;
    if ((a == tf32) != (b == tf32)) {
        reading.problems.emplace_back("tf32 multiplies tf32 only");
    } else if (a == tf32 && sum != 1) {
        reading.problems.emplace_back("sums of tf32 are f32");
    } else if (sum == s32 && (a > 1 || b > 1)) {
        reading.problems.emplace_back("sums of s32 are of u8 and s8 only");
    }
    const auto rows = m * 16;
    if (rows != 32 && rows != 64 && rows != 128 && rows != 256) {
        reading.problems.push_back(fmt::format(
            "M is {}; it can be 64 or 128 (cta_group::1), 128 or 256 (cta_group::2), 32 with .ws", rows));
    }
    shapeOf(reading, rows, n * 8, ctas, sum == s32);
    return reading;
}

DescriptorReading readBlockScaledDescriptor(std::uint32_t bits, BlockScaledKind kind, int ctas)
{
    const bool isFourBits = kind == BlockScaledKind::Mxf4;
    DescriptorReading reading{.kind = isFourBits
            ? "block-scaled instruction descriptor of tcgen05.mma (kinds mxf4, mxf4nvf4)"
            : "block-scaled instruction descriptor of tcgen05.mma (kind mxf8f6f4)",
        .manualUrl =
            "https://docs.nvidia.com/cuda/parallel-thread-execution/#tcgen05-instruction-descriptor"};
    constexpr std::array<std::string_view, 6> bytes{"e4m3", "e5m2", "", "e2m3", "e3m2", "e2m1"};
    constexpr std::array<std::string_view, 2> halves{"", "e2m1"};
    const auto types = isFourBits ? std::span<const std::string_view>(halves) : bytes;
    const int lastOfB = isFourBits ? 11 : 12;
    Reader reader(bits, reading);
    reader.mustBeZero(0, 1);
    reader.field("sparse A", 2, 2, yes(reader.raw(2, 2)));
    reader.mustBeZero(3, 3);
    const auto scaleB = reader.field("scale factors of B", 4, 5, scaleBytes(reader.raw(4, 5), isFourBits));
    reader.mustBeZero(6, 6);
    reader.field("type of A", 7, 9, std::string(name(types, reader.raw(7, 9))));
    reader.field("type of B", 10, lastOfB, std::string(name(types, reader.raw(10, lastOfB))));
    if (isFourBits) {
        reader.mustBeZero(12, 12);
    }
    reader.field("negate A", 13, 13, yes(reader.raw(13, 13)));
    reader.field("negate B", 14, 14, yes(reader.raw(14, 14)));
    reader.field("A lies", 15, 15, major(reader.raw(15, 15), "M"));
    reader.field("B lies", 16, 16, major(reader.raw(16, 16), "N"));
    const auto n =
        reader.field("N", 17, 22, fmt::format("{} * 8 = {}", reader.raw(17, 22), reader.raw(17, 22) * 8));
    reader.field("type of the scales", 23, 23,
        reader.raw(23, 23) != 0 ? std::string("ue8m0") : std::string("ue4m3 (mxf4nvf4 only)"));
    reader.mustBeZero(24, 26);
    const auto m =
        reader.field("M", 27, 28, fmt::format("{} * 128 = {}", reader.raw(27, 28), reader.raw(27, 28) * 128));
    const auto scaleA =
        reader.field("scale factors of A", 29, 30, scaleBytes(reader.raw(29, 30), isFourBits));
    if (isFourBits) {
        const bool isSparse = reader.raw(2, 2) != 0;
        const bool isOther = reader.raw(31, 31) != 0;
        reader.field("K", 31, 31, isOther ? "96 (sm_103a)" : isSparse ? "128" : "64");
        if (isOther && isSparse) {
            reading.problems.emplace_back("K = 96 (bit 31) is of dense A only");
        }
        if (reader.raw(15, 16) != 0) {
            reading.problems.emplace_back("4-bit matrices cannot be transposed (bits 15 and 16 must be 0)");
        }
        if (scaleA % 2 != 0 || scaleB % 2 != 0) {
            reading.problems.emplace_back("the scale factors begin at byte 0 or 2");
        }
    } else {
        reader.mustBeZero(31, 31);
        if (reader.raw(23, 23) == 0) {
            reading.problems.emplace_back("the scales of mxf8f6f4 are ue8m0 (bit 23 must be 1)");
        }
    }
    if (name(types, reader.raw(7, 9)) == "no such value"
        || name(types, reader.raw(10, lastOfB)) == "no such value") {
        reading.problems.emplace_back("type of A or B: no such value");
    }
    const auto rows = m * 128;
    if (rows != 128 && rows != 256) {
        reading.problems.push_back(fmt::format("M is {}; it can be 128, or 256 with cta_group::2", rows));
    }
    shapeOf(reading, rows, n * 8, ctas, false);
    return reading;
}

} // namespace ptxwb
