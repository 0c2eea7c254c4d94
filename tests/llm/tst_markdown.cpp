// SPDX-License-Identifier: Apache-2.0
#include "core/llm/markdown.h"

#include <QTest>

using namespace ptxwb::llm;

namespace {

const std::string module =
    ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n    ret;\n}\n";
const std::string smaller = ".version 8.0\n.target sm_90a\n.entry s()\n{\n}\n";

std::string fenced(const std::string& info, const std::string& code)
{
    return "```" + info + "\n" + code + "```\n";
}

} // namespace

class TestMarkdown : public QObject {
    Q_OBJECT
private slots:
    void listsAllBlocksWithLanguageAndPlace()
    {
        const auto blocks =
            codeBlocks("Intro\n\n" + fenced("PTX {.numbered}", "mov;\n") + "text\n\n~~~cuda\nint x;\n~~~\n");
        QCOMPARE(blocks.size(), std::size_t{2});
        QCOMPARE(blocks[0].language, std::string("ptx"));
        QCOMPARE(blocks[0].text, std::string("mov;\n"));
        QCOMPARE(blocks[0].firstLine, 3);
        QCOMPARE(blocks[0].lastLine, 5);
        QVERIFY(blocks[0].closed && blocks[0].fenced);
        QCOMPARE(blocks[1].language, std::string("cuda"));
        QVERIFY(blocks[1].closed);
    }
    void keepsFencesThatAreInsideALongerOne()
    {
        const auto blocks = codeBlocks("````md\n```ptx\nmov;\n```\n````\n");
        QCOMPARE(blocks.size(), std::size_t{1});
        QCOMPARE(blocks[0].text, std::string("```ptx\nmov;\n```\n"));
        QVERIFY(blocks[0].closed);
    }
    void doesNotCloseATildeFenceByBackticks()
    {
        const auto blocks = codeBlocks("~~~\na\n```\nb\n~~~\n");
        QCOMPARE(blocks.size(), std::size_t{1});
        QCOMPARE(blocks[0].text, std::string("a\n```\nb\n"));
    }
    void knowsAnUnclosedFence()
    {
        const auto blocks = codeBlocks("```ptx\n" + module);
        QCOMPARE(blocks.size(), std::size_t{1});
        QVERIFY(!blocks[0].closed);
        QVERIFY(blocks[0].wholePtxModule);
        QVERIFY(!codeBlocks("```ptx\nmov;\n``").front().closed);
        QVERIFY(!codeBlocks("```ptx").front().closed);
    }
    void everyPrefixOfAStreamIsReadWithoutCodeThatIsNotThere()
    {
        const std::string answer = "Hi\n\n" + fenced("ptx", module) + "Done.\n";
        for (std::size_t length = 0; length <= answer.size(); ++length) {
            const auto blocks = codeBlocks(answer.substr(0, length));
            QVERIFY(blocks.size() <= 1);
            if (!blocks.empty() && blocks[0].closed) {
                QCOMPARE(blocks[0].text, module);
            }
        }
    }
    void keepsCodeThatStandsOnTheFenceLine()
    {
        const auto blocks = codeBlocks("```.version 8.0\n.target sm_90\n.entry k() {}\n```\n");
        QCOMPARE(blocks[0].text, std::string(".version 8.0\n.target sm_90\n.entry k() {}\n"));
        QVERIFY(blocks[0].language.empty());
        QVERIFY(blocks[0].wholePtxModule);
    }
    void findsBlocksInListsAndQuotes()
    {
        const std::string text =
            "1. First:\n\n   ```ptx\n   mov;\n   ```\n   then\n\n> ```ptx\n> add;\n> ```\n";
        const auto blocks = codeBlocks(text);
        QCOMPARE(blocks.size(), std::size_t{2});
        QCOMPARE(blocks[0].text, std::string("mov;\n"));
        QCOMPARE(blocks[1].text, std::string("add;\n"));
        QVERIFY(blocks[0].closed && blocks[1].closed);
        const auto parts = segments(text);
        QVERIFY(parts[2].markdown.starts_with("then"));
    }
    void listsIndentedBlocksAsUnfenced()
    {
        const auto blocks = codeBlocks("Text\n\n    mov.u32 %r1, 0;\n\nMore\n");
        QCOMPARE(blocks.size(), std::size_t{1});
        QVERIFY(!blocks[0].fenced);
    }
    void partsProseAndCodeInOrder()
    {
        const auto parts = segments("A\n\n" + fenced("ptx", "x;\n") + "\nB\n\n" + fenced("", "y;\n"));
        QCOMPARE(parts.size(), std::size_t{4});
        QCOMPARE(parts[0].markdown, std::string("A"));
        QVERIFY(parts[1].isCode);
        QCOMPARE(parts[2].markdown, std::string("B"));
        QCOMPARE(parts[3].code.text, std::string("y;\n"));
    }
    void readsCarriageReturns()
    {
        const auto blocks = codeBlocks("Hi\r\n\r\n```ptx\r\nmov;\r\nadd;\r\n```\r\n");
        QCOMPARE(blocks.size(), std::size_t{1});
        QVERIFY(blocks[0].closed);
        QCOMPARE(blocks[0].language, std::string("ptx"));
    }
    void recordsTheRuleThatChose_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<QByteArray>("code");
        const auto row = [](const char* name, const std::string& answer, const char* rule,
                             const std::string& code) {
            QTest::newRow(name) << QByteArray::fromStdString(answer) << QByteArray(rule)
                                << QByteArray::fromStdString(code);
        };
        row("one block", fenced("ptx", "mov;\n"), "only_block", "mov;\n");
        row("module among snippets", fenced("ptx", module) + fenced("ptx", "mov;\n"), "only_whole_module",
            module);
        row("two modules", fenced("ptx", module) + fenced("ptx", smaller), "last_whole_module", smaller);
        row("snippets", fenced("ptx", "mov;\n") + fenced("bash", "ls\n"), "last_ptx_or_cuda_block", "mov;\n");
        row("no language", fenced("", "a\n") + fenced("", "b\n"), "last_block", "b\n");
        row("stray closing fence", module + "```\n", "before_stray_fence", module);
        row("no fence", module, "whole_answer", module);
        row("no fence, words around it", "Here it is.\n\n" + module + "\nIt {adds} one.\n", "module_in_prose",
            module);
        row("no fence, a comment before it", "So:\n\n// doubles\n" + module, "module_in_prose",
            "// doubles\n" + module);
        row("no fence, a comment alone before it", "// doubles\n" + module, "whole_answer",
            "// doubles\n" + module);
        row("no fence, cut off", "So:\n" + std::string(module).substr(0, module.rfind('}')),
            "module_in_prose", std::string(module).substr(0, module.rfind('}')));
        row("prose", "It cannot be done.", "none", "");
        row("empty", "", "none", "");
        row("empty fences", "```\n```\n", "none", "");
    }
    void recordsTheRuleThatChose()
    {
        QFETCH(QByteArray, answer);
        QFETCH(QByteArray, rule);
        QFETCH(QByteArray, code);
        const auto choice = chooseCode(answer.toStdString());
        QCOMPARE(QByteArray::fromStdString(std::string(choiceRuleName(choice.rule))), rule);
        QCOMPARE(QByteArray::fromStdString(choice.block.text), code);
    }
    void knowsAWholeModule()
    {
        QVERIFY(looksLikeWholePtxModule(module));
        QVERIFY(!looksLikeWholePtxModule("// .version 8.0\n.entry k()"));
        QVERIFY(!looksLikeWholePtxModule("/* .entry */ .version 8.0\n"));
        QVERIFY(!looksLikeWholePtxModule("mov.u32 %r1, %r2;"));
    }
    void findsPlaceholdersForCode_data()
    {
        QTest::addColumn<bool>("placeholder");
        const auto row = [](const char* line, bool placeholder) { QTest::newRow(line) << placeholder; };
        row("// ... existing code ...", true);
        row("    // ... rest of the kernel ...", true);
        row("/* ... unchanged ... */", true);
        row("// \xE2\x80\xA6 keep existing code \xE2\x80\xA6", true);
        row("...", true);
        row("// ...", true);
        row("# ... (same as before)", true);
        row("// rest of the kernel is as it was", true);
        row("// [remaining code remains unchanged]", true);
        row("// (omitted for brevity)", true);
        row("// wait for the rest of the tiles", false);
        row("// loop over k", false);
        row("mov.u32 %r1, 0; // ...", false);
        row("ld.global.v4.u32 {%r1, ...}, [%rd1];", false);
        row("#include <cuda.h>", false);
        row("", false);
    }
    void findsPlaceholdersForCode()
    {
        QFETCH(bool, placeholder);
        QCOMPARE(!findElisions(QTest::currentDataTag()).empty(), placeholder);
    }
    void namesTheLineOfAPlaceholder()
    {
        const auto blocks = codeBlocks(fenced("ptx", "mov;\n  // ... existing code ...\nret;\n"));
        QCOMPARE(blocks[0].elisions.size(), std::size_t{1});
        QCOMPARE(blocks[0].elisions[0].line, 2);
        QCOMPARE(blocks[0].elisions[0].text, std::string("// ... existing code ..."));
    }
};

QTEST_GUILESS_MAIN(TestMarkdown)
#include "tst_markdown.moc"
