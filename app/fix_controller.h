// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <QObject>
#include <QString>

#include <vector>

namespace ptxwb {

class BuildController;
class FileController;
struct Panes;

/// Applies fixes of problems to the editor's text, each as one undo step, and compiles again. A fix of an
/// earlier text is never applied.
class FixController : public QObject {
    Q_OBJECT
public:
    FixController(Panes& panes, BuildController& builds, FileController& files, QObject* parent = nullptr);

    /// A menu of the fixes for the caret's line, or for the chosen problem where the keyboard is in Problems.
    void offerFixes();
    void applyAll();

signals:
    /// One line for the status bar.
    void stateChanged(const QString& text);

private:
    bool isOfThisText();
    void apply(const Fix& fix);
    std::vector<int> problemsAtCaret() const;

    Panes& m_panes;
    BuildController& m_builds;
    FileController& m_files;
};

} // namespace ptxwb
