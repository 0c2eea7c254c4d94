// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/build.h"

#include <QDockWidget>
#include <QObject>
#include <QPointer>
#include <QString>

#include <memory>

namespace ptxwb {

class BuildController;
class FileController;
struct Panes;

/// Shows what a build gave in editor, problems, resources and SASS, and links editor and SASS line by line.
class BuildDisplay : public QObject {
    Q_OBJECT
public:
    BuildDisplay(Panes& panes, BuildController& builds, FileController& files, QObject* parent = nullptr);

    /// The text changed: what is shown is of an earlier one.
    void markStale();
    void clear();

signals:
    /// One line for the status bar.
    void stateChanged(const QString& text);

private:
    void show();
    void showDiagnostics(const Build& build);
    void showListing(const Build& build);
    void linkFromEditor(int line);
    void linkFromListing(int line);
    void showNothing(const QString& reason);
    void raisePanes(bool ok, bool good);

    Panes& m_panes;
    BuildController& m_builds;
    FileController& m_files;
    bool m_hasListing = false;
    bool m_listingIsStale = false;
    bool m_wasGood = true;
    QPointer<QDockWidget> m_before; ///< what Problems was raised over
};

} // namespace ptxwb
