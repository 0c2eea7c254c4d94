// SPDX-License-Identifier: Apache-2.0
#include "core/bench/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace ptxwb {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct Description {
    Dtype dtype;
    std::string_view text;
};
constexpr std::array<Description, 9> descriptions{{{Dtype::Float64, "<f8"}, {Dtype::Float32, "<f4"},
    {Dtype::Float16, "<f2"}, {Dtype::Int64, "<i8"}, {Dtype::Int32, "<i4"}, {Dtype::Int16, "<i2"},
    {Dtype::Int8, "|i1"}, {Dtype::Uint8, "|u1"}, {Dtype::Bool, "|b1"}}};

/// Tuples of Python: one extent has a comma behind it.
std::string tupleOf(const std::vector<std::int64_t>& shape)
{
    return shape.size() == 1 ? fmt::format("({},)", shape[0]) : fmt::format("({})", fmt::join(shape, ", "));
}

Error unreadable(std::string message, std::string hint = {})
{
    return {.code = ErrorCode::BadFormat, .message = std::move(message), .hint = std::move(hint)};
}

/// The text behind `'key':` in the header.
std::string_view valueOf(std::string_view header, std::string_view key)
{
    const auto at = header.find(fmt::format("'{}':", key));
    if (at == std::string_view::npos) {
        return {};
    }
    header.remove_prefix(at + key.size() + 3);
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    return header;
}

} // namespace

std::string npyBytes(const TensorType& type, std::span<const std::byte> content)
{
    const auto* known = std::find_if(descriptions.begin(), descriptions.end(),
        [&](const Description& d) { return d.dtype == type.dtype; });
    const bool widen = known == descriptions.end();
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
        widen ? "<f4" : known->text, tupleOf(type.shape));
    constexpr std::size_t preamble = 10;
    header.append(63 - (preamble + header.size()) % 64, ' ');
    header += '\n';
    std::string file(magic);
    file +=
        {'\x01', '\x00', static_cast<char>(header.size() & 0xFFU), static_cast<char>(header.size() >> 8U)};
    file += header;
    if (!widen) {
        file.append(reinterpret_cast<const char*>(content.data()), content.size());
        return file;
    }
    const auto width = static_cast<std::size_t>(dtypeBytes(type.dtype));
    for (std::size_t at = 0; at + width <= content.size(); at += width) {
        const auto value = static_cast<float>(toDouble(type.dtype, content.data() + at));
        std::array<char, sizeof value> bits{};
        std::memcpy(bits.data(), &value, sizeof value);
        file.append(bits.data(), bits.size());
    }
    return file;
}

Result<std::vector<std::byte>> readNpy(std::string_view file, const TensorType& type)
{
    if (!file.starts_with(magic) || file.size() < 12) {
        return unreadable("this is no .npy file", "write it with numpy.save");
    }
    const auto byteAt = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(file[i]));
    };
    const bool isLong = file[6] != 1;
    const std::size_t start = isLong ? 12 : 10;
    const std::size_t length =
        byteAt(8) + (byteAt(9) << 8U) + (isLong ? (byteAt(10) << 16U) + (byteAt(11) << 24U) : 0);
    if (length > file.size() - start) {
        return unreadable("the .npy file is cut off in its header");
    }
    const auto header = file.substr(start, length);
    if (valueOf(header, "fortran_order").starts_with("True")) {
        return unreadable("the array is in Fortran order", "save numpy.ascontiguousarray(array)");
    }
    const auto descr = valueOf(header, "descr");
    const auto stored = std::find_if(descriptions.begin(), descriptions.end(),
        [&](const Description& d) { return descr.starts_with(fmt::format("'{}'", d.text)); });
    if (stored == descriptions.end()) {
        return unreadable(fmt::format("element type {} is not read", descr.substr(0, descr.find(','))),
            "little-endian f2, f4, f8, i1, i2, i4, i8, u1 and bool are");
    }
    const auto shape = valueOf(header, "shape");
    const auto wanted = tupleOf(type.shape);
    const auto closing = shape.find(')');
    if (closing == std::string_view::npos || shape.substr(0, closing + 1) != wanted) {
        return unreadable(fmt::format("the file holds an array of shape {}, the plan says {}",
                              closing == std::string_view::npos ? "?" : shape.substr(0, closing + 1), wanted),
            "make the plan's shape and the file agree");
    }
    const auto data = file.substr(start + length);
    const auto from = static_cast<std::size_t>(dtypeBytes(stored->dtype));
    const auto to = static_cast<std::size_t>(dtypeBytes(type.dtype));
    const auto count = static_cast<std::size_t>(type.elements());
    if (data.size() != count * from) {
        return unreadable(fmt::format(
            "the .npy file has {} bytes of data, its header means {}", data.size(), count * from));
    }
    std::vector<std::byte> content(count * to);
    if (stored->dtype == type.dtype) {
        std::memcpy(content.data(), data.data(), data.size());
        return content;
    }
    for (std::size_t i = 0; i < count; ++i) {
        fromDouble(type.dtype, toDouble(stored->dtype, data.data() + i * from), content.data() + i * to);
    }
    return content;
}

} // namespace ptxwb
