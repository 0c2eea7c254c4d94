// SPDX-License-Identifier: Apache-2.0
#include "core/records/trajectory.h"

#include <QFile>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::records;

namespace {

std::string data(const char* name)
{
    QFile file(QStringLiteral(PTXWB_TEST_DATA "/records/") + QString::fromLatin1(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

} // namespace

class TestTrajectory : public QObject {
    Q_OBJECT

private slots:
    void turnsWithWhatTheFileSays()
    {
        const auto answers = answersOfJson(data("run/trajectories/exp_000.json"), "exp_000.json");
        QVERIFY(answers);
        QCOMPARE(answers->size(), std::size_t{3});
        for (int turn = 0; turn < 3; ++turn) {
            const auto& answer = (*answers)[static_cast<std::size_t>(turn)];
            QCOMPARE(answer.turn.value_or(-1), turn);
            QCOMPARE(answer.model.value_or(""), std::string("tiny-1b"));
            QCOMPARE(answer.task.value_or(""), std::string("copy_f32"));
            QVERIFY(answer.recorded);
        }
        QCOMPARE((*answers)[0].recorded->event.value_or(""), std::string("no_code"));
        QCOMPARE((*answers)[0].recorded->paperClass, std::string("Extraction error"));
        QVERIFY(!(*answers)[0].recorded->minSpeedup);
        QCOMPARE((*answers)[1].recorded->returnCode.value_or(0), 1);
        QCOMPARE((*answers)[1].recorded->paperClass, std::string("Compilation error"));
        QCOMPARE((*answers)[2].recorded->allPassed.value_or(false), true);
        QCOMPARE((*answers)[2].recorded->minSpeedup.value_or(0), 0.75);
        QVERIFY((*answers)[2].text.find("out[0] = 1") != std::string::npos);
    }

    void anyTruncationIsAnError()
    {
        const auto whole = data("run/trajectories/exp_000.json");
        QVERIFY(!whole.empty());
        const auto end = whole.find_last_of('}');
        for (std::size_t length = 0; length <= end; length += 7) {
            const auto answers = answersOfJson(std::string_view(whole).substr(0, length), "cut.json");
            QVERIFY(!answers);
            QCOMPARE(answers.error().path, std::string("cut.json"));
            const auto lines = std::count(whole.begin(), whole.end(), '\n') + 1;
            QVERIFY(answers.error().line && *answers.error().line >= 1 && *answers.error().line <= lines);
        }
    }

    void jsonWithoutAnswers_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("object") << QByteArray("{\"plan\": []}");
        QTest::newRow("number") << QByteArray("3");
        QTest::newRow("array of numbers") << QByteArray("[1, 2]");
        QTest::newRow("messages is a word") << QByteArray("{\"messages\": \"none\"}");
        QTest::newRow("messages without objects") << QByteArray("{\"messages\": [1, null, [2]]}");
        QTest::newRow("config is a word") << QByteArray("{\"info\": {\"config\": \"x\"}, \"messages\": []}");
    }
    void jsonWithoutAnswers()
    {
        QFETCH(QByteArray, text);
        const auto answers = answersOfJson(text.toStdString(), "x.json");
        QVERIFY(answers);
        QVERIFY(answers->empty());
    }

    void deepNestingIsNoCrash()
    {
        const std::string deep(200000, '[');
        QVERIFY(!answersOfJson(deep, "deep.json"));
        QVERIFY(answersOfJson(deep + std::string(200000, ']'), "deep.json"));
    }

    void linesOfEveryKind()
    {
        const auto answers = answersOfJsonLines(data("answers.jsonl"), "answers.jsonl");
        QCOMPARE(answers.size(), std::size_t{4});
        QVERIFY(!answers[0].problem);
        QCOMPARE(answers[0].task.value_or(""), std::string("copy"));
        QCOMPARE(answers[0].model.value_or(""), std::string("m"));
        QCOMPARE(answers[0].line.value_or(0), 1);
        QVERIFY(answers[1].problem);
        QVERIFY(answers[1].problem->message.find("no answer") != std::string::npos);
        QCOMPARE(answers[2].text, std::string("none"));
        QCOMPARE(answers[2].turn.value_or(-1), 0);
        QVERIFY(answers[3].problem);
        QCOMPARE(answers[3].problem->line.value_or(0), 4);
        QVERIFY(answers[3].problem->message.starts_with("this is not JSON"));
    }

    void aLineWithoutAnAnswerHasARow()
    {
        const auto answers = answersOfJsonLines(
            "{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}]}\n{\"messages\": []}\n"
            "{\"answer\": null}\n7\n\n",
            "answers.jsonl");
        QCOMPARE(answers.size(), std::size_t{4});
        for (int i = 0; i < 4; ++i) {
            const auto& answer = answers[static_cast<std::size_t>(i)];
            QVERIFY(answer.problem);
            QCOMPARE(answer.problem->line.value_or(0), i + 1);
            QVERIFY(answer.problem->message.find("no answer") != std::string::npos);
        }
    }

    void planOfARunRoot()
    {
        const auto definitions = definitionsOfPlan(
            R"({"plan": [{"exp_index": 2, "definition": "b"}, {"exp_index": 0, "definition": "a"}, {"exp_index": -1,
            "definition": "c"}, {"exp_index": 99999999999, "definition": "d"}, 7]})");
        QCOMPARE(definitions.size(), std::size_t{3});
        QCOMPARE(definitions[0], std::string("a"));
        QCOMPARE(definitions[1], std::string());
        QCOMPARE(definitions[2], std::string("b"));
        QVERIFY(definitionsOfPlan("not JSON").empty());
    }

    void classesOfThePaper_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("wanted");
        QTest::newRow("first wins") << QByteArray("[a] PASSED and INCORRECT_NUMERICAL")
                                    << QByteArray("Correct");
        QTest::newRow("numbers") << QByteArray("INCORRECT_NUMERICAL") << QByteArray("Numerical error");
        QTest::newRow("compile") << QByteArray("Failed to compile kernel") << QByteArray("Compilation error");
        QTest::newRow("sanitize") << QByteArray("Timed out after 120.0s waiting for sanitize")
                                  << QByteArray("Sanitize Timeout");
        QTest::newRow("killed") << QByteArray("returncode 137") << QByteArray("Profiling Service Timeout");
        QTest::newRow("timeout") << QByteArray("[S=4096] TIMEOUT") << QByteArray("Kernel Execution Timeout");
        QTest::newRow("no code") << QByteArray("Could not extract a block") << QByteArray("Extraction error");
        QTest::newRow("fault") << QByteArray("CUDA error: 700") << QByteArray("Runtime error");
        QTest::newRow("shape") << QByteArray("[S=4096] INCORRECT_SHAPE") << QByteArray("Other error");
    }
    void classesOfThePaper()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, wanted);
        QCOMPARE(std::string(paperClassOf(text.toStdString())), wanted.toStdString());
    }
};

QTEST_APPLESS_MAIN(TestTrajectory)
#include "tst_trajectory.moc"
