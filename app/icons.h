// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>

namespace ptxwb {

/// The drawing resources/icons/NAME.svg in this ink, and in `disabled` where its action is off.
QIcon inkedIcon(const QString& name, const QColor& ink, const QColor& disabled);

} // namespace ptxwb
