// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/theme_colours.h"

#include <Qsci/qscilexercustom.h>

namespace ptxwb {

/// Styles PTX for Scintilla: only the range that it asks for, in one SCI_SETSTYLINGEX per request, never per
/// token. The state at the start of each line is kept as Scintilla's line state.
class PtxLexer : public QsciLexerCustom {
    Q_OBJECT
public:
    explicit PtxLexer(QObject* parent = nullptr);

    void setColours(const EditorColours& colours, const QFont& font);

    const char* language() const override { return "PTX"; }
    const char* lexer() const override { return nullptr; }
    QString description(int style) const override;
    void styleText(int start, int end) override;
    const char* wordCharacters() const override;

private:
    EditorColours m_colours;
};

} // namespace ptxwb
