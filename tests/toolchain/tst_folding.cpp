// SPDX-License-Identifier: Apache-2.0
// Messages of one cause stand in one group, at a place that the user has.
#include "core/toolchain/causes.h"
#include "core/toolchain/ptxas_messages.h"
#include "toolchain_test.h"

#include <QTest>

#include <algorithm>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

std::string kernel(
    const std::string& body, const std::string& head = ".version 8.6\n.target sm_90a\n.address_size 64\n")
{
    return head + ".visible .entry k(.param .u64 a)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<6>;\n" + body
        + "ret;\n}\n";
}

} // namespace

class TestFolding : public QObject {
    Q_OBJECT
private slots:
    void textOfTheToolHasNoPlace()
    {
        const auto made =
            parseCompilerMessages("ptxas s.ptx, line 7; fatal   : Parsing error near 'x': syntax error\n"
                                  "ptxas <macro util>, line 8; error   : Illegal modifier '.sync'\n"
                                  "ptxas fatal   : Ptx assembly aborted due to errors\n",
                "s.ptx", "mine.ptx");
        const auto found = rootErrors(made.diagnostics);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0]->line.value_or(0), 7);
        for (const auto& said : made.diagnostics) {
            QCOMPARE(said.file, std::string("mine.ptx"));
            QVERIFY(!said.line || *said.line == 7);
            QCOMPARE(said.group, found[0]->group);
        }
        QVERIFY(
            made.diagnostics[1].explanation.value_or("").find("<macro util> line 8") != std::string::npos);
    }

    void aTargetTooNewForTheVersionIsAtTheVersion()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const auto made = m_compiler.compile(
            ptxRequest(kernel("mov.b32 %r1, 0;\n", ".version 8.6\n.target sm_100f\n.address_size 64\n")));
        QVERIFY(made && !made->ok);
        for (const auto& said : made->diagnostics) {
            QCOMPARE(said.file, std::string("kernel.ptx"));
        }
        const auto found = rootErrors(made->diagnostics);
        QVERIFY(!found.empty());
        QCOMPARE(found[0]->line.value_or(0), 2);
        QVERIFY(!found[0]->fixes.empty());
    }

    void mixedGroupsAreOneError()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const auto made = m_compiler.compile(
            ptxRequest(kernel("tcgen05.wait::ld.sync.aligned;\n"
                              "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n"
                              "tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;\n",
                ".version 8.6\n.target sm_100a\n.address_size 64\n")));
        QVERIFY(made);
        if (made->ok) {
            QSKIP("this ptxas takes both");
        }
        const auto found = rootErrors(made->diagnostics);
        QVERIFY2(found.size() == 1, shown(made->diagnostics).join('\n').toUtf8().constData());
        QCOMPARE(found[0]->line.value_or(0), 10);
        QCOMPARE(found[0]->code.value_or(""), std::string("mixed-cta-group"));
    }

    // The comment ends where the text compiles, on the line that opened it, not below the label.
    void aCommentIsClosedBeforeTheCode()
    {
        if (!realToolchain().ptxas) {
            QSKIP("no ptxas here");
        }
        const auto text = kernel("bra DONE;\n/* the end\nDONE:\n// all of it\nmov.b32 %r1, 0;\n");
        const auto made = m_compiler.compile(ptxRequest(text));
        QVERIFY(made && !made->ok);
        const auto found = rootErrors(made->diagnostics);
        QVERIFY(!found.empty());
        QCOMPARE(found[0]->line.value_or(0), 9);
        QVERIFY(!found[0]->fixes.empty());
        QCOMPARE(found[0]->fixes[0].edits[0].line, 9);
        const auto again = m_compiler.compile(ptxRequest(applyFix(text, found[0]->fixes[0])));
        QVERIFY(again && again->ok);
    }

    void nonAsciiInAsmIsInTheString()
    {
        if (!realToolchain().nvcc) {
            QSKIP("no nvcc here");
        }
        const auto made = m_compiler.compile(
            cudaRequest("__global__ void k(int* x)\n{\n  int n = 0;\n"
                        "  asm volatile(\"add.s32 %0, %0, \u20131;\" : \"+r\"(n));\n  x[0] = n;\n}\n"));
        QVERIFY(made && !made->ok);
        const auto said = std::find_if(made->diagnostics.begin(), made->diagnostics.end(),
            [](const Diagnostic& one) { return one.message.find("non-ASCII") != std::string::npos; });
        QVERIFY(said != made->diagnostics.end());
        QCOMPARE(said->line.value_or(0), 4);
    }

    void aNarrowAddressInAsmNamesItsOperand()
    {
        if (!realToolchain().nvcc) {
            QSKIP("no nvcc here");
        }
        const std::string text = "__global__ void k(float* x)\n{\n  float f;\n"
                                 "  asm volatile(\"ld.global.f32 %0, [%1];\" : \"=f\"(f) : "
                                 "\"r\"((unsigned)(size_t)x));\n  x[0] = f;\n}\n";
        const auto made = m_compiler.compile(cudaRequest(text));
        QVERIFY(made && !made->ok);
        const auto found = rootErrors(made->diagnostics);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0]->line.value_or(0), 4);
        QVERIFY(found[0]->column.has_value());
        QVERIFY(
            found[0]->explanation.value_or("").find("%1 is \"r\"((unsigned)(size_t)x)") != std::string::npos);
    }

private:
    Compiler m_compiler{realToolchain()};
};

QTEST_GUILESS_MAIN(TestFolding)
#include "tst_folding.moc"
