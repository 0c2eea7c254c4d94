// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/wrapped_label.h"

namespace ptxwb {

WrappedLabel::WrappedLabel(QWidget* parent)
    : QLabel(parent)
{
    setWordWrap(true);
}

QSize WrappedLabel::minimumSizeHint() const
{
    const QMargins margins = contentsMargins();
    return {QLabel::minimumSizeHint().width(),
        fontMetrics().lineSpacing() + 2 * margin() + margins.top() + margins.bottom()};
}

} // namespace ptxwb
