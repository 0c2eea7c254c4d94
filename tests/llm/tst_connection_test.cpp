// SPDX-License-Identifier: Apache-2.0
#include "core/llm/connection_test.h"

#include "tests/llm/scripted_server.h"

#include <QTest>

using namespace ptxwb::llm;
using namespace std::chrono_literals;

namespace {

const std::string key = "sk-test-0123456789abcdef";

ConnectionReport ask(const ScriptedServer& server, const std::string& model = {})
{
    return testConnection(
        {.baseUrl = server.baseUrl(), .model = model}, Secret(key), {}, {.connect = 1s, .idle = 400ms});
}

} // namespace

class TestConnectionTest : public QObject {
    Q_OBJECT
private slots:
    void alwaysEndsInASentenceWithoutTheKey_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<bool>("holdOpen");
        QTest::addColumn<bool>("reachable");
        QTest::addColumn<QByteArray>("part");
        const auto row = [](const char* name, const std::string& answer, bool reachable, const char* part,
                             bool holdOpen = false) {
            QTest::newRow(name) << QByteArray::fromStdString(answer) << holdOpen << reachable
                                << QByteArray(part);
        };
        row("models", httpAnswer("200 OK", "application/json", R"({"data":[{"id":"tiny"},{"id":"big"}]})"),
            true, "2 models");
        row("one model", httpAnswer("200 OK", "application/json", R"({"data":[{"id":"tiny"}]})"), true,
            "tiny");
        row("no models", httpAnswer("200 OK", "application/json", R"({"data":[]})"), true, "no model");
        row("key echoed",
            httpAnswer("401 No", "application/json", "{\"error\":{\"message\":\"bad " + key + "\"}}"), false,
            "bad [key]");
        row("not found", httpAnswer("404 Not Found", "text/plain", "nothing here"), false, "may still work");
        row("page", httpAnswer("200 OK", "text/html", "<html>hi</html>"), false, "web page");
        row("page not found", httpAnswer("404 Not Found", "text/html", "<html>hi</html>"), false,
            "may be wrong");
        row("nonsense", httpAnswer("200 OK", "text/plain", "hello " + key), false, "no chat answer");
        row("redirect", httpAnswer("302 Found", "text/plain", "", "Location: http://127.0.0.1:9/x\r\n"),
            false, "elsewhere");
        row("closes at once", "", false, "No answer");
        row("not http", "SSH-2.0-OpenSSH_9.2\r\n", false, "No answer");
        row("silent", "", false, "silent", true);
    }
    void alwaysEndsInASentenceWithoutTheKey()
    {
        QFETCH(QByteArray, answer);
        QFETCH(bool, holdOpen);
        QFETCH(bool, reachable);
        QFETCH(QByteArray, part);
        const ScriptedServer server({{.bytes = answer.toStdString(),
            .end = holdOpen ? ScriptedServer::End::HoldOpen : ScriptedServer::End::Close}});
        const auto report = ask(server);
        QCOMPARE(report.reachable, reachable);
        QVERIFY2(QByteArray::fromStdString(report.sentence).contains(part), report.sentence.c_str());
        QVERIFY(report.sentence.find(key) == std::string::npos);
    }
    void saysThatAModelIsNotOffered()
    {
        const ScriptedServer server(
            {{.bytes = httpAnswer("200 OK", "application/json", R"({"data":[{"id":"a"}]})")}});
        const auto report = ask(server, "b");
        QVERIFY(report.reachable);
        QVERIFY(report.sentence.find("\"b\" is not among them") != std::string::npos);
        QVERIFY(report.models == std::vector<std::string>{"a"});
        QVERIFY(server.requests().front().starts_with("GET /v1/models HTTP/1.1\r\n"));
    }
    void endsInASentenceWhenStopped()
    {
        std::stop_source stopped;
        stopped.request_stop();
        const auto report = testConnection({.baseUrl = "http://127.0.0.1:9"}, {}, stopped.get_token());
        QVERIFY(!report.reachable);
        QVERIFY(!report.sentence.empty());
    }
    void endsInASentenceForABadAddress()
    {
        QVERIFY(!testConnection({.baseUrl = "nonsense"}, {}, {}).sentence.empty());
    }
};

QTEST_GUILESS_MAIN(TestConnectionTest)
#include "tst_connection_test.moc"
