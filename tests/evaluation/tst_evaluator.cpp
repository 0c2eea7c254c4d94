// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/evaluator.h"
#include "core/support/files.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace ptxwb;

namespace {

const std::filesystem::path gemmDirectory =
    std::filesystem::path(PTXWB_SOURCE_ROOT) / "tasks/gemm/gemm_n7168_k5120";

std::string exampleText(const char* name)
{
    auto text = readFile(gemmDirectory / name);
    return text ? *text : std::string();
}

} // namespace

class TestEvaluator : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_cache.isValid());
        qputenv("PTXWB_CACHE_DIR", m_cache.path().toUtf8());
        m_toolchain = findToolchain();
        auto task = loadTask(gemmDirectory);
        QVERIFY2(task.has_value(), task ? "" : task.error().message.c_str());
        m_task = *task;
    }

    void init()
    {
        if (!m_toolchain.ptxas) {
            QSKIP("ptxas is not here");
        }
    }

    void withoutAPlaceToRunItIsUnverifiedAndEveryMissingClaimSaysWhy()
    {
        const auto e = evaluate("examples/wgmma_tma.ptx");
        QCOMPARE(e.verdict, Verdict::Unverified);
        QCOMPARE(exitStatusOf(e.verdict), 3);
        QCOMPARE(e.phases.size(), allPhases().size());
        QCOMPARE(stateOf(e, Phase::Compile), PhaseState::Passed);
        QCOMPARE(stateOf(e, Phase::Verify), PhaseState::Skipped);
        QVERIFY(!e.evidence.empty());
        for (const auto& row : e.evidence) {
            if (row.state == EvidenceState::NotMeasured) {
                QVERIFY2(!row.reason.empty(), row.claim.c_str());
                QVERIFY2(row.value.empty(), row.claim.c_str());
            }
        }
        if (m_toolchain.nvdisasm || m_toolchain.cuobjdump) {
            QVERIFY(e.paperAccount.gmma > 0);
            QVERIFY(e.paperAccount.tma > 0);
            QCOMPARE(e.goals.size(), std::size_t{2});
        }
        QVERIFY(e.seed != 0);
    }

    void codeThatDoesNotAssembleStopsThere()
    {
        const auto e = evaluate("failed/does_not_assemble.ptx");
        QCOMPARE(e.verdict, Verdict::CompileError);
        QCOMPARE(stateOf(e, Phase::Compile), PhaseState::Failed);
        QCOMPARE(stateOf(e, Phase::Measure), PhaseState::Skipped);
        QVERIFY(std::any_of(
            e.diagnostics.begin(), e.diagnostics.end(), [](const auto& d) { return d.line.has_value(); }));
    }

    void aMissedGoalIsSeenInTheCode()
    {
        const auto e = evaluate("failed/without_wgmma.ptx");
        if (stateOf(e, Phase::Inspect) != PhaseState::Passed) {
            QSKIP("no disassembler here");
        }
        for (const auto& goal : e.goals) {
            QCOMPARE(goal.inCode, 0);
        }
    }

    void aBrokenLaunchPlanNamesItsPlace()
    {
        auto text = exampleText("examples/plain.ptx");
        const auto at = text.find("\"tensor\"");
        QVERIFY(at != std::string::npos);
        const auto quote = text.find('"', text.find(':', at));
        text.insert(quote + 1, "no_such_");
        const auto e = evaluateText(text);
        QCOMPARE(e.verdict, Verdict::LaunchError);
        QVERIFY(!e.diagnostics.empty());
        QVERIFY(e.diagnostics.front().line.has_value());
        QVERIFY(e.diagnostics.front().message.find("$") != std::string::npos);
    }

    void aKernelThatIsNotThereIsALaunchError()
    {
        auto text = exampleText("examples/plain.ptx");
        const auto at = text.find("\"kernel\"");
        const auto quote = text.find('"', text.find(':', at));
        text.insert(quote + 1, "other_");
        const auto e = evaluateText(text);
        QCOMPARE(e.verdict, Verdict::LaunchError);
        QVERIFY(e.explanation.find("other_") != std::string::npos);
        QCOMPARE(e.diagnostics.size(), std::size_t{1});
        QVERIFY(e.diagnostics.front().line.has_value());
    }

    void aPlanThatDoesNotFitTheKernelIsALaunchError()
    {
        auto text = exampleText("examples/plain.ptx");
        const std::string size = R"({"i32": "M"})";
        const auto at = text.find(size);
        QVERIFY(at != std::string::npos);
        text.replace(at, size.size(), R"({"i64": "M"})");
        for (const auto where : {Where::None, Where::Emulator}) {
            const Compiler compiler(m_toolchain);
            auto request = requestFor(text);
            request.where = where;
            const auto e = Evaluator(compiler).evaluate(request);
            QVERIFY(e.has_value());
            QCOMPARE(e->verdict, Verdict::LaunchError);
            QCOMPARE(stateOf(*e, Phase::Verify), PhaseState::Skipped);
            QCOMPARE(e->diagnostics.size(), std::size_t{1});
            const auto& said = e->diagnostics.front();
            QVERIFY2(said.message.starts_with("$.launches[0].args[3]: kernel 'gemm_plain' takes .u32 "),
                said.message.c_str());
            QVERIFY(said.message.ends_with("(4 bytes), the plan gives an i64 (8 bytes)"));
            const auto before =
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
            QCOMPARE(said.line, std::optional(static_cast<int>(before) + 1));
        }
    }

    void anEmptyFileIsAnExtractionError()
    {
        const auto e = evaluateText("");
        QCOMPARE(e.verdict, Verdict::ExtractionError);
        QCOMPARE(e.diagnostics.size(), std::size_t{1});
        QCOMPARE(e.diagnostics.front().message, std::string("the file is empty"));
    }

    void theEncodingIsToldBeforeTheMissingPlan()
    {
        const auto e = evaluateText(std::string("\xff\xfe.\0v\0e\0r\0", 10));
        QCOMPARE(e.verdict, Verdict::ExtractionError);
        QVERIFY(e.explanation.find("UTF-16") != std::string::npos);
    }

    void progressNamesEveryPhaseOnce()
    {
        std::vector<Phase> ended;
        const auto request = requestFor(exampleText("examples/plain.ptx"));
        const Compiler compiler(m_toolchain);
        const auto e = Evaluator(compiler).evaluate(request, [&](const EvaluationProgress& progress) {
            if (progress.ended) {
                ended.push_back(progress.ended->phase);
            }
        });
        QVERIFY(e.has_value());
        QCOMPARE(ended, allPhases());
    }

    void aStopIsCancelledNotFailed()
    {
        std::stop_source stop;
        stop.request_stop();
        const Compiler compiler(m_toolchain);
        const auto e =
            Evaluator(compiler).evaluate(requestFor(exampleText("examples/plain.ptx")), {}, stop.get_token());
        QVERIFY(!e.has_value());
        QCOMPARE(e.error().code, ErrorCode::Cancelled);
    }

private:
    EvaluationRequest requestFor(std::string text) const
    {
        return {.displayName = "candidate.ptx",
            .text = std::move(text),
            .directory = gemmDirectory,
            .task = m_task,
            .where = Where::None};
    }

    Evaluation evaluateText(std::string text) const
    {
        const Compiler compiler(m_toolchain);
        auto e = Evaluator(compiler).evaluate(requestFor(std::move(text)));
        if (!e) {
            qWarning("%s", describe(e.error()).c_str());
            return {};
        }
        return *e;
    }

    Evaluation evaluate(const char* name) const { return evaluateText(exampleText(name)); }

    static PhaseState stateOf(const Evaluation& e, Phase phase)
    {
        const auto found = std::find_if(e.phases.begin(), e.phases.end(),
            [phase](const PhaseRecord& record) { return record.phase == phase; });
        return found == e.phases.end() ? PhaseState::Cancelled : found->state;
    }

    QTemporaryDir m_cache;
    Toolchain m_toolchain;
    Task m_task;
};

QTEST_APPLESS_MAIN(TestEvaluator)
#include "tst_evaluator.moc"
