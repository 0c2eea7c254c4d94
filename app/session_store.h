// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <string>

class QLockFile;

namespace ptxwb {

/// The text that a window was working on, and where it stood.
struct SessionText {
    QString path{}; ///< empty: untitled
    QByteArray text{}; ///< as in the editor
    bool modified = false; ///< differs from the file
    bool hasByteOrderMark = false;
    std::string baseSha256{}; ///< of the file that the text began as; empty: untitled, or not known
    bool cuda = false; ///< language of an untitled text
    int line = 1;
    int column = 1;
};

/// Keeps the session below userDataDirectory()/session, apart from the user's file, so that text which was
/// never saved survives a crash or a kill. Each running window has a slot of its own; a slot without a living
/// owner is taken over by the next start.
class SessionStore {
public:
    /// Takes a slot: one left behind with unsaved text first. Errors: DiskFull, Unreadable.
    static Result<SessionStore> open(const QString& directory);
    SessionStore(SessionStore&&) noexcept;
    SessionStore& operator=(SessionStore&&) noexcept;
    ~SessionStore();

    std::optional<SessionText> restored() const { return m_restored; }
    /// Starts that ended without a proper close, in a row, before this one.
    int crashesInARow() const { return m_crashes; }
    /// True when this start must not open the last session by itself: two crashes in a row.
    bool isSafeStart() const { return m_crashes >= 2; }

    Result<void> save(const SessionText& session) const;
    /// The window came up well and stayed for a while: earlier crashes no longer count.
    void markHealthy() const;
    /// A proper end: the next start is not after a crash.
    void close();

private:
    SessionStore(QString directory, std::unique_ptr<QLockFile> lock);
    QString filePath(const char* name) const;
    void countStart();

    QString m_directory;
    std::unique_ptr<QLockFile> m_lock;
    std::optional<SessionText> m_restored;
    int m_crashes = 0;
};

} // namespace ptxwb
