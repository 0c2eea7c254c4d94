// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/report.h"

#include <QTreeView>

namespace ptxwb {

class FindingsModel;

/// The list of an emulator's findings. Enter asks for a finding's line, Ctrl+F9 for the debugger at its step.
class FindingsView : public QTreeView {
    Q_OBJECT
public:
    explicit FindingsView(FindingsModel* model, QWidget* parent = nullptr);

signals:
    void lineActivated(int line);
    void debugRequested(const ptxwb::emulator::Report& report);
};

} // namespace ptxwb
