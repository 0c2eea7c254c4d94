// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/target_fit.h"

#include <QTest>

class TestTargetFit : public QObject {
    Q_OBJECT

private slots:
    void loadsOnlyWhereTheHardwareRunsIt_data()
    {
        QTest::addColumn<QString>("cubin");
        QTest::addColumn<QString>("device");
        QTest::addColumn<bool>("loads");
        const auto row = [](const char* cubin, const char* device, bool loads) {
            QTest::newRow(
                qPrintable(QStringLiteral("%1 on %2").arg(QLatin1String(cubin), QLatin1String(device))))
                << QString::fromLatin1(cubin) << QString::fromLatin1(device) << loads;
        };
        row("sm_90a", "sm_90a", true);
        row("sm_90", "sm_90a", true);
        row("sm_80", "sm_90a", false); // binary code does not cross a major version
        row("sm_86", "sm_89", true);
        row("sm_89", "sm_86", false);
        row("sm_100a", "sm_90a", false);
        row("sm_100a", "sm_103a", false);
        row("sm_100f", "sm_103a", true);
        row("sm_120a", "sm_121a", false);
        row("nonsense", "sm_90a", false);
        row("", "sm_90a", false);
    }

    void loadsOnlyWhereTheHardwareRunsIt()
    {
        QFETCH(QString, cubin);
        QFETCH(QString, device);
        QTEST(ptxwb::cubinLoadsOn(cubin.toStdString(), device.toStdString()), "loads");
        QTEST(ptxwb::whyCubinDoesNotLoad(cubin.toStdString(), device.toStdString(), "a device").empty(),
            "loads");
    }
};

QTEST_APPLESS_MAIN(TestTargetFit)
#include "tst_target_fit.moc"
