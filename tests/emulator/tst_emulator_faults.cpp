// SPDX-License-Identifier: Apache-2.0
// Planted faults: every one is a replacement in a correct kernel. The correct twin gives no report, the
// faulty one a report of the right rule at the right line. docs/emulator-faults.md is the list of them; with
// PTXWB_WRITE_DOCS=1 in the environment it is written anew.
#include "core/emulator/evaluate.h"
#include "core/support/files.h"
#include "tests/emulator/harness.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <map>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

constexpr const char* head = ".version 8.0\n.target sm_90a\n.address_size 64\n";

/// Small kernels: 128 threads, one buffer of 128 words.
std::string smallKernel(const std::string& body)
{
    return std::string(head)
        + ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n.reg .pred %p, %q;\n"
          ".shared .align 16 .b8 tile[1024];\n.shared .align 8 .b8 bar[16];\n"
          "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [out];\nmul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd2, %rd0, "
          "%rd1;\n"
          "mov.b32 %r1, tile;\nmov.b32 %r2, bar;\nmad.lo.u32 %r3, %r0, 4, %r1;\nsetp.eq.u32 %p, %r0, 0;\n"
        + body + "\nret;\n}\n";
}

struct Fault {
    const char* name;
    const char* kernel; ///< "wgmma": the example of tasks/; else the body of a small kernel
    const char* find; ///< what is replaced (every occurrence) ...
    const char* replacement; ///< ... by this
    RuleId rule;
    const char* at; ///< text on the line that the report must name first or second
};

constexpr const char* exchange =
    "st.shared.u32 [%r3], %r0;\nbar.sync 0;\nxor.b32 %r4, %r3, 256;\nld.shared.u32 %r5, [%r4];\n"
    "st.global.u32 [%rd2], %r5;";
constexpr const char* loop =
    "mov.b32 %r4, 0;\nAGAIN:\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %q, %r4, 100;\n@%q bra AGAIN;\n"
    "st.global.u32 [%rd2], %r4;";
constexpr const char* pipeline =
    "@!%p bra READY;\nmbarrier.init.shared::cta.b64 [%r2], "
    "1;\nfence.mbarrier_init.release.cluster;\nREADY:\nbar.sync 0;\n"
    "@!%p bra WAIT;\nmbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 512;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0], 512, [%r2];\n"
    "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %q, [%r2], 0;\n@!%q bra WAIT;\n"
    "ld.shared.u32 %r5, [%r3];\nadd.u32 %r5, %r5, 1;\nst.shared.u32 [%r3], "
    "%r5;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
    "@!%p bra END;\ncp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r1], "
    "512;\ncp.async.bulk.commit_group;\n"
    "cp.async.bulk.wait_group 0;\nEND:";
constexpr const char* copies =
    "mul.wide.u32 %rd3, %r0, 4;\ncp.async.ca.shared.global [%r3], [%rd2], "
    "4;\ncp.async.commit_group;\ncp.async.wait_group 0;\n"
    "bar.sync 0;\nxor.b32 %r4, %r3, 64;\nld.shared.u32 %r5, [%r4];\nbar.sync 1;\nst.global.u32 [%rd2], %r5;";

