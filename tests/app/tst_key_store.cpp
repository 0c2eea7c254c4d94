// SPDX-License-Identifier: Apache-2.0
// Keys in the environment, and in the system's keychain where a service for it answers, e.g. below
// `dbus-run-session` with an unlocked gnome-keyring-daemon.
#include "app/key_store.h"

#include <QTest>

#include <optional>

using namespace ptxwb;

class TestKeyStore : public QObject {
    Q_OBJECT
private slots:
    void theEnvironmentAnswersAtOnce();
    void theKeychainKeepsAKeyUntilItIsRemoved();
    void noKeychainIsSaidInWords();

private:
    Result<llm::Secret> read(const std::string& entry);
    QString write(const QString& key);
    KeyStore m_store;
    const QString m_entry = QStringLiteral("ptxwb test %1").arg(QCoreApplication::applicationPid());
};

Result<llm::Secret> TestKeyStore::read(const std::string& entry)
{
    std::optional<Result<llm::Secret>> answer;
    m_store.read(
        {.keychainEntry = entry}, [&](Result<llm::Secret> secret) { answer.emplace(std::move(secret)); });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 10000)) {
        return Error{.code = ErrorCode::TimedOut, .message = "no answer"};
    }
    return *answer;
}

QString TestKeyStore::write(const QString& key)
{
    std::optional<QString> answer;
    m_store.write(m_entry, key, [&](const QString& problem) { answer = problem; });
    return QTest::qWaitFor([&] { return answer.has_value(); }, 10000) ? *answer : QStringLiteral("no answer");
}

void TestKeyStore::theEnvironmentAnswersAtOnce()
{
    qputenv("PTXWB_TEST_KEY", "sk-environment");
    std::string key;
    m_store.read({.keyEnvironmentVariable = "PTXWB_TEST_KEY"}, [&](const Result<llm::Secret>& secret) {
        QVERIFY(secret);
        key = secret->reveal();
    });
    qunsetenv("PTXWB_TEST_KEY");
    QCOMPARE(key, std::string("sk-environment"));
}

void TestKeyStore::theKeychainKeepsAKeyUntilItIsRemoved()
{
    if (const auto problem = write(QStringLiteral("sk-kept")); !problem.isEmpty()) {
        QSKIP(qPrintable(problem));
    }
    const auto kept = read(m_entry.toStdString());
    QVERIFY2(kept, kept ? "" : kept.error().message.c_str());
    QCOMPARE(kept->reveal(), std::string("sk-kept"));
    QCOMPARE(write({}), QString());
    const auto removed = read(m_entry.toStdString());
    QVERIFY(!removed);
    QCOMPARE(removed.error().code, ErrorCode::NotFound);
}

void TestKeyStore::noKeychainIsSaidInWords()
{
    const auto answer = read(m_entry.toStdString());
    QVERIFY(!answer);
    QVERIFY(!answer.error().message.empty());
    QVERIFY(!answer.error().hint.empty());
}

QTEST_GUILESS_MAIN(TestKeyStore)
#include "tst_key_store.moc"
