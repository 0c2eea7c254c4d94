// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/lexer.h"

#include "core/ptx/vocabulary.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>

using namespace ptxwb;

namespace {

std::string readAll(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

std::vector<std::pair<QString, std::string>> samples()
{
    std::vector<std::pair<QString, std::string>> found;
    for (const auto* folder : {PTXWB_TEST_DATA "/ptxas"}) {
        const QDir directory(folder);
        for (const auto& name : directory.entryList({"*.ptx"})) {
            found.emplace_back(name, readAll(directory.filePath(name)));
        }
    }
    found.emplace_back("kernel", R"(.version 8.0
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 smem[];
.visible .entry k(.param .u64 p, .param .align 64 .b8 map[128]) .maxntid 128, 1, 1
{
    .reg .pred %p<2>;   // Größe ≤ 4
    .reg .f32 %f<4>;
L: @!%p1 bra L;
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%rd1], 0;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1,
        %f2, %f3}, %rd1, %rd2, p, 1, 1, 0, 0;
    mov.f32 %f1, 0f3F800000; /* two
    lines */ add.f32 %f1, %f1, -1.5e-3;
    .loc 1 5 3
    ret;
}
.global .u32 table[4] = { 1, 0x2, k, k };
)");
    return found;
}

void checkLossless(const std::string& text)
{
    std::size_t at = 0;
    std::uint32_t line = 1;
    for (const auto& token : lexPtx(text)) {
        QCOMPARE(static_cast<std::size_t>(token.offset), at);
        QVERIFY(token.length > 0);
        QVERIFY(token.line >= line);
        QVERIFY(token.column >= 1);
        at += token.length;
        line = token.line;
    }
    QCOMPARE(at, text.size());
}

// "kind text" of every token that is no blank.
QStringList kindsOf(const std::string& text)
{
    static const char* const names[] = {"blank", "end", "line-comment", "block-comment", "directive",
        "opcode", "modifier", "type", "register", "special", "name", "predicate", "number", "string", "mark",
        "marker", "non-ascii", "unknown"};
    QStringList kinds;
    for (const auto& token : lexPtx(text)) {
        if (token.kind != TokenKind::Whitespace && token.kind != TokenKind::LineEnd) {
            kinds << QString::fromLatin1(names[static_cast<int>(token.kind)]) + ' '
                    + QString::fromStdString(std::string(token.text(text)));
        }
    }
    return kinds;
}

} // namespace

class TestLexer : public QObject {
    Q_OBJECT
private slots:
    void losesNothing();
    void losesNothingWhenCutAtEveryByte();
    void everyByteValueIsAToken();
    void kinds_data();
    void kinds();
    void opcodeRoots_data();
    void opcodeRoots();
    void countsLinesLikeAnEditor();
    void columnsCountCodePoints();
    void goesOnFromEveryLine();
    void aMissingSemicolonDoesNotSpoilTheNextFunction();
    void oneHugeLine();
};

void TestLexer::losesNothing()
{
    for (const auto& [name, text] : samples()) {
        checkLossless(text);
    }
    checkLossless("");
}

void TestLexer::losesNothingWhenCutAtEveryByte()
{
    for (const auto& [name, text] : samples()) {
        for (std::size_t length = 0; length <= text.size(); ++length) {
            checkLossless(text.substr(0, length));
            checkLossless(text.substr(length));
        }
    }
}

void TestLexer::everyByteValueIsAToken()
{
    std::string text;
    for (int round = 0; round < 3; ++round) {
        for (int byte = 0; byte < 256; ++byte) {
            text += static_cast<char>(round == 1 ? 255 - byte : byte);
            text += round == 2 ? " mov.u32 " : "";
        }
    }
    checkLossless(text);
}

