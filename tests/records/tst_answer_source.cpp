// SPDX-License-Identifier: Apache-2.0
#include "core/records/answer_source.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::records;

namespace {

void write(const QString& path, const QByteArray& bytes)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

std::vector<Answer> allOf(AnswerSource& source)
{
    std::vector<Answer> answers;
    while (auto answer = source.next()) {
        answers.push_back(*std::move(answer));
    }
    return answers;
}

} // namespace

class TestAnswerSource : public QObject {
    Q_OBJECT

private slots:
    void aRunRoot()
    {
        auto files = findAnswerFiles(PTXWB_TEST_DATA "/records/run");
        QVERIFY(files);
        QCOMPARE(files->copies, 1);
        AnswerSource source(*std::move(files));
        const auto answers = allOf(source);
        QCOMPARE(answers.size(), std::size_t{4});
        QCOMPARE(answers[0].path, std::string("trajectories/exp_000.json"));
        QCOMPARE(answers[0].task.value_or(""), std::string("copy_f32_from_plan"));
        // Its trajectory is lost, so the kernel that was left speaks.
        QCOMPARE(answers[3].path, std::string("exp_001/kernel.cu"));
        QVERIFY(answers[3].isCode);
        QCOMPARE(answers[3].task.value_or(""), std::string("copy_f32_from_plan"));
    }

    void aFolderOfEverything()
    {
        const QTemporaryDir folder;
        write(folder.filePath("b.md"), "words");
        write(folder.filePath("a.ptx"), ".version 8.0");
        write(folder.filePath("c/kernel_t3.cu"), "int a;");
        write(folder.filePath("plan.json"), "{\"config\": 1}");
        write(folder.filePath("broken.json"), "{\"config\": ");
        write(folder.filePath("test.py"), "pass");
        write(folder.filePath(".git/x.md"), "words");
        QVERIFY(QFile::link(folder.path(), folder.filePath("loop")));
        QVERIFY(QFile::link(folder.filePath("round.md"), folder.filePath("round.md")));
        QVERIFY(QFile::link(folder.filePath("nowhere"), folder.filePath("gone.md")));
        auto files = findAnswerFiles(folder.path().toStdString());
        QVERIFY(files);
        QCOMPARE(files->linkedFolders, 1);
        AnswerSource source(*std::move(files));
        const auto answers = allOf(source);
        QStringList shown;
        for (const auto& answer : answers) {
            shown << QString::fromStdString(answer.path) + (answer.problem ? QStringLiteral("!") : QString());
        }
        QCOMPARE(shown,
            (QStringList{QStringLiteral("a.ptx"), QStringLiteral("b.md"), QStringLiteral("broken.json!"),
                QStringLiteral("c/kernel_t3.cu"), QStringLiteral("gone.md!"), QStringLiteral("round.md!")}));
        QCOMPARE(answers[3].turn.value_or(-1), 3);
        QCOMPARE(source.files().otherFiles, 2); // test.py, plan.json
    }

    void oneFile()
    {
        auto files = findAnswerFiles(PTXWB_TEST_DATA "/records/folder/good.ptx");
        QVERIFY(files);
        AnswerSource source(*std::move(files));
        const auto answers = allOf(source);
        QCOMPARE(answers.size(), std::size_t{1});
        QVERIFY(answers[0].isCode);
        QCOMPARE(answers[0].path, std::string("good.ptx"));
    }

    void nothingThere()
    {
        const auto absent = findAnswerFiles(PTXWB_TEST_DATA "/records/absent");
        QVERIFY(!absent);
        QCOMPARE(static_cast<int>(absent.error().code), static_cast<int>(ErrorCode::NotFound));
        const QTemporaryDir empty;
        const auto files = findAnswerFiles(empty.path().toStdString());
        QVERIFY(files);
        QVERIFY(files->files.empty());
    }

    void tooLong()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath("huge.md"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(9 << 20));
        auto files = findAnswerFiles(folder.path().toStdString());
        QVERIFY(files);
        AnswerSource source(*std::move(files));
        const auto answers = allOf(source);
        QCOMPARE(answers.size(), std::size_t{1});
        QVERIFY(answers[0].problem);
    }

    void aStopEndsIt()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto files = findAnswerFiles(PTXWB_TEST_DATA "/records", stop.get_token());
        QVERIFY(!files);
        QCOMPARE(static_cast<int>(files.error().code), static_cast<int>(ErrorCode::Cancelled));
    }
};

QTEST_APPLESS_MAIN(TestAnswerSource)
#include "tst_answer_source.moc"