const std::vector<Fault>& faults()
{
    static const std::vector<Fault> all{
        // ---- small kernels
        {"barrier left out", exchange, "bar.sync 0;\n", "", RuleId::Race, "ld.shared.u32 %r5"},
        {"nothing written", exchange, "st.shared.u32 [%r3], %r0;\n", "", RuleId::UninitialisedRead,
            "ld.shared.u32 %r5"},
        {"register never written", exchange, "xor.b32 %r4, %r3, 256;\n", "", RuleId::UninitialisedRead,
            "ld.shared.u32 %r5"},
        {"store behind the buffer", exchange, "st.global.u32 [%rd2]", "st.global.u32 [%rd2+4]",
            RuleId::OutOfBounds, "st.global.u32"},
        {"store before the buffer", exchange, "st.global.u32 [%rd2]", "st.global.u32 [%rd2+-4]",
            RuleId::OutOfBounds, "st.global.u32"},
        {"shared index too large", exchange, "xor.b32 %r4, %r3, 256", "add.u32 %r4, %r3, 1000",
            RuleId::OutOfBounds, "ld.shared.u32 %r5"},
        {"misaligned shared access", exchange, "[%r4]", "[%r4+2]", RuleId::Misaligned, "ld.shared.u32 %r5"},
        {"misaligned global access", exchange, "st.global.u32 [%rd2], %r5", "st.global.u64 [%rd2], %rd1",
            RuleId::Misaligned, "st.global.u64"},
        {"barrier for half of the threads", exchange, "bar.sync 0;", "bar.sync 0, 96;", RuleId::Deadlock,
            "bar.sync 0, 96"},
        {"barrier number 16", exchange, "bar.sync 0;", "bar.sync 16;", RuleId::BarrierMisuse, "bar.sync 16"},
        {"barrier of some lanes", exchange, "bar.sync 0;", "@%p bar.sync 0;", RuleId::DivergentAligned,
            "bar.sync 0"},
        {"one warp waits elsewhere", exchange, "bar.sync 0;",
            "setp.lt.u32 %q, %r0, 32;\n@%q bar.sync 2, 64;\n@!%q bar.sync 0, 96;", RuleId::Deadlock,
            "bar.sync 2, 64"},
        {"endless loop", loop, "add.u32 %r4, %r4, 1", "add.u32 %r4, %r4, 0", RuleId::Livelock,
            "AGAIN|add.u32|setp|bra AGAIN"},
        {"trap", loop, "st.global.u32", "trap;\nst.global.u32", RuleId::Trap, "trap"},
        {"unknown instruction", loop, "st.global.u32",
            "tex.1d.v4.f32.s32 {%r5, %r6, %r7, %r8}, [bar, {%r4}];\nst.global.u32", RuleId::NotEmulated,
            "tex.1d"},
        {"expect_tx too large", pipeline, "[%r2], 512;\ncp", "[%r2], 528;\ncp", RuleId::TxCountMismatch,
            "expect_tx"},
        {"expect_tx too small", pipeline, "[%r2], 512;\ncp", "[%r2], 496;\ncp", RuleId::TxCountMismatch,
            "mbarrier.try_wait"},
        {"arrival left out", pipeline, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2]",
            "mbarrier.expect_tx.shared::cta.b64 [%r2]", RuleId::Deadlock, "mbarrier.try_wait"},
        {"one arrival too many expected", pipeline, "b64 [%r2], 1;", "b64 [%r2], 2;", RuleId::Deadlock,
            "mbarrier.try_wait"},
        {"wrong parity", pipeline, "[%r2], 0;", "[%r2], 1;", RuleId::Race, "ld.shared.u32 %r5"},
        {"parity 2", pipeline, "[%r2], 0;", "[%r2], 2;", RuleId::BarrierMisuse, "mbarrier.try_wait"},
        {"not initialised", pipeline, "mbarrier.init.shared::cta.b64 [%r2], 1;\n", "", RuleId::BarrierMisuse,
            "expect_tx"},
        {"initialised twice", pipeline, "fence.mbarrier_init",
            "mbarrier.init.shared::cta.b64 [%r2], 1;\nfence.mbarrier_init", RuleId::BarrierMisuse,
            "mbarrier.init"},
        {"all threads arrive", pipeline, "@!%p bra WAIT;\n", "", RuleId::BarrierMisuse, "expect_tx"},
        {"copy not waited for", pipeline,
            "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %q, [%r2], 0;\n@!%q bra WAIT;\n", "WAIT:\n",
            RuleId::Race, "ld.shared.u32 %r5"},
        {"copy of an odd size", pipeline, "512, [%r2]", "504, [%r2]", RuleId::Misaligned,
            "cp.async.bulk.shared"},
        {"thread ends before its store is read", pipeline, "cp.async.bulk.wait_group 0;", "", RuleId::Race,
            "cp.async.bulk.global"},
        {"mbarrier not made known to the copies", pipeline, "fence.mbarrier_init.release.cluster;\n", "",
            RuleId::MissingProxyFence, "cp.async.bulk.shared"},
        {"proxy fence left out", pipeline, "fence.proxy.async.shared::cta;\n", "", RuleId::MissingProxyFence,
            "cp.async.bulk.global"},
        {"barrier after the fence left out", pipeline, "fence.proxy.async.shared::cta;\nbar.sync 0;",
            "fence.proxy.async.shared::cta;", RuleId::Race, "cp.async.bulk.global"},
        {"store touches the mbarrier", pipeline, "st.shared.u32 [%r3], %r5", "st.shared.u32 [%r2], %r5",
            RuleId::BarrierMisuse, "st.shared.u32 [%r2]"},
        {"cp.async without wait", copies, "cp.async.wait_group 0;\n", "", RuleId::Race, "ld.shared.u32 %r5"},
        {"cp.async waits for too few groups", copies, "cp.async.wait_group 0;", "cp.async.wait_group 1;",
            RuleId::Race, "ld.shared.u32 %r5"},
        {"cp.async without barrier", copies, "bar.sync 0;\nxor.b32 %r4, %r3, 64", "xor.b32 %r4, %r3, 256",
            RuleId::Race, "ld.shared.u32 %r5"},
        // ---- the wgmma + TMA GEMM of tasks/
        {"expected bytes one row too many", "wgmma", "[%fullBar], 49152;", "[%fullBar], 49280;",
            RuleId::TxCountMismatch, "mbarrier.try_wait.parity.shared::cta.b64 %done, [%fullBar]"},
        {"consumers never release", "wgmma", "@%release mbarrier.arrive.shared::cta.b64 _, [%lastEmptyBar];",
            "", RuleId::Deadlock, "mbarrier.try_wait.parity.shared::cta.b64 %done, [%emptyBar]"},
        {"empty barrier counts one more", "wgmma", "[%empty], 8;", "[%empty], 9;", RuleId::Deadlock,
            "mbarrier.try_wait.parity.shared::cta.b64 %done, [%emptyBar]"},
        {"producer starts with parity 0", "wgmma", "mov.b32         %parity, 1;",
            "mov.b32         %parity, 0;", RuleId::Deadlock,
            "mbarrier.try_wait.parity.shared::cta.b64 %done, [%emptyBar]"},
        {"consumers start with parity 1", "wgmma", "mov.b32         %parity, 0;",
            "mov.b32         %parity, 1;", RuleId::Race, "wgmma.mma_async"},
        {"descriptor with another swizzle", "wgmma", "0x4000004000010000", "0x8000004000010000",
            RuleId::DescriptorMismatch, "wgmma.mma_async"},
        {"accumulators read too early", "wgmma", "wgmma.wait_group.sync.aligned 0; ", "",
            RuleId::MissingWgmmaWait, "cvt.rn.bf16x2.f32"},
        {"wgmma.fence left out", "wgmma", "wgmma.fence.sync.aligned;", "", RuleId::MissingWgmmaFence,
            "wgmma.mma_async"},
        {"stage released too early", "wgmma", "wgmma.wait_group.sync.aligned 1;",
            "wgmma.wait_group.sync.aligned 3;", RuleId::Race, "cp.async.bulk.tensor.2d.shared"},
        {"epilogue without proxy fence", "wgmma",
            "    fence.proxy.async.shared::cta;\n    bar.sync        %groupBarrier, 128;",
            "    bar.sync        %groupBarrier, 128;", RuleId::MissingProxyFence,
            "cp.async.bulk.tensor.2d.global"},
        {"store's buffer written again too early", "wgmma", "@%leader cp.async.bulk.wait_group.read 1;", "",
            RuleId::Race, "stmatrix"},
        {"too little shared memory", "wgmma", "229376 + 64 + 1024", "220000", RuleId::OutOfBounds,
            "mbarrier.init|cp.async.bulk.tensor|wgmma.mma_async|stmatrix"},
        {"more registers than there are", "wgmma", "setmaxnreg.inc.sync.aligned.u32 232;",
            "setmaxnreg.inc.sync.aligned.u32 240;", RuleId::Deadlock, "setmaxnreg.inc"},
        {"named barrier for both consumers", "wgmma", "%groupBarrier, 128;", "%groupBarrier, 256;",
            RuleId::Deadlock, "bar.sync        %groupBarrier, 256"},
        {"no thread is elected", "wgmma", "@!%elected bra   FINISH;", "", RuleId::BarrierMisuse,
            "mbarrier.arrive.expect_tx"},
    };
    return all;
}