void TestLexer::kinds_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("instruction") << "add.s32 %r1, %r2, -5;"
                                 << QStringList{"opcode add", "type .s32", "register %r1", "mark ,",
                                        "register %r2", "mark ,", "mark -", "number 5", "mark ;"};
    QTest::newRow("predicate") << "@!%p1 bra DONE;"
                               << QStringList{
                                      "predicate @!", "register %p1", "opcode bra", "name DONE", "mark ;"};
    QTest::newRow("named predicate") << "@p ret;"
                                     << QStringList{"predicate @", "name p", "opcode ret", "mark ;"};
    QTest::newRow("label") << "L_1: ret;" << QStringList{"name L_1", "mark :", "opcode ret", "mark ;"};
    QTest::newRow("two statements") << "ret; bar.sync 0;"
                                    << QStringList{
                                           "opcode ret", "mark ;", "opcode bar.sync", "number 0", "mark ;"};
    QTest::newRow("modifier with colons")
        << "ld.shared::cluster.b32 %r1, [a];"
        << QStringList{"opcode ld", "modifier .shared::cluster", "type .b32", "register %r1", "mark ,",
               "mark [", "name a", "mark ]", "mark ;"};
    QTest::newRow("register declaration") << ".reg .b32 %r<10>;"
                                          << QStringList{"directive .reg", "type .b32", "register %r",
                                                 "mark <", "number 10", "mark >", "mark ;"};
    QTest::newRow("special registers")
        << "mov.u32 a, %tid.x; mov.u64 b, %envreg7;"
        << QStringList{"opcode mov", "type .u32", "name a", "mark ,", "special %tid.x", "mark ;",
               "opcode mov", "type .u64", "name b", "mark ,", "special %envreg7", "mark ;"};
    QTest::newRow("line directives end with their line")
        << ".version 8.0\n.target sm_90a\n.loc 1 2 3\nret;"
        << QStringList{"directive .version", "number 8.0", "directive .target", "name sm_90a",
               "directive .loc", "number 1", "number 2", "number 3", "opcode ret", "mark ;"};
    QTest::newRow("initialiser holds no opcode")
        << ".global .u32 t[2] = { f, g };ret;"
        << QStringList{"directive .global", "type .u32", "name t", "mark [", "number 2", "mark ]",
               "mark =", "mark {", "name f", "mark ,", "name g", "mark }", "mark ;", "opcode ret", "mark ;"};
    QTest::newRow("numbers") << "mov.f32 a, 0f3F800000; mov.f64 b, 1.5e-3; mov.u32 c, 0x1FU;"
                             << QStringList{"opcode mov", "type .f32", "name a", "mark ,",
                                    "number 0f3F800000", "mark ;", "opcode mov", "type .f64", "name b",
                                    "mark ,", "number 1.5e-3", "mark ;", "opcode mov", "type .u32", "name c",
                                    "mark ,", "number 0x1FU", "mark ;"};
    QTest::newRow("sink") << "mbarrier.arrive.b64 _, [a];"
                          << QStringList{"opcode mbarrier.arrive", "type .b64", "mark _", "mark ,", "mark [",
                                 "name a", "mark ]", "mark ;"};
    QTest::newRow("comment hides code")
        << "// ret;\n/* bra */ ret;"
        << QStringList{"line-comment // ret;", "block-comment /* bra */", "opcode ret", "mark ;"};
    QTest::newRow("string and marker")
        << "# 1 \"a.cu\"\n.file 1 \"a b.cu\""
        << QStringList{"marker # 1 \"a.cu\"", "directive .file", "number 1", "string \"a b.cu\""};
    QTest::newRow("non-ASCII outside comments")
        << QString::fromUtf8("mov.u32 a, “1”;")
        << QStringList{"opcode mov", "type .u32", "name a", "mark ,", QString::fromUtf8("non-ascii “"),
               "number 1", QString::fromUtf8("non-ascii ”"), "mark ;"};
    QTest::newRow("dwarf") << "@@dwarf .byte 1\nret;"
                           << QStringList{
                                  "directive @@dwarf", "directive .byte", "number 1", "opcode ret", "mark ;"};
    QTest::newRow("weak is a modifier too")
        << "ld.weak.global.u32 a, [b];"
        << QStringList{"opcode ld", "modifier .weak", "modifier .global", "type .u32", "name a", "mark ,",
               "mark [", "name b", "mark ]", "mark ;"};
}

void TestLexer::kinds()
{
    QFETCH(QString, text);
    QFETCH(QStringList, expected);
    QCOMPARE(kindsOf(text.toStdString()), expected);
}

