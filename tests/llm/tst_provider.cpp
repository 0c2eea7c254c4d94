// SPDX-License-Identifier: Apache-2.0
#include "core/llm/provider.h"

#include "core/llm/http_failure.h"

#include <QTest>

#include <ctime>

using namespace ptxwb::llm;

class TestProvider : public QObject {
    Q_OBJECT
private slots:
    void takesTheAddressesThatPeoplePaste_data()
    {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QByteArray>("chat");
        const QByteArray local = "http://localhost:8080/v1/chat/completions";
        QTest::newRow("bare") << QByteArray("http://localhost:8080") << local;
        QTest::newRow("slash") << QByteArray("http://localhost:8080/") << local;
        QTest::newRow("v1") << QByteArray("http://localhost:8080/v1") << local;
        QTest::newRow("v1 slash") << QByteArray(" http://localhost:8080/v1/ \n") << local;
        QTest::newRow("whole") << QByteArray("HTTP://localhost:8080/v1/chat/completions") << local;
        QTest::newRow("models") << QByteArray("http://localhost:8080/v1/models") << local;
        QTest::newRow("other path") << QByteArray("https://h.example/api/openai")
                                    << QByteArray("https://h.example/api/openai/chat/completions");
        QTest::newRow("ipv6") << QByteArray("http://[::1]:80/v1")
                              << QByteArray("http://[::1]:80/v1/chat/completions");
    }
    void takesTheAddressesThatPeoplePaste()
    {
        QFETCH(QByteArray, given);
        QFETCH(QByteArray, chat);
        const auto endpoint = resolveEndpoint(given.toStdString());
        QVERIFY(endpoint);
        QCOMPARE(endpoint->chatUrl, chat.toStdString());
    }
    void refusesAddressesThatCannotBeMeant_data()
    {
        QTest::addColumn<QByteArray>("given");
        for (const char* given :
            {"", "  ", "localhost:8080", "ftp://h/v1", "file:///etc/passwd", "http://", "http:///v1",
                "http://user:pw@h/v1", "http://h/v1?key=1", "http://h o/v1", "http://h/v1#x"}) {
            QTest::newRow(given) << QByteArray(given);
        }
    }
    void refusesAddressesThatCannotBeMeant()
    {
        QFETCH(QByteArray, given);
        const auto endpoint = resolveEndpoint(given.toStdString());
        QVERIFY(!endpoint);
        QCOMPARE(endpoint.error().code, ptxwb::ErrorCode::InvalidArgument);
        QVERIFY(!endpoint.error().hint.empty());
        QVERIFY(endpoint.error().message.find("pw") == std::string::npos);
    }
    void knowsLoopbackAndEncryption()
    {
        QVERIFY(resolveEndpoint("http://127.0.0.1:1/v1")->loopback);
        QVERIFY(resolveEndpoint("http://[::1]:1/v1")->loopback);
        QVERIFY(!resolveEndpoint("http://127.example.org/v1")->encrypted);
        QVERIFY(resolveEndpoint("https://h/v1")->encrypted);
    }
    void readsTheKeyFromTheNamedVariable()
    {
        qputenv("PTXWB_TEST_KEY", " sk-123 \n");
        const auto key = keyFromEnvironment({.keyEnvironmentVariable = "PTXWB_TEST_KEY"});
        QVERIFY(key);
        QCOMPARE(key->reveal(), std::string("sk-123"));
        QVERIFY(keyFromEnvironment({})->empty());
    }
    void namesTheVariableThatIsMissing()
    {
        qunsetenv("PTXWB_TEST_KEY");
        const auto key = keyFromEnvironment({.keyEnvironmentVariable = "PTXWB_TEST_KEY"});
        QVERIFY(!key);
        QCOMPARE(key.error().code, ptxwb::ErrorCode::NotFound);
        QVERIFY(key.error().message.find("PTXWB_TEST_KEY") != std::string::npos);
    }
    void refusesAKeyThatWouldAddAHeaderAndDoesNotShowIt()
    {
        const auto key = checkedKey("sk-abc\r\nX-Evil: 1");
        QVERIFY(!key);
        QVERIFY(describe(key.error()).find("sk-abc") == std::string::npos);
    }
    void redactsEveryOccurrence()
    {
        QCOMPARE(Secret("abc").redact("abc-abcabc"), std::string("[key]-[key][key]"));
        QCOMPARE(Secret().redact("abc"), std::string("abc"));
    }
    void describesFailuresWithTheServersOwnWords()
    {
        const auto text = describeHttpFailure({.status = 401, .contentType = "application/json"},
            R"({"error":{"message":"bad key sk-9"}})", Secret("sk-9"));
        QVERIFY(text.find("401") != std::string::npos);
        QVERIFY(text.find("bad key [key]") != std::string::npos);
    }
    void cutsLongBodiesAfterRedactingThem()
    {
        const std::string body = std::string(495, 'x') + "sk-secret-key" + std::string(9000, 'y');
        const auto text = describeHttpFailure({.status = 500}, body, Secret("sk-secret-key"));
        QVERIFY(text.find("sk-se") == std::string::npos);
        QVERIFY(text.size() < 700);
        QVERIFY(text.find("[key]") != std::string::npos);
    }
    void saysThatAPageIsAPage()
    {
        const auto text = describeHttpFailure({.status = 200}, " <!DOCTYPE html><html>", Secret());
        QVERIFY(text.find("web page") != std::string::npos);
    }
    void readsRetryAfterAsNumberAndAsDate()
    {
        QCOMPARE(retryDelay({.status = 429, .retryAfter = "17"})->count(), 17);
        QVERIFY(!retryDelay({.status = 429, .retryAfter = "soon"}));
        QVERIFY(!retryDelay({.status = 429}));
        const std::time_t later = std::time(nullptr) + 60;
        std::array<char, 64> date{};
        std::tm parts{};
        gmtime_r(&later, &parts);
        std::strftime(date.data(), date.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
        const auto delay = retryDelay({.status = 429, .retryAfter = date.data()});
        QVERIFY(delay && delay->count() > 50 && delay->count() <= 60);
    }
};

QTEST_GUILESS_MAIN(TestProvider)
#include "tst_provider.moc"
