// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QStringList>

#include <memory>

class QSettings;

namespace ptxwb {

/// What the window remembers, as an ini file below the user's configuration directory (PTXWB_CONFIG_DIR
/// overrides it). No key of a provider is ever kept here.
class Settings {
public:
    Settings();
    ~Settings();

    QString theme() const; ///< "dark", "light" or "system"
    void setTheme(const QString& name);
    /// Of a window that starts afresh: recent files, task and place to run are neither read nor written.
    void forgetSession() { m_forgetful = true; }
    QStringList recentFiles() const;
    void addRecentFile(const QString& path);
    void clearRecentFiles();
    QString taskName() const;
    void setTaskName(const QString& name);
    QString where() const; ///< "auto", "gpu", "emulator" or "none"
    void setWhere(const QString& where);
    bool completeWhileTyping() const;
    void setCompleteWhileTyping(bool on);
    bool liveCompile() const;
    void setLiveCompile(bool on);
    int fontPoints() const; ///< 0: the system's
    void setFontPoints(int points);
    QByteArray geometry() const;
    QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);

    /// For parts of the program that keep settings of their own (the chat's provider).
    QSettings& store() { return *m_store; }

private:
    std::unique_ptr<QSettings> m_store;
    bool m_forgetful = false;
};

} // namespace ptxwb
