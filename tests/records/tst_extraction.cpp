// SPDX-License-Identifier: Apache-2.0
#include "core/records/extraction.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::records;

namespace {

const std::string candidate =
    "#include <x.h>\n__global__ void k();\nTVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);";
const std::string module = ".version 8.0\n.target sm_90a\n.visible .entry k() { ret; }";

std::string fenced(const std::string& tag, const std::string& code)
{
    return "```" + tag + "\n" + code + "\n```\n";
}

} // namespace

class TestExtraction : public QObject {
    Q_OBJECT

private slots:
    void referenceTakesTheLastThatFits()
    {
        const auto found =
            extractByReference(fenced("cpp", candidate) + "then\n" + fenced("cpp", "int sketch;") + "end");
        QVERIFY(found);
        QCOMPARE(found->text, candidate + "\n");
        QCOMPARE(found->choice, std::string("last_valid_cpp"));
        QCOMPARE(found->firstLine, 2);
        QVERIFY(found->closed);
    }

    void referenceTakesTheLastWhenNoneFits()
    {
        const auto found = extractByReference(fenced("cpp", "int a;") + fenced("cpp", "int b;"));
        QVERIFY(found);
        QCOMPARE(found->text, std::string("int b;\n"));
        QCOMPARE(found->choice, std::string("last_cpp"));
    }

    void referenceTagIsExact_data()
    {
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("cuda") << QByteArray("```cuda\nint a;\n```");
        QTest::newRow("c++") << QByteArray("```c++\nint a;\n```");
        QTest::newRow("capital") << QByteArray("```CPP\nint a;\n```");
        QTest::newRow("blank behind") << QByteArray("```cpp \nint a;\n```");
        QTest::newRow("carriage return") << QByteArray("```cpp\r\nint a;\r\n```");
        QTest::newRow("empty block") << QByteArray("```cpp\n```");
        QTest::newRow("nothing") << QByteArray("");
    }
    void referenceTagIsExact()
    {
        QFETCH(QByteArray, message);
        QVERIFY(!extractByReference(message.toStdString()));
    }

    void referenceTakesAnOpenBlock()
    {
        const auto found = extractByReference("so:\n```cpp\nint a;\nint b");
        QVERIFY(found);
        QCOMPARE(found->text, std::string("int a;\nint b\n"));
        QVERIFY(!found->closed);
        QCOMPARE(found->firstLine, 3);
    }

    void referenceEndsAtTheFirstFence()
    {
        // A fence of another block ends an open one, and the next block is found.
        const auto found = extractByReference("```cpp\nint a;\n```cpp\nint b;\n```");
        QVERIFY(found);
        QCOMPARE(found->text, std::string("int b;\n"));
    }

    void commonMarkTags_data()
    {
        QTest::addColumn<QByteArray>("tag");
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<int>("language");
        const auto ptx = static_cast<int>(Language::Ptx);
        const auto cuda = static_cast<int>(Language::Cuda);
        QTest::newRow("ptx") << QByteArray("ptx") << QByteArray::fromStdString(module) << ptx;
        QTest::newRow("cuda") << QByteArray("cuda") << QByteArray("int a;") << cuda;
        QTest::newRow("cu") << QByteArray("cu") << QByteArray("int a;") << cuda;
        QTest::newRow("cpp") << QByteArray("cpp") << QByteArray("int a;") << cuda;
        QTest::newRow("c++") << QByteArray("c++") << QByteArray("int a;") << cuda;
        QTest::newRow("no tag, PTX") << QByteArray() << QByteArray::fromStdString(module) << ptx;
        QTest::newRow("no tag, CUDA") << QByteArray() << QByteArray("__global__ void k() {}") << cuda;
        QTest::newRow("cpp above PTX") << QByteArray("cpp") << QByteArray::fromStdString(module) << ptx;
    }
    void commonMarkTags()
    {
        QFETCH(QByteArray, tag);
        QFETCH(QByteArray, code);
        QFETCH(int, language);
        const auto found = extractByCommonMark(fenced(tag.toStdString(), code.toStdString()));
        QVERIFY(found);
        QCOMPARE(static_cast<int>(found->language), language);
        QCOMPARE(found->text, code.toStdString() + "\n");
        QCOMPARE(found->firstLine, 2);
    }

    void otherLanguagesAreNoCode()
    {
        QVERIFY(!extractByCommonMark(fenced("python", "import torch")));
        QVERIFY(!extractByCommonMark(fenced("bash", "nvcc k.cu")));
    }

    void bothRulesAreKept()
    {
        const auto both = extractCode({.text = fenced("cpp", candidate)});
        QCOMPARE(both.rule, std::string("reference"));
        QVERIFY(!both.differ);

        const auto differing =
            extractCode({.text = fenced("cpp", "void sketch();") + "\n" + fenced("ptx", module)});
        QCOMPARE(differing.rule, std::string("commonmark"));
        QVERIFY(differing.differ);
        QVERIFY(differing.reference && differing.commonMark);
        QCOMPARE(differing.code()->text, module + "\n");
    }

    void aTrajectoryIsReadByItsOwnRule()
    {
        Answer answer{.text = fenced("cpp", "void sketch();") + "\n" + fenced("ptx", module)};
        answer.recorded.emplace();
        QCOMPARE(extractCode(answer).rule, std::string("reference"));
    }

    void withoutCode_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("empty") << QByteArray("\n ") << QByteArray("empty");
        QTest::newRow("words") << QByteArray("Use a barrier.") << QByteArray("no code block is");
        QTest::newRow("python") << QByteArray("```python\nx\n```") << QByteArray("for PTX or CUDA");
    }
    void withoutCode()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, reason);
        const auto extraction = extractCode({.text = text.toStdString()});
        QCOMPARE(extraction.rule, std::string("none"));
        QVERIFY(extraction.code() == nullptr);
        QVERIFY2(QByteArray::fromStdString(extraction.reason).contains(reason), extraction.reason.c_str());
    }

    void aCodeFileIsTakenAsItIs()
    {
        const auto text = "```ptx\n" + module;
        const auto extraction = extractCode({.path = "k.ptx", .isCode = true, .text = text});
        QCOMPARE(extraction.rule, std::string("as_is"));
        QCOMPARE(extraction.code()->text, text);
        const auto machine = extractCode({.path = "k.ptx",
            .isCode = true,
            .text = std::string("\x7f"
                                "ELF")
                + std::string(60, '\0')});
        QVERIFY(machine.code() == nullptr || machine.rule == "as_is");
    }
};

QTEST_APPLESS_MAIN(TestExtraction)
#include "tst_extraction.moc"
