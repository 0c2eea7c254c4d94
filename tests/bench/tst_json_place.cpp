// SPDX-License-Identifier: Apache-2.0
#include "core/bench/json_place.h"

#include <QtTest>

using namespace ptxwb;

namespace {

std::string readAll(const JsonNode& node)
{
    if (node.isObject()) {
        std::string all;
        for (const auto& [key, value] : node.members()) {
            all += key + "=" + readAll(value) + ";";
        }
        return all;
    }
    return node.isString() ? node.string() : std::to_string(node.integer());
}

} // namespace

class TestJsonPlace : public QObject {
    Q_OBJECT

private slots:
    void linesOfValues()
    {
        const auto document =
            JsonDocument::parse("{\r\n \"a\": [1,\n  {\"b c\": 2},\n\n  3],\n \"d\":\n\"x\" }", 10);
        QVERIFY(document);
        QCOMPARE(document->lineOf("$"), 10);
        QCOMPARE(document->lineOf("$.a"), 11);
        QCOMPARE(document->lineOf("$.a[0]"), 11);
        QCOMPARE(document->lineOf("$.a[1]"), 12);
        QCOMPARE(document->lineOf("$.a[1][\"b c\"]"), 12);
        QCOMPARE(document->lineOf("$.a[2]"), 14);
        QCOMPARE(document->lineOf("$.d"), 15);
    }

    void bracesAndCommasInStringsAreText()
    {
        const auto document = JsonDocument::parse("{\"a\":\"}],{\\\"[\",\n\"b\":1}");
        QVERIFY(document);
        QCOMPARE(document->lineOf("$.b"), 2);
        QCOMPARE(document->root().at("a").string(), std::string("}],{\"["));
    }

    void membersKeepTheirOrder()
    {
        const auto document = JsonDocument::parse(R"({"z":1,"a":2,"m":{"y":"v"}})");
        QVERIFY(document);
        QCOMPARE(readAll(document->root()), std::string("z=1;a=2;m=y=v;;"));
    }

    void repeatedKey()
    {
        const auto document = JsonDocument::parse("{\"a\":{\"k\":1,\n\"k\":2}}");
        QVERIFY(!document);
        QCOMPARE(document.error().line, std::optional(2));
        QCOMPARE(document.error().jsonPath, std::string("$.a.k"));
        QVERIFY(document.error().message.find("twice") != std::string::npos);
    }

    void syntaxErrorHasLineColumnAndPath()
    {
        const auto document = JsonDocument::parse("{\"a\": 1,\n \"b\": [1, }", 7, "x.json");
        QVERIFY(!document);
        QCOMPARE(document.error().code, ErrorCode::BadFormat);
        QCOMPARE(document.error().path, std::string("x.json"));
        QCOMPARE(document.error().line, std::optional(8));
        QVERIFY(document.error().jsonPath.starts_with("$.b"));
        QVERIFY2(document.error().message.find("column 11") != std::string::npos,
            document.error().message.c_str());
    }

    void everyTruncationIsAnError()
    {
        const std::string text =
            "{\"a\": [1, -2.5e3, true, null],\n \"b\\\"\": {\"c\": \"\\u00e9\"}, \"d\": {}}";
        QVERIFY(JsonDocument::parse(text));
        for (std::size_t n = 0; n < text.size(); ++n) {
            const auto document = JsonDocument::parse(text.substr(0, n));
            QVERIFY(!document);
            QCOMPARE(document.error().code, ErrorCode::BadFormat);
            QVERIFY(document.error().line.has_value());
            QVERIFY(document.error().jsonPath.starts_with('$'));
        }
    }

    void hostileText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("deep arrays") << QByteArray(200000, '[');
        QTest::newRow("deep objects") << QByteArray("{\"a\":").repeated(50000);
        QTest::newRow("closings") << QByteArray("}}]]");
        QTest::newRow("commas") << QByteArray(",,,");
        QTest::newRow("binary") << QByteArray("\x00\xff\xfe{", 4);
        QTest::newRow("bad utf-8") << QByteArray("{\"\xc3\x28\":1}");
        QTest::newRow("lone escape") << QByteArray("{\"\\");
        QTest::newRow("huge number") << QByteArray("[1e999999]");
    }
    void hostileText()
    {
        QFETCH(QByteArray, text);
        const auto document =
            JsonDocument::parse(std::string_view(text.constData(), std::size_t(text.size())));
        QVERIFY(!document);
        QCOMPARE(document.error().code, ErrorCode::BadFormat);
    }

    void wrongKinds()
    {
        const auto document =
            JsonDocument::parse(R"({"s":"x","n":1.5,"u":18446744073709551615,"o":{},"z":null})");
        QVERIFY(document);
        const JsonNode root = document->root();
        const auto messageOf = [&](auto&& reader) {
            const auto read = readPlaced([&] { return reader(); });
            return read ? std::string("no error") : read.error().message + " at " + read.error().jsonPath;
        };
        QCOMPARE(messageOf([&] { return root.at("s").integer(); }),
            std::string("expected an integer, found string at $.s"));
        QCOMPARE(messageOf([&] { return root.at("n").integer(); }),
            std::string("expected an integer, found 1.5 at $.n"));
        QCOMPARE(messageOf([&] { return root.at("u").integer(); }),
            std::string("number beyond 64 bits signed at $.u"));
        QCOMPARE(root.at("u").unsignedInteger(), std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(messageOf([&] { return root.at("o").items().size(); }),
            std::string("expected an array, found object at $.o"));
        QCOMPARE(messageOf([&] { return root.at("z").string(); }),
            std::string("expected a string, found null at $.z"));
        QCOMPARE(messageOf([&] { return root.at("q").string(); }), std::string("`q` is missing at $"));
    }

    void unknownKeySuggests()
    {
        const auto document = JsonDocument::parse("{\"launches\":1,\n\"tensor_map\":2}");
        QVERIFY(document);
        const auto read = readPlaced([&] {
            document->root().allowOnly({"launches", "tensor_maps"});
            return 0;
        });
        QVERIFY(!read);
        QCOMPARE(read.error().hint, std::string("did you mean `tensor_maps`?"));
        QCOMPARE(read.error().line, std::optional(2));
    }
};

QTEST_APPLESS_MAIN(TestJsonPlace)
#include "tst_json_place.moc"
