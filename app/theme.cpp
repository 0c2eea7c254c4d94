// SPDX-License-Identifier: Apache-2.0
#include "app/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>
#include <cmath>
#include <initializer_list>

// Outside every namespace, as the macro asks; without it the linker drops the resources of a static library.
static void useResources()
{
    Q_INIT_RESOURCE(ptxwb);
}

namespace ptxwb {

namespace {

bool desktopIsDark()
{
    // Remembered before the first theme replaces it.
    static const bool dark = [] {
        const QPalette desktop = QGuiApplication::palette();
        return desktop.color(QPalette::Window).lightness() < desktop.color(QPalette::WindowText).lightness();
    }();
    return dark;
}

QJsonObject readTheme(bool dark)
{
    useResources();
    QFile file(dark ? QStringLiteral(":/themes/dark.json") : QStringLiteral(":/themes/light.json"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return QJsonDocument::fromJson(file.readAll()).object();
}

void read(const QJsonObject& object, const char* name, QColor& colour)
{
    const QColor found(object[QLatin1String(name)].toString());
    if (found.isValid()) {
        colour = found;
    }
}

/// What the theme does not name keeps its default.
void readAll(const QJsonObject& object, std::initializer_list<std::pair<const char*, QColor*>> fields)
{
    for (const auto& [name, colour] : fields) {
        read(object, name, *colour);
    }
}

QPalette readPalette(const QJsonObject& object)
{
    static constexpr std::pair<const char*, QPalette::ColorRole> roles[] = {{"window", QPalette::Window},
        {"windowText", QPalette::WindowText}, {"base", QPalette::Base},
        {"alternateBase", QPalette::AlternateBase}, {"toolTipBase", QPalette::ToolTipBase},
        {"toolTipText", QPalette::ToolTipText}, {"placeholderText", QPalette::PlaceholderText},
        {"text", QPalette::Text}, {"button", QPalette::Button}, {"buttonText", QPalette::ButtonText},
        {"brightText", QPalette::BrightText}, {"link", QPalette::Link},
        {"linkVisited", QPalette::LinkVisited}, {"highlight", QPalette::Highlight},
        {"highlightedText", QPalette::HighlightedText}, {"light", QPalette::Light},
        {"midlight", QPalette::Midlight}, {"mid", QPalette::Mid}, {"dark", QPalette::Dark},
        {"shadow", QPalette::Shadow}};
    QPalette palette;
    for (const auto& [name, role] : roles) {
        QColor colour = palette.color(role);
        read(object, name, colour);
        palette.setColor(role, colour);
    }
    QColor disabled = palette.color(QPalette::Disabled, QPalette::Text);
    read(object, "disabledText", disabled);
    for (const QPalette::ColorRole role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    return palette;
}

EditorColours readEditor(const QJsonObject& editor, const QJsonObject& styles, bool dark)
{
    EditorColours colours;
    colours.dark = dark;
    readAll(editor,
        {{"paper", &colours.paper}, {"text", &colours.text}, {"caretLine", &colours.caretLine},
            {"selection", &colours.selection}, {"marginPaper", &colours.marginPaper},
            {"marginText", &colours.marginText}, {"linkedLine", &colours.linkedLine},
            {"braceMatch", &colours.braceMatch}, {"error", &colours.error}, {"warning", &colours.warning},
            {"info", &colours.info}});
    for (std::size_t i = 0; i < ptxStyleCount; ++i) {
        colours.styles[i] = colours.text;
        read(styles, ptxStyleName(static_cast<PtxStyle>(i)), colours.styles[i]);
    }
    return colours;
}

StatusColours readStatus(const QJsonObject& object)
{
    StatusColours colours;
    readAll(object,
        {{"goodInk", &colours.goodInk}, {"goodFill", &colours.goodFill}, {"badInk", &colours.badInk},
            {"badFill", &colours.badFill}, {"cautionInk", &colours.cautionInk},
            {"cautionFill", &colours.cautionFill}, {"neutralInk", &colours.neutralInk},
            {"neutralFill", &colours.neutralFill}});
    return colours;
}

ChartColours readChart(const QJsonObject& object, bool dark)
{
    ChartColours colours;
    colours.dark = dark;
    readAll(object,
        {{"paper", &colours.paper}, {"text", &colours.text}, {"grid", &colours.grid}, {"live", &colours.live},
            {"recorded", &colours.recorded}, {"interval", &colours.interval},
            {"reference", &colours.reference}});
    return colours;
}

double linearLight(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * linearLight(colour.redF()) + 0.7152 * linearLight(colour.greenF())
        + 0.0722 * linearLight(colour.blueF());
}

} // namespace

ThemeChoice themeChoice(const QString& name)
{
    return name == QLatin1String("dark") ? ThemeChoice::Dark
        : name == QLatin1String("light") ? ThemeChoice::Light
                                         : ThemeChoice::System;
}

QString themeName(ThemeChoice choice)
{
    switch (choice) {
    case ThemeChoice::Dark:
        return QStringLiteral("dark");
    case ThemeChoice::Light:
        return QStringLiteral("light");
    case ThemeChoice::System:
        return QStringLiteral("system");
    }
    return {};
}

Theme loadTheme(ThemeChoice choice)
{
    const bool systemIsDark = desktopIsDark();
    Theme theme;
    theme.dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    const QJsonObject file = readTheme(theme.dark);
    theme.palette = readPalette(file[QLatin1String("palette")].toObject());
    theme.editor = readEditor(
        file[QLatin1String("editor")].toObject(), file[QLatin1String("styles")].toObject(), theme.dark);
    theme.status = readStatus(file[QLatin1String("status")].toObject());
    theme.chart = readChart(file[QLatin1String("chart")].toObject(), theme.dark);
    return theme;
}

QFont fixedFont(int points)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (QFontDatabase::hasFamily(QStringLiteral("DejaVu Sans Mono")) && !QFontInfo(font).fixedPitch()) {
        font.setFamily(QStringLiteral("DejaVu Sans Mono"));
    }
    font.setStyleHint(QFont::Monospace);
    font.setPointSize(points > 0 ? points : std::max(9, font.pointSize()));
    return font;
}

void applyToApplication(const Theme& theme)
{
    if (QApplication::style() == nullptr || QApplication::style()->name() != QLatin1String("fusion")) {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    }
    QApplication::setPalette(theme.palette);
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double lighter = std::max(luminance(a), luminance(b));
    const double darker = std::min(luminance(a), luminance(b));
    return (lighter + 0.05) / (darker + 0.05);
}

} // namespace ptxwb
