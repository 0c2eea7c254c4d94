// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/rename_symbol.h"
#include "core/ptx/symbols.h"

#include <QTest>

using namespace ptxwb;

namespace {

const std::string module = R"(.version 8.0
.target sm_90a
.address_size 64
.shared .align 1024 .b8 ring[4096];
.func (.reg .f32 %out) half(.reg .f32 %in)
{
    mul.f32 %out, %in, 0f3F000000;
    ret;
}
.visible .entry gemm(.param .u64 A, .param .u32 rows)
{
    .reg .pred %p, %q<3>;
    .reg .f32 %acc<128>;
    .reg .b32 %r;
    .shared .align 8 .b64 bar;
LOOP:
    mov.b32 %r, ring;
    {
        .reg .b32 %r;
        mov.b32 %r, bar;
    DONE:
        @%p bra DONE;
    }
    ld.param.u32 %r, [rows];
    add.f32 %acc7, %acc7, %acc8;
DONE:
    @!%q2 bra LOOP; // %r in a comment
    call (%acc1), half, (%acc2);
    bra DONE;
}
)";

// Byte offset of the n-th (from 0) `text`.
std::uint32_t place(const std::string& text, int n = 0)
{
    auto at = module.find(text);
    for (; n > 0; --n) {
        at = module.find(text, at + 1);
    }
    return static_cast<std::uint32_t>(at);
}

QString lines(const std::vector<TextRange>& places)
{
    QStringList all;
    for (const auto& one : places) {
        all << QStringLiteral("%1:%2").arg(one.line).arg(one.column);
    }
    return all.join(u' ');
}

} // namespace

class TestSymbols : public QObject {
    Q_OBJECT
private slots:
    void finds_data();
    void finds();
    void aCaretBehindTheNameCounts();
    void namesNothing();
    void brokenTextIsTolerated();
    void renames_data();
    void renames();
    void refusesToRename();
};

void TestSymbols::finds_data()
{
    QTest::addColumn<std::uint32_t>("offset");
    QTest::addColumn<QString>("declaredAs");
    QTest::addColumn<QString>("uses");
    QTest::newRow("register") << place("%r, ring") << ".reg .b32 %r"
                              << "14:15 17:13 24:18";
    QTest::newRow("register of a block") << place("%r, bar") << ".reg .b32 %r"
                                         << "19:19 20:17";
    QTest::newRow("its declaration") << place("%r;", 1) << ".reg .b32 %r"
                                     << "19:19 20:17";
    QTest::newRow("one of a series") << place("%acc7") << ".reg .f32 %acc<128>"
                                     << "13:15 25:13 25:20";
    QTest::newRow("a whole series") << place("%acc<") << ".reg .f32 %acc<128>"
                                    << "13:15 25:13 25:20 25:27 28:11 28:26";
    QTest::newRow("predicate of a list") << place("%q2") << ".reg .pred %q<3>"
                                         << "12:20 27:7";
    QTest::newRow("label") << place("LOOP;") << "LOOP:"
                           << "16:1 27:15";
    QTest::newRow("label of a block") << place("DONE;") << "DONE:"
                                      << "21:5 22:17";
    QTest::newRow("label outside the block") << place("DONE;", 1) << "DONE:"
                                             << "26:1 29:9";
    QTest::newRow("parameter") << place("rows]") << ".param .u32 rows"
                               << "10:49 24:23";
    QTest::newRow("shared of the function") << place("bar;") << ".shared .align 8 .b64 bar"
                                            << "15:27 20:21";
    QTest::newRow("shared of the module") << place("ring;") << ".shared .align 1024 .b8 ring[4096]"
                                          << "4:25 17:17";
    QTest::newRow("function") << place("half,") << ".func half"
                              << "5:24 28:19";
    QTest::newRow("parameter of a function") << place("%in, 0f") << ".reg .f32 %in"
                                             << "5:39 7:19";
}

void TestSymbols::finds()
{
    QFETCH(std::uint32_t, offset);
    const auto found = ptxSymbolAt(module, offset);
    QVERIFY(found);
    QTEST(QString::fromStdString(found->declaredAs), "declaredAs");
    QTEST(lines(found->uses), "uses");
    QVERIFY(std::any_of(found->uses.begin(), found->uses.end(), [&](const TextRange& one) {
        return one.line == found->declaration.line && one.column == found->declaration.column;
    }));
}

