// SPDX-License-Identifier: Apache-2.0
#include "core/bench/trace_root.h"

#include <QtTest>

using namespace ptxwb;

namespace {

const std::filesystem::path tiny = std::filesystem::path(PTXWB_TEST_DATA) / "bench" / "tiny";

QByteArray contentOf(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), qint64(bytes.size()));
}

} // namespace

class TestTasks : public QObject {
    Q_OBJECT

    /// The tiny task with one text replaced in one of its files.
    Result<Task> changed(const char* file, const QByteArray& from, const QByteArray& to)
    {
        QTemporaryDir dir;
        for (const char* name : {"task.json", "workloads.jsonl"}) {
            QByteArray bytes = contentOf(tiny / name);
            if (qstrcmp(name, file) == 0) {
                const QByteArray before = bytes;
                bytes.replace(from, to);
                if (bytes == before) {
                    qFatal("the text to replace is not there");
                }
            }
            write(dir.filePath(QString::fromUtf8(name)), bytes);
        }
        return loadTask(dir.path().toStdString());
    }

private slots:
    void loads()
    {
        const auto task = loadTask(tiny);
        QVERIFY2(task, task ? "" : describe(task.error()).c_str());
        QCOMPARE(task->name, std::string("tiny_gemm"));
        QCOMPARE(task->axes.size(), std::size_t{3});
        QVERIFY(!task->axes[0].constant);
        QCOMPARE(task->axes[1].constant, std::optional<std::int64_t>(64));
        QCOMPARE(task->inputs[0].name, std::string("B")); // argument order is the file's
        QCOMPARE(task->inputs[1].name, std::string("A"));
        QVERIFY(task->inputs[2].isScalar);
        QCOMPARE(task->outputs[0].dtype, Dtype::Float32);
        QCOMPARE(task->oracle.parameters.at("scale"), 0.5);
        QCOMPARE(task->tolerance.atol, 0.02);
        QCOMPARE(task->tolerance.matchedRatio, 0.995);
        QCOMPARE(task->tolerance.trials, 2);
        QCOMPARE(task->strict.boundFor("C"), std::optional(0.001));
        QCOMPARE(task->goals[1].sassFamily, std::string("tcgen05"));
        QCOMPARE(task->examples[0].contract, std::string("kernel"));
        QCOMPARE(task->examples[0].expectedGoals, (std::vector<std::string>{"wgmma"}));
        QCOMPARE(task->workloads.size(), std::size_t{3});
        QCOMPARE(task->workloads[0].inputs.at("alpha").scalar, 1.5);
        QCOMPARE(task->workloads[1].inputs.at("B").source, InputSource::Stored);
        QCOMPARE(task->workloads[2].inputs.at("A").source, InputSource::Derived);
        QCOMPARE(task->directory, tiny);
    }

