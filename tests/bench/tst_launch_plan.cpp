// SPDX-License-Identifier: Apache-2.0
#include "plan_fixture.h"

#include <QtTest>

using namespace ptxwb;

namespace {

/// A plan of one launch, with `extra` members in the launch and `outer` members beside `launches`.
std::string plan(
    const std::string& extra, const std::string& outer = "", const std::string& args = R"({"tensor":"C"})")
{
    return R"j({"launches":[{"kernel":"k","grid":["ceildiv(N,64)","ceildiv(M,128)"],"block":[128],"args":[)j"
        + args + "]" + (extra.empty() ? "" : ",\n" + extra) + "}]" + (outer.empty() ? "" : ",\n" + outer)
        + "}";
}

} // namespace

class TestLaunchPlan : public QObject {
    Q_OBJECT

private slots:
    void everything()
    {
        const auto p = resolvedFor(R"j({
            "constants": {"BM": 128, "BN": "BM*2", "STAGES": 4},
            "workspaces": {"partial": {"dtype":"float32","shape":["M","N"],"init":"zero"},
                           "scratch": {"dtype":"uint8","shape":["STAGES*1024"]}},
            "tensor_maps": {"mapA": {"tensor":"A","box":[64,"BM"],"swizzle":"128B","oob":"zero","l2":"256B"}},
            "launches": [
              {"kernel":"first","grid":["ceildiv(N,BN)","ceildiv(M,BM)",2],"block":[384,1,1],"cluster":[1,2,1],
               "shared_bytes":"STAGES*49152+1024",
               "args":[{"tensor_map":"mapA"},{"tensor":"B","offset":"8*K"},{"workspace":"partial","offset":"N"},{"i32":"-M"},{"u32":"M"},
                       {"i64":"M*N*K*1000000"},{"u64":18446744073709551615},{"f32":0.125},{"f64":"K"}]},
              {"kernel":"second","grid":[1],"block":[32,2,2],"attributes":{"cooperative":true,"pdl":true},
               "args":[{"tensor":"C"},{"workspace":"scratch"}]},
              {"kernel":"third","grid":[8],"block":[32],"cluster":[2],"attributes":{"preferred_cluster":[4]},"args":[]}
            ]})j");
        QVERIFY2(p, p ? "" : describe(p.error()).c_str());
        QCOMPARE(p->buffers.size(), std::size_t{6});
        const std::vector<std::string> names{"A", "B", "V", "C", "partial", "scratch"};
        for (std::size_t i = 0; i < names.size(); ++i) {
            QCOMPARE(p->buffers[i].name, names[i]);
        }
        QCOMPARE(p->buffers[0].role, BufferRole::Input);
        QCOMPARE(p->buffers[0].init, BufferInit::Random);
        QCOMPARE(p->buffers[3].role, BufferRole::Output);
        QCOMPARE(p->buffers[3].init, BufferInit::Poison);
        QCOMPARE(p->buffers[3].type.bytes(), std::uint64_t{1000 * 256 * 4});
        QCOMPARE(p->buffers[4].role, BufferRole::Workspace);
        QCOMPARE(p->buffers[4].init, BufferInit::Zero);
        QCOMPARE(p->buffers[5].type.shape, (std::vector<std::int64_t>{4096}));
        QCOMPARE(p->buffers[5].init, BufferInit::Poison);

        const Launch& first = p->launches[0];
        QCOMPARE(first.kernel, std::string("first"));
        QVERIFY((first.grid == std::array<std::uint32_t, 3>{1, 8, 2}));
        QVERIFY((first.block == std::array<std::uint32_t, 3>{384, 1, 1}));
        QVERIFY((first.cluster == std::array<std::uint32_t, 3>{1, 2, 1}));
        QCOMPARE(first.dynamicSharedBytes, 197632U);
        const auto& a = first.arguments;
        QCOMPARE(a.size(), std::size_t{9});
        QCOMPARE(a[0].kind, ArgumentKind::TensorMap);
        QCOMPARE(a[0].index, 0);
        QCOMPARE(a[1].kind, ArgumentKind::Tensor);
        QCOMPARE(a[1].index, 1);
        QCOMPARE(a[1].offsetBytes, std::int64_t{8 * 192 * 2});
        QCOMPARE(a[2].kind, ArgumentKind::Workspace);
        QCOMPARE(a[2].index, 4);
        QCOMPARE(a[2].offsetBytes, std::int64_t{256 * 4});
        QCOMPARE(a[3].integer, std::int64_t{-1000});
        QCOMPARE(a[4].integer, std::int64_t{1000});
        QCOMPARE(a[5].integer, std::int64_t{1000} * 256 * 192 * 1000000);
        QCOMPARE(static_cast<std::uint64_t>(a[6].integer), std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(a[7].real, 0.125);
        QCOMPARE(a[8].real, 192.0);
        QVERIFY(!first.cooperative && !first.programmaticSerialization);
        QVERIFY(p->launches[1].cooperative && p->launches[1].programmaticSerialization);
        QVERIFY((p->launches[2].preferredCluster == std::array<std::uint32_t, 3>{4, 1, 1}));
    }

