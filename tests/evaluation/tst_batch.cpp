// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/batch.h"
#include "core/support/files.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/toolchain.h"

#include <QTest>
#include <fmt/format.h>

#include <map>
#include <set>

using namespace ptxwb;

namespace {

constexpr const char* kernel = R"(// candidate {}
/* @launch {{ "launches": [ {{ "kernel": "k", "grid": [1], "block": [32], "args": [ {{"tensor": "X"}}, {{"tensor": "Y"}} ] }} ] }} */
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{{
    ret;
}}
)";

Task smallTask()
{
    Task task;
    task.name = "small";
    task.axes = {{.name = "n", .constant = 8}};
    task.inputs = {{.name = "X", .dtype = Dtype::Float32, .shape = {"n"}}};
    task.outputs = {{.name = "Y", .dtype = Dtype::Float32, .shape = {"n"}}};
    task.workloads = {{.uuid = "u", .tags = {"paper"}}};
    return task;
}

/// A runner that has two devices and no GPU: it notes who asked which device, takes longer on the first one,
/// and answers with the seed that it was given.
RunnerEndpoint fakeExecutor(const std::filesystem::path& directory)
{
    DeviceInfo device{.name = "fake",
        .computeCapability = "9.0",
        .target = "sm_90a",
        .memoryBytes = 1 << 30,
        .freeBytes = 1 << 30};
    ProbeResult probe{.devices = {device, device}};
    probe.devices[1].index = 1;
    Finished finished{.verdict = Verdict::Correct, .explanation = "SEED", .device = device};
    const auto script = fmt::format(R"(printf '%s\n' '{}'
read -r line
case "$line" in
*'"request":"probe"'*) printf '%s\n' '{}' ;;
*)
    device=$(printf '%s' "$line" | sed 's/.*"device":\([0-9]*\).*/\1/')
    seed=$(printf '%s' "$line" | sed 's/.*"seed":\([0-9]*\).*/\1/')
    echo "$device" >> '{}'
    if [ "$device" = 0 ]; then sleep 0.3; fi
    printf '%s\n' '{}' | sed "s/SEED/seed $seed/"
    ;;
esac
)",
        encode(RunnerEvent(Hello{.build = "t", .cudaRuntime = "13.0"})), encode(RunnerEvent(probe)),
        (directory / "devices").string(), encode(RunnerEvent(finished)));
    const auto file = directory / "executor.sh";
    if (auto written = writeFileAtomically(file, script); !written) {
        qFatal("%s", describe(written.error()).c_str());
    }
    return {.command = {"/bin/sh", file.string()}, .title = "exec:fake", .host = "exec:fake"};
}

} // namespace

class TestBatch : public QObject {
    Q_OBJECT

private slots:
    /// One queue over two devices of an executor: each item is answered once, by whichever is free, with an
    /// answer that depends on nothing but the item.
    void answersDoNotDependOnTheOrder()
    {
        const Compiler compiler(findToolchain());
        const auto directory = TemporaryDirectory::create();
        QVERIFY(directory);
        const auto endpoint = fakeExecutor(directory->path());
        std::vector<BatchItem> items;
        for (int i = 0; i < 6; ++i) {
            const auto text = fmt::format(fmt::runtime(kernel), i);
            items.push_back({.id = fmt::format("{}", i),
                .request = {.displayName = "k.ptx",
                    .text = text,
                    .task = smallTask(),
                    .seed = batchSeed(text, "small", "")}});
        }
        using Answers = std::map<std::string, std::string>;
        const auto run = [&](const std::vector<BatchItem>& queue, const std::vector<BatchPlace>& places) {
            Answers answers;
            runBatch(Evaluator(compiler), queue, places,
                [&](std::size_t item, const Result<Evaluation>& answer) {
                    const auto text = answer ? fmt::format("{} {} {}", verdictName(answer->verdict),
                                          answer->seed, answer->explanation)
                                             : describe(answer.error());
                    if (!answers.emplace(queue[item].id, text).second) {
                        answers[queue[item].id] = "answered twice";
                    }
                },
                {});
            return answers;
        };
        const BatchPlace first{.where = Where::Gpu, .endpoint = endpoint, .device = 0};
        const BatchPlace second{.where = Where::Gpu, .endpoint = endpoint, .device = 1};
        const Answers both = run(items, {first, second});
        if (both.begin()->second.find("ptxas") != std::string::npos) {
            QSKIP("no ptxas here");
        }
        QCOMPARE(both.size(), items.size());
        for (const auto& item : items) {
            QCOMPARE(
                both.at(item.id), fmt::format("correct {} seed {}", item.request.seed, item.request.seed));
        }
        const auto devices = readFile(directory->path() / "devices");
        QVERIFY(devices);
        QVERIFY2(devices->find('0') != std::string::npos && devices->find('1') != std::string::npos,
            devices->c_str());
        QCOMPARE(std::count(devices->begin(), devices->end(), '\n'), std::ptrdiff_t(items.size()));
        const std::vector<BatchItem> turned(items.rbegin(), items.rend());
        QCOMPARE(run(turned, {second}), both);
    }

    void seedsFollowFromTheWorkAlone()
    {
        QCOMPARE(batchSeed("a", "t", "w"), batchSeed("a", "t", "w"));
        const std::set<std::uint64_t> seeds{batchSeed("a", "t", "w"), batchSeed("b", "t", "w"),
            batchSeed("a", "u", "w"), batchSeed("a", "t", "v")};
        QCOMPARE(seeds.size(), std::size_t{4});
        QVERIFY(!seeds.contains(0)); // 0 would draw one
    }
};

QTEST_MAIN(TestBatch)
#include "tst_batch.moc"
