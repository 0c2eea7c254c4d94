// SPDX-License-Identifier: Apache-2.0
// Tensor maps that the kernel changes before it copies by them.
#include "tests/emulator/differential/probe.h"

namespace ptxwb::differential {

namespace {

std::string set(const std::string& field, const std::string& value)
{
    const bool wide = field.rfind("global_address", 0) == 0 || field.rfind("global_stride", 0) == 0;
    const auto blank = field.find(' ');
    return "@%p tensormap.replace.tile." + field.substr(0, blank) + ".shared::cta.b1024."
        + (wide ? "b64" : "b32") + " [smap], "
        + (blank == std::string::npos ? "" : field.substr(blank + 1) + ", ") + value + ";\n";
}

/// 8 rows of 64 f16 by the changed map, behind 128 bytes that hold the map meanwhile.
Probe mapProbe(const std::string& name, const std::string& changes)
{
    Probe probe;
    probe.name = "map " + name;
    Values values(probe.name);
    appendWords(probe.input, wordsOf("any", Range::Small, 2048, values));
    probe.output.resize(128 + 1024, 0xA5);
    ProbeMap map;
    map.dims = {64, 32};
    map.stridesBytes = {128};
    map.box = {64, 8};
    map.elementStrides = {1, 1};
    probe.maps = {map};
    probe.text =
        ".version 8.7\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 in, .param .u64 out, .param .align 64 .b8 map[128])\n{\n"
        ".shared .align 128 .b8 smap[128];\n.shared .align 1024 .b8 tile[1024];\n.shared .align 8 .b64 bar;\n"
        ".reg .b32 %t, %s, %v, %z;\n.reg .b64 %x<5>;\n.reg .pred %p, %q;\nmov.u32 %t, %tid.x;\n"
        "setp.eq.u32 %p, %t, 0;\nmul.wide.u32 %x3, %t, 4;\nld.param.u64 %x0, [in];\nld.param.u64 %x1, "
        "[out];\n"
        "add.u64 %x4, %x0, 2048;\nmov.b64 %x2, map;\ncvta.param.u64 %x2, %x2;\nadd.u64 %x2, %x2, %x3;\n"
        "ld.b32 %v, [%x2];\nmov.b32 %s, smap;\nmad.lo.u32 %s, %t, 4, %s;\nst.shared.b32 [%s], %v;\n"
        "bar.warp.sync 0xffffffff;\n"
        + changes
        + "bar.warp.sync 0xffffffff;\n"
          "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%x1], "
          "[smap], 128;\n"
          "fence.proxy.tensormap::generic.acquire.gpu [%x1], 128;\n@!%p bra READY;\n"
          "mbarrier.init.shared::cta.b64 [bar], 1;\nfence.mbarrier_init.release.cluster;\nREADY:\n"
          "bar.warp.sync 0xffffffff;\n@!%p bra WAIT;\nmov.b32 %z, 0;\n"
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 1024;\n"
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%x1, {%z, "
          "%z}], [bar];\n"
          "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0;\n@!%q bra WAIT;\nbar.warp.sync "
          "0xffffffff;\n"
          "add.u64 %x2, %x1, %x3;\nmov.b32 %v, 0;\nst.global.b32 [%x2], %v;\nmov.b32 %s, tile;\n"
          "mad.lo.u32 %s, %t, 4, %s;\n";
    for (int i = 0; i < 8; ++i) {
        probe.text += "ld.shared.b32 %v, [%s+" + std::to_string(128 * i) + "];\nst.global.b32 [%x2+"
            + std::to_string(128 + 128 * i) + "], %v;\n";
    }
    probe.text += "ret;\n}\n";
    return probe;
}

} // namespace

std::vector<Probe> mapProbes()
{
    return {mapProbe("as it is", ""), mapProbe("global_address", set("global_address", "%x4")),
        mapProbe("global_dim", set("global_dim 1", "5") + set("global_dim 0", "40")),
        mapProbe("global_stride", set("global_stride 0", "256") + set("global_dim 1", "16")),
        mapProbe("box_dim", set("box_dim 0", "32") + set("box_dim 1", "16")),
        mapProbe("element_stride", set("element_stride 1", "2") + set("box_dim 1", "16")),
        mapProbe("swizzle_mode 128", set("swizzle_mode", "3")),
        mapProbe(
            "swizzle_mode 64", set("swizzle_mode", "2") + set("box_dim 0", "32") + set("box_dim 1", "16")),
        mapProbe("fill_mode", set("fill_mode", "1") + set("global_dim 1", "5")),
        mapProbe("elemtype", set("elemtype", "7") + set("box_dim 0", "32") + set("global_dim 0", "32")),
        mapProbe("rank and back", set("rank", "2") + set("rank", "1"))};
}

} // namespace ptxwb::differential
