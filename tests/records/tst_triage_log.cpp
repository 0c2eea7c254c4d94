// SPDX-License-Identifier: Apache-2.0
#include "core/records/triage_log.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::records;

namespace {

TriageRow fullRow(const std::string& key)
{
    TriageRow row{
        .key = key, .path = "a.md", .turn = 2, .model = "m", .answerSha256 = "00", .rule = "commonmark"};
    row.recorded =
        Recorded{.event = "evaluation", .allPassed = true, .minSpeedup = 0.5, .paperClass = "Correct"};
    row.commonMark = RuleOutcome{.choice = "only_block", .language = "ptx", .sha256 = "11", .firstLine = 3};
    row.rulesDiffer = true;
    row.closed = false;
    row.elisions = 1;
    row.language = "ptx";
    row.contract = "kernel";
    row.codeSha256 = "11";
    row.result = TriageResult::DoesNotCompile;
    row.target = "sm_90a";
    row.cause = TriageCause{.cause = CauseClass::Truncated,
        .message = "Parsing error",
        .tool = "ptxas",
        .line = 4,
        .answerLine = 6,
        .fixes = {"add it"},
        .others = 1};
    row.asked = {{"wgmma", 2}};
    row.present = PresentFamilies{.families = {{"wgmma", 1}}, .gmma = 1, .tma = 2, .tcgen = 3};
    row.askedNotPresent = {"tma"};
    return row;
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

} // namespace

class TestTriageLog : public QObject {
    Q_OBJECT

private slots:
    void aRowComesBackWhole()
    {
        const auto row = fullRow("k");
        const auto back = rowFromJson(rowJson(row));
        QVERIFY(back);
        QCOMPARE(rowJson(*back).dump(), rowJson(row).dump());
        // What is not known is null with its reason.
        TriageRow bare{.key = "k", .path = "p", .rule = "none", .presentReason = "it was not compiled"};
        const auto json = rowJson(bare);
        QVERIFY(json.at("families_present").is_null());
        QCOMPARE(json.at("families_present_reason").get<std::string>(), std::string("it was not compiled"));
        QCOMPARE(rowJson(*rowFromJson(json)).dump(), json.dump());
    }

    void appendAndFind()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath("rows.jsonl");
        {
            auto log = TriageLog::open(path.toStdString());
            QVERIFY(log);
            QVERIFY(log->find("k") == nullptr);
            QVERIFY(log->append(fullRow("k")));
            auto lost = fullRow("lost");
            lost.result = TriageResult::NotCompiled;
            QVERIFY(log->append(lost));
        }
        QCOMPARE(bytesOf(path).count('\n'), 2);
        auto log = TriageLog::open(path.toStdString());
        QVERIFY(log);
        QVERIFY(log->find("k") != nullptr);
        QVERIFY(log->find("k")->fromLog);
        QVERIFY(log->find("lost") == nullptr); // tried again
        auto lost = fullRow("lost");
        lost.result = TriageResult::NotCompiled;
        QVERIFY(log->append(lost)); // and not written twice
        QCOMPARE(bytesOf(path).count('\n'), 2);
        QVERIFY(!log->repaired());
    }

    void aTornLineIsCutOffWhereverItTears()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath("rows.jsonl");
        {
            auto log = TriageLog::open(path.toStdString());
            QVERIFY(log && log->append(fullRow("a")) && log->append(fullRow("b")));
        }
        const auto whole = bytesOf(path);
        const auto first = whole.indexOf('\n') + 1;
        for (auto length = first - 1; length > 0; length -= 13) {
            write(path, whole.left(length));
            auto log = TriageLog::open(path.toStdString());
            QVERIFY(log);
            QVERIFY(log->repaired());
            QVERIFY(bytesOf(path).isEmpty());
        }
        for (auto length = whole.size() - 1; length > first; length -= 13) {
            write(path, whole.left(length));
            auto log = TriageLog::open(path.toStdString());
            QVERIFY(log && log->repaired());
            QVERIFY(log->find("a") != nullptr && log->find("b") == nullptr);
            QVERIFY(log->append(fullRow("b")));
            QCOMPARE(bytesOf(path), whole);
        }
    }

    void aLineOfRubbishStaysAndIsCounted()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath("rows.jsonl");
        {
            auto log = TriageLog::open(path.toStdString());
            QVERIFY(log && log->append(fullRow("a")));
        }
        write(path, "rubbish\n" + bytesOf(path));
        auto log = TriageLog::open(path.toStdString());
        QVERIFY(log);
        QCOMPARE(log->badLines(), 1);
        QVERIFY(log->find("a") != nullptr);
    }

    void anotherFileIsNotTouched_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("notes") << QByteArray("my notes");
        QTest::newRow("lines") << QByteArray("my notes\nof today\n");
        QTest::newRow("JSON lines") << QByteArray("{\"answer\": 1}\n{\"answer\": 2}\n");
    }
    void anotherFileIsNotTouched()
    {
        QFETCH(QByteArray, bytes);
        const QTemporaryDir folder;
        const auto path = folder.filePath("notes.jsonl");
        write(path, bytes);
        const auto log = TriageLog::open(path.toStdString());
        QVERIFY(!log);
        QCOMPARE(static_cast<int>(log.error().code), static_cast<int>(ErrorCode::InvalidArgument));
        QCOMPARE(bytesOf(path), bytes);
    }

    void oneWriterAtATime()
    {
        const QTemporaryDir folder;
        const auto path = folder.filePath("rows.jsonl").toStdString();
        const auto first = TriageLog::open(path);
        QVERIFY(first);
        QVERIFY(!TriageLog::open(path));
        QVERIFY(!TriageLog::open(folder.path().toStdString()));
        QVERIFY(!TriageLog::open("/dev/null"));
    }
};

QTEST_APPLESS_MAIN(TestTriageLog)
#include "tst_triage_log.moc"
