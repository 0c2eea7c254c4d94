// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLabel>

namespace ptxwb {

/// Text that wraps. It asks for one line at least, where a QLabel asks for the height of its text at the
/// smallest width, which would keep a pane, and with it the window, tall.
class WrappedLabel : public QLabel {
    Q_OBJECT
public:
    explicit WrappedLabel(QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;
};

} // namespace ptxwb
