// SPDX-License-Identifier: Apache-2.0
#include "app/file_controller.h"

#include "app/difference_text.h"
#include "core/support/sha256.h"
#include "widgets/editor/editor_pane.h"
#include "widgets/editor/notice_bar.h"
#include "widgets/editor/ptx_editor.h"
#include "widgets/editor/ptx_styling.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QTimer>

namespace ptxwb {

namespace {

constexpr int keepAfterMs = 300;
constexpr int keepCaretAfterMs = 2000;
constexpr int healthyAfterMs = 5000;

PtxEditor::Syntax syntaxOf(Language language)
{
    return language == Language::Cuda ? PtxEditor::Syntax::Cuda : PtxEditor::Syntax::Ptx;
}

QString sentence(const Error& error)
{
    return QString::fromStdString(describe(error));
}

} // namespace

FileController::FileController(EditorPane* pane, Settings& settings, Prompts& prompts, QObject* parent)
    : QObject(parent)
    , m_pane(pane)
    , m_settings(settings)
    , m_prompts(prompts)
    , m_keep(new QTimer(this))
{
    m_keep->setSingleShot(true);
    connect(m_keep, &QTimer::timeout, this, &FileController::keepSession);
    connect(m_pane->editor(), &QsciScintilla::textChanged, this, [this] {
        m_sha256.reset();
        m_keep->start(keepAfterMs);
        emit textChanged();
    });
    connect(m_pane->editor(), &PtxEditor::cursorLineChanged, this, [this] {
        if (!m_keep->isActive()) {
            m_keep->start(keepCaretAfterMs);
        }
    });
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive && m_document.looksChangedOnDisk()) {
            askAboutDisk(DiskQuestion::Noticed);
        }
    });
}

void FileController::openSession(const QString& directory)
{
    Result<SessionStore> opened = SessionStore::open(directory);
    if (!opened) {
        m_pane->notice()->showNotice(NoticeBar::Tone::Warning, sentence(opened.error()));
        return;
    }
    m_session.emplace(*std::move(opened));
    QTimer::singleShot(healthyAfterMs, this, [this] {
        if (m_session) {
            m_session->markHealthy();
        }
    });
    const std::optional<SessionText> session = m_session->restored();
    if (!session) {
        return;
    }
    if (m_session->isSafeStart()) {
        m_pane->notice()->showNotice(NoticeBar::Tone::Warning,
            tr("The last starts did not end well, so the last session was not opened. Nothing of it is "
               "lost."),
            {{tr("Open it"), [this, kept = *session] { restore(kept); }}});
        return;
    }
    restore(*session);
}

void FileController::restore(const SessionText& session)
{
    if (session.path.isEmpty() && !session.modified) {
        return;
    }
    QByteArray onDisk;
    if (!session.path.isEmpty()) {
        const Result<LoadedText> loaded = readTextFile(session.path);
        if (!loaded && !session.modified) {
            showFailure(loaded.error());
            return;
        }
        if (loaded) {
            load(session.path, *loaded);
            onDisk = loaded->text;
        } else {
            m_document.setFile(session.path, session.hasByteOrderMark, session.baseSha256);
        }
    } else {
        m_document.setUntitled(session.cuda ? Language::Cuda : Language::Ptx);
    }
    m_restored = true;
    if (session.modified && session.text != onDisk) {
        if (session.path.isEmpty()) {
            m_pane->editor()->setSyntax(syntaxOf(m_document.language()));
        }
        m_pane->editor()->replaceAllText(session.text);
        if (!session.path.isEmpty()) {
            m_document.setFile(session.path, session.hasByteOrderMark, session.baseSha256);
        }
        if (m_document.changedOnDisk()) {
            askAboutDisk(DiskQuestion::Restored);
        } else {
            m_pane->notice()->showNotice(NoticeBar::Tone::Information,
                tr("Changes to %1 that were not saved have been restored.").arg(m_document.displayName()),
                {{tr("Back to the file"), [this] { m_pane->editor()->undo(); }}});
        }
        emit documentChanged();
    }
    m_pane->editor()->goTo(session.line, session.column);
}

