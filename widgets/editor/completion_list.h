// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ptx/completion.h"

#include <QObject>

namespace ptxwb {

class PtxEditor;

/// The list of ways to go on at the editor's caret: on request, and while a word is typed.
class CompletionList : public QObject {
    Q_OBJECT
public:
    explicit CompletionList(PtxEditor* editor);

    /// May be null: then there is no list.
    void setIsaTable(const IsaTable* table) { m_isaTable = table; }
    void setWhileTyping(bool on) { m_whileTyping = on; }
    bool isWhileTyping() const { return m_whileTyping; }
    /// Shows the list for the caret; false when nothing is known to go on with.
    bool showNow();
    bool isShown() const;
    void hide();

private:
    void charAdded(int character);
    void accept(const char* row, int from);
    bool show(const Completions& found);
    bool narrow(char typed);
    Completions atCaret() const;

    PtxEditor* m_editor;
    const IsaTable* m_isaTable = nullptr;
    bool m_whileTyping = true;
    Completions m_shown; ///< what the list was opened with
};

} // namespace ptxwb
