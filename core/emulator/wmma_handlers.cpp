// SPDX-License-Identifier: Apache-2.0
// wmma: fragments of tiles whose layout PTX leaves open. Here a lane holds consecutive elements of the tile,
// row by row; registers that are left over hold them again.
#include "core/bench/tensor.h"
#include "core/emulator/addressing.h"
#include "core/emulator/decoder.h"
#include "core/emulator/matrix_elements.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace ptxwb::emulator {

namespace {

struct Tile {
    std::uint32_t rows = 0;
    std::uint32_t columns = 0;
    bool byColumns = false; ///< in memory
};

constexpr std::uint32_t columnMajor = 1;
constexpr std::uint32_t saturates = 2;
constexpr std::uint32_t stores = 4;

std::uint32_t bytesOf(ValueType type)
{
    return static_cast<std::uint32_t>(std::max(bitsOf(type), 8)) / 8;
}

/// Elements of one lane, and how many a register holds.
std::uint32_t share(const Tile& tile)
{
    return tile.rows * tile.columns / laneCount;
}
std::uint32_t perRegister(ValueType type)
{
    return std::max(4 / bytesOf(type), 1U);
}

std::byte* registerOf(Warp& warp, std::uint32_t row, std::uint32_t lane, ValueType type)
{
    return type == ValueType::F64 ? reinterpret_cast<std::byte*>(&warp.row64(row)[lane])
                                  : reinterpret_cast<std::byte*>(&warp.row(row)[lane]);
}

Step moveTile(Warp& warp, const Instr& in, std::uint32_t mask)
{
    const auto type = in.type;
    const auto bytes = bytesOf(type);
    const auto per = perRegister(type);
    const Tile tile{in.extra->targets[0], in.extra->targets[1], (in.mode & columnMajor) != 0};
    const std::uint32_t mine = share(tile);
    const bool store = (in.mode & stores) != 0;
    const std::uint32_t stride = in.b == noPredicate ? (tile.byColumns ? tile.rows : tile.columns)
                                                     : warp.row(in.b)[std::countr_zero(mask)];
    Instr access = in;
    const auto& rows = in.extra->rows;
    for (std::uint32_t i = 0; i < mine; ++i) {
        // One element of every lane: a row of addresses of its own, so that each is checked.
        std::uint64_t addresses[laneCount];
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            const std::uint32_t element = l * mine + i;
            const std::uint32_t r = element / tile.columns;
            const std::uint32_t c = element % tile.columns;
            const std::uint64_t at =
                tile.byColumns ? std::uint64_t{c} * stride + r : std::uint64_t{r} * stride + c;
            addresses[l] = laneAddress(warp, in, in.a, l) + at * bytes;
        }
        access.offset = 0;
        access.wideAddress = true;
        access.a = in.c;
        std::memcpy(warp.row64(in.c), addresses, sizeof(addresses));
        LaneAddresses found;
        if (!resolveLanes(warp, access, mask, bytes, store ? AccessKind::Write : AccessKind::Read, found)) {
            return Step::Stop;
        }
        for (std::uint32_t l = 0; l < laneCount; ++l) {
            for (std::size_t r = i / per; r < rows.size(); r += store ? rows.size() : mine / per) {
                auto* reg = registerOf(warp, rows[r], l, type) + std::size_t{i % per} * bytes;
                std::memcpy(store ? found.host[l] : reg, store ? reg : found.host[l], bytes);
            }
        }
    }
    return Step::Next;
}

double element(Warp& warp, const std::vector<std::uint32_t>& rows, ValueType type, std::uint32_t index,
    std::uint32_t mine)
{
    const std::uint32_t lane = index / mine;
    const std::uint32_t i = index % mine;
    const auto per = perRegister(type);
    const auto* reg = registerOf(warp, rows[i / per], lane, type);
    if (type == ValueType::F64) {
        double value = 0;
        std::memcpy(&value, reg, sizeof(value));
        return value;
    }
    std::uint32_t word = 0;
    std::memcpy(&word, reg, sizeof(word));
    return type == ValueType::S32 ? static_cast<double>(static_cast<std::int32_t>(word))
                                  : static_cast<double>(elementOf(word, i % per, type));
}

