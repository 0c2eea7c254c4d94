// SPDX-License-Identifier: Apache-2.0
// Copies and reductions through tensor maps and in bulk: boxes inside and over the edges, every swizzle,
// ranks 1 to 5, element strides, fill.
#include "tests/emulator/differential/probe.h"

#include <algorithm>
#include <cstring>

namespace ptxwb::differential {

namespace {

constexpr std::uint32_t sharedBytes = 16384;

struct CopyCase {
    const char* name;
    ProbeMap map;
    std::vector<std::int32_t> at; ///< coordinates
    std::string reduce{}; ///< ".add": of a reduction into the tensor
};

std::uint32_t bytesOf(char type)
{
    return type == 'b' ? 1 : type == 'h' || type == 'B' ? 2 : 4;
}

std::string typeName(char type)
{
    return type == 'h' ? "f16" : type == 'B' ? "bf16" : type == 'f' ? "f32" : "any";
}

/// Bytes of shared memory over which the rows of a box lie: with a swizzle they are its span apart.
std::uint32_t spannedBytes(const ProbeMap& map)
{
    std::uint32_t bytes = map.span;
    for (std::size_t d = 1; d < map.box.size(); ++d) {
        bytes *= map.box[d];
    }
    return bytes;
}

std::uint32_t boxBytes(const ProbeMap& map)
{
    std::uint32_t bytes = bytesOf(map.type);
    for (std::size_t d = 0; d < map.box.size(); ++d) {
        bytes *= (map.box[d] + map.elementStrides[d] - 1) / map.elementStrides[d];
    }
    return bytes;
}

const char* const top = // %r0 thread, %r1 tile, %r2 barrier, %x0 in, %x1 out
    ".version 8.3\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 tile[];\n";
const char* const registers =
    ".reg .b32 %r<16>;\n.reg .b64 %x<8>;\n.reg .pred %p, %q;\n.shared .align 8 .b8 bar[8];\n"
    "mov.u32 %r0, %tid.x;\nmov.u32 %r1, tile;\nadd.u32 %r1, %r1, 1023;\nand.b32 %r1, %r1, 0xfffffc00;\n"
    "mov.u32 %r2, bar;\nld.param.u64 %x0, [in];\nld.param.u64 %x1, [out];\nsetp.eq.u32 %p, %r0, 0;\n";

/// Words of global memory at `from` to the tile, or of the tile to global memory; 128 threads.
std::string copyWords(bool toShared, const char* global, std::uint32_t words, const std::string& label)
{
    return "mov.u32 %r3, %r0;\n" + label + ":\nsetp.ge.u32 %q, %r3, " + std::to_string(words) + ";\n@%q bra "
        + label + "_DONE;\nmul.wide.u32 %x4, %r3, 4;\nadd.s64 %x4, %x4, " + global
        + ";\nmad.lo.u32 %r4, %r3, 4, %r1;\n"
        + (toShared ? "ld.global.b32 %r5, [%x4];\nst.shared.b32 [%r4], %r5;\n"
                    : "ld.shared.b32 %r5, [%r4];\nst.global.b32 [%x4], %r5;\n")
        + "add.u32 %r3, %r3, 128;\nbra " + label + ";\n" + label + "_DONE:\n";
}

/// The wait ends also when nothing comes, so that a GPU is not hung. %r7: 1 when it came.
std::string boundedWait()
{
    return "mov.u32 %r6, 0;\nmov.u32 %r7, 0;\nWAIT:\nadd.u32 %r6, %r6, 1;\nsetp.gt.u32 %q, %r6, 100000;\n"
           "@%q bra WAITED;\nmbarrier.try_wait.parity.shared::cta.b64 %q, [%r2], 0;\n@!%q bra WAIT;\n"
           "mov.u32 %r7, 1;\nWAITED:\n";
}

/// Every word of the tile to a value that no box holds.
std::string prefill(std::uint32_t words)
{
    return "mov.u32 %r3, %r0;\nmov.u32 %r5, 0xEEEEEEEE;\nPREFILL:\nmad.lo.u32 %r4, %r3, 4, %r1;\n"
           "st.shared.b32 [%r4], %r5;\nadd.u32 %r3, %r3, 128;\nsetp.lt.u32 %q, %r3, "
        + std::to_string(words) + ";\n@%q bra PREFILL;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n";
}

std::string coordinates(const std::vector<std::int32_t>& at)
{
    std::string list = "{";
    for (std::size_t i = 0; i < at.size(); ++i) {
        list += (i == 0 ? "" : ", ") + std::to_string(at[i]);
    }
    return list + "}";
}

std::string fileBarrier(std::uint32_t bytes, const std::string& copy)
{
    return "@!%p bra READY;\nmbarrier.init.shared::cta.b64 [%r2], 1;\nfence.mbarrier_init.release.cluster;\n"
           "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], "
        + std::to_string(bytes) + ";\n" + copy + "READY:\nbar.sync 0;\n" + boundedWait();
}

Probe mapProbe(const CopyCase& c)
{
    Probe probe;
    const bool store = c.map.ofOutput;
    probe.name = "tensor " + std::string(store ? "store" : "load") + c.reduce + " " + c.name;
    probe.threads = 128;
    probe.sharedBytes = sharedBytes + 1024;
    probe.maps.push_back(c.map);
    Values values(probe.name);
    std::uint64_t tensorBytes = bytesOf(c.map.type) * c.map.dims[0];
    if (c.map.dims.size() > 1) {
        tensorBytes = c.map.stridesBytes.back() * c.map.dims.back();
    }
    const auto bytes = boxBytes(c.map);
    const auto words = (std::max(bytes, spannedBytes(c.map)) + 3) / 4;
    const auto dims = std::to_string(c.map.dims.size());
    const auto tensor = wordsOf(typeName(c.map.type), Range::Near, (tensorBytes + 3) / 4, values);
    const auto tile = wordsOf(typeName(c.map.type), Range::Near, words, values);
    const std::string signature = ".visible .entry k(.param .u64 in, .param .u64 out, .param .align 64 .b8 "
                                  "map[128])\n{\n"
        + std::string(registers) + "mov.b64 %x2, map;\ncvta.param.u64 %x2, %x2;\n";
    if (!store) {
        appendWords(probe.input, tensor);
        probe.output.resize(std::size_t{words} * 4 + 4, 0);
        probe.text = top + signature + prefill(words)
            + fileBarrier(bytes,
                "cp.async.bulk.tensor." + dims
                    + "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%x2, "
                    + coordinates(c.at) + "], [%r2];\n")
            + copyWords(false, "%x1", words, "BACK") + "@%p st.global.u32 [%x1+" + std::to_string(words * 4)
            + "], %r7;\nret;\n}\n";
        return probe;
    }
    appendWords(probe.input, tile);
    appendWords(probe.output, tensor);
    const std::string opcode = c.reduce.empty() ? "cp.async.bulk.tensor." : "cp.reduce.async.bulk.tensor.";
    probe.text = top + signature + copyWords(true, "%x0", words, "FILL")
        + "fence.proxy.async.shared::cta;\nbar.sync 0;\n@!%p bra END;\n" + opcode + dims
        + "d.global.shared::cta" + c.reduce + ".tile.bulk_group [%x2, " + coordinates(c.at)
        + "], [%r1];\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEND:\nret;\n}\n";
    return probe;
}

/// The reduction of the shared tile into the output, or a copy there and back.
Probe bulkProbe(const std::string& suffix, const std::string& type)
{
    Probe probe;
    probe.name = "bulk" + suffix;
    probe.threads = 128;
    probe.sharedBytes = sharedBytes + 1024;
    Values values(probe.name);
    appendWords(probe.input, wordsOf(type, Range::Near, 256, values));
    appendWords(probe.output, wordsOf(type, Range::Near, 256, values));
    const std::string signature = ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n";
    const std::string opcode = suffix.empty() ? "cp.async.bulk" : "cp.reduce.async.bulk";
    probe.text = top + signature + registers
        + fileBarrier(1024,
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%x0], 1024, "
            "[%r2];\n")
        + "@!%p bra END;\n" + opcode + ".global.shared::cta.bulk_group" + suffix
        + " [%x1], [%r1], 1024;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEND:\nret;\n}\n";
    return probe;
}

ProbeMap matrix(char type, std::uint64_t columns, std::uint64_t rows, std::uint32_t boxColumns,
    std::uint32_t boxRows, std::uint32_t span = 0)
{
    ProbeMap map;
    map.type = type;
    map.dims = {columns, rows};
    map.stridesBytes = {columns * bytesOf(type)};
    map.box = {boxColumns, boxRows};
    map.elementStrides = {1, 1};
    map.span = span;
    return map;
}

ProbeMap ofRank(std::size_t rank)
{
    static const std::uint64_t dims[] = {24, 6, 5, 4, 3};
    static const std::uint32_t box[] = {8, 3, 2, 2, 2};
    ProbeMap map;
    map.type = 'h';
    std::uint64_t stride = 64; // rows with a gap behind them
    for (std::size_t d = 0; d < rank; ++d) {
        map.dims.push_back(dims[d]);
        map.box.push_back(box[d]);
        map.elementStrides.push_back(1);
        if (d > 0) {
            map.stridesBytes.push_back(stride);
            stride *= dims[d];
        }
    }
    return map;
}

template <class Change> ProbeMap changed(ProbeMap map, Change change)
{
    change(map);
    return map;
}

std::vector<CopyCase> copyCases()
{
    std::vector<CopyCase> all;
    for (std::size_t rank = 1; rank <= 5; ++rank) {
        static const char* const inside[] = {"rank 1", "rank 2", "rank 3", "rank 4", "rank 5"};
        static const char* const over[] = {"rank 1 over the end", "rank 2 over the end",
            "rank 3 over the end", "rank 4 over the end", "rank 5 over the end"};
        static const char* const odd[] = {"rank 1 from an odd column", "rank 2 from an odd column",
            "rank 3 from an odd column", "rank 4 from an odd column", "rank 5 from an odd column"};
        static const char* const before[] = {"rank 1 before the start", "rank 2 before the start",
            "rank 3 before the start", "rank 4 before the start", "rank 5 before the start"};
        const std::vector<std::int32_t> in{8, 2, 1, 1, 1};
        const std::vector<std::int32_t> end{16, 5, 4, 3, 2};
        const std::vector<std::int32_t> start{-8, -1, -1, -1, -1};
        const std::vector<std::int32_t> unaligned{5, 2, 1, 1, 1};
        const auto count = static_cast<std::ptrdiff_t>(rank);
        for (const bool store : {false, true}) {
            const auto map = changed(ofRank(rank), [&](ProbeMap& m) { m.ofOutput = store; });
            all.push_back({inside[rank - 1], map, {in.begin(), in.begin() + count}});
            all.push_back({over[rank - 1], map, {end.begin(), end.begin() + count}});
            all.push_back({before[rank - 1], map, {start.begin(), start.begin() + count}});
            all.push_back({odd[rank - 1], map, {unaligned.begin(), unaligned.begin() + count}});
        }
    }
    const auto addSpan = [&](const char* name, std::uint32_t span, char type) {
        const auto columns = span / bytesOf(type);
        for (const bool store : {false, true}) {
            auto map = matrix(type, 256, 40, columns, 24, span);
            map.ofOutput = store;
            all.push_back({name, map, {16, 8}});
            all.push_back({name, map, {256 - 8, 30}});
            all.back().name = span == 32 ? "swizzle 32 over the edge"
                : span == 64             ? "swizzle 64 over the edge"
                                         : "swizzle 128 over the edge";
            if (type != 'h') {
                all.pop_back();
            }
        }
    };
    addSpan("swizzle 32", 32, 'h');
    addSpan("swizzle 64", 64, 'h');
    addSpan("swizzle 128", 128, 'h');
    addSpan("swizzle 32 of bytes", 32, 'b');
    addSpan("swizzle 64 of bytes", 64, 'b');
    addSpan("swizzle 128 of bytes", 128, 'b');
    addSpan("swizzle 128 of f32", 128, 'f');
    addSpan("swizzle 64 of f32", 64, 'f');
    all.push_back({"swizzle 128, narrow box", matrix('h', 256, 40, 32, 16, 128), {8, 1}});
    all.push_back({"swizzle 64, narrow box", matrix('h', 256, 40, 16, 16, 64), {8, 1}});
    all.push_back({"swizzle 128, narrow box over the edge", matrix('h', 256, 40, 32, 16, 128), {240, 30}});
    for (const bool store : {false, true}) {
        auto map = matrix('h', 256, 40, 48, 12, 128);
        map.ofOutput = store;
        all.push_back({"swizzle 128, 96 bytes wide", map, {16, 3}});
        map = matrix('f', 64, 40, 4, 12, 32);
        map.ofOutput = store;
        all.push_back({"swizzle 32, 16 bytes wide", map, {8, 3}});
    }
    all.push_back({"f32 from an odd column", matrix('f', 64, 8, 8, 4), {6, 1}});
    all.push_back({"bytes from an odd column", matrix('b', 64, 8, 32, 4), {8, 1}});
    for (const char type : {'h', 'B', 'f'}) {
        static const char* const names[] = {"NaN fill of f16", "NaN fill of bf16", "NaN fill of f32"};
        const auto map = changed(matrix(type, 32, 8, 16, 4), [](ProbeMap& m) { m.nanFill = true; });
        all.push_back({names[type == 'h' ? 0 : type == 'B' ? 1 : 2], map, {24, 6}});
    }
    const auto strided = [](std::uint32_t first, std::uint32_t second, std::uint32_t columns) {
        auto map = matrix('h', 64, 32, columns, 9);
        map.elementStrides = {first, second};
        return map;
    };
    all.push_back({"every third row", strided(1, 3, 16), {8, 3}});
    for (const char* op : {".add", ".min", ".max", ".and", ".or", ".xor"}) {
        auto map = matrix('w', 32, 8, 16, 4);
        map.ofOutput = true;
        all.push_back({"of s32", map, {24, 2}, op});
    }
    for (const char* op : {".add", ".min", ".max"}) {
        for (const char type : {'h', 'B'}) {
            auto map = matrix(type, 32, 8, 16, 4);
            map.ofOutput = true;
            all.push_back({type == 'h' ? "of f16" : "of bf16", map, {8, 2}, op});
        }
    }
    auto map = matrix('f', 32, 8, 16, 4);
    map.ofOutput = true;
    all.push_back({"of f32", map, {8, 2}, ".add"});
    return all;
}

} // namespace

