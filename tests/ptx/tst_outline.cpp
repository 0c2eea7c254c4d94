// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/outline.h"

#include <QDir>
#include <QFile>
#include <QTest>

using namespace ptxwb;

namespace {

const std::string kernel = R"(// Größe
.version 8.0
.target sm_90a, texmode_independent
.address_size 64
.extern .shared .align 1024 .b8 dynamic[];
.shared .align 8 .b64 bars[2*4], flag;
.extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 args);
.func (.reg .f32 %out) half(.reg .f32 %in)
{
    mul.f32 %out, %in, 0f3F000000;
    ret;
}
.visible .entry gemm(
    .param .u64 .ptr .global .align 16 A,
    .param .align 64 .b8 mapB[128],
    .param .u32 M
)
.maxntid 384, 1, 1
.minnctapersm 1
{
    .reg .pred p;
    .shared .align 128 .b8 tile[64][32];
    .shared .f32x2 pair;
LOOP:
    { .reg .b32 %t; mov.b32 %t, 1; }
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1,
        %f2, %f3}, %rd1, %rd2, p, 1, 1, 0, 0;
    @p bra LOOP;
    ret;
}
)";

const PtxFunction* named(const PtxOutline& outline, const std::string& name)
{
    for (const auto& function : outline.functions) {
        if (function.name == name) {
            return &function;
        }
    }
    return nullptr;
}

} // namespace

class TestOutline : public QObject {
    Q_OBJECT
private slots:
    void header();
    void functionsAndTheirParameters();
    void sharedArrays();
    void instructionsAndLabels();
    void ranges();
    void brokenText();
    void neverFailsOnACutText();
    void linesOfMixedEnds();
};

void TestOutline::header()
{
    const auto outline = outlinePtx(kernel);
    QCOMPARE(outline.version.value_or(""), std::string("8.0"));
    QCOMPARE(outline.target.value_or(""), std::string("sm_90a"));
    QCOMPARE(outline.addressSize.value_or(0), 64);
    QCOMPARE(outline.versionRange.line, 2);
    QCOMPARE(outline.targetRange.line, 3);
    QCOMPARE(outline.targetRange.column, 9);
    QCOMPARE(outline.targetRange.endColumn, 15);
    QVERIFY(outline.hasNonAscii);
    QVERIFY(!outlinePtx(".version 8.0").hasNonAscii);
    QVERIFY(!outlinePtx("").version);
    QVERIFY(!outlinePtx(".version\n.target sm_90").version);
    QCOMPARE(outlinePtx(".version 8.0\n.version 7.0").version.value_or(""), std::string("8.0"));
}

void TestOutline::functionsAndTheirParameters()
{
    const auto outline = outlinePtx(kernel);
    QCOMPARE(outline.functions.size(), std::size_t{2}); // a prototype is none
    const auto* half = named(outline, "half");
    QVERIFY(half != nullptr && !half->isEntry);
    QCOMPARE(half->parameters.size(), std::size_t{1});
    QCOMPARE(half->parameters[0].name, std::string("%in"));
    const auto* gemm = named(outline, "gemm");
    QVERIFY(gemm != nullptr && gemm->isEntry);
    QCOMPARE(gemm->parameters.size(), std::size_t{3});
    QCOMPARE(gemm->parameters[0].name, std::string("A"));
    QCOMPARE(gemm->parameters[0].type, std::string(".u64")); // the alignment is that of the memory
    QCOMPARE(gemm->parameters[1].name, std::string("mapB"));
    QCOMPARE(gemm->parameters[1].type, std::string(".align 64 .b8[128]"));
    QCOMPARE(gemm->parameters[2].type, std::string(".u32"));
    QCOMPARE(gemm->parameters[2].range.line, 16);
}

