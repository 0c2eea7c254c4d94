// SPDX-License-Identifier: Apache-2.0
#include "core/ptx/isa_table.h"

#include "core/ptx/vocabulary.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace ptxwb;

class TestIsaTable : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void findsTheLongestMnemonic_data();
    void findsTheLongestMnemonic();
    void tellsRowsOfOneMnemonicApart();
    void knowsWords();
    void everyRowIsUsable();
    void agreesWithTheLexersVocabulary();
    void families_data();
    void families();
    void namesBadFiles();

private:
    std::optional<IsaTable> m_table;
};

void TestIsaTable::initTestCase()
{
    auto loaded = IsaTable::load(PTXWB_SOURCE_ROOT "/resources/isa/ptx-instructions.json");
    QVERIFY2(loaded, loaded ? "" : describe(loaded.error()).c_str());
    m_table = std::move(loaded).value();
    QVERIFY(m_table->instructions().size() > 200);
    QVERIFY(IsaTable::shared());
}

void TestIsaTable::findsTheLongestMnemonic_data()
{
    QTest::addColumn<QString>("opcode");
    QTest::addColumn<QString>("mnemonic");
    QTest::newRow("plain") << "mov.u32"
                           << "mov";
    QTest::newRow("wgmma") << "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16"
                           << "wgmma.mma_async";
    QTest::newRow("tensor") << "cp.async.bulk.tensor.2d.shared::cluster.global"
                            << "cp.async.bulk.tensor";
    QTest::newRow("bulk") << "cp.async.bulk.shared::cluster.global"
                          << "cp.async.bulk";
    QTest::newRow("cp.async") << "cp.async.cg.shared.global"
                              << "cp.async";
    QTest::newRow("non-coherent") << "ld.global.nc.f32"
                                  << "ld.global.nc";
    QTest::newRow("load") << "ld.global.f32"
                          << "ld";
    QTest::newRow("unknown") << "frobnicate.u32"
                             << "";
    QTest::newRow("half a word") << "wgmm"
                                 << "";
    QTest::newRow("empty") << ""
                           << "";
}

void TestIsaTable::findsTheLongestMnemonic()
{
    QFETCH(QString, opcode);
    QFETCH(QString, mnemonic);
    const auto* row = m_table->find(opcode.toStdString());
    QCOMPARE(row != nullptr ? QString::fromStdString(row->mnemonic) : QString(""), mnemonic);
}

void TestIsaTable::tellsRowsOfOneMnemonicApart()
{
    const auto* integer = m_table->find("add.s32");
    const auto* real = m_table->find("add.f32");
    QVERIFY(integer != nullptr && real != nullptr);
    QCOMPARE(integer->category, std::string("integer"));
    QCOMPARE(real->category, std::string("float"));
}

void TestIsaTable::knowsWords()
{
    QVERIFY(m_table->isDirective(".version"));
    QVERIFY(m_table->isDirective(".shared"));
    QVERIFY(!m_table->isDirective(".f32"));
    QVERIFY(m_table->isSpecialRegister("%tid.x"));
    QVERIFY(m_table->isSpecialRegister("%tid"));
    QVERIFY(m_table->isSpecialRegister("%envreg31"));
    QVERIFY(!m_table->isSpecialRegister("%r1"));
    QVERIFY(m_table->isType(".bf16"));
    QVERIFY(!m_table->isType(".sync"));
    QVERIFY(std::count(m_table->targets().begin(), m_table->targets().end(), "sm_100f") == 1);
}

void TestIsaTable::everyRowIsUsable()
{
    for (const auto& row : m_table->instructions()) {
        QVERIFY(!row.mnemonic.empty());
        QVERIFY2(!row.summary.empty(), row.mnemonic.c_str());
        QVERIFY2(!row.syntax.empty(), row.mnemonic.c_str());
        QVERIFY2(row.manualUrl.starts_with("https://docs.nvidia.com/"), row.mnemonic.c_str());
        const auto* found = m_table->find(row.mnemonic);
        QVERIFY2(found != nullptr && found->mnemonic == row.mnemonic, row.mnemonic.c_str());
    }
}

void TestIsaTable::agreesWithTheLexersVocabulary()
{
    for (const auto& row : m_table->instructions()) {
        // State spaces and types are modifiers for the lexer, though the table has rows of their own for
        // some.
        if (row.mnemonic == "ld.global.nc" || row.mnemonic.ends_with(".approx.ftz.f64")) {
            continue;
        }
        QVERIFY2(opcodeRootLength(row.mnemonic + ".sync") == row.mnemonic.size()
                || opcodeRootLength(row.mnemonic) == row.mnemonic.size(),
            row.mnemonic.c_str());
    }
}

void TestIsaTable::families_data()
{
    QTest::addColumn<QString>("opcode");
    QTest::addColumn<QString>("family");
    QTest::newRow("1") << "wgmma.fence.sync.aligned"
                       << "wgmma";
    QTest::newRow("2") << "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"
                       << "tma";
    QTest::newRow("3") << "cp.reduce.async.bulk.tensor.1d"
                       << "tma";
    QTest::newRow("4") << "cp.async.bulk.commit_group"
                       << "bulk_copy";
    QTest::newRow("5") << "cp.async.wait_group"
                       << "cp_async";
    QTest::newRow("6") << "mbarrier.try_wait.parity"
                       << "mbarrier";
    QTest::newRow("7") << "tcgen05.mma.cta_group::1.kind::f16"
                       << "tcgen05";
    QTest::newRow("8") << "setmaxnreg.inc.sync.aligned.u32"
                       << "setmaxnreg";
    QTest::newRow("9") << "barrier.cluster.arrive"
                       << "cluster";
    QTest::newRow("10") << "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
                        << "matrix_move";
    QTest::newRow("11") << "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"
                        << "mma_sync";
    QTest::newRow("12") << "fence.proxy.async"
                        << "fence";
    QTest::newRow("13") << "add.f32"
                        << "ordinary";
    QTest::newRow("14") << "mapaX.u32"
                        << "ordinary";
    QTest::newRow("15") << "prefetch.tensormap"
                        << "tma";
}

void TestIsaTable::families()
{
    QFETCH(QString, opcode);
    QFETCH(QString, family);
    QCOMPARE(QString::fromStdString(std::string(ptxFamilyName(ptxFamilyOf(opcode.toStdString())))), family);
}

void TestIsaTable::namesBadFiles()
{
    const QTemporaryDir directory;
    const auto missing = IsaTable::load("/nowhere/to/be/found.json");
    QVERIFY(!missing && missing.error().code == ErrorCode::NotFound);
    for (const char* text : {"", "{", "[]", "{\"instructions\": 3}", "{\"instructions\": [{}]}"}) {
        QFile file(directory.filePath("table.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const auto loaded = IsaTable::load(file.fileName().toStdString());
        QVERIFY2(!loaded, text);
        QVERIFY(loaded.error().code == ErrorCode::BadFormat);
        QCOMPARE(loaded.error().path, file.fileName().toStdString());
    }
}

QTEST_APPLESS_MAIN(TestIsaTable)
#include "tst_isa_table.moc"
