// SPDX-License-Identifier: Apache-2.0
#include "core/llm/sse_parser.h"

#include <QTest>

using namespace ptxwb::llm;

namespace {

std::vector<SseEvent> parse(std::initializer_list<std::string_view> pieces)
{
    SseParser parser;
    std::vector<SseEvent> events;
    for (const auto piece : pieces) {
        const auto got = parser.feed(piece);
        if (!got) {
            return {{.type = "error", .data = got.error().message}};
        }
        events.insert(events.end(), got->begin(), got->end());
    }
    return events;
}

std::vector<SseEvent> parseBytewise(std::string_view stream)
{
    SseParser parser;
    std::vector<SseEvent> events;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        const auto got = parser.feed(stream.substr(i, 1));
        events.insert(events.end(), got->begin(), got->end());
    }
    return events;
}

struct Stream {
    const char* name;
    std::string bytes;
    std::vector<SseEvent> events;
};

std::vector<Stream> streams()
{
    using namespace std::string_literals;
    return {
        {"line feeds", "data: a\n\ndata: b\n\n", {{.data = "a"}, {.data = "b"}}},
        {"carriage returns and line feeds", "event: x\r\ndata: 1\r\ndata: 2\r\n\r\n",
            {{.type = "x", .data = "1\n2"}}},
        {"lone carriage returns", "data: a\r\rdata: b\r\r", {{.data = "a"}, {.data = "b"}}},
        {"mixed line ends", "data: a\r\n\ndata: b\n\r\n", {{.data = "a"}, {.data = "b"}}},
        {"no blank after the colon", "data:{\"a\":1}\n\n", {{.data = "{\"a\":1}"}}},
        {"only one blank is dropped", "data:  a\n\n", {{.data = " a"}}},
        {"a field without a colon", "data\n\n", {{.data = ""}}},
        {"byte order mark", "\xEF\xBB\xBF"s + "data: a\n\n", {{.data = "a"}}},
        {"comments and keep-alives", ": ping\n\n:\ndata: a\n: mid\ndata: b\n\n", {{.data = "a\nb"}}},
        {"an event name alone dispatches nothing", "event: x\n\ndata: a\n\n", {{.data = "a"}}},
        {"identifiers stay, unknown fields go", "id: 7\nretry: 10\nfoo: bar\ndata: a\n\ndata: b\n\n",
            {{.data = "a", .lastId = "7"}, {.data = "b", .lastId = "7"}}},
        {"an event without its blank line is dropped", "data: a\n\ndata: b\n", {{.data = "a"}}},
        {"two-byte characters", "data: caf\xC3\xA9 \xE2\x82\xAC\n\n", {{.data = "caf\xC3\xA9 \xE2\x82\xAC"}}},
        {"a colon in the value", "data: a: b\n\n", {{.data = "a: b"}}},
    };
}

} // namespace

class TestSseParser : public QObject {
    Q_OBJECT
private slots:
    void readsEveryStreamSplitAtEveryByte_data()
    {
        QTest::addColumn<int>("index");
        int index = 0;
        for (const auto& stream : streams()) {
            QTest::addRow("%s", stream.name) << index++;
        }
    }
    void readsEveryStreamSplitAtEveryByte()
    {
        QFETCH(int, index);
        const auto stream = streams().at(static_cast<std::size_t>(index));
        const std::string_view bytes = stream.bytes;
        QVERIFY(parse({bytes}) == stream.events);
        QVERIFY(parseBytewise(bytes) == stream.events);
        for (std::size_t at = 0; at <= bytes.size(); ++at) {
            QVERIFY2(parse({bytes.substr(0, at), bytes.substr(at)}) == stream.events,
                qPrintable(QString::number(at)));
        }
    }
    void givesSeveralEventsOfOneRead()
    {
        QCOMPARE(parse({"data: 1\n\ndata: 2\n\ndata: 3\n\n"}).size(), std::size_t{3});
    }
    void refusesALineBeyondItsBound()
    {
        SseParser parser(16);
        QVERIFY(parser.feed("data: 0123").has_value());
        const auto got = parser.feed("456789abcdef");
        QVERIFY(!got);
        QCOMPARE(got.error().code, ptxwb::ErrorCode::Protocol);
        QVERIFY(!parser.feed("\n\ndata: a\n\n"));
    }
    void refusesManyLinesOfDataBeyondItsBound()
    {
        SseParser parser(64);
        bool refused = false;
        for (int i = 0; i < 100 && !refused; ++i) {
            refused = !parser.feed("data: 0123456789\n");
        }
        QVERIFY(refused);
    }
};

QTEST_GUILESS_MAIN(TestSseParser)
#include "tst_sse_parser.moc"
