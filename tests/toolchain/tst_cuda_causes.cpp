// SPDX-License-Identifier: Apache-2.0
// What nvcc says of CUDA C++, explained from the text alone.
#include "core/toolchain/causes.h"
#include "core/toolchain/cuda_causes.h"
#include "toolchain_test.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

Diagnostic said(const std::string& message, int line, int column)
{
    return {.message = message, .file = "k.cu", .line = line, .column = column, .tool = "nvcc"};
}

const std::string text = "__global__ void k(int* p)\n{\n    int a = p[0]\n    p[1] = a;\n    p[2] = a; }\n";

} // namespace

class TestCudaCauses : public QObject {
    Q_OBJECT

private slots:
    void semicolonOnTheLineBefore()
    {
        std::vector<Diagnostic> all{said("expected a \";\"", 4, 5)};
        detail::explainCudaErrors(all, text, "k.cu");
        QVERIFY(all[0].explanation.value_or("").starts_with("Line 3 does not end with ';', so"));
        QCOMPARE(all[0].fixes.size(), std::size_t{1});
        const auto mended = applyFix(text, all[0].fixes[0]);
        QVERIFY(mended.find("p[0];\n") != std::string::npos);
    }

    void otherWordsForTheSame()
    {
        std::vector<Diagnostic> all{said("expected an identifier", 4, 5)};
        detail::explainCudaErrors(all, text, "k.cu");
        QVERIFY(all[0].explanation.value_or("").find("if its statement is complete") != std::string::npos);
    }

    void semicolonWithinTheLine()
    {
        std::vector<Diagnostic> all{said("expected a \";\"", 5, 15)};
        detail::explainCudaErrors(all, text, "k.cu");
        QCOMPARE(all[0].explanation.value_or(""),
            std::string("The statement before this place does not end with ';'."));
        QVERIFY(all[0].fixes.empty());
    }

    void bytesThatAreNoCode()
    {
        std::vector<Diagnostic> all{said("unrecognized token", 3, 9)};
        detail::explainCudaErrors(all, text, "k.cu");
        QVERIFY(all[0].explanation.value_or("").find("no part of C++") != std::string::npos);
    }

    void silentWhereItKnowsNothing_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("message");
        QTest::newRow("another file") << "header.h" << 4 << "expected a \";\"";
        QTest::newRow("a line behind the end") << "k.cu" << 400 << "expected a \";\"";
        QTest::newRow("line 0") << "k.cu" << 0 << "expected a \";\"";
        QTest::newRow("the line above ends well") << "k.cu" << 5 << "identifier \"q\" is undefined";
    }

    void silentWhereItKnowsNothing()
    {
        QFETCH(QString, file);
        QFETCH(int, line);
        QFETCH(QString, message);
        std::vector<Diagnostic> all{said(message.toStdString(), line, 5)};
        all[0].file = file.toStdString();
        detail::explainCudaErrors(all, text, "k.cu");
        QVERIFY(!all[0].explanation && all[0].fixes.empty());
    }

    void everyTruncationIsSafe()
    {
        for (std::size_t length = 0; length <= text.size(); ++length) {
            const auto part = text.substr(0, length);
            for (int line = 0; line <= 7; ++line) {
                std::vector<Diagnostic> all{
                    said("expected a \";\"", line, 5), said("unrecognized token", line, 1)};
                detail::explainCudaErrors(all, part, "k.cu");
                for (const auto& fix : all[0].fixes) {
                    applyFix(part, fix);
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestCudaCauses)
#include "tst_cuda_causes.moc"