std::vector<Probe> copyProbes()
{
    std::vector<Probe> probes;
    for (const auto& c : copyCases()) {
        probes.push_back(mapProbe(c));
    }
    probes.push_back(bulkProbe("", "any"));
    for (const char* op : {".add", ".min", ".max"}) {
        for (const char* type : {".u32", ".s32", ".u64", ".s64"}) {
            if (std::string(op) != ".add" || std::string(type) != ".s64") {
                probes.push_back(bulkProbe(std::string(op) + type, "any"));
            }
        }
        for (const char* type : {"f16", "bf16"}) {
            const bool add = std::string(op) == ".add";
            probes.push_back(bulkProbe(std::string(op) + (add ? ".noftz." : ".") + type, type));
        }
    }
    probes.push_back(bulkProbe(".inc.u32", "any"));
    probes.push_back(bulkProbe(".dec.u32", "any"));
    for (const char* op : {".and", ".or", ".xor"}) {
        probes.push_back(bulkProbe(std::string(op) + ".b32", "any"));
        probes.push_back(bulkProbe(std::string(op) + ".b64", "any"));
    }
    probes.push_back(bulkProbe(".add.f32", "f32"));
    probes.push_back(bulkProbe(".add.f64", "f64"));
    return probes;
}

} // namespace ptxwb::differential
