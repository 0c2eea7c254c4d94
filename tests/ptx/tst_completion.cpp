// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/completion.h"

#include <QTest>

using namespace ptxwb;

namespace {

const IsaTable& isa()
{
    static const auto loaded = IsaTable::load(PTXWB_SOURCE_ROOT "/resources/isa/ptx-instructions.json");
    return *loaded;
}

const std::string head = ".version 8.0\n.target sm_90a\n.address_size 64\n"
                         ".extern .shared .align 1024 .b8 ring[];\n"
                         ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
                         "    .reg .pred %done;\n    .reg .f32 %acc<128>;\n    .reg .b64 %address;\n"
                         "LOOP:\n";

// '^' is the caret.
Completions at(std::string text)
{
    const auto caret = text.find('^');
    text.erase(caret, 1);
    return completePtx(text, static_cast<std::uint32_t>(caret), isa());
}

QStringList texts(const Completions& found)
{
    QStringList all;
    for (const auto& one : found.items) {
        all << QString::fromStdString(one.text);
    }
    return all;
}

} // namespace

class TestCompletion : public QObject {
    Q_OBJECT
private slots:
    void offers_data();
    void offers();
    void offersNothing_data();
    void offersNothing();
    void theBestComesFirst();
    void detailsSayWhatItIs();
    void asmStrings();
    void everyCutOfATextIsTolerated();
};

void TestCompletion::offers_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("some"); // that must be among them
    QTest::addColumn<QString>("never"); // one that must not
    const auto body = [](const char* text) { return QString::fromStdString(head + text); };
    QTest::newRow("mnemonic") << body("wg^") << QStringList{"wgmma.mma_async", "wgmma.fence"} << "mov";
    QTest::newRow("after a label") << body("DONE: setm^") << QStringList{"setmaxnreg"} << "set";
    QTest::newRow("after a guard") << body("@!%done br^") << QStringList{"bra"} << "%done";
    QTest::newRow("after a semicolon") << body("ret; mba^") << QStringList{"mbarrier.init"} << "mov";
    QTest::newRow("second part") << body("cp.async.^") << QStringList{".bulk", ".ca", ".wait_group"} << "cp";
    QTest::newRow("begun part") << body("wgmma.mm^") << QStringList{".mma_async"} << ".fence";
    QTest::newRow("next part of a form")
        << body("wgmma.mma_async.sync.^") << QStringList{".aligned"} << ".sync";
    QTest::newRow("after a shape") << body("wgmma.mma_async.sync.aligned.m64n192k16.^") << QStringList{".f32"}
                                   << ".aligned";
    QTest::newRow("part with colons")
        << body("ld.shared::c^") << QStringList{".shared::cta", ".shared::cluster"} << ".global";
    QTest::newRow("register") << body("add.f32 %ac^") << QStringList{"%acc"} << "%address";
    QTest::newRow("special register") << body("mov.u32 %r, %ti^") << QStringList{"%tid"} << "%ntid";
    QTest::newRow("component") << body("mov.u32 %r, %tid.^") << QStringList{".x", ".y", ".z"} << "%tid";
    QTest::newRow("guard") << body("@%^ bra LOOP;") << QStringList{"%done"} << "%address";
    QTest::newRow("label") << body("bra L^;\n}\n") << QStringList{"LOOP"} << "%done";
    QTest::newRow("parameter") << body("ld.param.u64 %address, [o^]") << QStringList{"out"} << "ring";
    QTest::newRow("shared") << body("mov.b64 %address, ri^") << QStringList{"ring"} << "out";
    QTest::newRow("in a vector") << body("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%acc0, %^")
                                 << QStringList{"%acc"} << "LOOP";
    QTest::newRow("behind a block") << body("{ mov.b32 %r, 1; } re^") << QStringList{"ret", "redux.sync"}
                                    << "mov";
    QTest::newRow("type of a register") << body(".reg .f^") << QStringList{".f32", ".f16x2"} << ".b32";
    QTest::newRow("directive") << ".version 8.0\n.ta^" << QStringList{".target"} << ".version";
    QTest::newRow("target") << ".version 8.0\n.target sm_9^" << QStringList{"sm_90", "sm_90a"} << "sm_100a";
    QTest::newRow("linkage") << ".visible .en^" << QStringList{".entry"} << ".func";
    QTest::newRow("with text behind")
        << body("wgmma.f^\n    ret;\n}\n") << QStringList{".fence"} << ".mma_async";
}

void TestCompletion::offers()
{
    QFETCH(QString, text);
    QFETCH(QStringList, some);
    QFETCH(QString, never);
    const auto found = texts(at(text.toStdString()));
    for (const auto& one : some) {
        QVERIFY2(found.contains(one), qPrintable(one + " is not among: " + found.join(u' ')));
    }
    QVERIFY2(!found.contains(never), qPrintable(never));
    QCOMPARE(QSet<QString>(found.begin(), found.end()).size(), found.size());
}

