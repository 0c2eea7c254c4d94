// SPDX-License-Identifier: Apache-2.0
#include "core/llm/line_diff.h"

#include <QTest>

#include <random>

using namespace ptxwb::llm;

namespace {

using Lines = std::vector<std::string_view>;

Lines applied(const Lines& oldLines, const Lines& newLines, const std::vector<LineChange>& changes)
{
    Lines result;
    std::size_t next = 0;
    for (const auto& change : changes) {
        for (; next < change.oldFirst; ++next) {
            result.push_back(oldLines[next]);
        }
        for (std::size_t i = 0; i < change.newCount; ++i) {
            result.push_back(newLines[change.newFirst + i]);
        }
        next += change.oldCount;
    }
    for (; next < oldLines.size(); ++next) {
        result.push_back(oldLines[next]);
    }
    return result;
}

std::size_t editCount(const std::vector<LineChange>& changes)
{
    std::size_t count = 0;
    for (const auto& change : changes) {
        count += change.oldCount + change.newCount;
    }
    return count;
}

// The textbook table, as the truth for the length of the shortest script.
std::size_t shortest(const Lines& a, const Lines& b)
{
    std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
            } else if (a[i - 1] == b[j - 1]) {
                table[i][j] = table[i - 1][j - 1];
            } else {
                table[i][j] = 1 + std::min(table[i - 1][j], table[i][j - 1]);
            }
        }
    }
    return table[a.size()][b.size()];
}

} // namespace

class TestLineDiff : public QObject {
    Q_OBJECT
private slots:
    void sameTextsHaveNoChange()
    {
        QVERIFY(diffLines({"a", "b"}, {"a", "b"}).empty());
        QVERIFY(diffLines({}, {}).empty());
    }
    void findsAChangeAnInsertionAndARemoval()
    {
        QVERIFY((diffLines({"a", "b", "c"}, {"a", "x", "c"}) == std::vector<LineChange>{{1, 1, 1, 1}}));
        QVERIFY((diffLines({"a", "c"}, {"a", "b", "c"}) == std::vector<LineChange>{{1, 0, 1, 1}}));
        QVERIFY((diffLines({"a", "b", "c"}, {"a", "c"}) == std::vector<LineChange>{{1, 1, 1, 0}}));
        QVERIFY((diffLines({}, {"a"}) == std::vector<LineChange>{{0, 0, 0, 1}}));
    }
    void givesShortestScriptsThatLeadToTheNewText()
    {
        std::mt19937 random(11);
        const Lines alphabet{"a", "b", "c", "d"};
        for (int round = 0; round < 3000; ++round) {
            const auto text = [&] {
                Lines lines(random() % 12);
                for (auto& line : lines) {
                    line = alphabet[random() % alphabet.size()];
                }
                return lines;
            };
            const Lines a = text();
            const Lines b = text();
            const auto changes = diffLines(a, b);
            QVERIFY(applied(a, b, changes) == b);
            QCOMPARE(editCount(changes), shortest(a, b));
            for (std::size_t i = 1; i < changes.size(); ++i) {
                QVERIFY(changes[i].oldFirst > changes[i - 1].oldFirst + changes[i - 1].oldCount
                    || changes[i].newFirst > changes[i - 1].newFirst + changes[i - 1].newCount);
            }
        }
    }
    void fallsBackToOneChangeWhenNothingIsAlike()
    {
        std::vector<std::string> texts;
        for (int i = 0; i < 10000; ++i) {
            texts.push_back(std::to_string(i));
        }
        const Lines a(texts.begin(), texts.begin() + 5000);
        const Lines b(texts.begin() + 5000, texts.end());
        QVERIFY((diffLines(a, b) == std::vector<LineChange>{{0, 5000, 0, 5000}}));
    }
};

QTEST_GUILESS_MAIN(TestLineDiff)
#include "tst_line_diff.moc"
