// SPDX-License-Identifier: Apache-2.0
#include "core/bench/launch_plan.h"

#include <QtTest>

using namespace ptxwb;

class TestPlanText : public QObject {
    Q_OBJECT

private slots:
    void found_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<int>("line");
        const auto row = [](const char* name, QByteArray file, QByteArray json, int line) {
            QTest::newRow(name) << file << json << line;
        };
        row("one line", "/* @launch { } */", "{ }", 1);
        row("no blank", "/*@launch{\"a\":1}*/", "{\"a\":1}", 1);
        row("later line", ".version 8.0\n\n/* @launch\n{\"a\":\n1} */\n", "{\"a\":\n1}", 4);
        row("CRLF", ".version 8.0\r\n/* @launch {\r\n\"a\":1}\r\n*/\r\n", "{\r\n\"a\":1}", 2);
        row("after prose", "/* A kernel.\n * @launch { } */", "{ }", 2);
        row("prose behind", "/* @launch { } and more } { */", "{ }", 1);
        row("doxygen opening", "/** @launch { } */", "{ }", 1);
        row("braces in strings", "/* @launch {\"a\":\"}{\\\"}\"} */", "{\"a\":\"}{\\\"}\"}", 1);
        row("nested", "/* @launch {\"a\":{\"b\":{}}} */", "{\"a\":{\"b\":{}}}", 1);
        row("slashes in a // comment", "// /* @launch { \"no\":1 }\n/* @launch { } */", "{ }", 2);
        row("inside a string", "asm(\"/* @launch {} */\");\n/* @launch { } */", "{ }", 2);
        row("inside a raw string", "R\"x(\" /* @launch {} */)x\";\n/* @launch { } */", "{ }", 2);
        row("quote in a comment", "/* it's \"odd */\n/* @launch { } */", "{ }", 2);
        row("character literals", "char c='\"'; int n=1'000; char d='\\''; /* @launch { } */", "{ }", 1);
        row("unclosed string", "x = \"oops\n/* @launch { } */", "{ }", 2);
        row("mentioned in prose", "/* Plans stand behind @launch { see below } */\n/* @launch { } */", "{ }",
            2);
        row("not our word", "/* @launcher {} */\n/* @launch { } */", "{ }", 2);
    }
    void found()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, json);
        QFETCH(int, line);
        const auto plan = extractLaunchPlan(file.toStdString());
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(QByteArray::fromStdString(plan->json), json);
        QCOMPARE(plan->line, line);
    }

    void faults_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, QByteArray file, ErrorCode code, int line, const char* says) {
            QTest::newRow(name) << file << int(code) << line << says;
        };
        row("empty", "", ErrorCode::NotFound, 0, "no launch plan");
        row("no comment", ".version 8.0\n@launch {}\n", ErrorCode::NotFound, 0, "no launch plan");
        row("line comment", "\n// @launch { }\n", ErrorCode::NotFound, 2, "// comment");
        row("two comments", "/* @launch {} */\n\n/* @launch {} */", ErrorCode::BadFormat, 3,
            "first is on line 1");
        row("two in one", "/* @launch {}\n@launch {} */", ErrorCode::BadFormat, 2, "first is on line 1");
        row("not closed", "\n/* @launch { }\n", ErrorCode::BadFormat, 2, "never closed");
        row("no brace", "/* @launch */", ErrorCode::BadFormat, 1, "no {");
        row("unbalanced", "\n/* @launch { \"a\": { } */", ErrorCode::BadFormat, 2, "no closing }");
        row("open quote", "/* @launch { \"a: 1 } */", ErrorCode::BadFormat, 1, "no closing }");
    }
    void faults()
    {
        QFETCH(QByteArray, file);
        QFETCH(int, code);
        QFETCH(int, line);
        QFETCH(QString, says);
        const auto plan = extractLaunchPlan(file.toStdString());
        QVERIFY(!plan);
        QCOMPARE(int(plan.error().code), code);
        QCOMPARE(plan.error().line.value_or(0), line);
        QVERIFY2(QString::fromStdString(plan.error().message).contains(says), plan.error().message.c_str());
        QVERIFY(!plan.error().hint.empty());
    }

    void hugeFiles()
    {
        const std::string plan = "/* @launch { } */";
        QVERIFY(extractLaunchPlan(std::string(5'000'000, 'x') + plan));
        QVERIFY(extractLaunchPlan(std::string(5'000'000, '"') + "\n" + plan));
        QVERIFY(extractLaunchPlan(plan + std::string(5'000'000, '\'')));
        QVERIFY(!extractLaunchPlan(std::string(1'000'000, '\0')));
    }

    void kernelsInOrder()
    {
        const auto kernels =
            plannedKernels(R"(/* @launch {"launches":[{"kernel":"b"},{"kernel":"a"},{"kernel":"b"}]} */)");
        QVERIFY(kernels);
        QCOMPARE(*kernels, (std::vector<std::string>{"b", "a", "b"}));
        const auto broken = plannedKernels("\n/* @launch {\"launches\":[{}]} */");
        QVERIFY(!broken);
        QCOMPARE(broken.error().jsonPath, std::string("$.launches[0]"));
        QCOMPARE(broken.error().line, std::optional(2));
    }
};

QTEST_APPLESS_MAIN(TestPlanText)
#include "tst_plan_text.moc"
