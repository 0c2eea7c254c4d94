// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/report.h"
#include "core/evaluation/evaluation.h"
#include "widgets/editor/theme_colours.h"

#include <QCoreApplication>

namespace ptxwb {

/// Translated words for the closed sets of core.
class VerdictWords {
    Q_DECLARE_TR_FUNCTIONS(VerdictWords)
public:
    static QString word(Verdict verdict); ///< "Correct", "Wrong numbers" ...
    static Tone tone(Verdict verdict);
    static QString word(Phase phase);
    static QString word(PhaseState state);
    static Tone tone(PhaseState state);
    static QString word(EvidenceState state);
    static QString word(emulator::RuleId rule); ///< "Race", "Missing proxy fence" ...
};

} // namespace ptxwb
