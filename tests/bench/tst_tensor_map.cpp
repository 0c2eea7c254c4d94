// SPDX-License-Identifier: Apache-2.0
#include "plan_fixture.h"

#include <QtTest>

using namespace ptxwb;

namespace {

Result<ResolvedPlan> withMap(const std::string& map)
{
    return resolvedFor(
        R"({"launches":[{"kernel":"k","grid":[1],"block":[1],"args":[{"tensor":"C"},{"tensor_map":"m"}]}],
"workspaces":{"w":{"dtype":"int32","shape":[64,12]},"big":{"dtype":"uint8","shape":["1024*1024"]},
              "six":{"dtype":"float32","shape":[2,2,2,2,2,16]}},
"tensor_maps":{
"m":)" + map
        + "}}");
}
constexpr int mapLine = 7;

} // namespace

class TestTensorMap : public QObject {
    Q_OBJECT

private slots:
    void fromTheTensor()
    {
        const auto p = withMap(R"({"tensor":"A","box":[64,128],"swizzle":"128B","oob":"nan","l2":"128B"})");
        QVERIFY2(p, p ? "" : describe(p.error()).c_str());
        const TensorMapSpec& m = p->tensorMaps[0];
        QCOMPARE(m.name, std::string("m"));
        QCOMPARE(m.buffer, 0);
        QCOMPARE(m.dtype, Dtype::Bfloat16);
        QCOMPARE(m.dims, (std::vector<std::uint64_t>{192, 1000})); // innermost first
        QCOMPARE(m.stridesBytes, (std::vector<std::uint64_t>{384}));
        QCOMPARE(m.box, (std::vector<std::uint32_t>{64, 128}));
        QCOMPARE(m.elementStrides, (std::vector<std::uint32_t>{1, 1}));
        QCOMPARE(m.swizzle, Swizzle::B128);
        QCOMPARE(m.fill, OutOfBoundsFill::Nan);
        QCOMPARE(m.l2, L2Promotion::B128);
    }

    void defaults()
    {
        const auto p = withMap(R"({"tensor":"V","box":[256]})");
        QVERIFY(p);
        const TensorMapSpec& m = p->tensorMaps[0];
        QCOMPARE(m.dims, (std::vector<std::uint64_t>{256}));
        QVERIFY(m.stridesBytes.empty());
        QCOMPARE(m.swizzle, Swizzle::None);
        QCOMPARE(m.fill, OutOfBoundsFill::Zero);
        QCOMPARE(m.l2, L2Promotion::None);
        QCOMPARE(m.offsetBytes, std::uint64_t{0});
    }

