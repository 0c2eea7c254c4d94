// SPDX-License-Identifier: Apache-2.0
#include "core/records/cause_class.h"

#include <QSet>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::records;

class TestCauseClass : public QObject {
    Q_OBJECT

private slots:
    // Messages as ptxas, nvcc and gcc of CUDA 13.0 print them.
    void classes_data()
    {
        QTest::addColumn<QByteArray>("tool");
        QTest::addColumn<QByteArray>("message");
        QTest::addColumn<QByteArray>("wanted");
        const auto row = [](const char* tool, const char* message, const char* wanted) {
            QTest::newRow(message) << QByteArray(tool) << QByteArray(message) << QByteArray(wanted);
        };
        row("ptxas", "Instruction 'wgmma.fence' not supported on .target 'sm_90'", "target");
        row("ptxas", "Feature '.cta_group::1' not supported on .target 'sm_90a'", "target");
        row("ptxas", "Modifier '.async' requires PTX ISA .version 8.0 or later", "ptx_version");
        row("ptxas", "Unsupported .version 12.4; current version is '9.0'", "ptx_version");
        row("ptxas", "Unknown modifier '.fense'", "unknown_opcode");
        row("ptxas", "Illegal modifier '.relaxed' for instruction 'wgmma.wait_group'", "instruction_form");
        row("ptxas", "Unknown symbol '%counter'", "undeclared_name");
        row("nvcc", "identifier \"wait_all\" is undefined", "undeclared_name");
        row("ptxas", "Arguments mismatch for instruction 'mov'", "operands");
        row("ptxas", "Entry function 'k' uses too much shared data (0x40000 bytes, 0x38c00 max)",
            "shared_memory");
        row("ptxwb", "kernel 'k' has 262144 bytes of shared memory, 29696 more than sm_90a has",
            "shared_memory");
        row("ptxwb", "%d is declared .b32, but the instructions that use it (9) need .b64", "operands");
        row("ptxas", "Argument vector size mismatch for instruction 'wgmma.mma_async'", "operands");
        row("ptxas", "Insufficient registers (128) to compile instruction at line 153 in function k.",
            "registers");
        row("ptxas", "Duplicate definition of variable '%thread'", "duplicate");
        row("ptxas", "Parsing error near 'and': syntax error", "syntax");
        row("ptxwb", "';' is missing behind '%tid.x'", "syntax");
        row("nvcc", "expected a \";\"", "syntax");
        row("ptxas", "Missing .version directive at start of file 'k.ptx'", "not_ptx");
        row("ptxas", "Unexpected non-ASCII character encountered on line 512", "non_ascii");
        row("ptxwb", "the file is binary: a NUL byte at offset 0", "not_text");
        row("gcc", "torch/extension.h: No such file or directory", "missing_header");
        row("nvcc", "asm operand type size(8) does not match type/size implied by constraint 'r'",
            "asm_constraint");
        row("nvcc", "no instance of function template \"f\" matches the argument list", "cpp_types");
        row("ptxas", "words of a later version", "other");
    }
    void classes()
    {
        QFETCH(QByteArray, tool);
        QFETCH(QByteArray, message);
        QFETCH(QByteArray, wanted);
        const auto cause = causeClassOf({.message = message.toStdString(), .tool = tool.toStdString()});
        QCOMPARE(std::string(causeClassName(cause)), wanted.toStdString());
    }

    void namesAreDistinctAndFoundAgain()
    {
        QSet<QString> names;
        for (int i = 0; i <= static_cast<int>(CauseClass::Other); ++i) {
            const auto cause = static_cast<CauseClass>(i);
            const auto name = std::string(causeClassName(cause));
            names.insert(QString::fromStdString(name));
            QCOMPARE(static_cast<int>(causeClassByName(name)), i);
            QVERIFY(!causeClassTitle(cause).empty());
        }
        QCOMPARE(names.size(), static_cast<int>(CauseClass::Other) + 1);
        QCOMPARE(static_cast<int>(causeClassByName("no such")), static_cast<int>(CauseClass::Other));
    }
};

QTEST_APPLESS_MAIN(TestCauseClass)
#include "tst_cause_class.moc"
