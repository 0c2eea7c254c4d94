// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/result.h"
#include "core/toolchain/compiler.h"

#include <QByteArray>
#include <QString>

namespace ptxwb {

/// A text as it was read from a file: the editor holds `text`, the file holds a byte order mark before it
/// where it had one.
struct LoadedText {
    QByteArray text{};
    bool hasByteOrderMark = false;
};

/// Reads text that the editor can hold. Errors: NotFound, Unreadable (also a directory), BadFormat for binary
/// files, UTF-16 and text that is not UTF-8, each with what to do.
Result<LoadedText> readTextFile(const QString& path);

/// Which file the editor's text belongs to. The text itself lives in the editor.
class Document {
public:
    const QString& path() const { return m_path; }
    bool isUntitled() const { return m_path.isEmpty(); }
    QString displayName() const; ///< file name, or "untitled.ptx"
    std::filesystem::path directory() const;
    Language language() const;

    void setFile(const QString& path, bool hasByteOrderMark);
    void setUntitled(Language language);
    /// It is saved and compiled without one from now on.
    void dropByteOrderMark() { m_hasByteOrderMark = false; }

    /// The bytes that a compiler gets and that are saved: `text` with the byte order mark of the file.
    std::string fileBytes(const QByteArray& text) const;
    Result<void> save(const QString& path, const QByteArray& text);

    /// Whether the file changed on disk since it was read or written by us.
    bool changedOnDisk() const;

private:
    void rememberStamp();

    QString m_path;
    Language m_untitledLanguage = Language::Ptx;
    bool m_hasByteOrderMark = false;
    qint64 m_stampMs = 0;
    qint64 m_stampBytes = -1;
};

} // namespace ptxwb