void TestLexer::opcodeRoots_data()
{
    QTest::addColumn<QString>("opcode");
    QTest::addColumn<QString>("root");
    QTest::newRow("simple") << "mov.u32"
                            << "mov";
    QTest::newRow("alone") << "ret"
                           << "ret";
    QTest::newRow("wgmma") << "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16"
                           << "wgmma.mma_async";
    QTest::newRow("sparse wgmma") << "wgmma.mma_async.sp.sync.aligned"
                                  << "wgmma.mma_async.sp";
    QTest::newRow("tensor copy") << "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                                 << "cp.async.bulk.tensor";
    QTest::newRow("bulk copy") << "cp.async.bulk.shared::cluster.global"
                               << "cp.async.bulk";
    QTest::newRow("old copy") << "cp.async.cg.shared.global"
                              << "cp.async";
    QTest::newRow("part of a part is no root") << "cp.async.bulkx"
                                               << "cp.async";
    QTest::newRow("state space is no root") << "ld.global.nc.f32"
                                            << "ld";
    QTest::newRow("unknown") << "frobnicate.sync.f32"
                             << "frobnicate";
}

void TestLexer::opcodeRoots()
{
    QFETCH(QString, opcode);
    QFETCH(QString, root);
    const auto text = opcode.toStdString();
    QCOMPARE(QString::fromStdString(text.substr(0, opcodeRootLength(text))), root);
}

void TestLexer::countsLinesLikeAnEditor()
{
    const std::string text = "a\nb\r\nc\rd/* 1\n2\r\n3\r4 */e";
    QList<int> lines;
    for (const auto& token : lexPtx(text)) {
        if (token.kind == TokenKind::Opcode || token.kind == TokenKind::Identifier) {
            lines << static_cast<int>(token.line);
        }
    }
    QCOMPARE(lines, (QList<int>{1, 2, 3, 4, 7}));
}

void TestLexer::columnsCountCodePoints()
{
    const std::string text = "\t/* Größe 😀 */ ret; x\xCC\x81";
    for (const auto& token : lexPtx(text)) {
        if (token.kind == TokenKind::Opcode && token.text(text) == "ret") {
            QCOMPARE(token.column, 16U); // a tab is one column, an emoji too
        }
    }
    QCOMPARE(lexPtx(text).back().column, 22U);
}

void TestLexer::goesOnFromEveryLine()
{
    // Lexing line by line with the state handed on gives the same classes as lexing the whole.
    for (const auto& [name, text] : samples()) {
        std::vector<std::pair<std::size_t, TokenKind>> whole; // by byte
        for (const auto& token : lexPtx(text)) {
            whole.insert(whole.end(), token.length, {0, token.kind});
        }
        std::vector<TokenKind> pieces;
        LineState state = LineState::Code;
        for (std::size_t at = 0; at < text.size();) {
            const auto end = std::min(text.find('\n', at), text.size() - 1) + 1;
            for (const auto& token : lexPtx(std::string_view(text).substr(at, end - at), state, &state)) {
                pieces.insert(pieces.end(), token.length, token.kind);
            }
            at = end;
        }
        QCOMPARE(pieces.size(), whole.size());
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            QVERIFY2(pieces[i] == whole[i].second,
                qPrintable(QString("%1 byte %2: %3")
                               .arg(name)
                               .arg(i)
                               .arg(QString::fromStdString(text.substr(i, 20)))));
        }
    }
}

void TestLexer::aMissingSemicolonDoesNotSpoilTheNextFunction()
{
    const auto kinds =
        kindsOf(".entry a() { ret }\n.visible .entry b() { mov.u32 x, 1 \n.visible .entry c() { exit; }");
    QVERIFY(kinds.contains("directive .entry"));
    QCOMPARE(kinds.count("directive .entry"), 3);
    QCOMPARE(kinds.filter("opcode ").size(), 3);
}

void TestLexer::oneHugeLine()
{
    std::string text;
    while (text.size() < 5'000'000) {
        text += "add.s32 %r1, %r2, %r3; ";
    }
    const auto tokens = lexPtx(text);
    QCOMPARE(tokens.back().line, 1U);
    QCOMPARE(static_cast<std::size_t>(tokens.back().column), text.size());
    checkLossless(std::string(5'000'000, '.'));
    checkLossless("a" + std::string(5'000'000, '.') + "b");
}

QTEST_APPLESS_MAIN(TestLexer)
#include "tst_lexer.moc"
