// SPDX-License-Identifier: Apache-2.0
#include "core/records/history.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ptxwb;
using namespace ptxwb::records;

namespace {

HistoryEntry entryOf(const std::string& work, const std::string& verdict = "correct")
{
    return {.work = work,
        .madeUtc = "2026-12-02T10:00:00Z",
        .candidatePath = "dir/" + work + ".ptx",
        .candidateSha256 = "aa" + work,
        .task = "gemm",
        .workload = "paper",
        .target = "sm_90a",
        .on = "gpu",
        .device = "NVIDIA H200",
        .verdict = verdict,
        .speedup = 0.97,
        .productVersion = "0.1.0",
        .document = R"({"schema":"ptxwb.eval.v1"})"};
}

std::vector<HistoryBlob> blobsOf(const std::string& text)
{
    return {{.kind = "source", .sha256 = "s" + text, .bytes = text},
        {.kind = "cubin",
            .sha256 = "c",
            .bytes = std::string("\x7f"
                                 "ELF\0x",
                6)}};
}

} // namespace

class TestHistory : public QObject {
    Q_OBJECT

private slots:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void whatWasAddedIsThere()
    {
        auto history = History::open(file());
        QVERIFY(history);
        QCOMPARE(*history->add(entryOf("one"), blobsOf("text")), std::int64_t{1});
        QCOMPARE(*history->add(entryOf("two", "race"), blobsOf("other")), std::int64_t{2});
        QCOMPARE(*history->add(entryOf("one", "timeout"), blobsOf("text")), std::int64_t{3});
        const auto again = History::open(file());
        QVERIFY(again);
        const auto found = again->find("one");
        QVERIFY(found && *found);
        QCOMPARE((*found)->id, std::int64_t{3});
        QCOMPARE((*found)->document, std::string(R"({"schema":"ptxwb.eval.v1"})"));
        QVERIFY(!*again->find("three"));
        const auto blobs = again->blobs(2);
        QCOMPARE(blobs->size(), std::size_t{2});
        QCOMPARE((*blobs)[0].bytes.size(), std::size_t{6}); // with its NUL
        QCOMPARE((*blobs)[1].bytes, std::string("other"));
        QCOMPARE(again->list({.limit = 2})->size(), std::size_t{2});
        QCOMPARE(again->list({.candidate = "two.p"})->size(), std::size_t{1});
        QCOMPARE(again->list({.candidate = "aaone"})->size(), std::size_t{2});
        QCOMPARE(again->list({.task = "attention"})->size(), std::size_t{0});
        QVERIFY(!again->entry(9));
        QCOMPARE(again->entry(9).error().code, ErrorCode::NotFound);
    }

    void aKilledWriterLeavesItWhole()
    {
        QVERIFY(History::open(file()));
        for (const int milliseconds : {1, 3, 8, 20, 40}) {
            const pid_t child = ::fork();
            if (child == 0) {
                auto history = History::open(file());
                for (int i = 0; history; ++i) {
                    (void)history->add(entryOf("w" + std::to_string(i)), blobsOf(std::string(200'000, 'x')));
                }
                ::_exit(0);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            auto history = History::open(file());
            QVERIFY(history);
            const auto entries = history->list({.limit = 1'000'000});
            QVERIFY(entries);
            for (const auto& entry : *entries) {
                QCOMPARE(history->blobs(entry.id)->size(), std::size_t{2});
            }
            QVERIFY(history->add(entryOf("after"), blobsOf("after")));
        }
    }

    void whatIsNoHistory()
    {
        const auto write = [&](const char* text) {
            std::FILE* out = std::fopen(file().c_str(), "w");
            std::fputs(text, out);
            std::fclose(out);
        };
        write("certainly no database, and longer than the header of one: "
              "----------------------------------------");
        const auto text = History::open(file());
        QVERIFY(!text);
        QCOMPARE(text.error().code, ErrorCode::Unreadable);
        QCOMPARE(text.error().path, file().string());
        const auto folder = History::open(m_directory->path().toStdString());
        QVERIFY(!folder);
    }

    void twoWriters()
    {
        auto first = History::open(file());
        auto second = History::open(file());
        QVERIFY(first && second);
        QVERIFY(first->add(entryOf("one"), blobsOf("a")));
        QVERIFY(second->add(entryOf("two"), blobsOf("b")));
        QCOMPARE(first->list({})->size(), std::size_t{2});
    }

private:
    std::filesystem::path file() const
    {
        return m_directory->filePath(QStringLiteral("h.sqlite")).toStdString();
    }
    std::unique_ptr<QTemporaryDir> m_directory;
};

QTEST_GUILESS_MAIN(TestHistory)
#include "tst_history.moc"
