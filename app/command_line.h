// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

namespace ptxwb {

/// What `ptx-workbench` was asked for.
struct WindowOptions {
    QString file{};
    QString task{};
    QString workload{};
    QString theme{}; ///< empty: as remembered
    QString layout{}; ///< empty: as remembered
    QString compare{}; ///< compare the text with this file
    QString triage{}; ///< look through this folder
    bool run = false; ///< run the kernel by its own plan
    bool debug = false; ///< start it in the debugger
    QString screenshot{}; ///< write a picture and end
    QSize size{1600, 1000};
    int line = 0; ///< put the caret there; 0: leave it
    bool fresh = false; ///< neither read nor write the session
};

/// Either options, or a text for the user and the exit status (0 for --help and --version, 2 for wrong
/// usage).
struct ParsedCommandLine {
    WindowOptions options{};
    bool go = true;
    int exitStatus = 0;
    QString message{};
};

ParsedCommandLine parseCommandLine(const QStringList& arguments);

} // namespace ptxwb