void TestOutline::sharedArrays()
{
    const auto outline = outlinePtx(kernel);
    QCOMPARE(outline.sharedArrays.size(), std::size_t{3});
    QCOMPARE(outline.sharedArrays[0].name, std::string("dynamic"));
    QVERIFY(outline.sharedArrays[0].isExtern);
    QCOMPARE(outline.sharedArrays[0].bytes, std::uint64_t{0});
    QCOMPARE(outline.sharedArrays[0].alignment, 1024);
    QCOMPARE(outline.sharedArrays[1].name, std::string("bars"));
    QCOMPARE(outline.sharedArrays[1].bytes, std::uint64_t{64});
    QCOMPARE(outline.sharedArrays[2].name, std::string("flag"));
    QCOMPARE(outline.sharedArrays[2].bytes, std::uint64_t{8});
    const auto* gemm = named(outline, "gemm");
    QVERIFY(gemm != nullptr);
    QCOMPARE(gemm->sharedArrays.size(), std::size_t{2});
    QCOMPARE(gemm->sharedArrays[0].bytes, std::uint64_t{2048});
    QCOMPARE(gemm->sharedArrays[0].alignment, 128);
    QVERIFY(!gemm->sharedArrays[0].isExtern);
    QCOMPARE(gemm->sharedArrays[1].bytes, std::uint64_t{8});
}

void TestOutline::instructionsAndLabels()
{
    const auto outline = outlinePtx(kernel);
    const auto* gemm = named(outline, "gemm");
    QVERIFY(gemm != nullptr);
    QCOMPARE(gemm->labels, std::vector<std::string>{"LOOP"});
    QStringList opcodes;
    for (const auto& instruction : gemm->instructions) {
        opcodes << QString::fromStdString(std::string(instruction.opcode));
    }
    QCOMPARE(
        opcodes, (QStringList{"mov.b32", "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "bra", "ret"}));
}

void TestOutline::ranges()
{
    const auto outline = outlinePtx(kernel);
    const auto* gemm = named(outline, "gemm");
    QVERIFY(gemm != nullptr);
    QCOMPARE(gemm->nameRange.line, 13);
    QCOMPARE(gemm->nameRange.column, 17);
    QCOMPARE(gemm->nameRange.endColumn, 21);
    QCOMPARE(gemm->range.line, 13);
    QCOMPARE(gemm->range.column, 10);
    QCOMPARE(gemm->range.endLine, 30);
    QCOMPARE(gemm->range.endColumn, 2);
    const auto& wgmma = gemm->instructions[1].range;
    QCOMPARE(wgmma.line, 26);
    QCOMPARE(wgmma.endLine, 27);
}

void TestOutline::brokenText()
{
    // A missing brace and a missing semicolon end at the next function.
    const auto outline =
        outlinePtx(".entry a(.param .u64 x { ret;\n.visible .entry b() { mov.u32 %r1, 1 }\n.entry c");
    QVERIFY(named(outline, "a") != nullptr);
    const auto* b = named(outline, "b");
    QVERIFY(b != nullptr);
    QCOMPARE(b->instructions.size(), std::size_t{1});
    QVERIFY(named(outline, "c") != nullptr);
}

void TestOutline::neverFailsOnACutText()
{
    std::vector<std::string> texts{kernel};
    const QDir directory(PTXWB_TEST_DATA "/ptxas");
    for (const auto& name : directory.entryList({"*.ptx"})) {
        QFile file(directory.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        texts.push_back(file.readAll().toStdString());
    }
    for (const auto& text : texts) {
        for (std::size_t length = 0; length <= text.size(); ++length) {
            for (const auto& part : {text.substr(0, length), text.substr(length)}) {
                for (const auto& function : outlinePtx(part).functions) {
                    QVERIFY(function.range.line >= 1);
                    QVERIFY(function.range.endLine >= function.range.line);
                }
            }
        }
    }
}

void TestOutline::linesOfMixedEnds()
{
    const auto outline = outlinePtx(".version 8.0\r\n.target sm_90\r.address_size 64\n.entry k() { ret; }");
    QCOMPARE(outline.target.value_or(""), std::string("sm_90"));
    QCOMPARE(outline.functions.size(), std::size_t{1});
    QCOMPARE(outline.functions[0].range.line, 4);
}

QTEST_APPLESS_MAIN(TestOutline)
#include "tst_outline.moc"
