// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/compile_target.h"

#include <QTest>

using namespace ptxwb;

class TestCompileTarget : public QObject {
    Q_OBJECT
private slots:
    void parsesNames();
    void permits_data();
    void permits();
    void chooses_data();
    void chooses();
    void refusesUnknownTargets();
};

void TestCompileTarget::parsesNames()
{
    QCOMPARE(parseTargetName("sm_103a")->number, 103);
    QCOMPARE(parseTargetName("sm_103a")->suffix, 'a');
    QCOMPARE(parseTargetName("sm_75")->suffix, '\0');
    for (const char* name :
        {"", "sm_", "sm_x", "90a", "sm_90b", "sm_90aa", "compute_90", "sm_-1", "sm_99999999999"}) {
        QVERIFY2(!parseTargetName(name), name);
    }
}

void TestCompileTarget::permits_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("permitted");
    const auto row = [](const char* file, const char* target, bool permitted) {
        QTest::addRow("%s for %s", file, target) << file << target << permitted;
    };
    // Checked with ptxas 13.0.88; tst_compiler asks the ptxas of this machine again.
    row("sm_90", "sm_90", true);
    row("sm_90", "sm_90a", true);
    row("sm_90", "sm_100a", true);
    row("sm_90", "sm_120f", true);
    row("sm_90", "sm_80", false);
    row("sm_90a", "sm_90a", true);
    row("sm_90a", "sm_90", false);
    row("sm_90a", "sm_100a", false);
    row("sm_100a", "sm_103a", false);
    row("sm_100f", "sm_100f", true);
    row("sm_100f", "sm_100a", true);
    row("sm_100f", "sm_103a", true);
    row("sm_100f", "sm_103f", true);
    row("sm_103f", "sm_100a", false);
    row("sm_100f", "sm_110a", false);
    row("sm_100f", "sm_100", true);
    row("sm_100f", "sm_103", true);
    row("sm_120f", "sm_121a", true);
    row("nonsense", "sm_90a", false);
}

void TestCompileTarget::permits()
{
    QFETCH(QString, file);
    QFETCH(QString, target);
    QFETCH(bool, permitted);
    QCOMPARE(targetPermits(file.toStdString(), target.toStdString()), permitted);
}

void TestCompileTarget::chooses_data()
{
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QString>("preferred");
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("reasonHas");
    QTest::newRow("nothing said") << ""
                                  << ""
                                  << ""
                                  << "sm_90a"
                                  << "default without a device";
    QTest::newRow("device") << ""
                            << "sm_100a"
                            << ""
                            << "sm_100a"
                            << "device here";
    QTest::newRow("asked") << "sm_90"
                           << "sm_100a"
                           << "sm_80"
                           << "sm_90"
                           << "asked for";
    QTest::newRow("asked by number") << "90a"
                                     << ""
                                     << ""
                                     << "sm_90a"
                                     << "asked for";
    QTest::newRow("asked as compute") << "compute_90a"
                                      << ""
                                      << ""
                                      << "sm_90a"
                                      << "asked for";
    QTest::newRow("file permits the default") << ""
                                              << ""
                                              << "sm_80"
                                              << "sm_90a"
                                              << "permits it";
    QTest::newRow("file is the default") << ""
                                         << ""
                                         << "sm_90a"
                                         << "sm_90a"
                                         << "file's own";
    QTest::newRow("file names a virtual architecture") << ""
                                                       << ""
                                                       << "compute_90a"
                                                       << "sm_90a"
                                                       << "file's own";
    QTest::newRow("virtual architecture of another chip") << ""
                                                          << ""
                                                          << "compute_100a"
                                                          << "sm_100a"
                                                          << "does not permit sm_90a";
    QTest::newRow("file does not permit the default") << ""
                                                      << ""
                                                      << "sm_100a"
                                                      << "sm_100a"
                                                      << "does not permit sm_90a";
    QTest::newRow("file does not permit the device") << ""
                                                     << "sm_100a"
                                                     << "sm_90a"
                                                     << "sm_90a"
                                                     << "does not permit sm_100a";
    QTest::newRow("family of the device") << ""
                                          << "sm_103a"
                                          << "sm_100f"
                                          << "sm_103a"
                                          << "permits it";
    QTest::newRow("compiler does not know the device") << ""
                                                       << "sm_130a"
                                                       << "sm_90"
                                                       << "sm_90"
                                                       << "does not know";
}

void TestCompileTarget::chooses()
{
    QFETCH(QString, asked);
    QFETCH(QString, preferred);
    QFETCH(QString, file);
    QFETCH(QString, target);
    QFETCH(QString, reasonHas);
    const auto optional = [](const QString& text) {
        return text.isEmpty() ? std::nullopt : std::optional(text.toStdString());
    };
    const auto chosen = chooseTarget({.asked = optional(asked),
        .preferred = optional(preferred),
        .fileTarget = optional(file),
        .known = {"sm_80", "sm_90", "sm_90a", "sm_100a", "sm_100f", "sm_103a"}});
    QVERIFY(chosen);
    QCOMPARE(QString::fromStdString(chosen->target), target);
    QVERIFY2(QString::fromStdString(chosen->reason).contains(reasonHas), chosen->reason.c_str());
}

void TestCompileTarget::refusesUnknownTargets()
{
    const auto unknown = chooseTarget({.asked = "sm_107a", .known = {"sm_90", "sm_90a"}});
    QVERIFY(!unknown);
    QVERIFY(unknown.error().code == ErrorCode::InvalidArgument);
    QVERIFY(unknown.error().hint.find("sm_90, sm_90a") != std::string::npos);
    QVERIFY(!chooseTarget({.asked = "hopper", .known = {}}));
    QVERIFY(!chooseTarget({.asked = "", .known = {}}));
    QVERIFY(chooseTarget({.asked = "sm_107a", .known = {}})); // a compiler that was not asked may know it
}

QTEST_APPLESS_MAIN(TestCompileTarget)
#include "tst_compile_target.moc"
