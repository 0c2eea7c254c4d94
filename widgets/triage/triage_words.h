// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/records/triage_row.h"
#include "widgets/editor/theme_colours.h"

#include <QCoreApplication>
#include <QString>

namespace ptxwb {

/// The closed sets of triage in the user's language.
class TriageWords {
    Q_DECLARE_TR_FUNCTIONS(ptxwb::TriageWords)
public:
    static QString result(records::TriageResult result);
    static Tone tone(records::TriageResult result);
    static QString cause(records::CauseClass cause);
};

} // namespace ptxwb
