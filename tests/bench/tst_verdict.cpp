// SPDX-License-Identifier: Apache-2.0
#include "core/bench/verdict.h"

#include <QtTest>

using namespace ptxwb;

namespace {

OutputComparison goodOutput()
{
    OutputComparison c;
    c.output = "C";
    c.elements = 1000;
    c.normwiseRelError = 1.6e-3;
    return c;
}

TrialFacts goodTrial()
{
    TrialFacts trial;
    trial.seed = 41;
    trial.outputs = {goodOutput()};
    return trial;
}

const StrictRule strict{{{"C", 3e-3}}};

Judgement judged(const TrialFacts& trial, Rule rule = Rule::Strict)
{
    return judge({goodTrial(), trial}, Tolerance{}, strict, rule);
}

} // namespace

class TestVerdict : public QObject {
    Q_OBJECT

private slots:
    void whatFoundTheFaultIsNamed()
    {
        TrialFacts trial = goodTrial();
        QCOMPARE(judged(trial).check, std::string());
        trial.damagedGuards = {"C"};
        QCOMPARE(judged(trial).check, std::string("guard bands, trial 2"));
        trial.title = "the audited call";
        const Judgement j = judged(trial);
        QCOMPARE(j.check, std::string("guard bands, the audited call"));
        QCOMPARE(
            j.explanation, std::string("Memory beside C was overwritten in the audited call (seed 41)."));
        trial.damagedGuards.clear();
        trial.outputs[0].poisonCount = 3;
        QCOMPARE(judged(trial).check, std::string("poisoned outputs, the audited call"));
    }

    void callsBesideTheTrialsAreCountedApart()
    {
        TrialFacts audited = goodTrial();
        audited.title = "the audited call";
        const std::string explanation = judged(audited).explanation;
        QVERIFY2(explanation.find("in 1 trial and 1 more") != std::string::npos, explanation.c_str());
    }

    void namesAndExitStatuses()
    {
        const std::vector<std::string> names = verdictNames();
        QCOMPARE(names.size(), std::size_t{19});
        for (const std::string& name : names) {
            const auto verdict = verdictByName(name);
            QVERIFY(verdict);
            QCOMPARE(verdictName(*verdict), std::string_view(name));
            QVERIFY(verdictMeaning(*verdict).ends_with('.'));
            const bool nothingSaid =
                name == "unsupported" || name == "unverified" || name == "infrastructure_error";
            QCOMPARE(exitStatusOf(*verdict), name == "correct" ? 0 : nothingSaid ? 3 : 1);
        }
        QVERIFY(!verdictByName("Correct"));
    }

    void correct()
    {
        const Judgement j = judged(goodTrial());
        QCOMPARE(j.verdict, Verdict::Correct);
        QVERIFY2(j.explanation.find("2 trials") != std::string::npos, j.explanation.c_str());
        QVERIFY(j.explanation.find("0.0016") != std::string::npos);
        auto again = goodTrial();
        again.repeatsInputs = true;
        const auto sentence = judged(again).explanation;
        QVERIFY2(sentence.find("2 runs of the same inputs") != std::string::npos, sentence.c_str());
    }

    void nothingCompared()
    {
        QCOMPARE(judge({}, {}, strict, Rule::Strict).verdict, Verdict::Unverified);
        QCOMPARE(judge({TrialFacts{}}, {}, strict, Rule::Strict).verdict, Verdict::Unverified);
    }

    void strictAsksForBothRules()
    {
        TrialFacts trial = goodTrial();
        trial.outputs[0].normwiseRelError = 0.01; // a wrong scale inside the paper's tolerance
        QCOMPARE(judged(trial, Rule::Paper).verdict, Verdict::Correct);
        QCOMPARE(judged(trial).verdict, Verdict::IncorrectNumerical);
        QVERIFY2(judged(trial).explanation.find("strict bound is 0.003") != std::string::npos,
            judged(trial).explanation.c_str());
        trial = goodTrial();
        trial.outputs[0].mismatched = 1; // one wrong element inside the norm
        trial.outputs[0].firstMismatch = 17;
        trial.outputs[0].firstMismatchGot = 1.5;
        trial.outputs[0].firstMismatchExpected = 2.25;
        for (const Rule rule : {Rule::Paper, Rule::Strict}) {
            const Judgement j = judged(trial, rule);
            QCOMPARE(j.verdict, Verdict::IncorrectNumerical);
            QVERIFY2(j.explanation.find("1 of 1000 elements") != std::string::npos, j.explanation.c_str());
            QVERIFY(j.explanation.find("element 17: got 1.5, expected 2.25") != std::string::npos);
            QVERIFY(j.explanation.find("trial 2 (seed 41)") != std::string::npos);
        }
    }

    void withoutBoundThePaperRuleJudges()
    {
        TrialFacts trial = goodTrial();
        trial.outputs[0].normwiseRelError = 0.5;
        const Judgement j = judge({trial}, {}, StrictRule{}, Rule::Strict);
        QCOMPARE(j.verdict, Verdict::Correct);
        QVERIFY(j.explanation.find("without a strict bound") != std::string::npos);
    }

    void mostBasicFaultFirst()
    {
        TrialFacts trial = goodTrial();
        trial.outputs[0].mismatched = 10;
        QCOMPARE(judged(trial).verdict, Verdict::IncorrectNumerical);
        trial.outputs[0].nanCount = 2;
        QCOMPARE(judged(trial).verdict, Verdict::NotFinite);
        trial.outputs[0].poisonCount = 2;
        QCOMPARE(judged(trial).verdict, Verdict::NotWritten);
        QVERIFY(judged(trial).explanation.find("2 of 1000 elements") != std::string::npos);
        trial.modifiedInputs = {"A", "B"};
        QCOMPARE(judged(trial).verdict, Verdict::InputModified);
        QVERIFY(judged(trial).explanation.find("Inputs A, B were changed") != std::string::npos);
        trial.damagedGuards = {"C"};
        QCOMPARE(judged(trial).verdict, Verdict::OutOfBounds);
        QVERIFY(judged(trial).explanation.find("beside C") != std::string::npos);
        // A basic fault of a later trial outranks a lesser one of an earlier trial.
        TrialFacts wrong = goodTrial();
        wrong.outputs[0].mismatched = 10;
        QCOMPARE(judge({wrong, trial}, {}, strict, Rule::Paper).verdict, Verdict::OutOfBounds);
    }

    void neverWritten()
    {
        TrialFacts trial = goodTrial();
        trial.outputs[0].poisonCount = trial.outputs[0].elements;
        QVERIFY(judged(trial).explanation.find("was never written") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