std::string FileController::fileBytes() const
{
    return m_document.fileBytes(m_pane->editor()->utf8());
}

void FileController::setFileBytes(const std::string& bytes)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    const bool marked = bytes.starts_with(mark);
    if (!marked) {
        m_document.dropByteOrderMark();
    }
    m_sha256.reset();
    m_pane->editor()->replaceAllText(QByteArray::fromStdString(marked ? bytes.substr(mark.size()) : bytes));
}

std::string FileController::sha256() const
{
    if (!m_sha256) {
        m_sha256 = sha256Hex(fileBytes());
    }
    return *m_sha256;
}

bool FileController::isModified() const
{
    return m_pane->editor()->isModified();
}

void FileController::newFile()
{
    if (leaveDocument()) {
        setUntitledText({});
    }
}

bool FileController::openText(const QByteArray& text, Language language)
{
    if (!leaveDocument()) {
        return false;
    }
    setUntitledText(text, language);
    return true;
}

void FileController::setUntitledText(const QByteArray& text, Language language)
{
    m_document.setUntitled(language);
    m_pane->editor()->setSyntax(syntaxOf(language));
    m_pane->editor()->loadText(text);
    emit documentChanged();
}

void FileController::chooseAndOpen()
{
    const QString near = m_document.isUntitled() ? m_settings.recentFiles().value(0) : m_document.path();
    const QString path = m_prompts.fileToOpen(tr("Open a kernel"), QFileInfo(near).absolutePath());
    if (!path.isEmpty()) {
        open(path);
    }
}

bool FileController::open(const QString& path)
{
    Result<LoadedText> loaded = readTextFile(path);
    if (!loaded) {
        showFailure(loaded.error());
        return false;
    }
    if (!leaveDocument()) {
        return false;
    }
    m_pane->notice()->hide();
    load(path, *loaded);
    m_settings.addRecentFile(m_document.path());
    return true;
}

void FileController::load(const QString& path, const LoadedText& loaded)
{
    m_document.setFile(path, loaded);
    m_pane->editor()->setSyntax(syntaxOf(m_document.language()));
    m_pane->editor()->loadText(loaded.text);
    sayLongLines(loaded.text);
    emit documentChanged();
}

void FileController::sayLongLines(const QByteArray& text)
{
    int line = 1;
    for (qsizetype at = 0; at < text.size(); ++line) {
        const qsizetype found = text.indexOf('\n', at);
        const qsizetype end = found < 0 ? text.size() : found;
        if (static_cast<std::size_t>(end - at) > longestDrawnLineBytes) {
            m_pane->notice()->showNotice(NoticeBar::Tone::Information,
                tr("Line %1 is %L2 bytes long: only its first part is drawn. The whole of it is kept and "
                   "compiled.")
                    .arg(line)
                    .arg(end - at));
            return;
        }
        at = end + 1;
    }
}

bool FileController::save()
{
    return m_document.isUntitled() ? saveAs() : saveTo(m_document.path());
}

bool FileController::saveAs()
{
    const QString suggested = m_document.isUntitled() ? m_document.displayName() : m_document.path();
    const QString path =
        m_prompts.fileToSave(tr("Save the kernel"), suggested, tr("Kernels (*.ptx *.cu);;All files (*)"));
    return !path.isEmpty() && saveTo(path);
}

bool FileController::saveTo(const QString& path)
{
    const bool isNewName = path != m_document.path();
    if (!isNewName && m_document.changedOnDisk()) {
        askAboutDisk(DiskQuestion::Saving);
        return false;
    }
    if (const Result<void> saved = m_document.save(path, m_pane->editor()->utf8()); !saved) {
        showFailure(saved.error());
        return false;
    }
    m_pane->editor()->setModified(false);
    m_pane->notice()->hide();
    if (isNewName) {
        m_pane->editor()->setSyntax(syntaxOf(m_document.language()));
    }
    m_settings.addRecentFile(m_document.path());
    keepSession();
    emit documentChanged();
    return true;
}

