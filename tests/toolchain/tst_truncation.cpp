// SPDX-License-Identifier: Apache-2.0
// Texts that end anywhere: what the tools print, and the kernel that they speak of. No crash, no hang,
// nothing of ours on a line that is not there. (tst_lint does the same for lexer, outline and lint.)
#include "core/toolchain/causes.h"
#include "core/toolchain/ptxas_messages.h"
#include "toolchain_test.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <array>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

int linesOf(std::string_view text)
{
    return 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

// One message of each shape that a maker of fixes knows.
constexpr std::array shapes{"error   : Unknown symbol '%acc130'", "error   : Unknown symbol 'threadIdx'",
    "error   : Unknown modifier '.arrive'", "error   : Not a name of any known instruction: 'mbarrier'",
    "error   : Unknown field '.u32'", "fatal   : Parsing error near '#': syntax error",
    "fatal   : Parsing error near '%': syntax error", "fatal   : Parsing error near '16384': syntax error",
    "fatal   : Parsing error near '[': syntax error", "fatal   : Parsing error near '': syntax error",
    "error   : Arguments mismatch for instruction 'add'",
    "error   : Arguments mismatch for instruction 'mov'", "error   : Arguments mismatch for instruction 'ld'",
    "error   : Arguments mismatch for instruction 'wgmma.mma_async'",
    "error   : Argument vector size mismatch for instruction 'wgmma.mma_async with floating point types'",
    "error   : Argument 5 of instruction 'wgmma.mma_async with floating point types': unexpected value '2'",
    "error   : Argument 2 of instruction 'cp.async.bulk.tensor': Argument vector size mismatch",
    "error   : Argument 1 of instruction 'cvta.to': must be register",
    "error   : Duplicate definition of variable '%t'",
    "error   : Rounding modifier required for instruction 'cvt'",
    "error   : Feature '.op_restrict' requires PTX ISA .version 8.0 or later",
    "error   : Instruction 'wgmma.fence' not supported on .target 'sm_90'"};

std::string messagesFor(int lines)
{
    std::string text;
    for (int line = 1; line <= lines; line += 3) {
        text += fmt::format(
            "ptxas k.ptx, line {}; {}\n", line, shapes[static_cast<std::size_t>(line / 3) % shapes.size()]);
    }
    return text
        + "ptxas error   : Entry function 'gemm_wgmma_tma' uses too much shared data (0x40000 bytes, 0x38c00 "
          "max)\n"
          "ptxas fatal   : Unexpected non-ASCII character encountered on line 7\n"
          "ptxas fatal   : (C7602) Insufficient registers (128) to compile instruction at line 9 in function "
          "k. Try\n";
}

} // namespace

class TestTruncation : public QObject {
    Q_OBJECT

private slots:
    void whatTheToolsPrint_data()
    {
        QTest::addColumn<QString>("file");
        for (const char* name : {"TRANSCRIPT.txt", "nvcc-cxx.txt", "nvcc-include.txt", "nvcc-ld.txt",
                 "nvcc-template.txt", "v-two-kernels.txt"}) {
            QTest::newRow(name) << QString::fromLatin1(name);
        }
    }

    void whatTheToolsPrint()
    {
        QFETCH(QString, file);
        const auto whole = dataFile(file);
        QVERIFY(!whole.empty());
        const std::size_t step = whole.size() > 8000 ? 31 : 1;
        for (std::size_t length = 0; length <= whole.size(); length += step) {
            const auto messages = parseCompilerMessages(whole.substr(0, length), "k.ptx", "k.ptx");
            for (const auto& said : messages.diagnostics) {
                QVERIFY(said.group >= 1 && said.line.value_or(1) >= 1);
            }
        }
    }

    void theKernelTheySpeakOf()
    {
        const auto whole = readAll(PTXWB_SOURCE_ROOT "/tasks/gemm/gemm_n7168_k5120/examples/wgmma_tma.ptx");
        QVERIFY(!whole.empty());
        const auto output = messagesFor(linesOf(whole));
        for (std::size_t length = 0; length <= whole.size(); length += 293) {
            const auto part = whole.substr(0, length);
            const int lines = linesOf(part);
            auto messages = parseCompilerMessages(output, "k.ptx", "k.ptx");
            locateColumns(messages.diagnostics, part);
            const auto outline = outlinePtx(part);
            explainCauses(messages.diagnostics,
                {.source = part, .outline = &outline, .displayName = "k.ptx", .target = "sm_90a"});
            for (const auto& said : messages.diagnostics) {
                QVERIFY2(said.tool != "ptxwb" || (said.line && *said.line <= lines), said.message.c_str());
                for (const auto& fix : said.fixes) {
                    for (const auto& edit : fix.edits) {
                        QVERIFY2(
                            edit.line >= 1 && edit.line <= lines && edit.endLine <= lines, fix.title.c_str());
                    }
                    applyFix(part, fix);
                }
            }
            applyFirstFixes(part, messages.diagnostics);
        }
    }
};

QTEST_APPLESS_MAIN(TestTruncation)
#include "tst_truncation.moc"
