// SPDX-License-Identifier: Apache-2.0
// Every rule of lint has a text that it must name, at the right place, and a twin without the mistake that it
// must not.
#include "core/ptx/lint.h"
#include "lint_kernels.h"

#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::test;

class TestLintRules : public QObject {
    Q_OBJECT
private slots:
    void twins_data();
    void twins();
    void everyRuleHasATwin();
    void rulesAreSortedAndExplained();
    void fixesMend_data();
    void fixesMend();
    void refusedStatementsHideTheRest_data();
    void refusedStatementsHideTheRest();
    void compilersFenceByBarrier();
    void glanceMissesNoSize_data();
    void glanceMissesNoSize();

private:
    std::vector<std::string> m_rulesSeen;
};

void TestLintRules::twins_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("bad");
    QTest::addColumn<QString>("good");
    QTest::addColumn<QString>("at"); // the text that the finding underlines
    const auto row = [](const char* name, const char* rule, const std::string& bad, const std::string& good,
                         const char* at) {
        QTest::newRow(name) << QString::fromLatin1(rule) << QString::fromStdString(bad)
                            << QString::fromStdString(good) << QString::fromLatin1(at);
    };
    row("misspelt instruction", "unknown-instruction", kernel("    addd.s32 %r1, %r2, %r3;\n"),
        kernel("    add.s32 %r1, %r2, %r3;\n"), "addd");
    row("misspelt second part", "unknown-instruction", kernel("    wgmma.fense.sync.aligned;\n"),
        kernel(fence), "wgmma.fense");
    row("word of nothing", "unknown-modifier", kernel("    add.foo.s32 %r1, %r2, %r3;\n"),
        kernel("    add.sat.s32 %r1, %r2, %r3;\n"), ".foo");
    row("word of another instruction", "unknown-modifier", kernel("    add.trans.s32 %r1, %r2, %r3;\n"),
        kernel("    add.s32 %r1, %r2, %r3;\n"), ".trans");
    row("wide behind the type", "modifier-place", kernel("    mul.s32.wide %rd1, %r2, %r3;\n"),
        kernel("    mul.wide.s32 %rd1, %r2, %r3;\n"), "mul.s32.wide");
    row("parity behind the space", "modifier-place",
        kernel("W:\n    mbarrier.try_wait.shared::cta.parity.b64 %p1, [%r1], %r2;\n    @!%p1 bra W;\n"),
        kernel("W:\n    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;\n    @!%p1 bra W;\n"),
        "mbarrier.try_wait.shared::cta.parity.b64");
    row("type first", "modifier-order", kernel("    ld.f32.global %f1, [%rd1];\n"),
        kernel("    ld.global.f32 %f1, [%rd1];\n"), "ld.f32.global");
    row("eight matrices", "unwritten-form",
        kernel("    stmatrix.sync.aligned.m8n8.x8.shared.b16 [%r1], {%r2, %r3, %r4, %r5};\n"),
        kernel("    stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r1], {%r2, %r3, %r4, %r5};\n"), ".x8");
    row("eight matrices, two registers", "unwritten-form",
        kernel("    ldmatrix.sync.aligned.m8n8.x8.trans.shared.b16 {%r2, %r3}, [%r1];\n"),
        kernel("    ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r2, %r3}, [%r1];\n"), ".x8");
    row("eight matrices, one register", "unwritten-form",
        kernel("    ldmatrix.sync.aligned.m8n8.x8.shared.b16 {%r2}, [%r1];\n"),
        kernel("    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];\n"), ".x8");
    row("group without .aligned", "unwritten-form", kernel("    wgmma.fence.sync;\n"),
        kernel("    wgmma.fence.sync.aligned;\n"), "wgmma.fence.sync");
    row("instruction of a later version", "needs-version", kernel(fence, "7.8", "sm_90a"),
        kernel(fence, "8.0", "sm_90a"), "wgmma.fence.sync.aligned");
    row("type of a later version", "needs-version", kernel("    add.u16x2 %r1, %r2, %r3;\n", "7.8", "sm_90"),
        kernel("    add.u16x2 %r1, %r2, %r3;\n", "8.0", "sm_90"), "add.u16x2");
    row("instruction of another target", "needs-target",
        kernel("    tcgen05.wait::ld.sync.aligned;\n", "8.6", "sm_90a"),
        kernel("    tcgen05.wait::ld.sync.aligned;\n", "8.6", "sm_100a"), "tcgen05.wait::ld.sync.aligned");
    row("without the suffix", "needs-target", kernel(fence, "8.0", "sm_90"), kernel(fence, "8.0", "sm_90a"),
        "wgmma.fence.sync.aligned");
    row("later ISA", "not-known", kernel("    spcompress.foo %r1, %r2;\n", "9.1"),
        kernel("    add.s32 %r1, %r2, %r3;\n", "9.1"), "spcompress.foo");
    row("operand missing", "operand-count", kernel("    add.s32 %r1, %r2;\n"),
        kernel("    add.s32 %r1, %r2, %r3;\n"), "add.s32 %r1, %r2");
    row("operand too many", "operand-count", kernel("    mov.b32 %r1, %r2, %r3;\n"),
        kernel("    mov.b32 %r1, %r2;\n"), "mov.b32 %r1, %r2, %r3");
    row("register too narrow", "operand-type", kernel("    add.s64 %rd1, %r1, %rd2;\n"),
        kernel("    add.s64 %rd1, %rd3, %rd2;\n"), "%r1");
    row("product not wide", "operand-type", kernel("    mul.wide.u32 %r1, %r2, %r3;\n"),
        kernel("    mul.wide.u32 %rd1, %r2, %r3;\n"), "%r1");
    row("guard is no predicate", "operand-type", kernel("    @%r1 bra L;\nL:\n"),
        kernel("    @%p1 bra L;\nL:\n"), "%r1");
    row("load too wide", "operand-type", kernel("    ld.global.u64 %r1, [%rd1];\n"),
        kernel("    ld.global.u64 %rd2, [%rd1];\n"), "%r1");
    row("float in integer", "operand-type", kernel("    setp.lt.s32 %p1, %f1, 0;\n"),
        kernel("    setp.lt.f32 %p1, %f1, 0f00000000;\n"), "%f1");
    row("undeclared", "undeclared-register", kernel("    add.s32 %r1, %q2, %r3;\n"),
        kernel("    .reg .b32 %q2;\n    mov.b32 %q2, 0;\n    add.s32 %r1, %q2, %r3;\n"), "%q2");
    row("past the series", "undeclared-register", kernel("    add.s32 %r1, %r9, %r3;\n"),
        kernel("    add.s32 %r1, %r8, %r3;\n"), "%r9");
    row("out of its scope", "undeclared-register",
        kernel("    { .reg .b32 %t; mov.b32 %t, 1; }\n    mov.b32 %r1, %t;\n"),
        kernel("    { .reg .b32 %t; mov.b32 %t, 1; mov.b32 %r1, %t; }\n"), "%t");
    row("unused", "unused-register", kernel("    .reg .b32 %idle;\n"),
        kernel("    .reg .b32 %busy;\n    mov.b32 %busy, 1;\n"), "%idle");

    row("no fence", "wgmma-fence", kernel(mma + commit + wait), kernel(fence + mma + commit + wait),
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    row("no commit", "wgmma-commit", kernel(fence + mma + wait), kernel(fence + mma + commit + wait),
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    row("no wait at all", "wgmma-wait", kernel(fence + mma + commit), kernel(fence + mma + commit + wait),
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    row("read before the wait", "wgmma-wait", kernel(fence + mma + commit + sum + wait),
        kernel(fence + mma + commit + wait + sum), "add.f32 %f5, %f1, %f2");
    row("wait for another group", "wgmma-wait",
        kernel(fence + mma + commit + "    wgmma.wait_group.sync.aligned 1;\n" + sum + wait),
        kernel(fence + mma + commit + fence + commit + "    wgmma.wait_group.sync.aligned 1;\n" + sum + wait),
        "add.f32 %f5, %f1, %f2");
    row("written behind the fence", "accumulator-write",
        kernel(fence + "    mul.f32 %f1, %f1, %f5;\n" + mma + commit + wait),
        kernel("    mul.f32 %f1, %f1, %f5;\n" + fence + mma + commit + wait),
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");

    row("too few bytes", "tx-count", kernel(expect(4096) + bulk(4096) + bulk(4096)),
        kernel(expect(8192) + bulk(4096) + bulk(4096)), "4096");
    row("bytes of a tensor map", "tx-count",
        withPlan("bfloat16", "128B", ".shared .align 1024 .b8 buffer[32768];", expect(8192) + tensorCopy),
        withPlan("bfloat16", "128B", ".shared .align 1024 .b8 buffer[32768];", expect(16384) + tensorCopy),
        "8192");
    row("swizzle pattern", "shared-alignment",
        withPlan("bfloat16", "128B", ".shared .align 128 .b8 buffer[32768];", expect(16384) + tensorCopy),
        withPlan("bfloat16", "128B", ".shared .align 1024 .b8 buffer[32768];", expect(16384) + tensorCopy),
        "[%r1]");
    row("tensor copy", "shared-alignment",
        withPlan("bfloat16", "none", ".shared .align 16 .b8 buffer[32768];", expect(16384) + tensorCopy),
        withPlan("bfloat16", "none", ".shared .align 128 .b8 buffer[32768];", expect(16384) + tensorCopy),
        "[%r1]");

    const auto blackwell = [&](const std::string& body) { return kernel(body, "8.8", "sm_100a"); };
    const auto alloc = [](const std::string& columns) {
        return "    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], " + columns + ";\n";
    };
    const auto dealloc = [](const std::string& columns) {
        return "    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, " + columns + ";\n";
    };
    row("too many columns", "tcgen05-columns", blackwell(alloc("1024") + dealloc("512")),
        blackwell(alloc("512") + dealloc("512")), "1024");
    row("no power of two", "tcgen05-columns", blackwell(alloc("96") + dealloc("128")),
        blackwell(alloc("128") + dealloc("128")), "96");
    row("kept", "tcgen05-dealloc", blackwell(alloc("64")), blackwell(alloc("64") + dealloc("64")),
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32");
    row("two allocations", "tcgen05-overcommit",
        blackwell(alloc("512") + alloc("32") + dealloc("32") + dealloc("512")),
        blackwell(alloc("256") + alloc("256") + dealloc("256") + dealloc("256")),
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32");
    row("two groups", "mixed-cta-group",
        blackwell(
            alloc("64") + "    tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;\n" + dealloc("64")),
        blackwell(
            alloc("64") + "    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n" + dealloc("64")),
        ".cta_group::2");

    row("count of registers", "setmaxnreg-value",
        kernel("    setmaxnreg.dec.sync.aligned.u32 41;\n", "9.0", "sm_90a", limits),
        kernel("    setmaxnreg.dec.sync.aligned.u32 40;\n", "9.0", "sm_90a", limits), "41");
    row("limits missing", "setmaxnreg-entry",
        kernel("    setmaxnreg.dec.sync.aligned.u32 40;\n", "9.0", "sm_90a", ".reqntid 384\n"),
        kernel("    setmaxnreg.dec.sync.aligned.u32 40;\n", "9.0", "sm_90a", limits),
        "setmaxnreg.dec.sync.aligned.u32 40");
    row("answer of a wait", "wait-result", kernel(tryWait), kernel("W:\n" + tryWait + "    @!%p1 bra W;\n"),
        "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0");
    row("answer overwritten", "wait-result",
        kernel(tryWait + "    setp.eq.u32 %p1, %r1, 0;\n    @%p1 bra L;\nL:\n"),
        kernel(tryWait + "    selp.b32 %r1, 1, 0, %p1;\n"),
        "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0");
    row("barrier not fenced for TMA", "mbarrier-init", kernel(init + expect(64) + bulk(64)),
        kernel(init + "    fence.mbarrier_init.release.cluster;\n" + expect(64) + bulk(64)),
        "mbarrier.init.shared::cta.b64 [%r2], 1");
    row("barrier used by threads that may come before it is made", "mbarrier-init",
        kernel("    @%p2 bra MADE;\n" + init + "MADE:\nW:\n" + tryWait + "    @!%p1 bra W;\n"),
        kernel(
            "    @%p2 bra MADE;\n" + init + "MADE:\n    bar.sync 0;\nW:\n" + tryWait + "    @!%p1 bra W;\n"),
        "mbarrier.init.shared::cta.b64 [%r2], 1");
    row("writes not fenced for the async proxy", "proxy-fence",
        kernel(writes + "    bar.sync 0;\n" + bulkStore),
        kernel(writes + "    fence.proxy.async.shared::cta;\n    bar.sync 0;\n" + bulkStore),
        "cp.async.bulk.global.shared::cta.bulk_group");
    row("store not waited for", "bulk-wait",
        kernel("    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r5], 64;\n"
               "    cp.async.bulk.commit_group;\n    cp.async.bulk.wait_group.read 1;\n"),
        kernel(bulkStore), "cp.async.bulk.global.shared::cta.bulk_group");
    row("parameter's address", "generic-address",
        withPlan("bf16", "none", sharedBuffer, expect(16384) + tensorCopy, "    mov.b64 %rd1, mapA;\n"),
        withPlan("bf16", "none", sharedBuffer, expect(16384) + tensorCopy), "mov.b64 %rd1, mapA");
    row("shared address", "generic-address",
        kernel("    mov.u64 %rd1, buffer;\n    st.u32 [%rd1], %r1;\n", "9.0", "sm_90a", {},
            ".shared .align 16 .b8 buffer[64];\n"),
        kernel("    mov.u64 %rd1, buffer;\n    cvta.shared.u64 %rd2, %rd1;\n    st.u32 [%rd2], %r1;\n"
               "    st.shared.u32 [%rd1], %r1;\n",
            "9.0", "sm_90a", {}, ".shared .align 16 .b8 buffer[64];\n"),
        "mov.u64 %rd1, buffer");
    row("accumulator in flight behind a loop", "wgmma-wait", kernel(pipelined + sum),
        kernel(pipelined + wait + sum), "add.f32 %f5, %f1, %f2");
    const std::string store = "    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r5], 64;\n";
    const std::string second = "    cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r6], 64;\n";
    const std::string commitStores = "    cp.async.bulk.commit_group;\n";
    const std::string waitStores = "    cp.async.bulk.wait_group 0;\n";
    const char* const storeAt = "cp.async.bulk.global.shared::cta.bulk_group";
    row("second store in no group", "bulk-commit", kernel(store + commitStores + second + waitStores),
        kernel(store + commitStores + second + commitStores + waitStores), storeAt);
    row("store committed behind its wait", "bulk-commit",
        kernel(store + waitStores + commitStores + waitStores), kernel(store + commitStores + waitStores),
        storeAt);
    const std::string ring = "    setp.lt.u32 %p1, %r1, %r2;\n    @%p1 bra R;\n" + waitStores;
    row("store of a ring in no group", "bulk-commit",
        kernel("R:\n" + store + "    cp.async.bulk.wait_group.read 1;\n" + second + commitStores + ring),
        kernel("R:\n" + store + commitStores + "    cp.async.bulk.wait_group.read 1;\n" + second
            + commitStores + ring),
        storeAt);
    const auto ready = [&](const std::string& arrive) {
        return blackwell("    add.u32 %r7, %r1, 72;\n    mbarrier.init.shared::cta.b64 [%r7], 1;\n"
                         "    tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3, %p1;\n"
                         "    tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];\n"
            + arrive + "W:\n    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r7], 0;\n    @!%p1 bra W;\n");
    };
    row("barrier that nothing arrives at", "wait-forever", ready(""),
        ready("    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r7];\n"),
        "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r7], 0");
    const auto descriptor = [&](const char* alignment) {
        return kernel("    mov.b32 %r1, tile;\n    shr.u32 %r2, %r1, 4;\n    cvt.u64.u32 %rd3, %r2;\n"
                      "    or.b64 %rd1, %rd3, 0x4000004000010000;\n"
                + fence + mma + commit + wait,
            "9.0", "sm_90a", {}, std::string(".extern .shared .align ") + alignment + " .b8 tile[];\n");
    };
    row("descriptor of dynamic memory", "shared-alignment", descriptor("16"), descriptor("1024"), "%rd1");
    row("bytes that nobody expects", "tx-expect",
        kernel("    mbarrier.arrive.shared::cta.b64 _, [%r2];\n" + bulk(64)), kernel(expect(64) + bulk(64)),
        "mbarrier.arrive.shared::cta.b64 _, [%r2]");
    const std::string otherCopy =
        "    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd2], 32, [%r4];\n";
    row("one barrier of two expects nothing", "tx-expect",
        kernel(expect(64) + bulk(64) + "    mbarrier.arrive.shared::cta.b64 _, [%r4];\n" + otherCopy),
        kernel(expect(64) + bulk(64) + "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 32;\n"
            + otherCopy),
        "mbarrier.arrive.shared::cta.b64 _, [%r4]");
    row("dynamic memory under a swizzle", "shared-alignment",
        withPlan("bfloat16", "128B", ".extern .shared .align 16 .b8 buffer[];", expect(16384) + tensorCopy),
        withPlan("bfloat16", "128B", ".extern .shared .align 16 .b8 buffer[];",
            "    add.u32 %r1, %r1, 1023;\n    and.b32 %r1, %r1, -1024;\n" + expect(16384) + tensorCopy),
        "[%r1]");
    row("columns given back", "tcgen05-dealloc", blackwell(alloc("128") + dealloc("64")),
        blackwell(alloc("128") + dealloc("128")), "64");
    const std::string tensorMma = "    tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r3, %p1;\n";
    row("mma that nothing waits for", "tcgen05-commit", blackwell(tensorMma),
        blackwell(tensorMma + "    tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd1];\n"),
        "tcgen05.mma.cta_group::1.kind::f16");
    const std::string tensorLoad = "    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r4, %r5}, [%r1];\n";
    const std::string useLoaded = "    add.u32 %r6, %r4, %r5;\n";
    row("loaded registers not waited for", "tcgen05-wait", blackwell(tensorLoad + useLoaded),
        blackwell(tensorLoad + "    tcgen05.wait::ld.sync.aligned;\n" + useLoaded), "add.u32 %r6, %r4, %r5");
    const auto behindBranch = [&](const std::string& wait, const std::string& elsewhere) {
        return blackwell(tensorLoad + wait + "    @%p1 bra L;\n" + elsewhere + "L:\n" + useLoaded);
    };
    row("loaded registers behind a branch", "tcgen05-wait", behindBranch("", "    membar.cta;\n"),
        behindBranch("    tcgen05.wait::ld.sync.aligned;\n", "    membar.cta;\n"), "add.u32 %r6, %r4, %r5");
    row("one way waits", "tcgen05-wait", behindBranch("", ""),
        behindBranch("", "    tcgen05.wait::ld.sync.aligned;\n"), "add.u32 %r6, %r4, %r5");
    row("first of several uses, a guarded move", "wgmma-wait",
        kernel(
            fence + mma + commit + "    @%p1 bra L;\n    @%p2 mov.f32 %f1, 0f00000000;\nL:\n" + sum + wait),
        kernel(
            fence + mma + commit + wait + "    @%p1 bra L;\n    @%p2 mov.f32 %f1, 0f00000000;\nL:\n" + sum),
        "mov.f32 %f1, 0f00000000");
    const auto declares = [](const std::string& module) {
        return kernel("", "9.0", "sm_90a", {}, module + "\n");
    };
    row("series without measure", "declaration-size",
        kernel("    .reg .b32 %many<2000000000>;\n    mov.b32 %many1, 0;\n"),
        kernel("    .reg .b32 %many<2000000>;\n    mov.b32 %many1, 0;\n"), "2000000000");
    row("alignment", "declaration-size", declares(".global .align 1073741824 .b8 a[16];"),
        declares(".global .align 1024 .b8 a[16];"), "1073741824");
    row("alignment in the body", "declaration-size", kernel("    .local .align 16777216 .b8 a[16];\n"),
        kernel("    .local .align 16 .b8 a[16];\n"), "16777216");
    row("more bytes than ptxas counts", "declaration-size", declares(".global .b32 a[65536][16384][4];"),
        declares(".global .b32 a[65536][1024][4];"), "a[65536][16384][4]");
    row("shared memory that wraps", "declaration-size", kernel("    .shared .b8 a[4294967312];\n"),
        kernel("    .shared .b8 a[42949];\n"), "a[4294967312]");
    row("initialised array", "declaration-size", declares(".global .b8 a[1000000000] = {1};"),
        declares(".global .b8 a[1000000000];"), "a[1000000000]");
    row("local memory of a thread", "local-size", kernel("    .local .b8 a[600000];\n"),
        kernel("    .local .b8 a[500000];\n"), "a[600000]");
    row("more than the pool", "setmaxnreg-budget", kernel(warpgroups(240), "9.0", "sm_90a", limits),
        kernel(warpgroups(232), "9.0", "sm_90a", limits), "setmaxnreg.inc.sync.aligned.u32 240");
    const auto upToAll = [](const std::string& most) {
        return kernel("    setmaxnreg.inc.sync.aligned.u32 256;\n", "9.0", "sm_90a",
            ".reqntid 256, 1, 1\n.maxnreg " + most + "\n");
    };
    row("registers come by eights", "setmaxnreg-budget", upToAll("248"), upToAll("255"),
        "setmaxnreg.inc.sync.aligned.u32 256");
    addBarrierTwins(row);
    addPipelineTwins(row);
    addMemoryTwins(row);
    addOrderTwins(row);
}

void TestLintRules::twins()
{
    QFETCH(QString, rule);
    QFETCH(QString, bad);
    QFETCH(QString, good);
    QFETCH(QString, at);
    m_rulesSeen.push_back(rule.toStdString());
    const auto text = bad.toStdString();
    const auto found = lintPtx(text);
    QVERIFY(found);
    QStringList all;
    for (const auto& one : *found) {
        all << QString::fromUtf8(one.rule->id.data()) + QStringLiteral(": ")
                + QString::fromStdString(one.message);
    }
    QVERIFY2(found->size() == 1, qPrintable(all.join(QLatin1Char('\n'))));
    const auto& one = found->front();
    QCOMPARE(QString::fromUtf8(one.rule->id.data()), rule);
    QCOMPARE(QString::fromStdString(text.substr(one.offset, one.length)), at);
    QVERIFY(one.manualUrl.starts_with("https://docs.nvidia.com/cuda/parallel-thread-execution/#"));
    // The range says the same as the bytes.
    const auto before = text.substr(0, one.offset);
    QCOMPARE(one.range.line, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1);
    QCOMPARE(one.range.column, static_cast<int>(before.size() - before.rfind('\n')));

    const auto silent = lintPtx(good.toStdString());
    QVERIFY(silent);
    QVERIFY2(silent->empty(), silent->empty() ? "" : silent->front().message.c_str());
}

void TestLintRules::everyRuleHasATwin()
{
    for (const auto& rule : lintRules()) {
        if (rule.id.starts_with("asm-")) {
            continue; // tst_asm_lint
        }
        QVERIFY2(std::find(m_rulesSeen.begin(), m_rulesSeen.end(), rule.id) != m_rulesSeen.end(),
            std::string(rule.id).c_str());
    }
}

void TestLintRules::rulesAreSortedAndExplained()
{
    const auto& rules = lintRules();
    QVERIFY(std::is_sorted(
        rules.begin(), rules.end(), [](const LintRule& a, const LintRule& b) { return a.id < b.id; }));
    for (const auto& rule : rules) {
        QVERIFY(!rule.reason.empty());
        QVERIFY(!rule.manualSection.empty());
        QCOMPARE(findLintRule(rule.id), &rule);
    }
    QVERIFY(findLintRule("no-such-rule") == nullptr);
}

void TestLintRules::fixesMend_data()
{
    QTest::addColumn<QString>("bad");
    const auto row = [](const char* name, const std::string& bad) {
        QTest::newRow(name) << QString::fromStdString(bad);
    };
    row("instruction", kernel("    mvo.b32 %r1, %r2;\n"));
    row("second part", kernel("    wgmma.fense.sync.aligned;\n"));
    row("modifier", kernel("    add.satt.s32 %r1, %r2, %r3;\n"));
    row("place", kernel("    mul.s32.wide %rd1, %r2, %r3;\n"));
    row("order", kernel("    ld.f32.global %f1, [%rd1];\n"));
    row("version", kernel("    add.u16x2 %r1, %r2, %r3;\n", "7.8", "sm_90"));
    row("target", kernel(fence, "8.0", "sm_90"));
    row("declaration", kernel("    mov.b32 %q2, 1;\n    add.s32 %r1, %q2, %r3;\n"));
    row("fence", kernel(mma + commit + wait));
    row("bytes", kernel(expect(4096) + bulk(4096) + bulk(4096)));
    row("limits", kernel("    setmaxnreg.dec.sync.aligned.u32 40;\n", "9.0", "sm_90a", ".reqntid 384\n"));
    row("wait on the way to all", kernel(fence + mma + commit + "    @%p1 bra L;\n" + sum + "L:\n" + sum));
    row("columns",
        kernel("    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 128;\n"
               "    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;\n",
            "8.8", "sm_100a"));
    row("wait for a load",
        kernel("    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r4, %r5}, [%r1];\n    add.u32 %r6, %r4, %r5;\n",
            "8.8", "sm_100a"));
    row("increase to fewer",
        kernel(
            roles("    setmaxnreg.inc.sync.aligned.u32 40;\n", "    setmaxnreg.inc.sync.aligned.u32 168;\n"),
            "9.0", "sm_90a", limits));
    row("waits again when it is over", kernel("W:\n" + tryWait + "    @%p1 bra W;\n"));
    row("count", kernel("    setmaxnreg.dec.sync.aligned.u32 41;\n", "9.0", "sm_90a", limits));
}

void TestLintRules::fixesMend()
{
    QFETCH(QString, bad);
    auto text = bad.toStdString();
    const auto found = lintPtx(text);
    QVERIFY(found && found->size() == 1);
    QVERIFY(!found->front().fixTitle.empty());
    QCOMPARE(found->front().edits.size(), std::size_t{1});
    const auto& edit = found->front().edits.front();
    QCOMPARE(edit.range.line, edit.range.endLine);
    std::size_t start = 0;
    for (int line = 1; line < edit.range.line; ++line) {
        start = text.find('\n', start) + 1;
    }
    text.replace(start + static_cast<std::size_t>(edit.range.column) - 1,
        static_cast<std::size_t>(edit.range.endColumn - edit.range.column), edit.text);
    const auto after = lintPtx(text);
    QVERIFY(after);
    QVERIFY2(after->empty(), after->empty() ? "" : (after->front().message + "\n" + text).c_str());
}

void TestLintRules::refusedStatementsHideTheRest_data()
{
    QTest::addColumn<QString>("good");
    QTest::addColumn<QString>("word"); // what is written instead of `was`
    QTest::addColumn<QString>("was");
    QTest::addColumn<QString>("rule"); // the only one that speaks; empty: none
    const auto row = [](const char* name, const std::string& good, const char* was, const char* word,
                         const char* rule) {
        QTest::newRow(name) << QString::fromStdString(good) << QString::fromLatin1(word)
                            << QString::fromLatin1(was) << QString::fromLatin1(rule);
    };
    row("barrier of a copy left out", kernel(expect(8192) + bulk(4096) + bulk(4096)),
        ", 4096, [%r2];\n    cp", ", 4096;\n    cp", "operand-count");
    row("wgmma of no known name", kernel(fence + mma + commit + wait), "wgmma.mma_async", "wgmma.mma.async",
        "");
    row("wait of no known name",
        kernel("    tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r4, %r5}, [%r1];\n"
               "    tcgen05.wait::ld.sync.aligned;\n    add.u32 %r6, %r4, %r5;\n",
            "8.8", "sm_100a"),
        "tcgen05.wait::ld", "tcgen05.wait.ld", "");
    row("written under another name",
        kernel("    .reg .b32 %full;\n    mov.b32 %full, 1;\n"
               "    add.u32 %r1, %full, 1;\n"),
        "mov.b32 %full", "mov.b32 full", "undeclared-register");
}

// ptxas refuses a statement: what would follow if it stood for nothing is no finding.
void TestLintRules::refusedStatementsHideTheRest()
{
    QFETCH(QString, good);
    QFETCH(QString, word);
    QFETCH(QString, was);
    QFETCH(QString, rule);
    QCOMPARE(good.count(was), 1);
    const auto silent = lintPtx(good.toStdString());
    QVERIFY(silent);
    QVERIFY2(silent->empty(), silent->empty() ? "" : silent->front().message.c_str());
    const auto found = lintPtx(good.replace(was, word).toStdString());
    QVERIFY(found);
    QStringList rules;
    for (const auto& one : *found) {
        rules << QString::fromStdString(std::string(one.rule->id));
    }
    QCOMPARE(rules.join(' '), rule);
}

// libcu++: init, __syncthreads, a bulk copy, and no fence. By hand it is a mistake, from nvcc it is usual.
void TestLintRules::compilersFenceByBarrier()
{
    const auto body = kernel(init + "    bar.sync 0;\n" + expect(64) + bulk(64));
    const auto byHand = lintPtx(body);
    QVERIFY(byHand && byHand->size() == 1);
    QCOMPARE(byHand->front().rule->id, std::string_view("mbarrier-init"));
    const auto made = lintPtx("//\n// Generated by NVIDIA NVVM Compiler\n//\n" + body);
    QVERIFY(made);
    QVERIFY2(made->empty(), made->empty() ? "" : made->front().message.c_str());
}

void TestLintRules::glanceMissesNoSize_data()
{
    QTest::addColumn<QString>("text");
    for (const char* const text : {"    .reg .b32 %many<2000000000>;\n",
             "    .reg .b32 %many< 0x7fffffff >;\n", "    .shared .align 1073741824 .b8 a[16];\n",
             "    .shared .b8 a[4294967312];\n", "    .shared .b64 a[65536][65536];\n",
             "    .shared .b8 a[65536*65536];\n", "    .local .align 0x4000000 .b8 a[16];\n"}) {
        QTest::newRow(text) << QString::fromLatin1(text);
    }
}

void TestLintRules::glanceMissesNoSize()
{
    QFETCH(QString, text);
    const auto whole = kernel(text.toStdString());
    const auto found = lintPtx(whole);
    QVERIFY(found);
    QVERIFY(std::any_of(found->begin(), found->end(),
        [](const LintFinding& one) { return one.rule->id == "declaration-size"; }));
    QVERIFY(mayDeclareTooMuch(whole));
    QVERIFY(!mayDeclareTooMuch(kernel("    .shared .align 1024 .b8 a[16384];\n")));
}

QTEST_GUILESS_MAIN(TestLintRules)
#include "tst_lint_rules.moc"
