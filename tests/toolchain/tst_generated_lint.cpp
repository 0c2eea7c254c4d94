// SPDX-License-Identifier: Apache-2.0
// Kernels of CUDA C++ as wholes: what lint finds in the PTX that nvcc made, at the user's lines.
#include "core/toolchain/generated_lint.h"

#include <QTest>

using namespace ptxwb;

namespace {

const std::string source =
    R"(__device__ void product(float (&d)[4], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
}
__global__ void k(float* out, unsigned long long a, unsigned long long b)
{
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;");
    product(d, a, b);
    product(d, a, b);
    asm volatile("wgmma.commit_group.sync.aligned;");
    asm volatile("wgmma.wait_group.sync.aligned 0;");
    out[threadIdx.x] = d[0];
}
)";

std::string inlineAsm(const std::string& text)
{
    return "\t// begin inline asm\n\t" + text + "\n\t// end inline asm\n";
}

/// As nvcc -lineinfo writes it, with the asm statements that are asked for.
std::string generated(bool fence, bool wait, const std::string& file = "/src/k.cu")
{
    const std::string product = inlineAsm(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, 0;");
    return ".version 8.8\n.target sm_90a\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b)\n{\n"
           "\t.reg .f32 %f<5>;\n\t.reg .b64 %rd<4>;\n\t.loc\t1 7 1\n"
           "\tld.param.u64 %rd1, [a];\n\tld.param.u64 %rd2, [b];\n\tld.param.u64 %rd3, [out];\n"
           "\tmov.f32 %f1, 0f00000000;\n\tmov.f32 %f2, %f1;\n\tmov.f32 %f3, %f1;\n\tmov.f32 %f4, %f1;\n"
           "\t.loc\t1 9 5\n"
        + (fence ? inlineAsm("wgmma.fence.sync.aligned;") : "")
        + "\t.loc\t2 3 5, function_name $L__info_string0, inlined_at 1 10 5\n" + product
        + "\t.loc\t2 3 5, function_name $L__info_string0, inlined_at 1 11 5\n" + product + "\t.loc\t1 12 5\n"
        + inlineAsm("wgmma.commit_group.sync.aligned;") + "\t.loc\t1 13 5\n"
        + (wait ? inlineAsm("wgmma.wait_group.sync.aligned 0;") : "")
        + "\t.loc\t1 14 5\n\tst.global.f32 [%rd3], %f1;\n\t.loc\t1 15 1\n\tret;\n}\n"
          "\t.file\t1 \"/src/k.cu\"\n\t.file\t2 \""
        + file + "\"\n";
}

std::vector<Diagnostic> linted(const std::string& ptx, const std::string& text = source)
{
    return detail::lintGenerated({.text = ptx, .file = "k.ptx", .toolFile = "/src/k.cu"}, text, "k.cu");
}

} // namespace

class TestGeneratedLint : public QObject {
    Q_OBJECT

private slots:
    void rightKernelIsSilent() { QVERIFY(linted(generated(true, true)).empty()); }

    // Both calls are one cause, in the asm string, with the lines that it was inlined into.
    void missingFence()
    {
        const auto all = linted(generated(false, true));
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0].code.value_or(""), std::string("wgmma-fence"));
        QCOMPARE(all[0].file, std::string("k.cu"));
        QCOMPARE(all[0].line.value_or(0), 3);
        QCOMPARE(all[0].column.value_or(0), 19);
        QVERIFY(all[0].rootCause && all[0].fixes.empty());
        const auto why = all[0].explanation.value_or("");
        QVERIFY2(why.find("Inlined at line 10") != std::string::npos, why.c_str());
        QVERIFY2(why.find("the PTX that nvcc made") != std::string::npos, why.c_str());
    }

    void missingWait()
    {
        const auto all = linted(generated(true, false));
        QVERIFY(!all.empty());
        QCOMPARE(all[0].code.value_or(""), std::string("wgmma-wait"));
        QVERIFY(all[0].line == 3 || all[0].line == 14);
    }

    // Of a header's code the user's call is the place.
    void codeOfAHeader()
    {
        const auto all = linted(generated(false, true, "/src/not_there.cuh"));
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0].file, std::string("k.cu"));
        QCOMPARE(all[0].line.value_or(0), 10);
        const auto why = all[0].explanation.value_or("");
        QVERIFY2(why.find("not_there.cuh, line 3") != std::string::npos, why.c_str());
    }

    void allowedInTheSource()
    {
        auto text = source;
        text.insert(text.find("    asm volatile(\"wgmma.mma"), "    // ptxwb: allow wgmma-fence\n");
        auto ptx = generated(false, true); // the lines below the comment move by one
        for (std::size_t at = ptx.find("2 3 5"); at != std::string::npos; at = ptx.find("2 3 5", at)) {
            ptx.replace(at, 5, "2 4 5");
        }
        QVERIFY(linted(ptx, text).empty());
    }

    // Made for debugging, nvcc copies registers that are in flight.
    void debugIsSilent()
    {
        auto ptx = generated(true, false);
        ptx.replace(ptx.find("sm_90a"), 6, "sm_90a, debug");
        QVERIFY(linted(ptx).empty());
    }
};

QTEST_APPLESS_MAIN(TestGeneratedLint)
#include "tst_generated_lint.moc"
