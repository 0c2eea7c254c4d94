// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/document.h"
#include "app/prompts.h"
#include "app/session_store.h"
#include "app/settings.h"

#include <QObject>

#include <optional>

class QTimer;

namespace ptxwb {

class EditorPane;

/// The open file: reading, saving, the session's copy of unsaved text.
class FileController : public QObject {
    Q_OBJECT
public:
    FileController(EditorPane* pane, Settings& settings, Prompts& prompts, QObject* parent = nullptr);

    /// Keeps the session in this directory from now on and restores what it holds, unless this is a safe
    /// start.
    void openSession(const QString& directory);
    bool hasRestored() const { return m_restored; }

    const Document& document() const { return m_document; }
    /// The bytes that a compiler gets.
    std::string fileBytes() const;
    /// Replaces the text as one undo step; a byte order mark that the bytes lack is dropped.
    void setFileBytes(const std::string& bytes);
    std::string sha256() const;
    bool isModified() const;

    void newFile();
    void chooseAndOpen();
    /// Asks about unsaved changes first. False when it was not opened.
    bool open(const QString& path);
    bool save();
    bool saveAs();

    /// The text is safe on disk (saved, or in the session): the window may go.
    bool mayClose();
    /// A proper end of the session.
    void closeSession();

    void setUntitledText(const QByteArray& text, Language language = Language::Ptx);
    /// The same, but asks about unsaved changes first. False when it was not opened.
    bool openText(const QByteArray& text, Language language);

signals:
    /// Another file, or the same under another name.
    void documentChanged();
    /// The text changed.
    void textChanged();

private:
    bool leaveDocument();
    bool saveTo(const QString& path);
    void load(const QString& path, const LoadedText& loaded);
    void restore(const SessionText& session);
    void keepSession();
    void sayLongLines(const QByteArray& text);
    void showFailure(const Error& error);
    /// Says that the disk holds another text than the one the editor's began as, and asks what to do.
    enum class DiskQuestion { Noticed, Saving, Restored };
    void askAboutDisk(DiskQuestion question);
    void keepMine(bool save);
    void takeTheDisks();
    void showDifference();

    EditorPane* m_pane;
    Settings& m_settings;
    Prompts& m_prompts;
    Document m_document;
    std::optional<SessionStore> m_session;
    QTimer* m_keep;
    bool m_restored = false;
    mutable std::optional<std::string> m_sha256;
};

} // namespace ptxwb