Step multiplyTiles(Warp& warp, const Instr& in, std::uint32_t)
{
    const auto& extra = *in.extra;
    const std::uint32_t m = extra.targets[0];
    const std::uint32_t n = extra.targets[1];
    const std::uint32_t k = extra.targets[2];
    const auto typeD = extra.types[0];
    std::vector<double> a(std::size_t{m} * k);
    std::vector<double> b(std::size_t{k} * n);
    std::vector<double> d(std::size_t{m} * n);
    const auto read = [&](std::vector<double>& to, const std::vector<std::uint32_t>& rows, ValueType type) {
        const auto mine = static_cast<std::uint32_t>(to.size()) / laneCount;
        for (std::uint32_t i = 0; i < to.size(); ++i) {
            to[i] = element(warp, rows, type, i, mine);
        }
    };
    read(a, extra.rowsA, extra.types[1]);
    read(b, extra.rowsB, extra.types[2]);
    read(d, extra.rowsC, extra.types[3]);
    const bool single = typeD != ValueType::F64 && typeD != ValueType::S32;
    for (std::size_t at = 0; at < d.size(); ++at) {
        double sum = d[at];
        for (std::uint32_t i = 0; i < k; ++i) {
            const double x = a[at / n * k + i];
            const double y = b[std::size_t{i} * n + at % n];
            sum = single ? static_cast<double>(
                      std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(sum)))
                         : std::fma(x, y, sum);
        }
        d[at] = sum;
    }
    const std::uint32_t mine = static_cast<std::uint32_t>(d.size()) / laneCount;
    const auto per = perRegister(typeD);
    for (std::uint32_t index = 0; index < d.size(); ++index) {
        auto* reg = registerOf(warp, extra.rows[index % mine / per], index / mine, typeD);
        if (typeD == ValueType::F64) {
            std::memcpy(reg, &d[index], 8);
        } else if (typeD == ValueType::S32) {
            constexpr double least = std::numeric_limits<std::int32_t>::min();
            constexpr double most = std::numeric_limits<std::int32_t>::max();
            const double sum = (in.mode & saturates) != 0 ? std::clamp(d[index], least, most) : d[index];
            const auto word = static_cast<std::uint32_t>(static_cast<std::int64_t>(sum));
            std::memcpy(reg, &word, 4);
        } else if (typeD == ValueType::F16) {
            const auto half = toFloat16(static_cast<float>(d[index]));
            std::memcpy(reg + std::size_t{index % mine % per} * 2, &half, 2);
        } else {
            const auto real = static_cast<float>(d[index]);
            std::memcpy(reg, &real, 4);
        }
    }
    return Step::Next;
}

std::array<std::uint32_t, 3> shapeOfTiles(const Statement& s)
{
    static const std::map<std::string_view, std::array<std::uint32_t, 3>> shapes{{".m16n16k16", {16, 16, 16}},
        {".m8n32k16", {8, 32, 16}}, {".m32n8k16", {32, 8, 16}}, {".m16n16k8", {16, 16, 8}},
        {".m8n8k4", {8, 8, 4}}};
    for (const auto modifier : s.modifiers) {
        if (const auto found = shapes.find(modifier); found != shapes.end()) {
            return found->second;
        }
    }
    throw FormNotEmulated(std::string(s.text)); // bits and 4-bit integers
}

std::vector<std::uint32_t> registers(
    Decoder& decoder, const Operand& operand, const Tile& tile, ValueType type, bool written)
{
    const std::uint32_t needed = std::max(share(tile) / perRegister(type), 1U);
    const auto word = type == ValueType::F64 ? ValueType::F64 : ValueType::B32;
    std::vector<std::uint32_t> rows;
    const auto take = [&](const Operand& o) {
        rows.push_back(written ? decoder.destination(o, word) : decoder.source(o, word));
    };
    if (operand.kind == Operand::Kind::Vector) {
        std::for_each(operand.parts.begin(), operand.parts.end(), take);
    } else {
        take(operand);
    }
    if (rows.size() < needed || rows.size() % needed != 0) {
        throw DecodeFault("a fragment has another number of registers");
    }
    return rows;
}

void decodeMove(Decoder& decoder, const Statement& s, Instr& in)
{
    const bool store = s.has(".store");
    expectOperands(s, 2, 3);
    const auto [m, n, k] = shapeOfTiles(s);
    const Tile tile = s.has(".a") ? Tile{m, k} : s.has(".b") ? Tile{k, n} : Tile{m, n};
    in.type = typeOf(s);
    in.mode = (s.has(".col") ? columnMajor : 0) | (store ? stores : 0);
    decoder.address(s.operands[store ? 0 : 1], in);
    in.space = spaceOf(s, Space::Generic);
    in.b = s.operands.size() > 2 ? decoder.source(s.operands[2], ValueType::B32) : noPredicate;
    in.c = decoder.constant(0x776D6D61, true); // a row for addresses
    auto& extra = decoder.extra(in);
    extra.rows = registers(decoder, s.operands[store ? 1 : 0], tile, in.type, !store);
    extra.targets = {tile.rows, tile.columns};
    in.run = moveTile;
}

void decodeProduct(Decoder& decoder, const Statement& s, Instr& in)
{
    expectOperands(s, 4, 4);
    const auto [m, n, k] = shapeOfTiles(s);
    auto types = typesOf(s);
    if (types.size() == 2) { // of D and C; A and B are halves
        types = {types[0], ValueType::F16, ValueType::F16, types[1]};
    }
    if (types.size() != 4 || s.has(".sp") || bitsOf(types[1]) < 8) {
        throw FormNotEmulated(std::string(s.text));
    }
    auto& extra = decoder.extra(in);
    extra.targets = {m, n, k};
    extra.types = types;
    in.mode = s.has(".satfinite") ? saturates : 0;
    extra.rowsA = registers(decoder, s.operands[1], {m, k}, types[1], false);
    extra.rowsB = registers(decoder, s.operands[2], {k, n}, types[2], false);
    extra.rowsC = registers(decoder, s.operands[3], {m, n}, types[3], false);
    extra.rows = registers(decoder, s.operands[0], {m, n}, types[0], true);
    in.run = multiplyTiles;
}

} // namespace

bool decodeTiles(Decoder& decoder, const Statement& s, Instr& in)
{
    if (s.opcode != "wmma") {
        return false;
    }
    in.aligned = true;
    if (s.has(".mma")) {
        decodeProduct(decoder, s, in);
    } else {
        decodeMove(decoder, s, in);
    }
    return true;
}

} // namespace ptxwb::emulator
