// SPDX-License-Identifier: Apache-2.0
#include "core/llm/prompt_composer.h"

#include "core/llm/markdown.h"

#include <QTest>

using namespace ptxwb::llm;

namespace {

ContextItem item(ContextKind kind, const std::string& id, const std::string& text)
{
    return {kind, {.id = id, .title = id, .language = "ptx", .text = text}};
}

bool contains(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestPromptComposer : public QObject {
    Q_OBJECT
private slots:
    void sendsEverythingThatFits()
    {
        const auto prompt = composeTurn("why?", {item(ContextKind::Buffer, "buffer", "mov;\n")}, 100);
        QVERIFY(prompt.leftOut.empty());
        QCOMPARE(prompt.contextBytes, std::size_t{5});
        const auto text = renderForModel({{prompt.message}}, 0);
        QCOMPARE(text, std::string("why?\n\nbuffer:\n```ptx\nmov;\n```"));
    }
    void leavesCodeOutWholeAndSaysSo()
    {
        const auto prompt =
            composeTurn("why?", {item(ContextKind::Buffer, "buffer", std::string(200, 'x'))}, 100);
        QVERIFY((prompt.leftOut == std::vector<LeftOut>{{"buffer", "buffer", 200, 200}}));
        const auto text = renderForModel({{prompt.message}}, 0);
        QVERIFY(!contains(text, "xx"));
        QVERIFY(contains(text, "200 of 200 bytes left out"));
        QVERIFY(!contextBefore({{prompt.message}}, 1, "buffer"));
    }
    void cutsListsAtALineEnd()
    {
        const auto prompt =
            composeTurn("why?", {item(ContextKind::Diagnostics, "diagnostics", "one\ntwo\nthree\n")}, 9);
        QVERIFY((prompt.leftOut == std::vector<LeftOut>{{"diagnostics", "diagnostics", 6, 14}}));
        const auto text = renderForModel({{prompt.message}}, 0);
        QVERIFY(contains(text, "one\ntwo\n(6 of 14 bytes left out"));
    }
    void prefersTheSelectionToTheBuffer()
    {
        const auto prompt = composeTurn("?",
            {item(ContextKind::Buffer, "buffer", "0123456789"),
                item(ContextKind::Selection, "selection", "abc")},
            10);
        QCOMPARE(prompt.leftOut.size(), std::size_t{1});
        QCOMPARE(prompt.leftOut[0].id, std::string("buffer"));
        QVERIFY(contains(renderForModel({{prompt.message}}, 0), "abc"));
    }
    void neverPassesTheBudget()
    {
        for (std::size_t budget = 0; budget < 40; ++budget) {
            const auto prompt = composeTurn("?",
                {item(ContextKind::Buffer, "b", "0123456789"),
                    item(ContextKind::Verdict, "v", "a\nbb\nccc\n"),
                    item(ContextKind::Diagnostics, "d", "x\ny\nz\n")},
                budget);
            QVERIFY(prompt.contextBytes <= budget);
            std::size_t missing = 0;
            for (const auto& left : prompt.leftOut) {
                missing += left.leftOutBytes;
            }
            QCOMPARE(prompt.contextBytes + missing, std::size_t{10 + 9 + 6});
        }
    }
    void aBufferCannotCloseItsFence()
    {
        const std::string code = "// ```\n````\nmov;\n";
        const auto prompt = composeTurn("?", {item(ContextKind::Buffer, "buffer", code)});
        const auto blocks = codeBlocks(renderForModel({{prompt.message}}, 0));
        QCOMPARE(blocks.size(), std::size_t{1});
        QCOMPARE(blocks[0].text, code);
    }
    void sendsOldEvidenceOnlyOnce()
    {
        Conversation conversation;
        conversation.messages.push_back(
            composeTurn("1", {item(ContextKind::Buffer, "buffer", "old;\n")}).message);
        conversation.messages.push_back({.role = Role::Assistant, .content = {TextBlock{"ok"}}});
        conversation.messages.push_back(
            composeTurn("2", {item(ContextKind::Buffer, "buffer", "new;\n")}).message);
        QVERIFY(!contains(renderForModel(conversation, 0), "old;"));
        QVERIFY(contains(renderForModel(conversation, 0), "an earlier version"));
        QVERIFY(contains(renderForModel(conversation, 2), "new;"));
        QCOMPARE(contextBefore(conversation, 3, "buffer").value_or(""), std::string("new;\n"));
        QCOMPARE(contextBefore(conversation, 2, "buffer").value_or(""), std::string("old;\n"));
    }
};

QTEST_GUILESS_MAIN(TestPromptComposer)
#include "tst_prompt_composer.moc"
