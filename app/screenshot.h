// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace ptxwb {

class MainWindow;

/// Waits until the window is idle, writes a picture of it and ends the event loop: exit status 0, 2 when
/// something that the command line names is not there, or 4 with a sentence on stderr when it never came to
/// rest or the file cannot be written.
void takeScreenshot(MainWindow& window, const QString& path);

} // namespace ptxwb
