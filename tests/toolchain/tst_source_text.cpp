// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/source_text.h"

#include "core/toolchain/causes.h"

#include "tests/toolchain/toolchain_test.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;

class TestSourceText : public QObject {
    Q_OBJECT
private slots:
    void refuses_data();
    void refuses();
    void keepsTheBytes_data();
    void keepsTheBytes();
    void languages_data();
    void languages();
};

void TestSourceText::refuses_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << QByteArray() << "empty";
    QTest::newRow("blanks") << QByteArray(" \n\t\r\n") << "blanks";
    QTest::newRow("mark only") << QByteArray("\xEF\xBB\xBF") << "empty";
    QTest::newRow("UTF-16 little endian") << QByteArray("\xFF\xFE.\0v\0", 6) << "UTF-16";
    QTest::newRow("UTF-16 big endian") << QByteArray("\xFE\xFF\0.\0v", 6) << "UTF-16";
    QTest::newRow("UTF-16 without mark")
        << QByteArray(".\0v\0e\0r\0s\0i\0o\0n\0 \0008\0.\0000\0", 24) << "UTF-16";
    QTest::newRow("binary") << QByteArray("\x7F"
                                          "ELF\2\1\1\0\0\0abc",
        13) << "binary";
    QTest::newRow("every second byte") << QByteArray("a\0\0b\0\0c\0\0d\0\0", 12) << "binary";
    QTest::newRow("control characters") << QByteArray(".version 8.0\0\1\2", 15) << "binary";
}

void TestSourceText::refuses()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    const auto made = detail::prepareSource(bytes.toStdString(), "k.ptx", "PTX");
    QVERIFY(!made.usable);
    const auto& said = made.diagnostics.back();
    QVERIFY(said.severity == Severity::Fatal);
    QCOMPARE(said.file, std::string("k.ptx"));
    QCOMPARE(said.tool, std::string("ptxwb"));
    QVERIFY2(QString::fromStdString(said.message).contains(says), said.message.c_str());
    QVERIFY(said.explanation.has_value());
}

void TestSourceText::keepsTheBytes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("notes");
    QTest::newRow("plain") << QByteArray("ret;\n") << QByteArray("ret;\n") << 0;
    QTest::newRow("CRLF stays") << QByteArray("a\r\nb\r\n") << QByteArray("a\r\nb\r\n") << 0;
    QTest::newRow("UTF-8 stays") << QByteArray("// \xC3\xBC\n") << QByteArray("// \xC3\xBC\n") << 0;
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBFret;") << QByteArray("\xEF\xBB\xBFret;") << 0;
    QTest::newRow("one NUL of NVRTC") << QByteArray("ret;\n\0", 6) << QByteArray("ret;\n\0", 6) << 0;
    QTest::newRow("many NULs at the end")
        << QByteArray("ret;\0\0\0\0\0\0\0\0", 12) << QByteArray("ret;\0\0\0\0\0\0\0\0", 12) << 0;
    QTest::newRow("NUL inside") << QByteArray(".version\0 8.0", 13) << QByteArray(".version\0 8.0", 13) << 0;
    QTest::newRow("lone carriage returns") << QByteArray("a\rb\r\nc\r") << QByteArray("a\rb\r\nc\r") << 0;
    QTest::newRow("all three") << QByteArray("\xEF\xBB\xBF"
                                             "a\rb\0",
        7)
                               << QByteArray("\xEF\xBB\xBF"
                                             "a\rb\0",
                                      7)
                               << 0;
}

void TestSourceText::keepsTheBytes()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    QFETCH(int, notes);
    const auto made = detail::prepareSource(bytes.toStdString(), "k.ptx", "PTX");
    QVERIFY(made.usable);
    QCOMPARE(QByteArray::fromStdString(made.text), text);
    QCOMPARE(static_cast<int>(made.diagnostics.size()), notes);
    for (const auto& said : made.diagnostics) {
        QVERIFY(said.severity == Severity::Info);
    }
    const auto returns = detail::prepareSource("a\rb", "k.cu", "CUDA C++");
    QCOMPARE(returns.text, std::string("a\rb"));
    QCOMPARE(returns.diagnostics.size(), std::size_t{1});
    // nvcc passes over both: a note each, which takes them out.
    const std::string bytes8("\xEF\xBB\xBFx\0", 5);
    const auto cuda = detail::prepareSource(bytes8, "k.cu", "CUDA C++");
    QCOMPARE(cuda.text, bytes8);
    QCOMPARE(cuda.diagnostics.size(), std::size_t{2});
    QCOMPARE(applyFirstFixes(bytes8, cuda.diagnostics).text, std::string("x"));
}

void TestSourceText::languages_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("language"); // empty: an error
    QByteArray cubin("\x7F"
                     "ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\276\0",
        20);
    QByteArray hostElf("\x7F"
                       "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\76\0",
        20);
    QTest::newRow("ptx") << "a.ptx" << QByteArray("") << "ptx";
    QTest::newRow("cu") << "a.cu" << QByteArray("") << "cuda";
    QTest::newRow("cubin") << "a.cubin" << cubin << "cubin";
    QTest::newRow("cubin by content") << "-" << cubin << "cubin";
    QTest::newRow("cubin named ptx") << "a.ptx" << cubin << "cubin";
    QTest::newRow("named cubin") << "a.cubin" << QByteArray("text") << "";
    QTest::newRow("shared object") << "a.so" << hostElf << "";
    QTest::newRow("stdin ptx") << "-" << QByteArray("\n// hello\n/* x */ .version 8.0\n") << "ptx";
    QTest::newRow("stdin ptx with mark") << "-" << QByteArray("\xEF\xBB\xBF.version 8.0\n") << "ptx";
    QTest::newRow("stdin cuda") << "-" << QByteArray("#include <cstdint>\n__global__ void k() {}\n")
                                << "cuda";
    QTest::newRow("stdin empty") << "-" << QByteArray() << "ptx";
    QTest::newRow("text") << "notes.txt" << QByteArray("dear diary") << "";
}

void TestSourceText::languages()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, language);
    const auto made = languageOf(name.toStdString(), content.toStdString());
    QCOMPARE(made ? QString::fromStdString(std::string(languageName(*made))) : QString(), language);
    if (!made) {
        QVERIFY(!made.error().hint.empty());
    }
}

QTEST_APPLESS_MAIN(TestSourceText)
#include "tst_source_text.moc"
