// SPDX-License-Identifier: Apache-2.0
#include "core/sass/alignment.h"

#include <QTest>

#include <random>

using namespace ptxwb;

namespace {

using Keys = std::vector<std::uint64_t>;

Keys randomKeys(std::mt19937& random, std::size_t size, unsigned alphabet)
{
    Keys keys(size);
    for (auto& key : keys) {
        key = random() % alphabet;
    }
    return keys;
}

std::size_t longestCommon(const Keys& a, const Keys& b)
{
    std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1, 0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            best[i][j] =
                a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
        }
    }
    return best[a.size()][b.size()];
}

bool isValid(const Keys& a, const Keys& b, const std::vector<std::pair<int, int>>& pairs)
{
    int lastA = -1;
    int lastB = -1;
    for (const auto& [i, j] : pairs) {
        if (i <= lastA || j <= lastB
            || a.at(static_cast<std::size_t>(i)) != b.at(static_cast<std::size_t>(j))) {
            return false;
        }
        lastA = i;
        lastB = j;
    }
    return true;
}

} // namespace

class TestSassAlignment : public QObject {
    Q_OBJECT

private slots:
    void smallInputsGetALongestSubsequence()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 2000; ++round) {
            const auto alphabet = 1 + random() % 6;
            const auto a = randomKeys(random, random() % 24, static_cast<unsigned>(alphabet));
            const auto b = randomKeys(random, random() % 24, static_cast<unsigned>(alphabet));
            const auto pairs = alignSequences(a, b);
            QVERIFY(isValid(a, b, pairs));
            QCOMPARE(pairs.size(), longestCommon(a, b));
        }
    }

    void insertionsAndDeletionsAreFound()
    {
        std::mt19937 random(11);
        const auto a = randomKeys(random, 5000, 40);
        auto b = a;
        b.erase(b.begin() + 4000, b.begin() + 4010);
        b.insert(b.begin() + 2500, 7, 99);
        b.erase(b.begin() + 100);
        const auto pairs = alignSequences(a, b);
        QVERIFY(isValid(a, b, pairs));
        QCOMPARE(pairs.size(), a.size() - 11);
    }

    void unlikeInputsStayAffordable()
    {
        // Quadratic work would be 4e10 steps here.
        std::mt19937 random(13);
        const auto a = randomKeys(random, 200000, 5);
        const auto b = randomKeys(random, 200000, 5);
        QVERIFY(isValid(a, b, alignSequences(a, b)));
        const auto c = randomKeys(random, 200000, 1u << 30);
        QVERIFY(isValid(a, c, alignSequences(a, c)));
        const Keys same(200000, 1);
        const Keys fewer(150000, 1);
        QCOMPARE(alignSequences(same, fewer).size(), fewer.size());
    }

    void emptySides()
    {
        const Keys some{1, 2, 3};
        QVERIFY(alignSequences({}, {}).empty());
        QVERIFY(alignSequences(some, {}).empty());
        QVERIFY(alignSequences({}, some).empty());
    }
};

QTEST_APPLESS_MAIN(TestSassAlignment)
#include "tst_sass_alignment.moc"
