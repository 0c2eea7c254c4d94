// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/compile_options.h"

#include <QTest>

using namespace ptxwb;

namespace {

QStringList listed(const std::vector<std::string>& words)
{
    QStringList list;
    for (const auto& word : words) {
        list << QString::fromStdString(word);
    }
    return list;
}

std::vector<std::string> words(const QString& text)
{
    std::vector<std::string> made;
    for (const auto& word : text.split(' ', Qt::SkipEmptyParts)) {
        made.push_back(word.toStdString());
    }
    return made;
}

} // namespace

class TestCompileOptions : public QObject {
    Q_OBJECT
private slots:
    void buildComments_data();
    void buildComments();
    void buildCommentsChooseNoPrograms_data();
    void buildCommentsChooseNoPrograms();
    void ptxas_data();
    void ptxas();
    void ptxasRefuses_data();
    void ptxasRefuses();
    void nvcc();
    void nvccRefuses();
    void safeNames();
};

void TestCompileOptions::buildComments_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("none") << "// build -O1\n.version 8.0" << QStringList{};
    QTest::newRow("one") << "// @build -O1 -maxrregcount=64\n" << QStringList{"-O1", "-maxrregcount=64"};
    QTest::newRow("anywhere, several") << ".version 8.0\n  //@build -DX=1\nret;\n// @build -I inc -lineinfo"
                                       << QStringList{"-DX=1", "-I", "inc", "-lineinfo"};
    QTest::newRow("quotes") << "// @build -I \"my dir\" -DTEXT='a b' -DQ=\\\"x\\\""
                            << QStringList{"-I", "my dir", "-DTEXT=a b", "-DQ=\"x\""};
    QTest::newRow("CRLF") << "// @build -O1\r\nret;" << QStringList{"-O1"};
    QTest::newRow("only at the start of a comment") << "// see @build -O1" << QStringList{};
    QTest::newRow("another word") << "// @builder -O1" << QStringList{};
    QTest::newRow("empty") << "// @build" << QStringList{};
}

void TestCompileOptions::buildComments()
{
    QFETCH(QString, text);
    QFETCH(QStringList, options);
    const auto made = buildCommentOptions(text.toStdString());
    QVERIFY2(made, made ? "" : describe(made.error()).c_str());
    QCOMPARE(listed(*made), options);
}

void TestCompileOptions::buildCommentsChooseNoPrograms_data()
{
    QTest::addColumn<QString>("comment");
    QTest::newRow("host compiler") << "-ccbin ./evil";
    QTest::newRow("plugin") << "-Xcompiler -fplugin=evil.so";
    QTest::newRow("file of the machine") << "-include /etc/passwd";
    QTest::newRow("output") << "-o /tmp/x";
    QTest::newRow("another file") << "other.cu";
    QTest::newRow("options file") << "--options-file x";
    QTest::newRow("open quote") << "-D'x";
}

void TestCompileOptions::buildCommentsChooseNoPrograms()
{
    QFETCH(QString, comment);
    const auto made = buildCommentOptions("ret;\n// @build -O1 " + comment.toStdString());
    QVERIFY(!made);
    QVERIFY(made.error().code == ErrorCode::InvalidArgument);
    QCOMPARE(made.error().line.value_or(0), 2);
}

void TestCompileOptions::ptxas_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QStringList>("options");
    QTest::newRow("own spelling") << "-O1 -maxrregcount=32 -w"
                                  << QStringList{"-O1", "-maxrregcount=32", "-w"};
    QTest::newRow("unwrapped") << "-Xptxas -O1,-dlcm=cg --ptxas-options=-warn-spills"
                               << QStringList{"-O1", "-dlcm=cg", "-warn-spills"};
    QTest::newRow("debug") << "-G" << QStringList{"-g"};
    QTest::newRow("given anyway") << "-v -lineinfo --verbose -res-usage" << QStringList{};
    QTest::newRow("relocatable") << "-rdc=true" << QStringList{"-c"};
    QTest::newRow("unknown is for ptxas to judge") << "--bogus" << QStringList{"--bogus"};
}

void TestCompileOptions::ptxas()
{
    QFETCH(QString, given);
    QFETCH(QStringList, options);
    const auto made = ptxasOptions(words(given));
    QVERIFY2(made, made ? "" : describe(made.error()).c_str());
    QCOMPARE(listed(*made), options);
}

void TestCompileOptions::ptxasRefuses_data()
{
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("says");
    for (const char* option : {"-I inc", "-Iinc", "-DX", "-D X", "-UX", "-std=c++17", "-Xcompiler -O2",
             "-lcuda", "-L/x", "-use_fast_math", "-include x.h"}) {
        QTest::newRow(option) << option << "CUDA C++";
    }
    for (const char* option :
        {"-arch=sm_90", "-arch sm_90", "--gpu-name=sm_90", "-o x", "-gencode x", "-Xptxas -arch=sm_80"}) {
        QTest::newRow(option) << option << "set by the workbench";
    }
    for (const char* option : {"--help", "-h", "--version", "-V", "--list-arch", "-Xptxas --help"}) {
        QTest::newRow(option) << option << "compile nothing";
    }
    QTest::newRow("no value") << "-Xptxas"
                              << "needs a value";
}

void TestCompileOptions::ptxasRefuses()
{
    QFETCH(QString, given);
    QFETCH(QString, says);
    const auto made = ptxasOptions(words(given));
    QVERIFY(!made);
    QVERIFY(made.error().code == ErrorCode::InvalidArgument);
    QVERIFY2(QString::fromStdString(made.error().message).contains(says), made.error().message.c_str());
    QVERIFY(!made.error().hint.empty());
}

void TestCompileOptions::nvcc()
{
    const auto made = nvccOptions({"-I", "inc", "-I../up", "-I/abs", "-isystem", "sys", "-DX=1", "-std=c++20",
                                      "-O1", "-lineinfo", "-lfoo"},
        "/base/dir");
    QVERIFY(made);
    QCOMPARE(listed(*made),
        (QStringList{"-I", "/base/dir/inc", "-I", "/base/up", "-I", "/abs", "-isystem", "/base/dir/sys",
            "-DX=1", "-std=c++20", "-O1", "-lfoo"}));
}

void TestCompileOptions::nvccRefuses()
{
    for (const char* option :
        {"-arch=sm_90a", "-gencode", "-o", "--cubin", "-ptx", "-c", "--keep", "-E", "-shared", "-run"}) {
        QVERIFY2(!nvccOptions({option, "x"}, "/"), option);
    }
    QVERIFY(!nvccOptions({"-I"}, "/"));
}

void TestCompileOptions::safeNames()
{
    QVERIFY(isSafeForNvcc("/usr/local/cuda-13.0/include/a+b_c@d"));
    for (const char* name :
        {"/a b", "/a,b", "/a'b", "/a\"b", "/a$b", "/a\\b", "/a;b", "/a(b", "/a*b", "/ü", "/a\nb"}) {
        QVERIFY2(!isSafeForNvcc(name), name);
    }
}

QTEST_APPLESS_MAIN(TestCompileOptions)
#include "tst_compile_options.moc"
