// SPDX-License-Identifier: Apache-2.0
#include "core/llm/hunks.h"

#include <QTest>

#include <random>

using namespace ptxwb::llm;

namespace {

const std::string module = ".version 8.0\n.target sm_90a\n.entry k()\n{\n    mov.u32 %r1, 0;\n    ret;\n}\n";

CodeBlock blockOf(const std::string& text)
{
    return {.text = text, .wholePtxModule = looksLikeWholePtxModule(text), .elisions = findElisions(text)};
}

Proposal proposeText(const std::string& buffer, const std::string& text,
    const std::optional<std::string>& promptBuffer = std::nullopt)
{
    return propose(buffer, blockOf(text), promptBuffer);
}

std::vector<bool> all(const Proposal& proposal)
{
    return std::vector<bool>(proposal.hunks.size(), true);
}

std::vector<bool> suggested(const Proposal& proposal)
{
    std::vector<bool> flags;
    for (const auto& hunk : proposal.hunks) {
        flags.push_back(hunk.suggested);
    }
    return flags;
}

std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    return text.replace(text.find(what), what.size(), by);
}

} // namespace

class TestHunks : public QObject {
    Q_OBJECT
private slots:
    void appliesAllNoneAndSome()
    {
        const std::string buffer = "a\nb\nc\nd\ne\n";
        const auto proposal = proposeText(buffer, "A\nb\nc\nd\nE\n");
        QCOMPARE(proposal.hunks.size(), std::size_t{2});
        QCOMPARE(*applyHunks(proposal, {true, true}, buffer), std::string("A\nb\nc\nd\nE\n"));
        QCOMPARE(*applyHunks(proposal, {false, false}, buffer), buffer);
        QCOMPARE(*applyHunks(proposal, {false, true}, buffer), std::string("a\nb\nc\nd\nE\n"));
    }
    void allHunksGiveTheProposedTextAndNoneTheBuffer()
    {
        std::mt19937 random(5);
        for (int round = 0; round < 500; ++round) {
            const auto text = [&] {
                std::string lines;
                for (auto n = random() % 10; n > 0; --n) {
                    lines += static_cast<char>('a' + random() % 3);
                    lines += '\n';
                }
                return lines;
            };
            const std::string buffer = text();
            const std::string wanted = text();
            const auto proposal = proposeText(buffer, wanted);
            QCOMPARE(*applyHunks(proposal, all(proposal), buffer), wanted);
            QCOMPARE(*applyHunks(proposal, std::vector<bool>(proposal.hunks.size()), buffer), buffer);
        }
    }
    void keepsTheLineEndsOfTheBuffer()
    {
        const std::string buffer = "a\r\nb\r\nc\r\n";
        const auto proposal = proposeText(buffer, "a\nx\ny\nc\n");
        QCOMPARE(proposal.hunks.size(), std::size_t{1});
        QCOMPARE(*applyHunks(proposal, all(proposal), buffer), std::string("a\r\nx\r\ny\r\nc\r\n"));
    }
    void sameTextWithOtherLineEndsIsNoChange() { QVERIFY(proposeText("a\r\nb\r\n", "a\nb\n").hunks.empty()); }
    void keepsAMissingLastLineEnd()
    {
        const auto changed = proposeText("a\nb", "a\nx\n");
        QCOMPARE(*applyHunks(changed, all(changed), "a\nb"), std::string("a\nx"));
        const auto added = proposeText("a\nb", "a\nb\nc\n");
        QCOMPARE(*applyHunks(added, all(added), "a\nb"), std::string("a\nb\nc"));
    }
    void fillsAnEmptyBuffer()
    {
        const auto proposal = proposeText("", module);
        QCOMPARE(*applyHunks(proposal, all(proposal), ""), module);
    }
    void refusesABufferThatChangedWhileTheProposalWasOpen()
    {
        const auto proposal = proposeText("a\n", "b\n");
        const auto result = applyHunks(proposal, all(proposal), "a\n\n");
        QVERIFY(!result);
        QCOMPARE(result.error().code, ptxwb::ErrorCode::InvalidArgument);
    }
    void refusesDecisionsThatDoNotFit()
    {
        const auto proposal = proposeText("a\n", "b\n");
        QVERIFY(!applyHunks(proposal, {}, "a\n"));
    }
    void refusesAWholeFileWithPlaceholders()
    {
        const auto text =
            ".version 8.0\n.target sm_90a\n.entry k()\n{\n// ... existing code ...\n    exit;\n}\n";
        const auto proposal = proposeText(module, text);
        QVERIFY(!proposal.wholeFileAllowed);
        QCOMPARE(proposal.elisions.size(), std::size_t{1});
        for (const auto& hunk : proposal.hunks) {
            for (const auto& line : hunk.added) {
                QVERIFY(line.find("...") == std::string::npos);
            }
        }
    }
    void aPlaceholderDoesNotRemoveTheCodeItStandsFor()
    {
        const auto text = replaced(module, "    mov.u32 %r1, 0;\n", "    // ... existing code ...\n");
        const auto proposal = proposeText(module, text);
        QCOMPARE(*applyHunks(proposal, suggested(proposal), module), module);
    }
    void aPlaceholderAndAChangedLineBesideItAreApart()
    {
        const auto text = ".version 8.0\n.target sm_90a\n// ... existing code ...\n    ret.uni;\n}\n";
        const auto proposal = proposeText(module, text);
        QCOMPARE(*applyHunks(proposal, suggested(proposal), module), replaced(module, "ret;", "ret.uni;"));
    }
    void aFragmentWhoseFirstAndLastLinesDifferStaysInItsPlace()
    {
        const auto proposal = proposeText(module, "    mov.u32 %r1, 7;\n    ret.uni;\n");
        QCOMPARE(*applyHunks(proposal, suggested(proposal), module),
            replaced(replaced(module, "%r1, 0", "%r1, 7"), "ret;", "ret.uni;"));
    }
    void aFragmentThatResemblesNothingIsNotSuggested()
    {
        const auto proposal = proposeText(module, "tensormap.replace.tile;\nwgmma.fence.sync.aligned;\n");
        QCOMPARE(*applyHunks(proposal, suggested(proposal), module), module);
        QVERIFY(std::any_of(proposal.hunks.begin(), proposal.hunks.end(),
            [](const Hunk& hunk) { return !hunk.added.empty() && !hunk.suggested; }));
    }
    void aFragmentChangesItsLinesAndRemovesNothingElse()
    {
        const auto proposal = proposeText(module, "{\n    mov.u32 %r1, 7;\n    ret;\n");
        QVERIFY(proposal.fragment);
        QVERIFY(!proposal.wholeFileAllowed);
        QCOMPARE(*applyHunks(proposal, suggested(proposal), module), replaced(module, "%r1, 0", "%r1, 7"));
    }
    void aWholeModuleSuggestsEverything()
    {
        const auto proposal = proposeText(module, replaced(module, "    ret;\n", ""));
        QVERIFY(proposal.wholeFileAllowed);
        QCOMPARE(*applyHunks(proposal, suggested(proposal), module), replaced(module, "    ret;\n", ""));
    }
    void carriesChangesOverToABufferThatMovedOn()
    {
        const auto now = "// a note\n// another\n" + module;
        const auto proposal = proposeText(now, replaced(module, "%r1, 0", "%r1, 7"), module);
        QVERIFY(proposal.bufferChanged);
        QVERIFY(proposal.wholeFileAllowed);
        QCOMPARE(*applyHunks(proposal, suggested(proposal), now), replaced(now, "%r1, 0", "%r1, 7"));
    }
    void conflictsWhereTheUserChangedTheSameLines()
    {
        const auto now = replaced(module, "%r1, 0", "%r1, 1");
        const auto proposal = proposeText(now, replaced(module, "%r1, 0", "%r1, 7"), module);
        QCOMPARE(proposal.hunks.size(), std::size_t{1});
        QVERIFY(proposal.hunks[0].conflicts);
        QVERIFY(!proposal.hunks[0].suggested);
        QVERIFY(!proposal.wholeFileAllowed);
        QVERIFY(!applyHunks(proposal, {true}, now));
        QCOMPARE(*applyHunks(proposal, {false}, now), now);
    }
    void carriedChangesNeverTouchLinesTheUserChanged()
    {
        std::mt19937 random(3);
        for (int round = 0; round < 1000; ++round) {
            std::vector<std::string> base;
            for (int i = 0; i < 12; ++i) {
                base.push_back("line" + std::to_string(i));
            }
            auto user = base;
            auto model = base;
            user[random() % 12] = "user";
            if (random() % 2 == 0) {
                user.insert(user.begin() + static_cast<std::ptrdiff_t>(random() % 12), "user-added");
            }
            model[random() % 12] = "model";
            if (random() % 2 == 0) {
                model.erase(model.begin() + static_cast<std::ptrdiff_t>(random() % 12));
            }
            const auto joined = [](const std::vector<std::string>& lines) {
                std::string text;
                for (const auto& line : lines) {
                    text += line + '\n';
                }
                return text;
            };
            const auto proposal = proposeText(joined(user), joined(model), joined(base));
            const auto result = applyHunks(proposal, suggested(proposal), joined(user));
            QVERIFY(result);
            const auto occurrences = [](const std::string& text, const std::string& part) {
                int count = 0;
                for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
                    ++count;
                }
                return count;
            };
            QCOMPARE(occurrences(*result, "user"), occurrences(joined(user), "user"));
            const bool conflict = std::any_of(proposal.hunks.begin(), proposal.hunks.end(),
                [](const Hunk& hunk) { return hunk.conflicts; });
            if (!conflict) {
                QCOMPARE(occurrences(*result, "model"), occurrences(joined(model), "model"));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestHunks)
#include "tst_hunks.moc"
