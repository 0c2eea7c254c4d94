// SPDX-License-Identifier: Apache-2.0
#include "../toolchain/toolchain_test.h"
#include "core/records/triage_run.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace ptxwb;
using namespace ptxwb::records;

namespace {

AnswerSource sourceOf(const char* path)
{
    auto files = findAnswerFiles(path);
    return AnswerSource(files ? *std::move(files) : AnswerFiles{});
}

} // namespace

class TestTriage : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!test::realToolchain().ptxas || !test::realToolchain().nvcc) {
            QSKIP("no ptxas and nvcc here");
        }
    }

    void aFolder()
    {
        const auto run = runTriage(sourceOf(PTXWB_TEST_DATA "/records/folder"), {},
            Compiler(test::realToolchain()), 2, nullptr, {}, {});
        QVERIFY(run);
        std::map<std::string, TriageRow> rows;
        for (const auto& row : run->rows) {
            rows[row.path] = row;
        }
        QCOMPARE(rows.size(), std::size_t{6});
        const auto causeOf = [&](const char* path) {
            return std::string(rows[path].cause ? causeClassName(rows[path].cause->cause) : "none");
        };
        QCOMPARE(causeOf("good.ptx"), std::string("none"));
        QCOMPARE(causeOf("plain_target.md"), std::string("target"));
        QCOMPARE(causeOf("undeclared.md"), std::string("undeclared_name"));
        QCOMPARE(causeOf("truncated.md"), std::string("truncated"));
        QCOMPARE(causeOf("words.md"), std::string("no_code"));
        QCOMPARE(rows["plain_target.md"].cause->line.value_or(0), 6);
        QCOMPARE(rows["plain_target.md"].cause->answerLine.value_or(0), 9);
        QVERIFY(!rows["plain_target.md"].cause->fixes.empty());
        QCOMPARE(rows["plain_target.md"].asked, (FamilyTable{{"wgmma", 1}}));
        QVERIFY(!rows["truncated.md"].closed);
    }

    void askedButNotPresent()
    {
        if (!test::realToolchain().nvdisasm && !test::realToolchain().cuobjdump) {
            QSKIP("no disassembler here");
        }
        const auto run = runTriage(sourceOf(PTXWB_TEST_DATA "/records/folder/dead.cu"), {},
            Compiler(test::realToolchain()), 1, nullptr, {}, {});
        QVERIFY(run);
        QCOMPARE(run->rows.size(), std::size_t{1});
        const auto& row = run->rows.front();
        QCOMPARE(static_cast<int>(row.result), static_cast<int>(TriageResult::Compiles));
        QCOMPARE(row.asked, (FamilyTable{{"wgmma", 1}}));
        QVERIFY(row.present);
        QCOMPARE(row.present->gmma, 0);
        QCOMPARE(row.askedNotPresent, std::vector<std::string>{"wgmma"});
    }

    void aTrajectoryIsResumed()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("rows.jsonl")).toStdString();
        const Compiler compiler(test::realToolchain());
        std::string first;
        {
            auto log = TriageLog::open(path);
            QVERIFY(log);
            const auto run =
                runTriage(sourceOf(PTXWB_TEST_DATA "/records/run"), {}, compiler, 2, &*log, {}, {});
            QVERIFY(run);
            QCOMPARE(run->rows.size(), std::size_t{4});
            QCOMPARE(run->rows[1].cause->line.value_or(0), 1);
            QCOMPARE(run->rows[1].recorded->paperClass, std::string("Compilation error"));
            QCOMPARE(run->rows[2].recorded->minSpeedup.value_or(0), 0.75);
            first = toJson(*run);
        }
        auto log = TriageLog::open(path);
        QVERIFY(log);
        const auto again =
            runTriage(sourceOf(PTXWB_TEST_DATA "/records/run"), {}, compiler, 2, &*log, {}, {});
        QVERIFY(again);
        for (const auto& row : again->rows) {
            QVERIFY(row.fromLog);
        }
        QCOMPARE(toJson(*again), first);
        // Another target is another question.
        const auto other = runTriage(
            sourceOf(PTXWB_TEST_DATA "/records/run"), {.target = "sm_100a"}, compiler, 2, &*log, {}, {});
        QVERIFY(other);
        QVERIFY(!other->rows[1].fromLog);
        QCOMPARE(other->rows[1].target, std::string("sm_100a"));
    }

    void aStopLeavesWhatWasReady()
    {
        std::stop_source stop;
        const auto run = runTriage(
            sourceOf(PTXWB_TEST_DATA "/records/folder"), {}, Compiler(test::realToolchain()), 1, nullptr,
            [&](const TriageProgress&) { stop.request_stop(); }, stop.get_token());
        QVERIFY(run);
        QVERIFY(run->stopped);
        QCOMPARE(run->rows.size(), std::size_t{1});
    }

    void withoutATool()
    {
        const auto run = runTriage(sourceOf(PTXWB_TEST_DATA "/records/folder/good.ptx"), {},
            Compiler(Toolchain{}), 1, nullptr, {}, {});
        QVERIFY(run);
        QCOMPARE(static_cast<int>(run->rows.front().result), static_cast<int>(TriageResult::NotCompiled));
        QCOMPARE(std::string(causeClassName(run->rows.front().cause->cause)), std::string("tool_missing"));
    }

    void causesAreCounted()
    {
        std::vector<TriageRow> rows(4);
        rows[0].cause = TriageCause{.cause = CauseClass::Target, .message = "no 'a' here"};
        rows[1].cause = TriageCause{.cause = CauseClass::Syntax, .message = "expected a \";\""};
        rows[1].path = "first";
        rows[2].cause = TriageCause{.cause = CauseClass::Syntax, .message = "expected a \")\""};
        const auto counts = countCauses(rows);
        QCOMPARE(counts.size(), std::size_t{2});
        QCOMPARE(counts[0].answers, 2);
        QCOMPARE(counts[0].commonMessage, std::string("expected a \"...\""));
        QCOMPARE(counts[0].example, std::string("first"));
        QCOMPARE(counts[1].commonMessage, std::string("no '...' here"));
    }
};

QTEST_APPLESS_MAIN(TestTriage)
#include "tst_triage.moc"