    void faults_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& json, const char* path, int line,
                             const char* says) {
            QTest::newRow(name) << QString::fromStdString(json) << path << line << says;
        };
        row("no launches", "{}", "$", 3, "`launches` is missing");
        row("empty launches", R"({"launches":[]})", "$.launches", 3, "nothing would run");
        row("launches no array", R"({"launches":{}})", "$.launches", 3, "expected an array");
        row("unknown key", plan("", R"("tensormaps":{})"), "$.tensormaps", 4, "unknown key");
        row("unknown key in a launch", plan(R"("clusters":[1])"), "$.launches[0].clusters", 4, "unknown key");
        row("no kernel", "{\"launches\":[\n{\"grid\":[1],\"block\":[1],\"args\":[]}]}", "$.launches[0]", 4,
            "`kernel`");
        row("no args", R"({"launches":[{"kernel":"k","grid":[1],"block":[1]}]})", "$.launches[0]", 3,
            "`args`");
        row("grid of 4", R"({"launches":[{"kernel":"k","grid":[1,1,1,1],"block":[1],"args":[]}]})",
            "$.launches[0].grid", 3, "4 entries");
        row("grid 0", R"({"launches":[{"kernel":"k","grid":[1,"M-1000"],"block":[1],"args":[]}]})",
            "$.launches[0].grid[1]", 3, "grid.y is 0");
        row("grid y", R"({"launches":[{"kernel":"k","grid":[1,65536],"block":[1],"args":[]}]})",
            "$.launches[0].grid[1]", 3, "65535");
        row("grid x", R"({"launches":[{"kernel":"k","grid":[2147483648],"block":[1],"args":[]}]})",
            "$.launches[0].grid[0]", 3, "grid.x");
        row("division by zero",
            "{\"launches\":[{\"kernel\":\"k\",\n\"grid\":[\"M/(N-256)\"],\"block\":[1],\"args\":[]}]}",
            "$.launches[0].grid[0]", 4, "division by zero at column 2");
        row("unknown name",
            "{\"launches\":[{\"kernel\":\"k\",\n\"grid\":[\"Q\"],\"block\":[1],\"args\":[]}]}",
            "$.launches[0].grid[0]", 4, "unknown name `Q`");
        row("real grid", R"({"launches":[{"kernel":"k","grid":[1.5],"block":[1],"args":[]}]})",
            "$.launches[0].grid[0]", 3, "found 1.5");
        row("too many threads", R"({"launches":[{"kernel":"k","grid":[1],"block":[512,3],"args":[]}]})",
            "$.launches[0].block", 3, "1536 threads");
        row("block z", R"({"launches":[{"kernel":"k","grid":[1],"block":[1,1,65],"args":[]}]})",
            "$.launches[0].block[2]", 3, "block.z is 65");
        row("cluster does not divide", plan(R"("cluster":[3])"), "$.launches[0].cluster[0]", 4,
            "does not divide grid.x = 4");
        row("cluster of 16", plan(R"("cluster":[4,4])"), "$.launches[0].cluster", 4,
            "16 CTAs, 8 is the most");
        row("cluster 0", plan(R"("cluster":[0])"), "$.launches[0].cluster[0]", 4, "cluster.x is 0");
        row("shared negative", plan(R"("shared_bytes":-1)"), "$.launches[0].shared_bytes", 4,
            "shared_bytes is -1");
        row("shared absurd", plan(R"("shared_bytes":"1024*1024+1")"), "$.launches[0].shared_bytes", 4,
            "1048576");
        row("attribute", plan(R"("attributes":{"cooperativ":true})"), "$.launches[0].attributes.cooperativ",
            4, "unknown key");
        row("attribute kind", plan(R"("attributes":{"pdl":1})"), "$.launches[0].attributes.pdl", 4,
            "true or false");
        row("preferred cluster", plan(R"("cluster":[2],"attributes":{"preferred_cluster":[3]})"),
            "$.launches[0].attributes.preferred_cluster", 4, "no multiple");
        row("unknown tensor", plan("", "", R"({"tensor":"D"})"), "$.launches[0].args[0].tensor", 3,
            "unknown tensor `D`");
        row("unknown map", plan("", "", R"({"tensor_map":"mapA"})"), "$.launches[0].args[0].tensor_map", 3,
            "unknown tensor map");
        row("unknown workspace", plan("", "", R"({"workspace":"w"})"), "$.launches[0].args[0].workspace", 3,
            "unknown workspace");
        row("workspace as tensor",
            plan("", R"("workspaces":{"w":{"dtype":"int32","shape":[4]}})", R"({"tensor":"w"})"),
            "$.launches[0].args[0].tensor", 3, "is a workspace");
        row("two kinds", plan("", "", R"({"tensor":"C","i32":1})"), "$.launches[0].args[0]", 3,
            "both `tensor` and `i32`");
        row("no kind", plan("", "", R"({})"), "$.launches[0].args[0]", 3, "an argument needs one of");
        row("only offset", plan("", "", R"({"offset":1})"), "$.launches[0].args[0]", 3,
            "an argument needs one of");
        row("argument no object", plan("", "", R"("C")"), "$.launches[0].args[0]", 3, "expected an object");
        row("offset beyond", plan("", "", R"({"tensor":"C","offset":"M*N+1"})"),
            "$.launches[0].args[0].offset", 3, "0 to 256000");
        row("offset of a number", plan("", "", R"({"i32":1,"offset":1})"), "$.launches[0].args[0].offset", 3,
            "only a tensor");
        row("i32 range", plan("", "", R"({"i32":"2147483647+1"})"), "$.launches[0].args[0].i32", 3,
            "an i32 argument");
        row("u32 range", plan("", "", R"({"u32":-1})"), "$.launches[0].args[0].u32", 3, "a u32 argument");
        row("f32 range", plan("", "", R"({"f32":1e39})"), "$.launches[0].args[0].f32", 3,
            "beyond the range of float");
        row("output forgotten", plan("", "", R"({"tensor":"A"})"), "$.launches", 3,
            "no launch receives the output C");
        row("constant is an axis", plan("", R"("constants":{"M":1})"), "$.constants.M", 4, "is an axis");
        row("constant name", plan("", R"("constants":{"B M":1})"), "$.constants[\"B M\"]", 4,
            "cannot be used");
        row("constant kind", plan("", R"("constants":{"BM":true})"), "$.constants.BM", 4,
            "an integer or an expression");
        row("constant order", plan("", R"("constants":{"BN":"BM","BM":1})"), "$.constants.BN", 4,
            "unknown name `BM`");
        row("workspace dtype", plan("", R"("workspaces":{"w":{"dtype":"float23","shape":[1]}})"),
            "$.workspaces.w.dtype", 4, "unknown dtype");
        row("workspace name", plan("", R"("workspaces":{"A":{"dtype":"int8","shape":[1]}})"),
            "$.workspaces.A", 4, "is a tensor of");
        row("workspace init", plan("", R"("workspaces":{"w":{"dtype":"int8","shape":[1],"init":"random"}})"),
            "$.workspaces.w.init", 4, "unknown init");
        row("workspace size", plan("", R"("workspaces":{"w":{"dtype":"int8","shape":[1048576,1048576,2]}})"),
            "$.workspaces.w.shape[2]", 4, "an extent of workspace");
        row("axes clash", plan("", R"("axes":{"M":8})"), "$.axes.M", 4,
            "this workload of plan_task has 1000");
        row("axes unknown", plan("", R"("axes":{"Z":8})"), "$.axes.Z", 4, "does not have");
        row("tensors clash", plan("", R"("tensors":{"A":{"dtype":"float32","shape":["M","K"]}})"),
            "$.tensors.A", 4, "another type or shape");
        row("tensors unknown", plan("", R"("tensors":{"X":{"dtype":"float32","shape":[1]}})"), "$.tensors.X",
            4, "does not have");
        row("key twice", plan("", R"("constants":{"BM":1,"BM":2})"), "$.constants.BM", 4, "twice");
        row("bad json", "{\"launches\": [\n{,}]}", "$.launches[0]", 4, "not valid JSON at column 2");
    }
    void faults()
    {
        QFETCH(QString, json);
        QFETCH(QString, path);
        QFETCH(int, line);
        QFETCH(QString, says);
        const auto p = resolvedFor(json.toStdString());
        QVERIFY(!p);
        QCOMPARE(p.error().code, ErrorCode::BadFormat);
        QVERIFY2(QString::fromStdString(p.error().message).contains(says), p.error().message.c_str());
        QCOMPARE(QString::fromStdString(p.error().jsonPath), path);
        QCOMPARE(p.error().line.value_or(0), line);
    }

    void hints()
    {
        QCOMPARE(resolvedFor(plan("", R"("tensormaps":{})")).error().hint,
            std::string("did you mean `tensor_maps`?"));
        QCOMPARE(resolvedFor(plan("", "", R"({"tensor":"D"})")).error().hint,
            std::string("plan_task has: A, B, V, C"));
        QVERIFY(
            resolvedFor(plan(R"("cluster":[4,4])")).error().hint.find("non-portable") != std::string::npos);
    }

    /// Too much shared memory is for the device to refuse.
    void sharedMemoryBeyondTheDeviceResolves()
    {
        const auto p = resolvedFor(plan(R"("shared_bytes":"256*1024")"));
        QVERIFY(p);
        QCOMPARE(p->launches[0].dynamicSharedBytes, 262144U);
    }

    void axesAndTensorsMayRepeatTheTask()
    {
        QVERIFY(resolvedFor(
            plan("", R"("axes":{"M":1000,"K":192},"tensors":{"A":{"dtype":"bfloat16","shape":["M","K"]}})")));
    }

    void everyTruncationIsAnErrorWithAPlace()
    {
        const std::string json =
            plan(R"("cluster":[2],"shared_bytes":"1024*4")", R"("constants":{"BM":128})");
        QVERIFY(resolvedFor(json));
        for (std::size_t n = 0; n < json.size(); ++n) {
            const auto p = resolvedFor(json.substr(0, n));
            QVERIFY(!p);
            QCOMPARE(p.error().code, ErrorCode::BadFormat);
            QVERIFY(p.error().line.value_or(0) >= 2);
            QVERIFY(!p.error().jsonPath.empty());
        }
    }

    /// Whatever a byte is changed to, the answer is a plan or an error with a place.
    void changedBytes()
    {
        const Task task = planTask();
        const std::string file =
            fileWithPlan(R"j({"constants":{"BM":128},"workspaces":{"w":{"dtype":"int8","shape":["M*N"]}},
"tensor_maps":{"a":{"tensor":"A","box":[64,"BM"],"swizzle":"128B"}},"launches":[{"kernel":"k","cluster":[2],
"grid":["ceildiv(N,64)",8],"block":[128],"args":[{"tensor_map":"a"},{"tensor":"C","offset":8},{"i32":"M"}]}]})j");
        QVERIFY(resolveLaunchPlan(file, task, task.workloads[0]));
        const std::string letters = "{}[]\",:0919-*/%()\\\n aMQ\x80";
        int broken = 0;
        for (std::size_t at = 0; at < file.size(); ++at) {
            for (const char c : letters) {
                std::string changed = file;
                changed[at] = c;
                const auto p = resolveLaunchPlan(changed, task, task.workloads[0]);
                if (!p) {
                    ++broken;
                    QVERIFY(!p.error().message.empty());
                    QVERIFY(p.error().code == ErrorCode::NotFound || p.error().line.has_value());
                }
            }
        }
        QVERIFY(broken > 1000);
    }

    void inputsOfTheWorkload()
    {
        Task task = planTask();
        Workload workload = task.workloads[0];
        workload.inputs["A"] = {InputSource::Scalar, 2.5, "", ""};
        workload.inputs["B"] = {InputSource::Derived, 0, "", ""};
        const auto p = resolveLaunchPlan(fileWithPlan(plan("")), task, workload);
        QVERIFY(p);
        QCOMPARE(p->buffers[0].init, BufferInit::Scalar);
        QCOMPARE(p->buffers[0].scalar, 2.5);
        QCOMPARE(p->buffers[1].init, BufferInit::Derived);
        QCOMPARE(p->buffers[2].init, BufferInit::Random);

        workload.inputs["A"] = {InputSource::Stored, 0, "blob/a.safetensors", "A"};
        const auto stored = resolveLaunchPlan(fileWithPlan(plan("")), task, workload);
        QVERIFY(!stored);
        QCOMPARE(stored.error().code, ErrorCode::Unsupported);

        workload.axes.clear();
        const auto noAxis = resolveLaunchPlan(fileWithPlan(plan("")), task, workload);
        QVERIFY(!noAxis);
        QCOMPARE(noAxis.error().code, ErrorCode::InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(TestLaunchPlan)
#include "tst_launch_plan.moc"
