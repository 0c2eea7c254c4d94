// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/main_window.h"

#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace ptxwb {

/// Answers in the place of a user.
class ScriptedPrompts : public Prompts {
public:
    SaveChoice saveChoice = SaveChoice::Cancel;
    QString openPath{};
    QString savePath{};
    int line = 0;
    QString shownText{};
    std::optional<QString> answer{};
    QString textBefore{};
    int saveQuestions = 0;

    SaveChoice saveBeforeLeaving(const QString&) override
    {
        ++saveQuestions;
        return saveChoice;
    }
    QString fileToOpen(const QString&, const QString&) override { return openPath; }
    QString folderToOpen(const QString&, const QString&) override { return openPath; }
    QString fileToSave(const QString&, const QString&, const QString&) override { return savePath; }
    std::optional<QString> text(const QString&, const QString&, const QString& current) override
    {
        textBefore = current;
        return answer;
    }
    int lineToGoTo(int, int) override { return line; }
    void showText(const QString&, const QString& richText) override { shownText = richText; }
};

/// Directories of their own for session, settings and cache, and windows on them.
class WindowFixture {
public:
    WindowFixture()
    {
        qputenv("PTXWB_CONFIG_DIR", m_directory.filePath(QStringLiteral("config")).toUtf8());
        qputenv("PTXWB_DATA_DIR", m_directory.filePath(QStringLiteral("data")).toUtf8());
        qputenv("PTXWB_CACHE_DIR", m_directory.filePath(QStringLiteral("cache")).toUtf8());
        qputenv("PTXWB_SHARE_DIR", PTXWB_SOURCE_ROOT);
    }

    std::unique_ptr<MainWindow> open(const WindowOptions& options)
    {
        m_settings = std::make_unique<Settings>();
        auto prompts = std::make_unique<ScriptedPrompts>();
        m_prompts = prompts.get();
        auto window = std::make_unique<MainWindow>(options, *m_settings, std::move(prompts));
        window->show();
        return window;
    }

    QString path(const QString& name) const { return m_directory.filePath(name); }
    ScriptedPrompts& prompts() { return *m_prompts; }
    Settings& settings() { return *m_settings; }

private:
    QTemporaryDir m_directory;
    std::unique_ptr<Settings> m_settings;
    ScriptedPrompts* m_prompts = nullptr;
};

inline bool waitUntilIdle(const MainWindow& window, int ms = 60'000)
{
    return QTest::qWaitFor([&window] { return window.isIdle(); }, ms);
}

} // namespace ptxwb