bool FileController::leaveDocument()
{
    if (!isModified()) {
        return true;
    }
    switch (m_prompts.saveBeforeLeaving(m_document.displayName())) {
    case Prompts::SaveChoice::Save:
        return save();
    case Prompts::SaveChoice::Discard:
        return true;
    case Prompts::SaveChoice::Cancel:
        return false;
    }
    return false;
}

bool FileController::mayClose()
{
    if (!m_session) {
        return leaveDocument();
    }
    // The session keeps what is unsaved; the next start brings it back.
    keepSession();
    return true;
}

void FileController::closeSession()
{
    if (m_session) {
        keepSession();
        m_session->close();
        m_session.reset();
    }
}

void FileController::keepSession()
{
    m_keep->stop();
    if (!m_session) {
        return;
    }
    SessionText session;
    session.path = m_document.path();
    session.modified = isModified();
    session.hasByteOrderMark = m_document.hasByteOrderMark();
    session.baseSha256 = m_document.baseSha256();
    session.cuda = m_document.language() == Language::Cuda;
    session.line = m_pane->editor()->currentLine();
    session.column = m_pane->editor()->currentColumn();
    if (session.modified) {
        session.text = m_pane->editor()->utf8();
    }
    if (const Result<void> kept = m_session->save(session); !kept) {
        m_pane->notice()->showNotice(
            NoticeBar::Tone::Failure, tr("Unsaved text cannot be kept: %1").arg(sentence(kept.error())));
    }
}

void FileController::showFailure(const Error& error)
{
    m_pane->notice()->showNotice(NoticeBar::Tone::Failure, sentence(error));
}

void FileController::askAboutDisk(DiskQuestion question)
{
    const QString name = m_document.displayName();
    const QString sentence = question == DiskQuestion::Saving
        ? tr("Not saved: %1 has changed on disk since it was read here.").arg(name)
        : question == DiskQuestion::Restored
        ? tr("Your text of %1 that was not saved is back, but the file has changed on disk since.").arg(name)
        : tr("%1 was changed by another program.").arg(name);
    const bool saving = question == DiskQuestion::Saving;
    m_pane->notice()->showNotice(NoticeBar::Tone::Warning, sentence,
        {{tr("Show the difference"),
             [this, question] {
                 showDifference();
                 askAboutDisk(question);
             }},
            {tr("Take the disk's"), [this] { takeTheDisks(); }},
            {saving ? tr("Save mine over it") : tr("Keep mine"), [this, saving] { keepMine(saving); }}});
}

void FileController::keepMine(bool save)
{
    const Result<LoadedText> onDisk = readTextFile(m_document.path());
    const bool mark = m_document.hasByteOrderMark();
    if (onDisk) {
        m_document.setFile(m_document.path(), mark, sha256Hex(onDisk->bytes()));
    } else {
        showFailure(onDisk.error());
        return;
    }
    keepSession();
    if (save) {
        saveTo(m_document.path());
    }
}

void FileController::takeTheDisks()
{
    const Result<LoadedText> loaded = readTextFile(m_document.path());
    if (!loaded) {
        showFailure(loaded.error());
        return;
    }
    m_document.setFile(m_document.path(), *loaded);
    m_pane->editor()->replaceAllText(loaded->text); // one undo step: mine is still there
    m_pane->editor()->setModified(false);
    keepSession();
}

void FileController::showDifference()
{
    const Result<LoadedText> loaded = readTextFile(m_document.path());
    if (!loaded) {
        showFailure(loaded.error());
        return;
    }
    m_prompts.showText(tr("%1: on disk (−) and here (+)").arg(m_document.displayName()),
        differenceHtml(loaded->text, m_pane->editor()->utf8()));
}

} // namespace ptxwb
