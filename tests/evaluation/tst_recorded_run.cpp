// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/recorded_run.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace ptxwb;

class TestRecordedRun : public QObject {
    Q_OBJECT

private slots:
    void fileNamesSayDeviceCandidateAndWorkload()
    {
        Evaluation e;
        e.candidatePath = "tasks/gemm/examples/wgmma_tma.ptx";
        e.device = DeviceInfo{.name = "NVIDIA H200"};
        e.workload.tags = {"small"};
        QCOMPARE(recordedFileName(e), std::string("h200-wgmma_tma-small.json"));
        e.madeUtc = "2026-12-01T10:00:00Z";
        QCOMPARE(recordedLabel(e), std::string("recorded on NVIDIA H200, 2026-12-01"));
    }

    void brokenFilesAreReportedNotHidden()
    {
        QTemporaryDir directory;
        Task task;
        task.directory = directory.path().toStdString();
        QVERIFY(loadRecordedRuns(task).runs.empty());
        QVERIFY(loadRecordedRuns(task).problems.empty());
        QVERIFY(QDir(directory.path()).mkdir(QStringLiteral("recorded")));
        QFile broken(directory.filePath(QStringLiteral("recorded/broken.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{");
        broken.close();
        const auto runs = loadRecordedRuns(task);
        QCOMPARE(runs.problems.size(), std::size_t{1});
        QVERIFY(runs.problems.front().path.find("broken.json") != std::string::npos);
    }

    // What is committed must be readable by this version and be what its file name says.
    void everyRecordOfTheTreeIsReadable()
    {
        const auto tasks = loadTasks(std::filesystem::path(PTXWB_SOURCE_ROOT) / "tasks");
        QVERIFY2(tasks.has_value(), tasks ? "" : tasks.error().message.c_str());
        for (const auto& task : *tasks) {
            const auto records = loadRecordedRuns(task);
            for (const auto& problem : records.problems) {
                QFAIL(describe(problem).c_str());
            }
            for (const auto& run : records.runs) {
                QCOMPARE(recordedFileName(run.evaluation), run.path.filename().string());
                QCOMPARE(run.evaluation.task, task.name);
                QVERIFY(run.evaluation.device.has_value());
                QVERIFY(!std::filesystem::path(run.evaluation.candidatePath).is_absolute());
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestRecordedRun)
#include "tst_recorded_run.moc"
