// SPDX-License-Identifier: Apache-2.0
// The window's side of the chat: what it may see of the editor, and what it may change.
#include "app/main_window.h"

#ifdef PTXWB_HAVE_CHAT

#include "app/build_controller.h"
#include "app/chat_room.h"
#include "app/evaluation_controller.h"
#include "app/file_controller.h"
#include "app/task_chooser.h"
#include "widgets/chat/chat_pane.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/problems_view.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/results/evidence_view.h"
#include "widgets/results/results_pane.h"
#include "widgets/results/task_details.h"

#include <QDesktopServices>
#include <QTextDocument>
#include <QTimer>

namespace ptxwb {

namespace {

llm::ContextItem item(llm::ContextKind kind, const char* id, const QString& title, const QString& content)
{
    llm::ContextItem result;
    result.kind = kind;
    result.block.id = id;
    result.block.title = title.toStdString();
    result.block.text = content.toStdString();
    return result;
}

std::vector<llm::ContextItem> evidence(Panes& panes, const FileController& files, const TaskChooser& tasks)
{
    std::vector<llm::ContextItem> items;
    const PtxEditor* editor = panes.editor->editor();
    if (editor->length() > 0) {
        items.push_back(item(llm::ContextKind::Buffer, "buffer", files.document().displayName(),
            QString::fromUtf8(editor->utf8())));
    }
    if (editor->hasSelectedText()) {
        items.push_back(item(
            llm::ContextKind::Selection, "selection", MainWindow::tr("Selection"), editor->selectedText()));
    }
    if (panes.problems->model()->rowCount() > 0) {
        items.push_back(item(llm::ContextKind::Diagnostics, "diagnostics", MainWindow::tr("Problems"),
            panes.problems->rowsAsText()));
    }
    if (panes.results->shownRun() != nullptr) {
        items.push_back(item(llm::ContextKind::Verdict, "verdict", MainWindow::tr("Verdict and evidence"),
            QStringLiteral("%1\n\n%2")
                .arg(
                    runTitle(*panes.results->shownRun()), panes.results->evidence()->model()->asMarkdown())));
    }
    if (tasks.task() != nullptr) {
        items.push_back(
            item(llm::ContextKind::Task, "task", MainWindow::tr("Task"), panes.task->toPlainText()));
    }
    return items;
}

} // namespace

void MainWindow::connectChat()
{
    ChatRoom::Sources sources;
    sources.buffer = [this] {
        return ChatRoom::Buffer{
            m_files->document().displayName(), QString::fromUtf8(m_panes.editor->editor()->utf8())};
    };
    sources.evidence = [this] { return evidence(m_panes, *m_files, *m_tasks); };
    m_chatRoom = new ChatRoom(m_panes.chat, m_settings.store(), std::move(sources), this);
    connect(m_chatRoom, &ChatRoom::textAccepted, this,
        [this](const QString& text) { m_panes.editor->editor()->replaceAllText(text.toUtf8()); });
    connect(m_chatRoom, &ChatRoom::noticed, this, &MainWindow::showState);
    connect(m_panes.chat, &ChatPane::linkActivated, this,
        [](const QUrl& url) { QDesktopServices::openUrl(url); });
    connect(m_builds, &BuildController::buildFinished, m_chatRoom, &ChatRoom::refreshEvidence);
    connect(m_evaluations, &EvaluationController::runsChanged, m_chatRoom, &ChatRoom::refreshEvidence);
    connect(m_tasks, &TaskChooser::taskChanged, m_chatRoom, &ChatRoom::refreshEvidence);
    connect(m_textSettled, &QTimer::timeout, m_chatRoom, &ChatRoom::refreshEvidence);
    connect(m_panes.editor->editor(), &QsciScintilla::selectionChanged, this, [this] {
        if (!m_textSettled->isActive()) {
            m_textSettled->start();
        }
    });
}

} // namespace ptxwb

#else

namespace ptxwb {

void MainWindow::connectChat() { }

} // namespace ptxwb

#endif