/// Faults that were met in public, and where.
std::string originOf(std::string_view name)
{
    static const std::map<std::string_view, const char*> origins{
        {"proxy fence left out", "FlashKDA PR 25"},
        {"expect_tx too large", "tilelang issue 2644"},
        {"arrival left out", "tilelang issue 2566"},
        {"mbarrier not made known to the copies", "FlashKDA issue 24"},
        {"cp.async without wait", "Fuser issue 3428"},
        {"descriptor with another swizzle", "cutlass issue 1688"},
    };
    const auto found = origins.find(name);
    return found == origins.end() ? "" : found->second;
}

std::string tableOfFaults()
{
    std::string table = "<!-- faults -->\n\n| fault | kernel | rule | line named | met in |\n"
                        "| --- | --- | --- | --- | --- |\n";
    for (const auto& fault : faults()) {
        const std::string_view kernel(fault.kernel);
        std::string line = fault.at;
        for (auto at = line.find('|'); at != std::string::npos; at = line.find('|', at)) {
            line.replace(at, 1, "` or `");
        }
        table += std::string("| ") + fault.name + " | "
            + (kernel == "wgmma"         ? "wgmma + TMA GEMM"
                    : kernel == exchange ? "exchange"
                    : kernel == loop     ? "loop"
                    : kernel == pipeline ? "bulk pipeline"
                                         : "cp.async")
            + " | `" + std::string(ruleName(fault.rule)) + "` | `" + line + "` | " + originOf(fault.name)
            + " |\n";
    }
    return table + "\n" + std::to_string(faults().size()) + " faults.\n\n<!-- faults end -->";
}

