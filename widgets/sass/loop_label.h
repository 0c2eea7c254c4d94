// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sass/kernel_summary.h"
#include "widgets/editor/wrapped_label.h"

namespace ptxwb {

/// One line about the loop that a kernel spends its time in: the innermost one with most tensor core
/// products. Empty and hidden for a kernel without such a loop.
class LoopLabel : public WrappedLabel {
    Q_OBJECT
public:
    explicit LoopLabel(QWidget* parent = nullptr);

    void setKernel(const SassKernel* kernel, const ControlFlow& flow);

signals:
    /// The user asked for the loop: its first row.
    void loopActivated(int row);
};

} // namespace ptxwb
