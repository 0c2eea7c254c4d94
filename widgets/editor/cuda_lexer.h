// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/theme_colours.h"

#include <Qsci/qscilexercpp.h>

namespace ptxwb {

/// C++ with CUDA's words, in the theme's colours.
class CudaLexer : public QsciLexerCPP {
    Q_OBJECT
public:
    explicit CudaLexer(QObject* parent = nullptr);

    void setColours(const EditorColours& colours, const QFont& font);
    const char* keywords(int set) const override;
};

} // namespace ptxwb
