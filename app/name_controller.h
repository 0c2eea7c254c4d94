// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace ptxwb {

class Prompts;
class PtxEditor;
class Settings;
class WindowActions;

/// The actions on names in the editor: complete, go to the declaration and to uses, rename.
class NameController : public QObject {
    Q_OBJECT
public:
    NameController(PtxEditor& editor, const WindowActions& actions, Settings& settings, Prompts& prompts,
        QObject* parent = nullptr);

signals:
    void stateChanged(const QString& text);

private:
    void complete();
    void rename();
    void report(bool found);

    PtxEditor& m_editor;
    Prompts& m_prompts;
};

} // namespace ptxwb
