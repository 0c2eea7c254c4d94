// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

namespace ptxwb {

/// What turns `before` into `after`, line by line with a few unchanged lines around it, as rich text. Long
/// differences are cut, which the text says.
QString differenceHtml(const QByteArray& before, const QByteArray& after);

} // namespace ptxwb
