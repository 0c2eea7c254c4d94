// SPDX-License-Identifier: Apache-2.0
#include "app/document.h"

#include "core/support/files.h"
#include "core/support/input.h"
#include "core/support/sha256.h"

#include <QDateTime>
#include <QFileInfo>
#include <QObject>
#include <QStringDecoder>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr const char* byteOrderMark = "\xEF\xBB\xBF";

Error badText(const QString& path, const char* message, const char* hint, std::optional<int> line = {})
{
    Error error;
    error.code = ErrorCode::BadFormat;
    error.message = message;
    error.hint = hint;
    error.path = path.toStdString();
    error.line = line;
    return error;
}

/// Line of the first byte that is not UTF-8; nothing when all is well.
std::optional<int> firstBadLine(const QByteArray& bytes)
{
    // Stateless: a text that ends within a character is an error, not a text that goes on.
    QStringDecoder whole(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
    const QString decoded = whole(bytes);
    if (!whole.hasError()) {
        return {};
    }
    int line = 1;
    for (const QByteArray& one : bytes.split('\n')) {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
        const QString text = decoder(one);
        if (decoder.hasError()) {
            return line;
        }
        ++line;
    }
    return 1;
}

} // namespace

Result<LoadedText> readTextFile(const QString& path)
{
    // A pipe or a device would keep the window waiting, or never end.
    const QFileInfo info(path);
    if (info.exists() && !info.isFile() && !info.isDir()) {
        return badText(
            path, "it is a pipe or a device, not a file", "save it to a file, or give it to ptxwb");
    }
    const Result<std::string> read = readInput(path.toStdString(), {});
    if (!read) {
        return read.error();
    }
    QByteArray bytes = QByteArray::fromStdString(*read);
    if (bytes.startsWith("\xFF\xFE") || bytes.startsWith("\xFE\xFF")) {
        return badText(path, "the file is UTF-16; PTX and CUDA sources are ASCII or UTF-8",
            "convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW");
    }
    if (bytes.startsWith("\x7F"
                         "ELF")) {
        return badText(path, "the file is a compiled program, not a source",
            "open the .ptx or .cu that it was made from, or inspect it with: ptxwb sass FILE");
    }
    if (bytes.contains('\0')) {
        return badText(path, "the file is binary (it holds NUL bytes)", "open a .ptx or .cu source");
    }
    if (const std::optional<int> line = firstBadLine(bytes)) {
        return badText(
            path, "the text is not UTF-8", "convert it: iconv -f LATIN1 -t UTF-8 FILE > NEW", line);
    }
    LoadedText loaded;
    loaded.hasByteOrderMark = bytes.startsWith(byteOrderMark);
    loaded.text = loaded.hasByteOrderMark ? bytes.mid(3) : bytes;
    return loaded;
}

std::string LoadedText::bytes() const
{
    return (hasByteOrderMark ? byteOrderMark : "") + text.toStdString();
}

QString Document::displayName() const
{
    if (!isUntitled()) {
        return QFileInfo(m_path).fileName();
    }
    return m_untitledLanguage == Language::Cuda ? QStringLiteral("untitled.cu")
                                                : QStringLiteral("untitled.ptx");
}

std::filesystem::path Document::directory() const
{
    return isUntitled() ? std::filesystem::path()
                        : std::filesystem::path(QFileInfo(m_path).absolutePath().toStdString());
}

Language Document::language() const
{
    if (isUntitled()) {
        return m_untitledLanguage;
    }
    const QString suffix = QFileInfo(m_path).suffix().toLower();
    return suffix == QLatin1String("cu") || suffix == QLatin1String("cuh") || suffix == QLatin1String("cpp")
        ? Language::Cuda
        : Language::Ptx;
}

void Document::setFile(const QString& path, const LoadedText& loaded)
{
    m_path = QFileInfo(path).absoluteFilePath();
    m_hasByteOrderMark = loaded.hasByteOrderMark;
    m_baseSha256 = sha256Hex(loaded.bytes());
    rememberStamp();
}

void Document::setFile(const QString& path, bool hasByteOrderMark, const std::string& baseSha256)
{
    m_path = QFileInfo(path).absoluteFilePath();
    m_hasByteOrderMark = hasByteOrderMark;
    m_baseSha256 = baseSha256;
    m_stampBytes = -1;
}

void Document::setUntitled(Language language)
{
    m_path.clear();
    m_untitledLanguage = language;
    m_hasByteOrderMark = false;
    m_baseSha256.clear();
    m_stampBytes = -1;
}

std::string Document::fileBytes(const QByteArray& text) const
{
    return LoadedText{text, m_hasByteOrderMark}.bytes();
}

Result<void> Document::save(const QString& path, const QByteArray& text)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const std::string bytes = fileBytes(text);
    const Result<void> written = writeFileAtomically(std::filesystem::path(absolute.toStdString()), bytes);
    if (written) {
        m_path = absolute;
        m_baseSha256 = sha256Hex(bytes);
        rememberStamp();
    }
    return written;
}

bool Document::changedOnDisk() const
{
    if (isUntitled() || !QFileInfo(m_path).isFile()) {
        return false; // nothing is there that a save could overwrite
    }
    const Result<std::string> bytes = readInput(m_path.toStdString(), {});
    // What cannot be read cannot be told to be ours.
    if (!bytes || sha256Hex(*bytes) != m_baseSha256) {
        return true;
    }
    rememberStamp();
    return false;
}

bool Document::looksChangedOnDisk() const
{
    const QFileInfo info(m_path);
    const bool sameStamp =
        info.lastModified().toMSecsSinceEpoch() == m_stampMs && info.size() == m_stampBytes;
    return !isUntitled() && !sameStamp && changedOnDisk();
}

void Document::rememberStamp() const
{
    const QFileInfo info(m_path);
    m_stampMs = info.exists() ? info.lastModified().toMSecsSinceEpoch() : 0;
    m_stampBytes = info.exists() ? info.size() : -1;
}

} // namespace ptxwb