std::string replaced(std::string text, const std::string& find, const std::string& replacement)
{
    for (auto at = text.find(find); at != std::string::npos; at = text.find(find, at + replacement.size())) {
        text.replace(at, find.size(), replacement);
    }
    return text;
}

std::string lineOf(const std::string& text, int line)
{
    std::size_t at = 0;
    for (int i = 1; i < line && at != std::string::npos; ++i) {
        at = text.find('\n', at);
        at = at == std::string::npos ? at : at + 1;
    }
    return at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at);
}

bool linesMatch(const Report& report, const std::string& text, const std::string& alternatives)
{
    for (std::size_t start = 0; start <= alternatives.size();) {
        const auto end = std::min(alternatives.find('|', start), alternatives.size());
        const auto wanted = alternatives.substr(start, end - start);
        for (const auto& place : report.lines) {
            if (lineOf(text, place.line).find(wanted) != std::string::npos) {
                return true;
            }
        }
        start = end + 1;
    }
    return false;
}

constexpr std::array policies{AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random};

std::vector<Report> reportsOfSmall(const std::string& text, std::string& summary)
{
    std::vector<Report> all;
    for (const auto policy : policies) {
        const auto outcome = KernelRun(text)
                                 .block(128)
                                 .limit(200'000)
                                 .buffer("out", std::vector<std::uint32_t>(128, 7))
                                 .run(policy);
        if (!outcome) {
            summary += describe(outcome.error());
            continue;
        }
        summary += summaryOf(*outcome) + "\n";
        all.insert(all.end(), outcome->reports.begin(), outcome->reports.end());
    }
    return all;
}

std::vector<Report> reportsOfGemm(const std::string& text, std::string& summary)
{
    static const auto task = loadTask(std::string(PTXWB_SOURCE_ROOT) + "/tasks/gemm/gemm_n7168_k5120");
    static const auto buffers = [] {
        std::vector<std::vector<std::byte>> made;
        for (const std::size_t size :
            {std::size_t{2} * 5120 * 64, std::size_t{2} * 7168 * 5120, std::size_t{2} * 64 * 7168}) {
            made.emplace_back(size, std::byte{0x3C});
        }
        return made;
    }();
    Workload workload = **task->workload("emulator");
    workload.axes["M"] = 64;
    std::vector<Report> all;
    for (const auto policy : policies) {
        EmulatorRequest request;
        request.text = text;
        auto plan = resolveLaunchPlan(text, *task, workload);
        if (!plan) {
            summary += describe(plan.error());
            return all;
        }
        request.plan = *plan;
        request.plan.launches[0].grid = {
            2, 1, 1}; // CTAs that go through 14 tiles each: one of them is enough to see
        request.buffers = buffers;
        request.policy = policy;
        request.limits.stepsPerCluster = 3'000'000;
        const auto outcome = emulate(std::move(request));
        if (!outcome) {
            summary += describe(outcome.error());
            continue;
        }
        summary += summaryOf(*outcome) + "\n";
        all.insert(all.end(), outcome->reports.begin(), outcome->reports.end());
    }
    return all;
}

std::string textOf(const Fault& fault, bool correct)
{
    std::string text;
    if (std::string_view(fault.kernel) == "wgmma") {
        text =
            readFile(std::string(PTXWB_SOURCE_ROOT) + "/tasks/gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx")
                .value();
        text = replaced(text, "%k, 5120;", "%k, 640;"); // a tenth of the depth shows the same
    } else {
        text = smallKernel(fault.kernel);
    }
    return correct ? text : replaced(text, fault.find, fault.replacement);
}

} // namespace

