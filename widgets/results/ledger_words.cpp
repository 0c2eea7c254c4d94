// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/ledger_words.h"

#include "core/emulator/report.h"
#include "widgets/results/verdict_words.h"

#include <optional>

namespace ptxwb {

namespace {

/// Core's sentences; %1 ... %9 stand for what differs, in this order. The first that fits is taken.
constexpr const char* sentences[] = {
    // claims
    QT_TRANSLATE_NOOP("LedgerWords", "assembles for %1"),
    QT_TRANSLATE_NOOP("LedgerWords", "assembles"),
    QT_TRANSLATE_NOOP("LedgerWords", "architecture-specific instructions in the code (the paper's account)"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 in the code"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 in its code"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 executed"),
    QT_TRANSLATE_NOOP("LedgerWords", "output depends on %1"),
    QT_TRANSLATE_NOOP("LedgerWords", "correct by the strict rule"),
    QT_TRANSLATE_NOOP("LedgerWords", "correct by the paper's rule"),
    QT_TRANSLATE_NOOP("LedgerWords", "inputs untouched, nothing written outside its buffers"),
    QT_TRANSLATE_NOOP("LedgerWords", "free of races, hangs and missing fences"),
    QT_TRANSLATE_NOOP("LedgerWords", "time of one call, cold L2"),
    QT_TRANSLATE_NOOP("LedgerWords", "time of one call"),
    QT_TRANSLATE_NOOP("LedgerWords", "speed-up over the library"),
    QT_TRANSLATE_NOOP("LedgerWords", "speed-up over %1"),
    // values
    QT_TRANSLATE_NOOP("LedgerWords", "yes"),
    QT_TRANSLATE_NOOP("LedgerWords", "no"),
    QT_TRANSLATE_NOOP("LedgerWords", "no, %1 error(s)"),
    QT_TRANSLATE_NOOP("LedgerWords", "yes, %1 rows"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 times"),
    QT_TRANSLATE_NOOP("LedgerWords", "none found under %1 schedules"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 finding(s)"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 finding: %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 findings: %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 warning: %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 warnings: %2"),
    // how
    QT_TRANSLATE_NOOP("LedgerWords", "the compiler was run"),
    QT_TRANSLATE_NOOP("LedgerWords", "opcodes of address-prefixed SASS rows, counted"),
    QT_TRANSLATE_NOOP("LedgerWords", "SASS rows of family %1"),
    QT_TRANSLATE_NOOP("LedgerWords", "warp instructions counted by the emulator"),
    QT_TRANSLATE_NOOP("LedgerWords", "hardware counters per SASS row"),
    QT_TRANSLATE_NOOP("LedgerWords", "the results changed in a second emulated run, outputs compared"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 of %2 emulated runs against our own oracle, inputs from seed %3"),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "%1 trials with fresh inputs against our own oracle, inputs from seed %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 trials against our own oracle, fresh inputs from seed %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 emulated runs against our own oracle, inputs from seed %2"),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "%1 trials with fresh inputs against another kernel, inputs from seed %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 emulated runs against another kernel, inputs from seed %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 of %2 emulated runs against another kernel, inputs from seed %3"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "%1 trials with fresh inputs against the definition's Python reference, inputs from seed %2"),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "%1 emulated runs against the definition's Python reference, inputs from seed %2"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "%1 of %2 emulated runs against the definition's Python reference, inputs from seed %3"),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "%1 trials with fresh inputs against stored outputs, inputs from seed %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 emulated runs against stored outputs, inputs from seed %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 of %2 emulated runs against stored outputs, inputs from seed %3"),
    QT_TRANSLATE_NOOP("LedgerWords", "input hashes before and after, guard bands around every buffer"),
    QT_TRANSLATE_NOOP("LedgerWords", "every access checked by the emulator, inputs compared"),
    QT_TRANSLATE_NOOP("LedgerWords", "asynchronous work completed %1; sums as %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "CUDA events, median of %1 calls"),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "%1 paired rounds ABBA, cold L2, 95 % bootstrap interval of the ratio of medians"),
    // reasons
    QT_TRANSLATE_NOOP("LedgerWords", "the phases before it did not pass"),
    QT_TRANSLATE_NOOP("LedgerWords", "an earlier phase failed"),
    QT_TRANSLATE_NOOP("LedgerWords", "the compiler was not run"),
    QT_TRANSLATE_NOOP("LedgerWords", "the compiler refused the file"),
    QT_TRANSLATE_NOOP("LedgerWords", "from the build cache"),
    QT_TRANSLATE_NOOP("LedgerWords", "hardware counters were not asked for (--profile)"),
    QT_TRANSLATE_NOOP("LedgerWords", "only an emulated run that comes to its end shows it"),
    QT_TRANSLATE_NOOP("LedgerWords", "needs the emulator, which is not part of this version"),
    QT_TRANSLATE_NOOP("LedgerWords", "the sanitizer is not part of this version"),
    QT_TRANSLATE_NOOP("LedgerWords", "the sanitizer needs a GPU; the emulator's own checks ran with verify"),
    QT_TRANSLATE_NOOP("LedgerWords", "only the emulator looks for these"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 of %2 schedules came to their end: %3"),
    QT_TRANSLATE_NOOP("LedgerWords", "only correct candidates are timed"),
    QT_TRANSLATE_NOOP("LedgerWords", "times are taken of correct kernels only; this one is %1"),
    QT_TRANSLATE_NOOP("LedgerWords", "timing was not asked for"),
    QT_TRANSLATE_NOOP("LedgerWords", "no accepted sample"),
    QT_TRANSLATE_NOOP("LedgerWords", "too few accepted rounds"),
    QT_TRANSLATE_NOOP("LedgerWords", "the task names no baseline"),
    QT_TRANSLATE_NOOP("LedgerWords", "the cuDNN baseline is not built yet"),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "the time is below the roofline floor, which is impossible; it is no result"),
    QT_TRANSLATE_NOOP("LedgerWords", "an emulator has no GPU's clock; timing needs the GPU"),
    QT_TRANSLATE_NOOP("LedgerWords", "running was switched off (--on none)"),
    QT_TRANSLATE_NOOP("LedgerWords", "the CPU emulator was asked for"),
    QT_TRANSLATE_NOOP("LedgerWords", "the CPU emulator, since there is no GPU to run it: %1"),
    QT_TRANSLATE_NOOP("LedgerWords", "no NVIDIA GPU was found"),
    QT_TRANSLATE_NOOP("LedgerWords", "there is no GPU number %1 (%2 found)"),
    QT_TRANSLATE_NOOP("LedgerWords", "about %1 GiB are needed, %2 has %3 GiB free"),
    QT_TRANSLATE_NOOP("LedgerWords", "code for %1 does not load on %2 (%3)"),
    QT_TRANSLATE_NOOP("LedgerWords", "host contract: the file brings its own launch code"),
    QT_TRANSLATE_NOOP("LedgerWords", "the compiler kept no cubin; `ptxwb sass` shows the SASS of the file"),
    QT_TRANSLATE_NOOP("LedgerWords", "host-contract candidates are not run under compute-sanitizer"),
    QT_TRANSLATE_NOOP("LedgerWords", "its own host code was run"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "in a process of its own, with this user's rights; it holds neither the reference nor the checks"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "in a process of its own, with this user's rights; it holds neither the memory of the device nor the "
        "reference nor the checks"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "in a process of its own, in a sandbox; it holds neither the memory of the device nor the reference "
        "nor "
        "the checks"),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "%1; reported by the candidate's own process, bounded by the runner's clock (%2)"),
    // verdicts
    QT_TRANSLATE_NOOP("LedgerWords", "%1 (by emulation, %2 accumulation; nothing found under %3 schedules)"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 (by emulation, %2 accumulation; nothing found under %3 schedule)"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 (by emulation, %2 accumulation; under %3 schedules %4)"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 (by emulation, %2 accumulation; under %3 schedule %4)"),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "Every output agrees with the reference in %1 trials (largest normwise error %2)."),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "Every output agrees with the reference in %1 trial (largest normwise error %2)."),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Every output agrees with the reference in %1 runs of the same inputs (largest normwise error %2)."),
    QT_TRANSLATE_NOOP("LedgerWords", "a second call gives the same bits"),
    QT_TRANSLATE_NOOP("LedgerWords", "the same inputs again, outputs poisoned between, hashes compared"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Every output agrees with the reference in %1 trials and %2 more (largest normwise error %3)."),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Every output agrees with the reference in %1 trial and %2 more (largest normwise error %3)."),
    QT_TRANSLATE_NOOP("LedgerWords", "Nsight Compute is run on this machine's GPU only"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Nsight Compute (ncu) is not here; it comes with the CUDA toolkit (PTXWB_NCU names one elsewhere)"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM); an administrator allows "
        "it with the driver's option NVreg_RestrictProfilingToAdminUsers=0"),
    QT_TRANSLATE_NOOP("LedgerWords", "Nsight Compute did not end within %1 s"),
    QT_TRANSLATE_NOOP("LedgerWords", "Nsight Compute says: %1"),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Every output agrees with the reference in %1 (largest normwise error %2); an output without a "
        "strict "
        "bound was judged by the paper's rule."),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Output %1: %2 of %3 elements are off by more than %4 and by more than %5 of the reference, in trial "
        "%6 (seed %7); first at element %8: got %9."),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Output %1: %2 of %3 elements are off by more than %4 and by more than %5 of the reference, in trial "
        "%6 (seed %7)."),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Output %1: the error's norm is %2 of the reference's, the strict bound is %3, in trial %4 (seed "
        "%5)."),
    QT_TRANSLATE_NOOP("LedgerWords",
        "Output %1 holds %2 NaN and %3 Inf where the reference is finite, in trial %4 (seed %5)."),
    QT_TRANSLATE_NOOP(
        "LedgerWords", "Output %1: %2 of %3 elements were never written in trial %4 (seed %5)."),
    QT_TRANSLATE_NOOP("LedgerWords", "Output %1 was never written in trial %2 (seed %3)."),
    QT_TRANSLATE_NOOP("LedgerWords", "Input %1 was changed in trial %2 (seed %3)."),
    QT_TRANSLATE_NOOP("LedgerWords", "Inputs %1 were changed in trial %2 (seed %3)."),
    QT_TRANSLATE_NOOP("LedgerWords", "Memory beside %1 was overwritten in trial %2 (seed %3)."),
    QT_TRANSLATE_NOOP("LedgerWords", "%1, expected %2"),
    QT_TRANSLATE_NOOP("LedgerWords", "%1 of %2 CTAs"),
    QT_TRANSLATE_NOOP("LedgerWords", "No output was compared with a reference."),
    QT_TRANSLATE_NOOP("LedgerWords", "the file is empty"),
    QT_TRANSLATE_NOOP("LedgerWords", "the launch plan cannot be used: %1"),
    QT_TRANSLATE_NOOP("LedgerWords", "the launch plan starts '%1', but the code has %2"),
};

struct Match {
    const char* sentence = nullptr;
    QStringList parts{};
};

/// What stands in the places of a sentence, if the text is of its shape.
std::optional<QStringList> partsOf(const QString& text, const QString& sentence)
{
    QStringList parts;
    qsizetype at = 0; // in the text
    qsizetype from = 0; // in the sentence
    for (int number = 1;; ++number) {
        const qsizetype place = sentence.indexOf(QLatin1Char('%') + QString::number(number), from);
        const QString literal = sentence.mid(from, place < 0 ? -1 : place - from);
        if (number == 1) {
            if (!text.startsWith(literal)) {
                return std::nullopt;
            }
            at = literal.size();
        } else {
            // The last literal must end the text; an empty one takes all that is left.
            const qsizetype found = place >= 0 ? text.indexOf(literal, at + 1)
                : text.endsWith(literal)       ? text.size() - literal.size()
                                               : -1;
            if (found < at + 1) {
                return std::nullopt;
            }
            parts << text.mid(at, found - at);
            at = found + literal.size();
        }
        if (place < 0) {
            return at == text.size() ? std::optional(parts) : std::nullopt;
        }
        from = place + 2;
    }
}

Match matchOf(const QString& text)
{
    for (const char* sentence : sentences) {
        if (std::optional<QStringList> parts = partsOf(text, QString::fromUtf8(sentence))) {
            return {sentence, *std::move(parts)};
        }
    }
    return {};
}

/// A word of core's closed sets of codes.
QString wordOfCode(const std::string& code)
{
    if (const std::optional<Verdict> verdict = verdictByName(code)) {
        return VerdictWords::word(*verdict);
    }
    if (const std::optional<emulator::RuleId> rule = emulator::ruleByName(code)) {
        return VerdictWords::word(*rule);
    }
    return {};
}

/// Whether a part of a sentence is more than a name or a number, which stay as they are.
bool isText(const QStringList& parts, const QString& part)
{
    return parts.size() == 1 || part.contains(QLatin1Char(' ')) || part.contains(QLatin1Char('_'));
}

/// "race at line 12: ...": the finding that decided a verdict; "not_finite: ...": why a claim does not hold.
QString finding(const QString& text)
{
    const std::optional<QStringList> why = partsOf(text, QStringLiteral("%1: %2"));
    if (const QString code = why ? wordOfCode(why->at(0).toStdString()) : QString(); !code.isEmpty()) {
        return QStringLiteral("%1: %2").arg(code, LedgerWords::translated(why->at(1).toStdString()));
    }
    const std::optional<QStringList> parts = partsOf(text, QStringLiteral("%1 at line %2: %3"));
    const QString rule = parts ? wordOfCode(parts->at(0).toStdString()) : QString();
    return rule.isEmpty() ? QString()
                          : LedgerWords::tr("%1 at line %2: %3").arg(rule, parts->at(1), parts->at(2));
}

} // namespace

QString LedgerWords::translated(const std::string& text)
{
    if (QString word = wordOfCode(text); !word.isEmpty()) {
        return word;
    }
    const QString whole = QString::fromStdString(text);
    if (QString found = finding(whole); !found.isEmpty()) {
        return found;
    }
    const Match match = matchOf(whole);
    if (match.sentence == nullptr) {
        return whole;
    }
    QString out = tr(match.sentence);
    // From the last place on, so that a part which holds a place itself is not filled again.
    for (qsizetype i = match.parts.size(); i > 0; --i) {
        const QString part = match.parts[i - 1];
        out.replace(QLatin1Char('%') + QString::number(i),
            isText(match.parts, part) ? translated(part.toStdString()) : part);
    }
    return out;
}

bool LedgerWords::knows(const std::string& text)
{
    const QString whole = QString::fromStdString(text);
    return !wordOfCode(text).isEmpty() || !finding(whole).isEmpty() || matchOf(whole).sentence != nullptr;
}

} // namespace ptxwb
