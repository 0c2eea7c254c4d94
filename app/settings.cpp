// SPDX-License-Identifier: Apache-2.0
#include "app/settings.h"

#include <QDir>
#include <QSettings>
#include <QStandardPaths>

namespace ptxwb {

namespace {

constexpr int mostRecentFiles = 12;

QString settingsFile()
{
    const QString directory = qEnvironmentVariable("PTXWB_CONFIG_DIR");
    if (!directory.isEmpty()) {
        return QDir(directory).filePath(QStringLiteral("ptx-workbench.ini"));
    }
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation))
        .filePath(QStringLiteral("ptx-workbench/ptx-workbench.ini"));
}

QString oneOf(const QString& value, const QStringList& allowed)
{
    return allowed.contains(value) ? value : allowed.first();
}

} // namespace

Settings::Settings()
    : m_store(std::make_unique<QSettings>(settingsFile(), QSettings::IniFormat))
{
}

Settings::~Settings() = default;

QString Settings::theme() const
{
    return oneOf(m_store->value(QStringLiteral("theme")).toString(),
        {QStringLiteral("system"), QStringLiteral("dark"), QStringLiteral("light")});
}

void Settings::setTheme(const QString& name)
{
    m_store->setValue(QStringLiteral("theme"), name);
}

QStringList Settings::recentFiles() const
{
    return m_forgetful ? QStringList() : m_store->value(QStringLiteral("recentFiles")).toStringList();
}

void Settings::addRecentFile(const QString& path)
{
    if (m_forgetful) {
        return;
    }
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    m_store->setValue(QStringLiteral("recentFiles"), files.mid(0, mostRecentFiles));
}

void Settings::clearRecentFiles()
{
    m_store->remove(QStringLiteral("recentFiles"));
}

QString Settings::taskName() const
{
    return m_forgetful ? QString() : m_store->value(QStringLiteral("task")).toString();
}

void Settings::setTaskName(const QString& name)
{
    if (!m_forgetful) {
        m_store->setValue(QStringLiteral("task"), name);
    }
}

QString Settings::where() const
{
    const QStringList words{
        QStringLiteral("auto"), QStringLiteral("gpu"), QStringLiteral("emulator"), QStringLiteral("none")};
    return m_forgetful ? words.front() : oneOf(m_store->value(QStringLiteral("where")).toString(), words);
}

void Settings::setWhere(const QString& where)
{
    if (!m_forgetful) {
        m_store->setValue(QStringLiteral("where"), where);
    }
}

bool Settings::completeWhileTyping() const
{
    return m_store->value(QStringLiteral("completeWhileTyping"), true).toBool();
}

void Settings::setCompleteWhileTyping(bool on)
{
    m_store->setValue(QStringLiteral("completeWhileTyping"), on);
}

bool Settings::liveCompile() const
{
    return m_store->value(QStringLiteral("liveCompile"), true).toBool();
}

void Settings::setLiveCompile(bool on)
{
    m_store->setValue(QStringLiteral("liveCompile"), on);
}

int Settings::fontPoints() const
{
    const int points = m_store->value(QStringLiteral("fontPoints"), 0).toInt();
    return points >= 5 && points <= 60 ? points : 0;
}

void Settings::setFontPoints(int points)
{
    m_store->setValue(QStringLiteral("fontPoints"), points);
}

QByteArray Settings::geometry() const
{
    return m_store->value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray Settings::windowState() const
{
    return m_store->value(QStringLiteral("window/state")).toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& state)
{
    m_store->setValue(QStringLiteral("window/geometry"), geometry);
    m_store->setValue(QStringLiteral("window/state"), state);
}

} // namespace ptxwb
