// SPDX-License-Identifier: Apache-2.0
#include "app/welcome_controller.h"

#include "app/file_controller.h"
#include "app/panes.h"
#include "app/window_actions.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/ptx_editor.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTabWidget>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr int recentShown = 6;
constexpr qint64 headBytes = 2048;

WelcomeEntry entryOf(const QFileInfo& file, const QString& detail)
{
    return {file.fileName(), detail, file.absoluteFilePath()};
}

void addKernels(WelcomeGroup& group, const QDir& folder, const QString& prefix)
{
    const QFileInfoList files = folder.entryInfoList(
        {QStringLiteral("*.ptx"), QStringLiteral("*.cu")}, QDir::Files | QDir::Readable, QDir::Name);
    for (const QFileInfo& info : files) {
        QFile file(info.absoluteFilePath());
        if (file.open(QIODevice::ReadOnly)) {
            WelcomeEntry entry = entryOf(info, firstSentence(file.read(headBytes)));
            entry.title.prepend(prefix);
            group.entries.push_back(entry);
        }
    }
}

QString withHomeAsTilde(QString directory)
{
    const QString home = QDir::homePath();
    if (directory == home || directory.startsWith(home + QLatin1Char('/'))) {
        directory.replace(0, home.size(), QStringLiteral("~"));
    }
    return directory;
}

} // namespace

QString firstSentence(const QByteArray& text)
{
    for (QByteArray line : text.split('\n')) {
        line = line.trimmed();
        if (line.startsWith("/*")) {
            line.remove(0, 2);
        }
        const bool comment = line.startsWith("//");
        while (line.startsWith('/') || line.startsWith('*')) {
            line.remove(0, 1);
        }
        line = line.trimmed();
        if (line.isEmpty() || line.startsWith("SPDX-")) {
            continue;
        }
        return comment || !line.startsWith('.') ? QString::fromUtf8(line) : QString();
    }
    return {};
}

WelcomeGroup examplesOf(const Task& task)
{
    WelcomeGroup group{QString::fromStdString(task.name), {}};
    const QDir folder(QString::fromStdString(task.directory.string()));
    for (const QString& name : {QStringLiteral("examples"), QStringLiteral("failed")}) {
        addKernels(group, QDir(folder.filePath(name)),
            name == QLatin1String("failed") ? QStringLiteral("failed/") : QString());
    }
    return group;
}

WelcomeController::WelcomeController(
    Panes& panes, const WindowActions& actions, FileController& files, QObject* parent)
    : QObject(parent)
    , m_panes(panes)
    , m_files(files)
{
    WelcomePane* welcome = m_panes.editor->welcome();
    connect(welcome, &WelcomePane::newRequested, actions.newFile, &QAction::trigger);
    connect(welcome, &WelcomePane::openRequested, actions.open, &QAction::trigger);
    connect(welcome, &WelcomePane::pasteRequested, actions.paste, &QAction::trigger);
    connect(welcome, &WelcomePane::commandsRequested, actions.palette, &QAction::trigger);
    connect(welcome, &WelcomePane::fileChosen, this, [this](const QString& path) {
        if (m_files.open(path)) {
            m_panes.editor->setFocus();
        }
    });
    connect(actions.newFile, &QAction::triggered, this, &WelcomeController::dismiss);
    connect(&m_files, &FileController::textChanged, this, &WelcomeController::update);
    connect(&m_files, &FileController::documentChanged, this, &WelcomeController::update);
}

void WelcomeController::setRecent(const QStringList& files)
{
    std::vector<WelcomeEntry> entries;
    for (const QString& path : files) {
        const QFileInfo info(path);
        if (entries.size() < recentShown && info.exists()) {
            entries.push_back(entryOf(info, withHomeAsTilde(info.absolutePath())));
        }
    }
    m_panes.editor->welcome()->setRecent(entries);
}

void WelcomeController::setTasks(const std::vector<Task>& tasks)
{
    std::vector<WelcomeGroup> groups;
    for (const Task& task : tasks) {
        groups.push_back(examplesOf(task));
    }
    std::erase_if(groups, [](const WelcomeGroup& group) { return group.entries.empty(); });
    // The task with the most to read comes first.
    std::stable_sort(groups.begin(), groups.end(),
        [](const WelcomeGroup& a, const WelcomeGroup& b) { return a.entries.size() > b.entries.size(); });
    m_panes.editor->welcome()->setExamples(groups);
}

void WelcomeController::dismiss()
{
    m_dismissed = true;
    update();
    m_panes.centre->setCurrentIndex(0);
    m_panes.editor->setFocus();
}

void WelcomeController::update()
{
    const bool empty = m_files.document().isUntitled() && m_panes.editor->editor()->length() == 0;
    m_dismissed = m_dismissed || !empty;
    const bool shown = empty && !m_dismissed;
    m_panes.editor->showWelcome(shown);
    m_panes.centre->setTabText(0,
        shown ? tr("Welcome")
              : m_files.document().displayName()
                + (m_panes.editor->editor()->isModified() ? QStringLiteral(" •") : QString()));
    m_panes.centre->setTabToolTip(0, m_files.document().path());
}

} // namespace ptxwb
