// SPDX-License-Identifier: Apache-2.0
#include "app/session_store.h"

#include "core/support/files.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>

namespace ptxwb {

namespace {

constexpr int mostSlots = 32;

Result<void> write(const QString& path, const QByteArray& bytes)
{
    return writeFileAtomically(std::filesystem::path(path.toStdString()), bytes.toStdString());
}

QByteArray read(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::optional<SessionText> readSession(const QString& directory)
{
    const QJsonObject object =
        QJsonDocument::fromJson(read(directory + QStringLiteral("/session.json"))).object();
    if (object.isEmpty()) {
        return {};
    }
    SessionText session;
    session.path = object[QLatin1String("path")].toString();
    session.modified = object[QLatin1String("modified")].toBool();
    session.hasByteOrderMark = object[QLatin1String("byte_order_mark")].toBool();
    session.baseSha256 = object[QLatin1String("base_sha256")].toString().toStdString();
    session.cuda = object[QLatin1String("cuda")].toBool();
    session.line = object[QLatin1String("line")].toInt(1);
    session.column = object[QLatin1String("column")].toInt(1);
    session.text = read(directory + QStringLiteral("/text"));
    return session;
}

bool holdsUnsavedText(const QString& directory)
{
    const std::optional<SessionText> session = readSession(directory);
    return session && session->modified && !session->text.isEmpty();
}

} // namespace

Result<SessionStore> SessionStore::open(const QString& directory)
{
    QList<int> order;
    for (int slot = 0; slot < mostSlots; ++slot) {
        const QString path = QStringLiteral("%1/%2").arg(directory).arg(slot);
        if (slot > 0 && holdsUnsavedText(path)) {
            order.prepend(slot);
        } else {
            order.append(slot);
        }
    }
    for (const int slot : order) {
        const QString path = QStringLiteral("%1/%2").arg(directory).arg(slot);
        if (!QDir().mkpath(path)) {
            Error error;
            error.code = ErrorCode::Unreadable;
            error.message = "the session's folder cannot be made; unsaved text would not survive a crash";
            error.hint = "make it writable, or set PTXWB_DATA_DIR";
            error.path = path.toStdString();
            return error;
        }
        auto lock = std::make_unique<QLockFile>(path + QStringLiteral("/lock"));
        // A lock is stale only when its process is gone, however old it is.
        lock->setStaleLockTime(0);
        if (lock->tryLock(0)) {
            SessionStore store(path, std::move(lock));
            store.countStart();
            store.m_restored = readSession(path);
            return store;
        }
    }
    Error error;
    error.code = ErrorCode::Unavailable;
    error.message = "too many windows are open to keep another session";
    error.path = directory.toStdString();
    return error;
}

SessionStore::SessionStore(QString directory, std::unique_ptr<QLockFile> lock)
    : m_directory(std::move(directory))
    , m_lock(std::move(lock))
{
}

SessionStore::SessionStore(SessionStore&&) noexcept = default;
SessionStore& SessionStore::operator=(SessionStore&&) noexcept = default;
SessionStore::~SessionStore() = default;

QString SessionStore::filePath(const char* name) const
{
    return m_directory + QLatin1Char('/') + QLatin1String(name);
}

void SessionStore::countStart()
{
    m_crashes = read(filePath("starts")).trimmed().toInt();
    // Written before anything of the session is touched: if this start dies, the next one sees it.
    (void)write(filePath("starts"), QByteArray::number(m_crashes + 1));
}

Result<void> SessionStore::save(const SessionText& session) const
{
    // The text first: a reader that comes in between sees the new text with the old place, never a place
    // without text.
    if (const Result<void> written = write(filePath("text"), session.modified ? session.text : QByteArray());
        !written) {
        return written;
    }
    QJsonObject object;
    object[QLatin1String("path")] = session.path;
    object[QLatin1String("modified")] = session.modified;
    object[QLatin1String("byte_order_mark")] = session.hasByteOrderMark;
    object[QLatin1String("base_sha256")] = QString::fromStdString(session.baseSha256);
    object[QLatin1String("cuda")] = session.cuda;
    object[QLatin1String("line")] = session.line;
    object[QLatin1String("column")] = session.column;
    return write(filePath("session.json"), QJsonDocument(object).toJson());
}

void SessionStore::markHealthy() const
{
    (void)write(filePath("starts"), "0");
}

void SessionStore::close()
{
    markHealthy();
    m_lock->unlock();
}

} // namespace ptxwb
