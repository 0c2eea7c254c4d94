// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/verdict.h"
#include "widgets/editor/theme_colours.h"

#include <QFrame>

class QLabel;

namespace ptxwb {

/// The verdict in one line: glyph, word, sentence, and where it comes from.
class VerdictBanner : public QFrame {
    Q_OBJECT
public:
    explicit VerdictBanner(QWidget* parent = nullptr);

    void setColours(const StatusColours& colours);
    /// `provenance`: "recorded on NVIDIA H200, 2025-01-01", "of an earlier text", ... ; may be empty.
    void showVerdict(Verdict verdict, const QString& sentence, const QString& provenance);
    /// The same in grey: of another text than the one in the editor.
    void showVerdictOfAnotherText(Verdict verdict, const QString& sentence, const QString& provenance);
    Tone tone() const { return m_tone; }
    /// Nothing was evaluated: says why and what to do.
    void showMessage(Tone tone, const QString& word, const QString& sentence);

    QString word() const;
    QString sentence() const;
    QString provenance() const;

private:
    void show(Tone tone, const QString& word, const QString& sentence, const QString& provenance);
    void paint();

    StatusColours m_colours;
    Tone m_tone = Tone::Neutral;
    QLabel* m_glyph;
    QLabel* m_word;
    QLabel* m_sentence;
    QLabel* m_provenance;
};

} // namespace ptxwb