    void givenDimsAndStrides()
    {
        // Half of A's columns, from column 96 on, as [rows / 2, 2, 96].
        const auto p = withMap(
            R"({"tensor":"A","dims":["K/2",2,"M/2"],"strides":["K","2*K"],"offset":"K/2","box":[16,2,8],
            "element_strides":[1,1,2]})");
        QVERIFY2(p, p ? "" : describe(p.error()).c_str());
        const TensorMapSpec& m = p->tensorMaps[0];
        QCOMPARE(m.dims, (std::vector<std::uint64_t>{96, 2, 500}));
        QCOMPARE(m.stridesBytes, (std::vector<std::uint64_t>{384, 768}));
        QCOMPARE(m.offsetBytes, std::uint64_t{192});
        QCOMPARE(m.elementStrides, (std::vector<std::uint32_t>{1, 1, 2}));
    }

    void dimsAlonePackDensely()
    {
        const auto p = withMap(R"({"tensor":"C","dims":["N","M"],"box":[32,8],"swizzle":"128B"})");
        QVERIFY(p);
        QCOMPARE(p->tensorMaps[0].stridesBytes, (std::vector<std::uint64_t>{1024}));
    }

    void workspaceMap()
    {
        const auto p = withMap(R"({"workspace":"w","box":[12,64]})");
        QVERIFY2(p, p ? "" : describe(p.error()).c_str());
        QCOMPARE(p->tensorMaps[0].buffer, 4);
        QCOMPARE(p->tensorMaps[0].dtype, Dtype::Int32);
    }

    void faults_data()
    {
        QTest::addColumn<QString>("map");
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* map, const char* path, const char* says) {
            QTest::newRow(name) << map << path << says;
        };
        row("unknown tensor", R"({"tensor":"Z","box":[64,1]})", "$.tensor_maps.m.tensor",
            "unknown tensor `Z`");
        row("neither", R"({"box":[64,1]})", "$.tensor_maps.m", "either `tensor` or `workspace`");
        row("both", R"({"tensor":"A","workspace":"w","box":[64,1]})", "$.tensor_maps.m", "either");
        row("no box", R"({"tensor":"A"})", "$.tensor_maps.m", "`box` is missing");
        row("box rank", R"({"tensor":"A","box":[64]})", "$.tensor_maps.m.box", "1 entries, 2 are needed");
        row("box 257", R"({"tensor":"A","box":[64,257]})", "$.tensor_maps.m.box[1]", "1 to 256");
        row("box 0", R"({"tensor":"A","box":[0,1]})", "$.tensor_maps.m.box[0]", "1 to 256");
        row("box bytes", R"({"tensor":"A","box":[12,1]})", "$.tensor_maps.m.box[0]", "24 bytes wide inside");
        row("span 128", R"({"tensor":"A","box":[72,1],"swizzle":"128B"})", "$.tensor_maps.m.box[0]",
            "144 bytes wide");
        row("span 64", R"({"tensor":"A","box":[64,1],"swizzle":"64B"})", "$.tensor_maps.m.box[0]",
            "64-byte swizzle");
        row("span 32", R"({"tensor":"A","box":[24,1],"swizzle":"32B"})", "$.tensor_maps.m.box[0]",
            "32-byte swizzle");
        row("swizzle name", R"({"tensor":"A","box":[64,1],"swizzle":"128"})", "$.tensor_maps.m.swizzle",
            "unknown swizzle");
        row("oob name", R"({"tensor":"A","box":[64,1],"oob":"inf"})", "$.tensor_maps.m.oob", "unknown oob");
        row("l2 name", R"({"tensor":"A","box":[64,1],"l2":"512B"})", "$.tensor_maps.m.l2", "unknown l2");
        row("nan of integers", R"({"workspace":"w","box":[4,1],"oob":"nan"})", "$.tensor_maps.m.oob",
            "cannot fill int32");
        row("stride 16", R"({"tensor":"A","dims":[96,10],"strides":[100],"box":[64,1]})",
            "$.tensor_maps.m.strides[0]", "200 bytes, TMA needs a multiple of 16");
        row("dense stride 16", R"({"tensor":"A","dims":[100,10],"box":[64,1]})", "$.tensor_maps.m",
            "200 bytes");
        row("strides count", R"({"tensor":"A","strides":[192,192],"box":[64,1]})", "$.tensor_maps.m.strides",
            "2 entries");
        row("rank 6", R"({"workspace":"six","box":[4,1,1,1,1,1]})", "$.tensor_maps.m", "has rank 6");
        row("six dims", R"({"tensor":"A","dims":[8,1,1,1,1,1],"box":[8,1,1,1,1,1]})", "$.tensor_maps.m.dims",
            "6 entries");
        row("no dims", R"({"tensor":"A","dims":[],"box":[]})", "$.tensor_maps.m.dims", "0 entries");
        row("dim 0", R"({"tensor":"A","dims":[0,1],"box":[8,1]})", "$.tensor_maps.m.dims[0]",
            "1 to 4294967296");
        row("reaches beyond", R"({"tensor":"A","dims":[192,1001],"box":[64,1]})", "$.tensor_maps.m",
            "384384 bytes into A");
        row("offset beyond", R"({"tensor":"A","offset":"K","box":[64,1]})", "$.tensor_maps.m",
            "which has 384000");
        row("offset alignment", R"({"tensor":"A","dims":[64,1],"offset":4,"box":[64,1]})",
            "$.tensor_maps.m.offset", "multiple of 16");
        row("stride too long",
            R"({"workspace":"big","dims":[16,2],"strides":["1024*1024*1024*1024"],"box":[16,1]})",
            "$.tensor_maps.m.strides[0]", "stride in elements");
        row("huge", R"({"workspace":"big","dims":[4294967296,4294967296,4294967296],"box":[16,1,1]})",
            "$.tensor_maps.m", "beyond 64 bits");
        row("element stride", R"({"tensor":"A","box":[64,1],"element_strides":[1,9]})",
            "$.tensor_maps.m.element_strides[1]", "1 to 8");
        row("unknown key", R"({"tensor":"A","box":[64,1],"swizzl":"128B"})", "$.tensor_maps.m.swizzl",
            "unknown key");
    }
    void faults()
    {
        QFETCH(QString, map);
        QFETCH(QString, path);
        QFETCH(QString, says);
        const auto p = withMap(map.toStdString());
        QVERIFY(!p);
        QVERIFY2(QString::fromStdString(p.error().message).contains(says), p.error().message.c_str());
        QCOMPARE(QString::fromStdString(p.error().jsonPath), path);
        QCOMPARE(p.error().line.value_or(0), mapLine);
        QCOMPARE(p.error().code, ErrorCode::BadFormat);
    }
};

QTEST_APPLESS_MAIN(TestTensorMap)
#include "tst_tensor_map.moc"
