// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/theme_colours.h"
#include "widgets/plots/speedup_chart.h"

#include <QFont>
#include <QPalette>

namespace ptxwb {

enum class ThemeChoice { System, Dark, Light };
ThemeChoice themeChoice(const QString& name);
QString themeName(ThemeChoice choice);

/// Every colour of the window, read from resources/themes.
struct Theme {
    bool dark = false;
    QPalette palette{};
    EditorColours editor{};
    StatusColours status{};
    ChartColours chart{};
};

/// `System` follows the palette that the desktop gave at the start.
Theme loadTheme(ThemeChoice choice);

/// The fixed-width font of the editor and listings; `points` 0 means the system's size.
QFont fixedFont(int points);

/// Sets Fusion and the theme's palette on the application.
void applyToApplication(const Theme& theme);

/// WCAG contrast ratio of two colours, 1..21.
double contrastRatio(const QColor& a, const QColor& b);

} // namespace ptxwb