class TestEmulatorFaults : public QObject {
    Q_OBJECT

private slots:
    void correctTwins_data()
    {
        QTest::addColumn<QByteArray>("kernel");
        QTest::newRow("exchange") << QByteArray(exchange);
        QTest::newRow("loop") << QByteArray(loop);
        QTest::newRow("pipeline") << QByteArray(pipeline);
        QTest::newRow("copies") << QByteArray(copies);
        QTest::newRow("wgmma") << QByteArray("wgmma");
    }

    void correctTwins()
    {
        QFETCH(QByteArray, kernel);
        const Fault twin{"", kernel.constData(), "", "", RuleId::Race, ""};
        std::string summary;
        const auto text = textOf(twin, true);
        const auto reports = kernel == "wgmma" ? reportsOfGemm(text, summary) : reportsOfSmall(text, summary);
        QVERIFY2(reports.empty(), summary.c_str());
        QCOMPARE(summary, std::string("completed\ncompleted\ncompleted\n"));
    }

    void faultsAreNamed_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < faults().size(); ++i) {
            QTest::newRow(faults()[i].name) << static_cast<int>(i);
        }
    }

    void faultsAreNamed()
    {
        QFETCH(int, index);
        const auto& fault = faults()[static_cast<std::size_t>(index)];
        const auto text = textOf(fault, false);
        QVERIFY2(text != textOf(fault, true), "the replacement changes nothing");
        std::string summary;
        const auto reports = std::string_view(fault.kernel) == "wgmma" ? reportsOfGemm(text, summary)
                                                                       : reportsOfSmall(text, summary);
        const bool named = std::any_of(reports.begin(), reports.end(), [&](const Report& r) {
            return r.rule == fault.rule && !r.fix.empty() && linesMatch(r, text, fault.at);
        });
        QVERIFY2(named,
            (std::string(ruleName(fault.rule)) + " expected at: " + fault.at + "\n" + summary).c_str());
    }

    void theDocumentListsThem()
    {
        const std::string path = std::string(PTXWB_SOURCE_ROOT) + "/docs/emulator-faults.md";
        auto text = readFile(path);
        QVERIFY2(text, path.c_str());
        const auto from = text->find("<!-- faults -->");
        const std::string last = "<!-- faults end -->";
        const auto to = text->find(last);
        QVERIFY(from != std::string::npos && to != std::string::npos);
        if (text->substr(from, to + last.size() - from) != tableOfFaults()) {
            QVERIFY2(qEnvironmentVariableIsSet("PTXWB_WRITE_DOCS"), "PTXWB_WRITE_DOCS=1 writes the table");
            text->replace(from, to + last.size() - from, tableOfFaults());
            QVERIFY(writeFileAtomically(path, *text));
        }
    }

    void theSameErrorAgainAndAgainEndsTheRun()
    {
        // Every warp reads what another one writes, in every CTA and every turn of a loop.
        KernelRun kernel(smallKernel("mov.b32 %r6, 0;\nAGAIN:\nst.shared.u32 [%r3], %r0;\n"
                                     "xor.b32 %r4, %r3, 256;\nld.shared.u32 %r5, [%r4];\n"
                                     "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %q, %r6, 50000;\n@%q bra AGAIN;\n"));
        kernel.block(128).grid(16).buffer("out", std::vector<std::uint32_t>(128));
        std::string before;
        for (int i = 0; i < 5; ++i) {
            const auto outcome = kernel.run();
            QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
            std::string said = summaryOf(*outcome);
            QVERIFY2(outcome->end == EmulatorEnd::Decided, said.c_str());
            std::uint64_t most = 0;
            for (const auto& report : outcome->reports) {
                QVERIFY(report.atLeast);
                most = std::max(most, report.occurrences);
                said += '\n' + std::to_string(report.occurrences) + ' ' + report.warp;
            }
            QVERIFY(most >= EmulatorLimits{}.repetitions);
            QVERIFY(i == 0 || said == before); // however many workers, and whichever was first
            before = said;
        }
    }
};

QTEST_APPLESS_MAIN(TestEmulatorFaults)
#include "tst_emulator_faults.moc"