    void shapes()
    {
        const auto task = loadTask(tiny);
        QVERIFY(task);
        const auto axes = task->axisValues(task->workloads[0]);
        QVERIFY(axes);
        QCOMPARE(axes->at("M"), std::int64_t{128});
        QCOMPARE(axes->at("K"), std::int64_t{96});
        const auto type = task->typeOf(task->outputs[0], task->workloads[0]);
        QVERIFY(type);
        QCOMPARE(type->shape, (std::vector<std::int64_t>{128, 64}));
        QCOMPARE(type->bytes(), std::uint64_t{128 * 64 * 4});
        QCOMPARE(task->typeOf(task->inputs[2], task->workloads[0])->elements(), std::int64_t{1});
        const auto missing = task->axisValues(Workload{});
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::InvalidArgument);
        QVERIFY(missing.error().message.find("axis M") != std::string::npos);
    }

    void findsWorkloads()
    {
        const auto task = loadTask(tiny);
        QVERIFY(task);
        QCOMPARE((*task->workload("paper"))->uuid, task->workloads[0].uuid);
        QCOMPARE((*task->workload("demo"))->uuid, task->workloads[1].uuid);
        QCOMPARE((*task->workload("33333333"))->uuid, task->workloads[2].uuid);
        QCOMPARE((*task->workload(task->workloads[1].uuid))->uuid, task->workloads[1].uuid);
        QCOMPARE(task->workloads[0].name(), std::string("paper"));
        QCOMPARE(task->workloads[1].name(), std::string("demo"));
        QCOMPARE(task->workloads[2].name(), task->workloads[2].uuid);
        for (const char* wrong : {"", "3333333", "huge", "33333333-b"}) {
            const auto none = task->workload(wrong);
            QVERIFY(!none);
            QCOMPARE(none.error().code, ErrorCode::NotFound);
            QVERIFY(none.error().hint.find("small, paper (11111111-aaaa-5000-8000-000000000001)")
                != std::string::npos);
        }
    }

    void faults_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("says");
        const auto task = [](const char* name, const char* from, const char* to, const char* path, int line,
                              const char* says) {
            QTest::newRow(name) << QByteArray("task.json") << QByteArray(from) << QByteArray(to) << path
                                << line << says;
        };
        const auto row = [](const char* name, const char* from, const char* to, const char* path, int line,
                             const char* says) {
            QTest::newRow(name) << QByteArray("workloads.jsonl") << QByteArray(from) << QByteArray(to) << path
                                << line << says;
        };
        task("no name", "\"name\": \"tiny_gemm\",", "", "$", 1, "`name` is missing");
        task("axis type", "\"type\": \"var\"", "\"type\": \"free\"", "$.axes.M.type", 5, "unknown axis type");
        task("axis value", "\"value\": 64", "\"value\": \"64\"", "$.axes.N.value", 6, "expected an integer");
        task("negative axis", "\"value\": 64", "\"value\": -64", "$.axes.N.value", 6, "negative");
        task("dtype", "\"dtype\": \"float32\" }\n  },\n  \"reference",
            "\"dtype\": \"fp32\" }\n  },\n  \"reference", "$.outputs.C.dtype", 15, "unknown dtype");
        task("undeclared axis", "[\"M\", \"N\"]", "[\"M\", \"n\"]", "$.outputs.C.shape[1]", 15,
            "axis `n` is not declared");
        task("output is input", "\"C\": { \"shape\"", "\"A\": { \"shape\"", "$.outputs.A", 15,
            "is an input already");
        task("no run", "def run(", "def go(", "$.reference", 17, "no function `run`");
        task("oracle", "\"gemm_nt\"", "\"gemm_tn\"", "$.workbench.oracle.name", 21, "unknown oracle");
        task("workbench key", "\"strict\":", "\"strikt\":", "$.workbench.strikt", 23, "unknown key");
        task("ratio", "0.995", "1.5", "$.workbench.tolerance.matched_ratio", 22, "not within");
        task("strict output", "{ \"C\": 0.001 }", "{ \"D\": 0.001 }",
            "$.workbench.strict.normwise_rel_error.D", 23, "no output `D`");
        task("baseline", "\"cublaslt\"", "\"cublas\"", "$.workbench.baselines[0].name", 24,
            "unknown baseline");
        task("flops", "2*M*N*K", "2*M*N*Z", "$.workbench.flops", 25, "unknown name `Z`");
        task("verdict", "\"correct\"", "\"corect\"", "$.workbench.examples[0].expected_verdict", 33,
            "unknown verdict");
        task("goal", "[\"wgmma\"]", "[\"tcgen05\"]", "$.workbench.examples[0].expected_goals[0]", 33,
            "goal of sm_90a");
        task("syntax", "\"op_type\": \"gemm\",", "\"op_type\": \"gemm\"", "$.op_type", 4, "not valid JSON");
        row("other task", "\"definition\": \"tiny_gemm\", \"solution\"",
            "\"definition\": \"other\", \"solution\"", "$.definition", 1, "is of other");
        row("const axis", "{\"M\": 128}", "{\"M\": 128, \"N\": 1}", "$.workload.axes.N", 1,
            "is 64 in every workload");
        row("unknown axis", "{\"M\": 0}", "{\"M\": 0, \"m\": 1}", "$.workload.axes.m", 3, "no axis `m`");
        row("missing axis", "{\"M\": 0}", "{}", "$.workload.axes", 3, "no value for axis M");
        row("negative extent", "{\"M\": 0}", "{\"M\": -4}", "$.workload.axes.M", 3, "negative");
        row("too large", "{\"M\": 0}", "{\"M\": 4611686018427387904}", "$.workload.axes", 3, "2^50 bytes");
        row("missing input", "\"A\": {\"type\": \"derived\"}, ", "", "$.workload.inputs", 4,
            "input A is missing");
        row("unknown input", "\"A\": {\"type\": \"derived\"}", "\"AA\": {\"type\": \"derived\"}",
            "$.workload.inputs.AA", 4, "no input `AA`");
        row("input type", "\"derived\"", "\"made\"", "$.workload.inputs.A.type", 4, "unknown input type");
        row("uuid twice", "33333333-aaaa-5000-8000-000000000003", "22222222-aaaa-5000-8000-000000000002",
            "$.workload.uuid", 4, "earlier line");
        row("syntax", "\"evaluation\": null}", "\"evaluation\": nul}", "$.evaluation", 1, "not valid JSON");
    }
    void faults()
    {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, path);
        QFETCH(int, line);
        QFETCH(QString, says);
        const auto task = changed(file.constData(), from, to);
        QVERIFY(!task);
        QCOMPARE(task.error().code, ErrorCode::BadFormat);
        QVERIFY2(QString::fromStdString(task.error().message).contains(says), task.error().message.c_str());
        QCOMPARE(QString::fromStdString(task.error().jsonPath), path);
        QCOMPARE(task.error().line.value_or(0), line);
        QVERIFY(task.error().path.ends_with(file.toStdString()));
    }

    void definitionWithoutOurObject()
    {
        // A FlashInfer Trace definition as it is: everything of ours has its default.
        QByteArray bytes = contentOf(tiny / "task.json");
        const auto at = bytes.indexOf(",\n  \"workbench\"");
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("task.json")), bytes.left(at) + "}");
        write(dir.filePath(QStringLiteral("workloads.jsonl")),
            contentOf(tiny / "workloads.jsonl").replace("\n", "\r\n"));
        const auto task = loadTask(dir.path().toStdString());
        QVERIFY2(task, task ? "" : describe(task.error()).c_str());
        QVERIFY(task->oracle.name.empty());
        QCOMPARE(task->tolerance.trials, 3);
        QCOMPARE(task->workloads.size(), std::size_t{3});
    }

    void missingFiles()
    {
        QTemporaryDir dir;
        const auto task = loadTask(dir.path().toStdString());
        QVERIFY(!task);
        QCOMPARE(task.error().code, ErrorCode::NotFound);
        QCOMPARE(loadTasks(dir.path().toStdString())->size(), std::size_t{0});
        const auto none = loadTasks((dir.path() + QStringLiteral("/nowhere")).toStdString());
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::NotFound);
    }

    /// The files as a data set has them; what checks them comes from our own task only when it is the same.
    void traceRoot()
    {
        QTemporaryDir dir;
        const std::filesystem::path root = dir.path().toStdString();
        QCOMPARE(traceDefinitions(root).error().code, ErrorCode::NotFound);
        const auto ours = loadTask(tiny);
        QVERIFY(ours);
        auto definition = contentOf(tiny / "task.json");
        const auto cut = definition.indexOf("\"workbench\"");
        QVERIFY(cut > 0);
        definition = definition.left(definition.lastIndexOf(',', cut)) + "}";
        QVERIFY(QDir().mkpath(dir.filePath(QStringLiteral("definitions/gemm"))));
        QVERIFY(QDir().mkpath(dir.filePath(QStringLiteral("workloads/gemm"))));
        const auto file = QStringLiteral("definitions/gemm/%1.json").arg(QString::fromStdString(ours->name));
        write(dir.filePath(file), definition);
        QCOMPARE(traceDefinitions(root)->size(), std::size_t{1});
        QCOMPARE(loadTraceTask(root, ours->name, {}).error().code, ErrorCode::NotFound); // no workloads
        write(dir.filePath(QStringLiteral("workloads/gemm/%1.jsonl").arg(QString::fromStdString(ours->name))),
            contentOf(tiny / "workloads.jsonl"));
        const auto alone = loadTraceTask(root, ours->name, {});
        QVERIFY2(alone, alone ? "" : describe(alone.error()).c_str());
        QVERIFY(alone->oracle.name.empty());
        QCOMPARE(alone->workloads.size(), ours->workloads.size());
        const auto checked = loadTraceTask(root, ours->name, {*ours});
        QVERIFY(checked);
        QCOMPARE(checked->oracle.name, ours->oracle.name);
        QVERIFY(checked->notes.front().find("the data set's") != std::string::npos);
        Task other = *ours;
        other.outputs[0].dtype = Dtype::Float64;
        QVERIFY(loadTraceTask(root, ours->name, {other})->oracle.name.empty());
        const auto missing = loadTraceTask(root, "nothing", {});
        QVERIFY(!missing && missing.error().hint.find(ours->name) != std::string::npos);
    }

    void sameNameTwice()
    {
        QTemporaryDir dir;
        for (const char* family : {"a", "b"}) {
            const QString sub = dir.filePath(QString::fromUtf8(family));
            QVERIFY(QDir().mkpath(sub));
            write(sub + QStringLiteral("/task.json"), contentOf(tiny / "task.json"));
            write(sub + QStringLiteral("/workloads.jsonl"), contentOf(tiny / "workloads.jsonl"));
        }
        const auto tasks = loadTasks(dir.path().toStdString());
        QVERIFY(!tasks);
        QVERIFY(tasks.error().message.find("two tasks are named tiny_gemm") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTasks)
#include "tst_tasks.moc"