void TestCompletion::offersNothing_data()
{
    QTest::addColumn<QString>("text");
    const auto body = [](const char* text) { return QString::fromStdString(head + text); };
    QTest::newRow("line comment") << body("// wg^");
    QTest::newRow("block comment") << body("/* wg^");
    QTest::newRow("whole word") << body("setmaxnreg.inc.sync.aligned.u32^");
    QTest::newRow("number") << body("mov.b32 %r, 12^");
    QTest::newRow("unknown") << body("zzz^");
}

void TestCompletion::offersNothing()
{
    QFETCH(QString, text);
    const auto found = texts(at(text.toStdString()));
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u' ')));
}

void TestCompletion::theBestComesFirst()
{
    QCOMPARE(texts(at(head + "wgmma.mma_async.^")).first(), ".sync");
    QCOMPARE(texts(at(head + "wgmma.mma_async.sync.aligned.m64n256k16.^")).first(), ".f32");
    QVERIFY(texts(at(head + "mbarrier.^")).contains(".try_wait"));
    for (const char* placeholder : {".dt", ".bt", ".m64nNkK", ".256", ".type"}) {
        QVERIFY2(!texts(at(head + "wgmma.mma_async.sync.aligned.^")).contains(placeholder), placeholder);
    }
    QCOMPARE(texts(at(head + "cp.async.bulk.tensor.2d.shared::cluster.^")).first(), ".global");
    QCOMPARE(texts(at(head + "bra ^")).first(), "LOOP");
}

void TestCompletion::detailsSayWhatItIs()
{
    const auto detail = [](const Completions& found, std::string_view text) {
        for (const auto& one : found.items) {
            if (one.text == text) {
                return QString::fromStdString(one.detail);
            }
        }
        return QStringLiteral("absent");
    };
    QVERIFY(detail(at(head + "wgmm^"), "wgmma.mma_async").contains("warpgroup"));
    QCOMPARE(detail(at(head + "mov.b64 %addr^"), "%address"), ".b64");
    QCOMPARE(detail(at(head + "mov.f32 %acc0, %a^"), "%acc"), "%acc<128>  .f32");
    QVERIFY(detail(at(head + "mov.u32 %r, %lane^"), "%laneid").contains("lane"));
    QVERIFY(detail(at(".target sm_9^"), "sm_90a").contains("8.0"));
    const auto found = at(head + "    wgmma.mm^");
    QCOMPARE(found.from, static_cast<std::uint32_t>(head.size() + 4 + 5));
}

void TestCompletion::asmStrings()
{
    const auto inside = [](std::string text) {
        const auto caret = text.find('^');
        text.erase(caret, 1);
        return std::pair(
            texts(completeCuda(text, static_cast<std::uint32_t>(caret), isa())), text.substr(0, caret));
    };
    QVERIFY(inside("asm volatile(\"wgm^\");").first.contains("wgmma.fence"));
    QVERIFY(inside("asm(\"{ .reg .pred p;\\n\"\n \"setp.eq.u32 p, %1, 0;\\n mbarrier.^ \" : : \"r\"(a));")
                .first.contains(".init"));
    QVERIFY(inside("asm(\"mov.u32 %0, %%ti^;\" : \"=r\"(x));").first.contains("%%tid"));
    QVERIFY(inside("asm(\"mov.u32 %^\" : \"=r\"(x));").first.isEmpty());
    QVERIFY(inside("printf(\"wgm^\");").first.isEmpty());
    QVERIFY(inside("asm(\"ret;\"); wgm^").first.isEmpty());
    QVERIFY(inside("asm(\"ret;\" :: \"r\"(wgm^));").first.isEmpty());
    const std::string text = "int a; asm(\"\\tcp.async.bu\");";
    const auto caret = static_cast<std::uint32_t>(text.find("bu\"") + 2);
    QCOMPARE(completeCuda(text, caret, isa()).from, static_cast<std::uint32_t>(text.find(".bu")));
}

void TestCompletion::everyCutOfATextIsTolerated()
{
    const std::string text = head
        + "    @%done wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%acc0, %acc1}, %address, 1;\n"
          "    { .reg .b32 %t; mov.b32 %t, %tid.x; }\n    /* c */ bra LOOP; // d\n}\n";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        for (const auto& whole : {text, text.substr(0, cut)}) {
            const auto found = completePtx(whole, static_cast<std::uint32_t>(cut), isa());
            QVERIFY(found.from <= cut);
            const auto begun = std::string_view(whole).substr(found.from, cut - found.from);
            for (const auto& one : found.items) {
                QVERIFY(one.text.starts_with(begun) && one.text != begun);
            }
        }
    }
}

QTEST_MAIN(TestCompletion)
#include "tst_completion.moc"
