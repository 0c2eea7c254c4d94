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

    std::string bytes() const; ///< as in the file
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

    /// `loaded` is what was read from it just now.
    void setFile(const QString& path, const LoadedText& loaded);
    /// The text is based on what the file held when its bytes had this SHA-256; empty: not known, which
    /// counts as changed wherever the file exists.
    void setFile(const QString& path, bool hasByteOrderMark, const std::string& baseSha256);
    void setUntitled(Language language);
    bool hasByteOrderMark() const { return m_hasByteOrderMark; }
    /// It is saved and compiled without one from now on.
    void dropByteOrderMark() { m_hasByteOrderMark = false; }

    /// The bytes that a compiler gets and that are saved: `text` with the byte order mark of the file.
    std::string fileBytes(const QByteArray& text) const;
    Result<void> save(const QString& path, const QByteArray& text);

    /// SHA-256 of the file's bytes when it was read or written by us; empty: untitled, or not known.
    const std::string& baseSha256() const { return m_baseSha256; }
    /// Whether the file holds other bytes than when it was read or written by us. Reads the file.
    bool changedOnDisk() const;
    /// The same without reading it where its size and time are those seen last.
    bool looksChangedOnDisk() const;

private:
    void rememberStamp() const;

    QString m_path;
    Language m_untitledLanguage = Language::Ptx;
    bool m_hasByteOrderMark = false;
    std::string m_baseSha256;
    mutable qint64 m_stampMs = 0; ///< of the last look that found the base
    mutable qint64 m_stampBytes = -1;
};

} // namespace ptxwb
