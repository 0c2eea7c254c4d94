// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

class QMainWindow;

namespace ptxwb {

struct Panes;

/// The window's named arrangements of docks.
enum class Layout { Edit, Inspect, Compare };

/// By command line name: "edit", "inspect", "compare".
std::optional<Layout> layoutByName(const QString& name);

/// Part of saveState(): states of another version are not restored.
inline constexpr int layoutVersion = 3;

/// Arranges the docks from nothing, whatever the user did to them before.
void applyLayout(QMainWindow& window, Panes& panes, Layout layout);

} // namespace ptxwb
