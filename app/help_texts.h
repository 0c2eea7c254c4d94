// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/environment.h"

#include <QList>
#include <QString>

#include <optional>

class QAction;

namespace ptxwb {

QString shortcutsHtml(const QList<QAction*>& actions);

/// The window's short form of `ptxwb doctor`. `toolchain` null: not looked for yet.
QString doctorHtml(const Toolchain* toolchain, const std::optional<GpuReport>& gpu);

QString aboutHtml();

} // namespace ptxwb
