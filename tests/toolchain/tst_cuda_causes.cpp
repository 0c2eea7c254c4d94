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

    // A byte that is no text, behind a whole statement: nvcc misses a ';' in the next line.
    void foldsWhatFollowsFromAToken()
    {
        const std::string whole = "void f(int* p)\n{\n    *p = 1; \xFF\n}\n";
        std::vector<Diagnostic> all{said("unrecognized token", 3, 13), said("expected a \";\"", 4, 1)};
        all[0].group = 1;
        all[1].group = 2;
        detail::explainCudaErrors(all, whole, "k.cu");
        QVERIFY(all[0].rootCause && !all[1].rootCause);
        QCOMPARE(all[1].group, 1);
        QCOMPARE(all[0].fixes.size(), std::size_t{1});

        const std::string open = "void f(int* p)\n{\n    *p = 1 \xFF\n}\n"; // its ';' is missing too
        all = {said("unrecognized token", 3, 12), said("expected a \";\"", 4, 1)};
        all[0].group = 1;
        all[1].group = 2;
        detail::explainCudaErrors(all, open, "k.cu");
        QVERIFY(all[1].rootCause);
    }

    void commentThatIsNeverClosed()
    {
        const std::string open = "void f(int* p)\n{\n    /* the loop\n       of it\n    *p = 1;\n}\n";
        std::vector<Diagnostic> all{said("unterminated comment", 3, 5)};
        all[0].tool = "gcc";
        detail::explainCudaErrors(all, open, "k.cu");
        QVERIFY(all[0].explanation.value_or("").starts_with("No */ follows"));
        QCOMPARE(all[0].fixes.size(), std::size_t{1});
        QVERIFY(applyFix(open, all[0].fixes[0]).find("of it */\n    *p") != std::string::npos);
    }

    void constraintOfAnotherSize_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<int>("column");
        QTest::addColumn<QByteArray>("mended"); // empty: no fix
        const QByteArray words = "asm operand type size(%1) does not match type/size implied by constraint ";
        const auto size = [&](const char* bytes, const char* letter) {
            return QByteArray(words).replace("%1", bytes) + letter;
        };
        QTest::newRow("float as double")
            << QByteArray(R"(asm("add.f32 %0, %1, %2;" : "=f"(d) : "d"(x), "f"(y));)") << size("4", "'d'")
            << 39 << QByteArray(R"(asm("add.f32 %0, %1, %2;" : "=f"(d) : "f"(x), "f"(y));)");
        QTest::newRow("literal of a double")
            << QByteArray(R"(/* Ã© */ asm("st.f32 [%0], %1;" :: "l"(r), "f"(1.0));)") << size("8", "'f'")
            << 43 << QByteArray(R"(/* Ã© */ asm("st.f32 [%0], %1;" :: "l"(r), "f"(1.0f));)");
        QTest::newRow("variable of a double") << QByteArray(R"(asm("st.f32 [%0], %1;" :: "l"(r), "f"(x));)")
                                              << size("8", "'f'") << 35 << QByteArray();
        QTest::newRow("float as integer")
            << QByteArray(R"(asm("ld.f32 %0, [%1];" : "=r"(d) : "l"(p));)") << size("4", "'r'") << 27
            << QByteArray(R"(asm("ld.f32 %0, [%1];" : "=f"(d) : "l"(p));)");
        QTest::newRow("integer as float")
            << QByteArray(R"(asm("st.b32 [%0], %1;" :: "l"(p), "f"(n));)") << size("4", "'f'") << 35
            << QByteArray(R"(asm("st.b32 [%0], %1;" :: "l"(p), "r"(n));)");
        QTest::newRow("double as integer")
            << QByteArray(R"(asm("st.f64 [%0], %1;" :: "l"(p), "l"(x));)") << size("8", "'l'") << 35
            << QByteArray(R"(asm("st.f64 [%0], %1;" :: "l"(p), "d"(x));)");
        QTest::newRow("pointer in 32 bits") << QByteArray(R"(asm("ld.b32 %0, [%1];" : "=r"(d) : "r"(p));)")
                                            << size("8", "'r'") << 39 << QByteArray();
    }

    void constraintOfAnotherSize()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, message);
        QFETCH(int, column);
        QFETCH(QByteArray, mended);
        line.replace("\\xC3\\xA9", "\xC3\xA9");
        mended.replace("\\xC3\\xA9", "\xC3\xA9");
        std::vector<Diagnostic> all{said(message.toStdString(), 1, column)};
        detail::explainCudaErrors(all, line.toStdString() + "\n", "k.cu");
        QVERIFY(all[0].explanation.value_or("").find("a .b64") != std::string::npos);
        QCOMPARE(all[0].fixes.empty(), mended.isEmpty());
        if (!mended.isEmpty()) {
            QCOMPARE(QByteArray::fromStdString(applyFix(line.toStdString() + "\n", all[0].fixes[0])),
                mended + '\n');
            QVERIFY(!all[0].fixes[0].tried);
        }
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
