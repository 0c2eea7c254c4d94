// SPDX-License-Identifier: Apache-2.0
// Messages about a statement that spans lines: one cause, on the line of the word that is wrong.
#include "core/toolchain/code_text.h"
#include "core/toolchain/compiler.h"
#include "core/toolchain/ptxas_messages.h"
#include "toolchain_test.h"

#include <QTest>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

const std::string head = ".version 8.0\n.target sm_90a\n.address_size 64\n";
const std::string mma = ".visible .entry k(.param .u64 p)\n.maxntid 32, 1, 1\n{\n"
                        ".reg .b32 %a<4>, %b<2>;\n.reg .f32 %d<4>;\n"
                        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32\n"
                        "  {%d0, %d1, %d2, %d3},\n  {%a0, %a1, %a2, %a3},\n  {%b0, %b1},\n"
                        "  {%d0, %d1, %d2, %d3};\nret;\n}\n";

Diagnostic said(std::string message, int line)
{
    return {.message = std::move(message), .file = "k.ptx", .line = line, .tool = "ptxas"};
}

} // namespace

class TestStatementCauses : public QObject {
    Q_OBJECT

private slots:
    void linesOfStatements()
    {
        const detail::CodeText code(
            "mov.u32 %r1,\n  // comment\n  %r2;\nL:\nadd.s32 {%a,\n %b}, 1; sub.s32\n %c;\n");
        const auto lines = detail::statementLines(code);
        QCOMPARE(lines, (std::vector<int>{0, 1, 2, 1, 4, 5, 5, 6}));
    }

    void bracesOfOperandsAndOfBlocks()
    {
        const detail::CodeText code("ld.v2.f32 {%a, %b}, [%p]; { ret; } } mma.x {%a, {%b}}, {%c;} ;");
        std::vector<bool> operand;
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (code.text(i) == "{" || code.text(i) == "}") {
                operand.push_back(code.isOperandBrace(i));
            }
        }
        // The last one opens as an operand and turns out to hold a statement.
        QCOMPARE(operand,
            (std::vector<bool>{true, true, false, false, false, true, true, true, true, true, false}));
        const std::string closing(200000, '}'); // once quadratic
        QVERIFY(!detail::CodeText(closing).isOperandBrace(199999));
    }

    void oneStatementIsOneCause()
    {
        std::vector<Diagnostic> all{said("Illegal expression '%a77'", 4),
            said("Vector with elements of different types are not allowed in mma instruction", 2),
            said("Unknown symbol '%a77'", 3), said("Unknown symbol '%zz'", 6)};
        markRootCauses(all, {0, 1, 2, 2, 2, 5, 6}, "k.ptx");
        QCOMPARE(all[0].group, all[1].group);
        QCOMPARE(all[0].group, all[2].group);
        QVERIFY(all[3].group != all[0].group);
        QVERIFY(!all[0].rootCause);
        QVERIFY(!all[1].rootCause);
        QVERIFY(all[2].rootCause);
        // Without the text each line is for itself, but for what names the symbol.
        markRootCauses(all);
        QVERIFY(all[1].group != all[2].group);
    }

    void theToolsWordsEndUpOnTheWrongWord_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* from, const char* to, int line,
                             const char* message) {
            QTest::newRow(name) << QString::fromLatin1(from) << QString::fromLatin1(to) << line
                                << QString::fromLatin1(message);
        };
        row("undeclared register", "%a3}", "%a9}", 11, "Unknown symbol '%a9'");
        row("operand dropped", "  {%d0, %d1, %d2, %d3},\n", "  {%d0, , %d2, %d3},\n", 10,
            "Parsing error near ','");
        row("comma dropped in the head", "32, 1, 1", "32, 1 1", 5, "Parsing error near '1'");
        row("semicolon dropped", "%d3};\nret", "%d3}\nret", 13, "';' is missing behind '}'");
    }

    void theToolsWordsEndUpOnTheWrongWord()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(int, line);
        QFETCH(QString, message);
        auto text = QString::fromStdString(head + mma);
        const auto at = text.indexOf(from);
        QVERIFY(at >= 0);
        text.replace(at, from.size(), to);
        const Compiler compiler(realToolchain());
        const auto outcome = compiler.compile({.displayName = "k.ptx", .text = text.toStdString()});
        QVERIFY(outcome);
        QVERIFY(!outcome->ok);
        const auto root = std::find_if(outcome->diagnostics.begin(), outcome->diagnostics.end(),
            [](const Diagnostic& d) { return d.rootCause && d.severity <= Severity::Error; });
        QVERIFY(root != outcome->diagnostics.end());
        QVERIFY2(QString::fromStdString(root->message).startsWith(message), root->message.c_str());
        QCOMPARE(root->line.value_or(0), line);
    }
};

QTEST_APPLESS_MAIN(TestStatementCauses)
#include "tst_statement_causes.moc"
