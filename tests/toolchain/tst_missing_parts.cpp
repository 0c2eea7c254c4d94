// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/listed_diagnostics.h"
#include "core/toolchain/missing_parts.h"

#include <QTest>

using namespace ptxwb;

class TestMissingParts : public QObject {
    Q_OBJECT

private slots:
    void tellsTheMachineFromTheSource_data()
    {
        QTest::addColumn<QString>("output");
        QTest::addColumn<QString>("names"); // empty: the source is to blame
        QTest::newRow("no gcc (dash)") << "sh: 1: gcc: not found\n"
                                          "nvcc fatal   : Failed to preprocess host compiler properties.\n"
                                       << "gcc was not found";
        QTest::newRow("no gcc (bash)") << "sh: line 1: gcc: command not found\n"
                                       << "gcc was not found";
        QTest::newRow("ccbin") << "nvcc fatal   : Failed to preprocess host compiler properties.\n"
                               << "does not work";
        QTest::newRow("no cc1plus")
            << "gcc: fatal error: cannot execute 'cc1plus': execvp: No such file or directory\n"
               "compilation terminated.\n"
            << "cc1plus was not found";
        QTest::newRow("no cc1plus, older gcc")
            << "gcc: error trying to exec 'cc1plus': execvp: No such file or directory\n"
            << "cc1plus was not found";
        QTest::newRow("no ld") << "collect2: fatal error: cannot find 'ld'\n"
                               << "ld was not found";
        QTest::newRow("no cicc") << "sh: 1: cicc: not found\n"
                                 << "cicc, a part of the CUDA toolkit";
        QTest::newRow("gcc too new")
            << "In file included from /usr/local/cuda/include/cuda_runtime.h:82,\n"
               "/usr/local/cuda/include/crt/host_config.h:143:2: error: #error -- unsupported GNU version! "
               "gcc "
               "versions later than 15 are not supported! The nvcc flag '-allow-unsupported-compiler' can be "
               "used to override this version check.\n"
            << "unsupported GNU version";
        QTest::newRow("missing header") << "a.cu:1:10: fatal error: cc1plus.h: No such file or directory\n"
                                        << "";
        QTest::newRow("a source that says so")
            << "a.cu:3:2: error: #error gcc: cannot execute 'cc1plus', sh: 1: gcc: not found\n"
            << "";
        QTest::newRow("own #error") << "a.cu:3:2: error: #error -- unsupported GNU version!\n"
                                    << "";
        QTest::newRow("nothing said") << ""
                                      << "";
    }

    void tellsTheMachineFromTheSource()
    {
        QFETCH(QString, output);
        QFETCH(QString, names);
        const auto missing = detail::missingPart(output.toStdString());
        QCOMPARE(missing.has_value(), !names.isEmpty());
        if (missing) {
            QCOMPARE(missing->code, ErrorCode::MissingTool);
            QVERIFY2(QString::fromStdString(missing->message).contains(names), missing->message.c_str());
            QVERIFY(!missing->hint.empty());
        }
    }

    void listsErrorsFirstAndKeepsTheOrder()
    {
        std::vector<Diagnostic> said;
        for (int i = 0; i < 10; ++i) {
            said.push_back({.severity = i % 2 == 0 ? Severity::Warning : Severity::Error, .line = i});
        }
        auto few = said;
        QCOMPARE(limitDiagnostics(few, 10), 0);
        QCOMPARE(few.size(), std::size_t{10});
        QCOMPARE(limitDiagnostics(said, 7), 3);
        std::vector<int> lines;
        for (const auto& one : said) {
            lines.push_back(one.line.value_or(-1));
        }
        QCOMPARE(lines, (std::vector<int>{0, 1, 2, 3, 5, 7, 9}));
        QCOMPARE(limitDiagnostics(said, 2), 5);
        QCOMPARE(said.back().line, std::optional(3));
        QVERIFY(said.front().severity == Severity::Error);
    }

    void listsCausesFirst()
    {
        std::vector<Diagnostic> said;
        for (int i = 0; i < 9; ++i) {
            said.push_back(
                {.severity = i == 0 ? Severity::Info : Severity::Error, .line = i, .rootCause = i > 5});
        }
        QCOMPARE(limitDiagnostics(said, 4), 5);
        std::vector<int> lines;
        for (const auto& one : said) {
            lines.push_back(one.line.value_or(-1));
        }
        QCOMPARE(lines, (std::vector<int>{1, 6, 7, 8}));
    }
};

QTEST_APPLESS_MAIN(TestMissingParts)
#include "tst_missing_parts.moc"
