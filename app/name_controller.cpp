// SPDX-License-Identifier: Apache-2.0
#include "app/name_controller.h"

#include "app/prompts.h"
#include "app/settings.h"
#include "app/window_actions.h"
#include "core/ptx/rename_symbol.h"
#include "core/ptx/symbols.h"
#include "widgets/editor/completion_list.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/editor/symbol_marks.h"

#include <QAction>

namespace ptxwb {

NameController::NameController(
    PtxEditor& editor, const WindowActions& actions, Settings& settings, Prompts& prompts, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
    , m_prompts(prompts)
{
    editor.completion()->setWhileTyping(settings.completeWhileTyping());
    actions.completeWhileTyping->setChecked(settings.completeWhileTyping());
    connect(actions.completeWhileTyping, &QAction::toggled, this, [this, &settings](bool on) {
        settings.setCompleteWhileTyping(on);
        m_editor.completion()->setWhileTyping(on);
    });
    connect(actions.complete, &QAction::triggered, this, &NameController::complete);
    connect(actions.declaration, &QAction::triggered, this,
        [this] { report(m_editor.symbols()->goToDeclaration()); });
    connect(
        actions.nextUse, &QAction::triggered, this, [this] { report(m_editor.symbols()->goToUse(true)); });
    connect(actions.previousUse, &QAction::triggered, this,
        [this] { report(m_editor.symbols()->goToUse(false)); });
    connect(actions.rename, &QAction::triggered, this, &NameController::rename);
}

void NameController::report(bool found)
{
    if (!found) {
        emit stateChanged(
            tr("The caret is on no register, variable, parameter, label or function that this PTX "
               "declares."));
    }
}

void NameController::complete()
{
    m_editor.setFocus();
    if (!m_editor.completion()->showNow()) {
        emit stateChanged(tr("Nothing is known to go on with here."));
    }
}

void NameController::rename()
{
    const long caret = m_editor.SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS);
    const auto symbol = m_editor.symbols()->at(caret);
    if (!symbol || m_editor.isReadOnly()) {
        report(false);
        return;
    }
    const auto oldName = QString::fromStdString(ptxDeclaredName(*symbol));
    const auto newName = m_prompts.text(
        tr("Rename"), tr("New name of %1:").arg(QString::fromStdString(symbol->declaredAs)), oldName);
    if (!newName || newName->trimmed() == oldName) {
        return;
    }
    const QByteArray text = m_editor.utf8();
    const auto renamed = renamePtxSymbol({text.constData(), static_cast<std::size_t>(text.size())},
        static_cast<std::uint32_t>(caret), newName->trimmed().toStdString());
    if (!renamed) {
        emit stateChanged(tr("Not renamed: %1").arg(QString::fromStdString(describe(renamed.error()))));
        return;
    }
    m_editor.replaceAllText(QByteArray::fromStdString(*renamed));
    emit stateChanged(tr("Renamed to %1.").arg(newName->trimmed()));
}

} // namespace ptxwb
