// SPDX-License-Identifier: Apache-2.0
// Tensor maps that a kernel changes (tensormap.replace), hands on (tensormap.cp_fenceproxy) and makes known
// to the tensor copies, against what the changed map must fetch.
#include "tests/emulator/harness.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

using Words = std::vector<std::uint32_t>;

const std::string copyOfParameter =
    "mov.b64 %rd4, map;\ncvta.param.u64 %rd4, %rd4;\nadd.u64 %rd4, %rd4, %rd5;\n"
    "ld.b32 %r1, [%rd4];\nst.shared.b32 [%r2], %r1;\nbar.warp.sync -1;\n";
const std::string zeros = "mov.b32 %r1, 0;\nst.shared.b32 [%r2], %r1;\nbar.warp.sync -1;\n";
const std::string handOn =
    "bar.warp.sync -1;\n"
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
    "[%rd0], [smap], 128;\n";
const std::string acquired = "fence.proxy.tensormap::generic.acquire.gpu [%rd0], 128;\n";

std::string set(const std::string& field, const std::string& value, const std::string& space = "shared::cta",
    const std::string& where = "[smap]")
{
    const bool wide = field.starts_with("global_address") || field.starts_with("global_stride");
    const auto blank = field.find(' ');
    return "@%p tensormap.replace.tile." + field.substr(0, blank) + "." + space + ".b1024."
        + (wide ? "b64 " : "b32 ") + where + ", "
        + (blank == std::string::npos ? "" : field.substr(blank + 1) + ", ") + value + ";\n";
}

/// 32 threads; %rd0 128 bytes of global memory for a map, %rd1 the second tensor. Fetches 8 x 8 u16 by the
/// map at %rd0 into `out`.
std::string kernel(const std::string& change)
{
    return ".version 8.6\n.target sm_90a\n.address_size 64\n"
           ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 place, .param .u64 second, .param "
           ".u64 "
           "out)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n.reg .pred %p, %q;\n"
           ".shared .align 128 .b8 smap[128];\n.shared .align 128 .b8 tile[128];\n.shared .align 8 .b64 "
           "bar;\n"
           "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p, %r0, 0;\nmul.wide.u32 %rd5, %r0, 4;\n"
           "ld.param.u64 %rd0, [place];\nld.param.u64 %rd1, [second];\nld.param.u64 %rd2, [out];\n"
           "add.u64 %rd2, %rd2, %rd5;\nmov.b32 %r3, smap;\nmad.lo.u32 %r2, %r0, 4, %r3;\n"
        + change
        + "@!%p bra WAIT0;\nmbarrier.init.shared::cta.b64 [bar], "
          "1;\nfence.mbarrier_init.release.cluster;\nWAIT0:\n"
          "bar.warp.sync -1;\n@!%p bra WAIT;\nmov.b32 %r4, 0;\n"
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;\n"
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0, {%r4, "
          "%r4}], "
          "[bar];\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0;\n@!%q bra WAIT;\n"
          "mov.b32 %r5, tile;\nmad.lo.u32 %r5, %r0, 4, %r5;\nld.shared.u32 %r6, [%r5];\nst.global.u32 "
          "[%rd2], "
          "%r6;\nret;\n}\n";
}

Words numbers(std::uint32_t from)
{
    Words words(32);
    std::iota(words.begin(), words.end(), from);
    return words;
}

Result<EmulatorOutcome> outcomeOf(const std::string& change)
{
    return KernelRun(kernel(change))
        .block(32)
        .map("first", std::vector<std::uint16_t>(64, 9), 8, 8, 8, Swizzle::None)
        .buffer("place", Words(32))
        .buffer("second", numbers(1000))
        .buffer("out", Words(32, 7))
        .run();
}

/// Empty: no report and this output.
std::string differs(const std::string& change, const Words& wanted)
{
    const auto outcome = outcomeOf(change);
    if (!outcome) {
        return describe(outcome.error());
    }
    if (outcome->end != EmulatorEnd::Completed || !outcome->reports.empty()) {
        return summaryOf(*outcome);
    }
    return contentOf<std::uint32_t>(*outcome, 3) == wanted ? "" : "another output";
}

bool reports(const std::string& change, RuleId rule)
{
    const auto outcome = outcomeOf(change);
    return outcome && outcome->reports.size() == 1 && outcome->reports[0].rule == rule;
}

/// Every field of a map of 8 x 8 u16 at %rd1.
std::string allFields()
{
    return set("elemtype", "1") + set("rank", "1") + set("box_dim 0", "8") + set("box_dim 1", "8")
        + set("global_dim 0", "8") + set("global_dim 1", "8") + set("global_stride 0", "16")
        + set("element_stride 0", "1") + set("element_stride 1", "1") + set("interleave_layout", "0")
        + set("swizzle_mode", "0") + set("fill_mode", "0") + set("global_address", "%rd1");
}

} // namespace

class TestEmulatorTensorMaps : public QObject {
    Q_OBJECT

private slots:
    void aCopiedMapFetchesAsTheFirst()
    {
        const auto wrong = differs(copyOfParameter + handOn + acquired, Words(32, 0x00090009));
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void anotherAddressAndFewerRows()
    {
        auto wanted = numbers(1000);
        std::fill(wanted.begin() + 16, wanted.end(), 0U); // rows 4 to 7 lie outside now
        const auto wrong = differs(
            copyOfParameter + set("global_address", "%rd1") + set("global_dim 1", "4") + handOn + acquired,
            wanted);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void aMapMadeOfZeros()
    {
        const auto wrong = differs(zeros + allFields() + handOn + acquired, numbers(1000));
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void everySecondRow()
    {
        const auto all = numbers(1000);
        Words wanted(32, 0);
        for (std::size_t row = 0; row < 4; ++row) {
            std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(8 * row), 4,
                wanted.begin() + static_cast<std::ptrdiff_t>(4 * row));
        }
        const auto wrong = differs(
            zeros + allFields() + set("global_stride 0", "32") + set("global_dim 1", "4") + handOn + acquired,
            wanted);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    void changedInGlobalMemory()
    {
        const auto change = copyOfParameter + handOn + "bar.warp.sync -1;\n"
            + set("global_address", "%rd1", "global", "[%rd0]");
        const auto wrong =
            differs(change + "fence.proxy.tensormap::generic.release.gpu;\n" + acquired, numbers(1000));
        QVERIFY2(wrong.empty(), wrong.c_str());
        QVERIFY(reports(change, RuleId::MissingProxyFence));
    }

    void aChangeThatNothingMakesKnown()
    {
        QVERIFY(reports(copyOfParameter + set("global_address", "%rd1") + handOn, RuleId::MissingProxyFence));
    }

    void valuesThatAFieldCannotHold()
    {
        for (const auto& wrong : {set("box_dim 0", "0"), set("box_dim 1", "257"), set("rank", "5"),
                 set("global_address", "4097"), set("global_stride 0", "8"), set("swizzle_mode", "4")}) {
            QVERIFY2(reports(copyOfParameter + wrong + handOn + acquired, RuleId::DescriptorMismatch),
                wrong.c_str());
        }
        QVERIFY(
            reports("st.shared.b32 [%r2], %r3;\nbar.warp.sync -1;\n" + set("rank", "1") + handOn + acquired,
                RuleId::DescriptorMismatch)); // over something else
    }
};

QTEST_APPLESS_MAIN(TestEmulatorTensorMaps)
#include "tst_emulator_tensor_maps.moc"
