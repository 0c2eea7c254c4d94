// SPDX-License-Identifier: Apache-2.0
#include "core/bench/npy.h"
#include "core/evaluation/given_oracle.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"

#include <QTest>

#include <cstring>

using namespace ptxwb;

namespace {

Task scaleTask(const std::string& oracle, const std::string& file = {})
{
    Task task;
    task.name = "scale";
    task.axes = {{.name = "n", .constant = 4}};
    task.inputs = {{.name = "X", .dtype = Dtype::Bfloat16, .shape = {"n"}},
        {.name = "factor", .dtype = Dtype::Float32, .isScalar = true}};
    task.outputs = {{.name = "Y", .dtype = Dtype::Bfloat16, .shape = {"n"}}};
    task.oracle = {.name = oracle, .file = file};
    task.reference = "def run(X, factor):\n    return X * factor\n";
    return task;
}

EvaluateRequest requestFor(const Task& task)
{
    EvaluateRequest request;
    request.oracle = task.oracle;
    request.seed = 5;
    request.plan.buffers = {{.name = "X", .type = {.dtype = Dtype::Bfloat16, .shape = {4}}},
        {.name = "factor", .type = {.dtype = Dtype::Float32}, .init = BufferInit::Scalar, .scalar = 2},
        {.name = "Y",
            .type = {.dtype = Dtype::Bfloat16, .shape = {4}},
            .role = BufferRole::Output,
            .init = BufferInit::Poison}};
    return request;
}

class Variable {
public:
    explicit Variable(const std::string& value) { qputenv("PTXWB_PYTHON", value.c_str()); }
    ~Variable() { qunsetenv("PTXWB_PYTHON"); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
};

} // namespace

class TestGivenOracle : public QObject {
    Q_OBJECT

private slots:
    void storedTensorsGoWithTheRequest()
    {
        const auto directory = TemporaryDirectory::create();
        QVERIFY(directory);
        const std::vector<float> x{1, 2, 3, 4};
        const std::vector<float> y{2, 4, 6, 8};
        const float factor = 2;
        const auto store = [&](const char* name, const TensorType& type, const float* values,
                               std::size_t count) {
            const auto* first = reinterpret_cast<const std::byte*>(values);
            QVERIFY(writeFileAtomically(
                directory->path() / name, npyBytes(type, {first, count * sizeof(float)})));
        };
        auto request = requestFor(scaleTask("stored", "."));
        auto task = scaleTask("stored", ".");
        task.directory = directory->path();
        const auto missing = addGivenOracle(request, task, {});
        QVERIFY(!missing && missing.error().code == ErrorCode::NotFound);
        store("X.npy", {.dtype = Dtype::Float32, .shape = {4}}, x.data(), 4);
        store("Y.npy", {.dtype = Dtype::Float32, .shape = {4}}, y.data(), 4);
        store("factor.npy", {.dtype = Dtype::Float32, .shape = {}}, &factor, 1);
        request = requestFor(task);
        const auto added = addGivenOracle(request, task, {});
        QVERIFY2(added, added ? "" : describe(added.error()).c_str());
        QCOMPARE(request.contents.size(), std::size_t{2});
        QCOMPARE(request.storedOutputs.size(), std::size_t{1});
        QCOMPARE(request.storedOutputs[0].buffer, 2);
        const std::uint16_t bits[]{toBfloat16(2), toBfloat16(4), toBfloat16(6), toBfloat16(8)};
        QVERIFY(std::memcmp(request.storedOutputs[0].bytes.data(), bits, sizeof bits) == 0);
        QVERIFY(request.plan.buffers[0].init == BufferInit::Zero); // drawn and altered no more
        QCOMPARE(request.tolerance.trials, 1);
        store("Y.npy", {.dtype = Dtype::Float32, .shape = {3}}, y.data(), 3);
        request = requestFor(task);
        const auto other = addGivenOracle(request, task, {});
        QVERIFY(!other && other.error().code == ErrorCode::BadFormat);
        QVERIFY(other.error().path.find("Y.npy") != std::string::npos);
    }

    /// What is missing is said, with what to do.
    void withoutInterpreterOrTorch()
    {
        const auto task = scaleTask("python");
        auto request = requestFor(task);
        {
            const Variable python("/nowhere/python3");
            const auto added = addGivenOracle(request, task, {});
            QVERIFY(!added && added.error().code == ErrorCode::MissingTool);
            QVERIFY(added.error().hint.find("PTXWB_PYTHON") != std::string::npos);
        }
        if (!findInPath("python3")) {
            QSKIP("no python3 here");
        }
        const auto directory = TemporaryDirectory::create();
        const auto script = directory->path() / "python";
        // An interpreter that has no torch for certain: -S -E -I leave the site's packages away.
        QVERIFY(writeFileAtomically(script, "#!/bin/sh\nexec python3 -S -E \"$@\"\n"));
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        const Variable python(script.string());
        const auto added = addGivenOracle(request, task, {});
        QVERIFY(!added);
        QVERIFY2(added.error().code == ErrorCode::MissingTool, describe(added.error()).c_str());
        QVERIFY(added.error().message.find("torch") != std::string::npos);
        QVERIFY(request.storedOutputs.empty() && request.contents.empty());
    }

    /// With a real torch, where one is.
    void referenceInPython()
    {
        const auto probe = runProcess({.argv = {"python3", "-c", "import torch"}});
        if (!probe || !probe->succeeded()) {
            QSKIP("python3 has no torch here");
        }
        auto task = scaleTask("python");
        auto request = requestFor(task);
        const auto added = addGivenOracle(request, task, {});
        QVERIFY2(added, added ? "" : describe(added.error()).c_str());
        for (std::size_t i = 0; i < 4; ++i) {
            const auto value = [&](const std::string& bytes) {
                return toDouble(Dtype::Bfloat16, bytes.data() + 2 * i);
            };
            QCOMPARE(value(request.storedOutputs[0].bytes), 2 * value(request.contents[0].bytes));
        }
        task.reference = "def run(X, factor):\n    return X[:2]\n";
        request = requestFor(task);
        const auto wrong = addGivenOracle(request, task, {});
        QVERIFY(!wrong && wrong.error().message.find("shape") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestGivenOracle)
#include "tst_given_oracle.moc"