void TestSymbols::aCaretBehindTheNameCounts()
{
    const auto found = ptxSymbolAt(module, place("%acc7,") + 5);
    QVERIFY(found);
    QCOMPARE(found->name, std::string("%acc7"));
    QVERIFY(found->isOfSeries);
    QCOMPARE(ptxSymbolAt(module, place("LOOP;") + 4)->kind, PtxSymbolKind::Label);
}

void TestSymbols::namesNothing()
{
    for (const char* text : {"mov.b32", ".visible", "0f3F", "comment", "8.0"}) {
        QVERIFY2(!ptxSymbolAt(module, place(text)), text);
    }
    QVERIFY(!ptxSymbolAt(module, 1U << 30U));
    QVERIFY(!ptxSymbolAt("", 0));
}

void TestSymbols::brokenTextIsTolerated()
{
    for (std::size_t cut = 0; cut < module.size(); ++cut) {
        const auto part = std::string_view(module).substr(0, cut);
        for (const auto offset : {place("%r, ring"), place("DONE;"), place("rows]"), place("half,")}) {
            const auto found = ptxSymbolAt(part, offset);
            QVERIFY(!found || !found->uses.empty());
        }
    }
}

void TestSymbols::renames_data()
{
    QTest::addColumn<std::uint32_t>("offset");
    QTest::addColumn<QString>("newName");
    QTest::addColumn<QStringList>("pairs"); // what is replaced, in order of the text
    QTest::newRow("register of the function") << place(
        "%r, ring") << "%sum" << QStringList{".b32 %r;|.b32 %sum;", "%r, ring|%sum, ring", "%r, [|%sum, ["};
    QTest::newRow("register of the block")
        << place("%r, bar") << "%inner"
        << QStringList{
               "  .reg .b32 %r;\n        mov|  .reg .b32 %inner;\n        mov", "%r, bar|%inner, bar"};
    QTest::newRow("series by one of its registers")
        << place("%acc8") << "%f"
        << QStringList{"%acc<|%f<", "%acc7, %acc7, %acc8|%f7, %f7, %f8", "(%acc1)|(%f1)", "(%acc2)|(%f2)"};
    QTest::newRow("label of the block")
        << place("DONE;") << "NEAR" << QStringList{"    DONE:|    NEAR:", "DONE;\n    }|NEAR;\n    }"};
    QTest::newRow("function") << place("half,") << "middle" << QStringList{"half(|middle(", "half,|middle,"};
}

void TestSymbols::renames()
{
    QFETCH(std::uint32_t, offset);
    QFETCH(QString, newName);
    QFETCH(QStringList, pairs);
    auto expected = QString::fromStdString(module);
    for (const auto& pair : pairs) {
        const auto parts = pair.split(u'|');
        const auto at = expected.indexOf(parts[0]);
        QVERIFY2(at >= 0, qPrintable(parts[0]));
        expected.replace(at, parts[0].size(), parts[1]);
    }
    const auto renamed = renamePtxSymbol(module, offset, newName.toStdString());
    QVERIFY(renamed);
    QCOMPARE(QString::fromStdString(*renamed), expected);
}

void TestSymbols::refusesToRename()
{
    QCOMPARE(renamePtxSymbol(module, place("mov.b32"), "x").error().code, ErrorCode::NotFound);
    for (const char* name : {"", "9", "%", "a b", "a-b", "%r.x"}) {
        QCOMPARE(renamePtxSymbol(module, place("LOOP;"), name).error().code, ErrorCode::InvalidArgument);
    }
    for (const char* name : {"%p", "%acc5", "%q", "DONE", "ring", "half", "gemm"}) {
        QVERIFY2(!renamePtxSymbol(module, place("%r, ring"), name), name);
    }
    QVERIFY(renamePtxSymbol(module, place("%r, ring"), "%out")); // of another function
    QCOMPARE(*renamePtxSymbol(module, place("LOOP;"), "LOOP"), module);
}

QTEST_MAIN(TestSymbols)
#include "tst_symbols.moc"
