// SPDX-License-Identifier: Apache-2.0
#include "app/background_job.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <atomic>

using namespace ptxwb;

namespace {

int waitForStop(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return -1;
}

} // namespace

class TestBackgroundJob : public QObject {
    Q_OBJECT

private slots:
    void aResultLandsOnTheGuiThreadOnce()
    {
        BackgroundJob job;
        QSignalSpy ended(&job, &BackgroundJob::ended);
        QThread* landedOn = nullptr;
        int result = 0;
        job.start<int>([](std::stop_token) { return 7; },
            [&](int value) {
                result = value;
                landedOn = QThread::currentThread();
            });
        QVERIFY(job.isRunning());
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(result, 7);
        QCOMPARE(landedOn, QThread::currentThread());
        QCOMPARE(ended.first().at(1).value<BackgroundJob::Ending>(), BackgroundJob::Ending::Landed);
        QVERIFY(!job.isRunning());
    }

    void theNewestWinsAndAStaleResultNeverLands()
    {
        BackgroundJob job;
        QSignalSpy ended(&job, &BackgroundJob::ended);
        std::vector<int> landed;
        const auto land = [&landed](int value) { landed.push_back(value); };
        job.start<int>([](std::stop_token stop) { return waitForStop(stop); }, land);
        // Finished, its result on the way, but superseded before the GUI thread took it.
        std::atomic<bool> done = false;
        job.start<int>(
            [&done](std::stop_token) {
                done = true;
                return 2;
            },
            land);
        while (!done) {
            std::this_thread::yield();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        job.start<int>([](std::stop_token) { return 3; }, land);
        QTRY_COMPARE(ended.count(), 3);
        QTest::qWait(50);
        QCOMPARE(landed, std::vector<int>{3});
        QCOMPARE(ended.count(), 3);
        QCOMPARE(ended[0].at(1).value<BackgroundJob::Ending>(), BackgroundJob::Ending::Superseded);
        QCOMPARE(ended[1].at(1).value<BackgroundJob::Ending>(), BackgroundJob::Ending::Superseded);
        QCOMPARE(ended[2].at(1).value<BackgroundJob::Ending>(), BackgroundJob::Ending::Landed);
    }

    void cancelIsNotAFailureAndEndsOnce()
    {
        BackgroundJob job;
        QSignalSpy ended(&job, &BackgroundJob::ended);
        bool landed = false;
        job.start<int>(
            [](std::stop_token stop) { return waitForStop(stop); }, [&landed](int) { landed = true; });
        job.cancel();
        job.cancel();
        QVERIFY(!job.isRunning());
        QTest::qWait(50);
        QCOMPARE(ended.count(), 1);
        QCOMPARE(ended.first().at(1).value<BackgroundJob::Ending>(), BackgroundJob::Ending::Cancelled);
        QVERIFY(!landed);
    }

    void destructionStopsAndJoins()
    {
        std::atomic<bool> stopped = false;
        {
            BackgroundJob job;
            job.start<int>(
                [&stopped](std::stop_token stop) {
                    waitForStop(stop);
                    stopped = true;
                    return 0;
                },
                [](int) { QFAIL("a result of a job that is gone"); });
        }
        QVERIFY(stopped);
        QTest::qWait(20);
    }
};

QTEST_MAIN(TestBackgroundJob)
#include "tst_background_job.moc"
