// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/symbols.h"

#include <QObject>

#include <optional>

class QTimer;

namespace ptxwb {

class PtxEditor;

/// What the name under the editor's caret means: its places are marked a moment after the caret rests, and
/// the caret can go to where it is declared or to its next use.
class SymbolMarks : public QObject {
    Q_OBJECT
public:
    explicit SymbolMarks(PtxEditor* editor);

    static constexpr int indicator = 11;

    /// False when no declaration is known.
    bool goToDeclaration();
    /// Round the places of the symbol, the declaration too.
    bool goToUse(bool forward);
    /// The symbol at a byte of the text; nothing in text that is not PTX.
    std::optional<PtxSymbol> at(long position) const;

private:
    void mark();
    void clear();
    void goTo(const TextRange& place);

    PtxEditor* m_editor;
    QTimer* m_rest;
    bool m_isMarked = false;
};

} // namespace ptxwb
