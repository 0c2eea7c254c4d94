// SPDX-License-Identifier: Apache-2.0
// Every note of ptxas 13.0 that a small kernel provokes (tests/data/notes), its line, and
// docs/ptxas-notes.md, which is written from the same rows: PTXWB_WRITE_DOCS=1 writes it anew.
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"
#include "core/toolchain/ptxas_messages.h"
#include "toolchain_test.h"

#include <QFile>
#include <QTest>

#include <fmt/format.h>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

struct Row {
    const char* code;
    std::vector<std::string> options; ///< of ptxas
    const char* lineBy; ///< "tool": ptxas says it; "setmaxnreg": the kernel's first; "kernel": where the
                        ///< kernel starts; "bare": no build of ours is relocatable
    const char* at; ///< text of the line
    const char* tried; ///< where no kernel provokes it
};

const std::vector<Row>& rows()
{
    static const std::vector<Row> all{
        {"C7504", {"-c"}, "bare", "", ""},
        {"C7505", {"-g"}, "setmaxnreg", "setmaxnreg", ""},
        {"C7506", {}, "setmaxnreg", "setmaxnreg", ""},
        {"C7507", {}, "setmaxnreg", "setmaxnreg", ""},
        {"C7508", {}, "setmaxnreg", "setmaxnreg", ""},
        {"C7509", {"-c"}, "bare", "", ""},
        {"C7510", {}, "kernel", ".entry", ""},
        {"C7511", {}, "kernel", ".entry", ""},
        {"C7512", {}, "", "",
            "two to four tiles of 64 x 256 or 64 x 128 with 128 to 384 threads (C7511 or nothing), one such "
            "tile with -maxrregcount 64, 96, 128 and 136 (nothing: .maxntid goes before it), 10 to 200 "
            "values "
            "beside the tile in the loop"},
        {"C7513", {}, "kernel", ".entry", ""},
        {"C7514", {}, "kernel", ".entry", ""},
        {"C7515", {}, "kernel", ".entry", ""},
        {"C7516", {}, "", "",
            "fence, commit or wait left out, doubled, in another order, on one path only, and a branch into "
            "or "
            "out of the stage: ptxas puts in arrives and waits (C7517, C7519) or names the accumulators "
            "(C7514)"},
        {"C7517", {}, "tool", "add.f32 %x, %d0, %d1;", ""},
        {"C7518", {}, "kernel", ".entry", ""},
        {"C7519", {}, "tool", "wgmma.mma_async", ""},
        {"C7520", {}, "kernel", ".entry", ""},
        {"C7602", {}, "error", "wgmma.mma_async", ""},
    };
    return all;
}

std::string fileOf(const Row& row)
{
    return readAll(QStringLiteral(PTXWB_TEST_DATA "/notes/%1.ptx").arg(QString::fromLatin1(row.code)));
}

// The first line that holds the text; for an instruction over several lines ptxas may name any of them.
int lineOf(const std::string& text, std::string_view what)
{
    const auto at = text.find(what);
    return at == std::string::npos ? 0
                                   : 1
            + static_cast<int>(
                std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string document()
{
    std::string text =
        "# The notes of ptxas\n\n"
        "What ptxas 13.0 remarks about wgmma and setmaxnreg, what it means, and a kernel of "
        "`tests/data/notes` that\n"
        "provokes it. Written by `tst_performance_notes`, which compiles each "
        "(`PTXWB_WRITE_DOCS=1` writes it anew).\n"
        "Usual cause and what to look for are our guess, and marked so where a note is shown.\n";
    for (const auto& row : rows()) {
        const auto words = performanceNoteText(row.code, "");
        text += fmt::format("\n## {}\n\n{}\n\n- Usual cause: {}\n- Look for: {}\n", row.code, words.meaning,
            words.usualCause, words.lookFor);
        if (*row.tried != '\0') {
            text += fmt::format("- Not provoked. Tried: {}.\n", row.tried);
            continue;
        }
        std::string options;
        for (const auto& option : row.options) {
            options += " " + option;
        }
        const std::string_view by = row.lineBy;
        std::string_view line = "as ptxas names it; an error";
        if (by == "kernel") {
            line = "where the kernel starts, because ptxas names none";
        } else if (by == "setmaxnreg") {
            line = "the first setmaxnreg of the kernel, because ptxas names none";
        } else if (by == "tool") {
            line = "as ptxas names it (\"around line\")";
        } else if (by == "bare") {
            line = "ptxas names none (a relocatable build, which `ptxwb compile` does not make)";
        }
        text += fmt::format(
            "- Provoked by `ptxas -arch=sm_90a{} {}.ptx`; the line: {}\n", options, row.code, line);
    }
    return text;
}

} // namespace

class TestPerformanceNotes : public QObject {
    Q_OBJECT

private slots:
    void isProvoked_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < rows().size(); ++i) {
            if (*rows()[i].tried == '\0') {
                QTest::newRow(rows()[i].code) << static_cast<int>(i);
            }
        }
    }

    void isProvoked()
    {
        if (!realToolchain().ptxas || !realToolchain().ptxas->version.starts_with("13.0.")) {
            QSKIP("the notes are those of ptxas 13.0");
        }
        QFETCH(int, row);
        const auto& wanted = rows()[static_cast<std::size_t>(row)];
        const auto text = fileOf(wanted);
        QVERIFY(!text.empty());
        if (std::string_view(wanted.lineBy) == "bare") {
            bareSays(wanted);
            return;
        }
        auto request = ptxRequest(text);
        request.options = wanted.options;
        const Compiler compiler(realToolchain());
        const auto outcome = compiler.compile(request);
        QVERIFY2(outcome, outcome ? "" : describe(outcome.error()).c_str());
        const int line = lineOf(text, wanted.at);
        if (std::string_view(wanted.lineBy) == "error") {
            const auto found = std::find_if(outcome->diagnostics.begin(), outcome->diagnostics.end(),
                [&](const Diagnostic& said) { return said.code.value_or("") == wanted.code; });
            QVERIFY2(found != outcome->diagnostics.end(), qPrintable(shown(outcome->diagnostics).join('\n')));
            QCOMPARE(found->line.value_or(0), line);
            QVERIFY(!found->explanation.value_or("").empty());
            return;
        }
        QVERIFY2(outcome->ok, qPrintable(shown(outcome->diagnostics).join('\n')));
        const auto found = std::find_if(outcome->notes.begin(), outcome->notes.end(),
            [&](const PerformanceNote& note) { return note.code == wanted.code; });
        QVERIFY2(found != outcome->notes.end(), outcome->rawOutput.c_str());
        QCOMPARE(QString::fromStdString(found->lineBy), QString::fromLatin1(wanted.lineBy));
        QCOMPARE(found->line.value_or(0), line);
        QVERIFY(!found->meaning.empty() && !found->usualCause.empty() && !found->lookFor.empty());
        QCOMPARE(found->kernel, std::string("k"));
        QVERIFY(found->registers && found->registers == outcome->kernels.front().registers);
    }

    // The note names no kernel: there is one that it can be of, or there are two.
    void setmaxnregOfCuda_data()
    {
        QTest::addColumn<bool>("isAlone");
        QTest::newRow("one kernel with setmaxnreg") << true;
        QTest::newRow("two") << false;
    }

    void setmaxnregOfCuda()
    {
        if (!realToolchain().nvcc || !realToolchain().ptxas
            || !realToolchain().ptxas->version.starts_with("13.0.")) {
            QSKIP("needs nvcc 13.0");
        }
        QFETCH(bool, isAlone);
        const std::string second = isAlone ? "" : "asm volatile(\"setmaxnreg.dec.sync.aligned.u32 40;\");";
        const auto text = "__global__ void other(int* out) { " + second
            + " out[0] = 1; }\n"
              "__global__ void k(int* out)\n{\n    out[0] = 1;\n"
              "    asm volatile(\"setmaxnreg.dec.sync.aligned.u32 40;\");\n    out[1] = 2;\n}\n";
        CompileRequest request;
        request.text = text;
        request.displayName = "k.cu";
        request.language = Language::Cuda;
        request.target = "sm_90a";
        const auto outcome = Compiler(realToolchain()).compile(request);
        QVERIFY2(outcome && outcome->ok, outcome ? outcome->rawOutput.c_str() : "");
        const auto found = std::find_if(outcome->notes.begin(), outcome->notes.end(),
            [](const PerformanceNote& note) { return note.code == "C7508"; });
        QVERIFY2(found != outcome->notes.end(), outcome->rawOutput.c_str());
        QCOMPARE(found->line.value_or(0), isAlone ? 5 : 0);
        QCOMPARE(found->lineBy, std::string(isAlone ? "setmaxnreg" : ""));
        QCOMPARE(found->registers.has_value(), isAlone);
    }

    static void bareSays(const Row& wanted)
    {
        const auto work = TemporaryDirectory::create("ptxwb-notes");
        QVERIFY(work);
        std::vector<std::string> argv{realToolchain().ptxas->path.string(), "-arch=sm_90a"};
        argv.insert(argv.end(), wanted.options.begin(), wanted.options.end());
        argv.push_back(fmt::format("{}/notes/{}.ptx", PTXWB_TEST_DATA, wanted.code));
        argv.insert(argv.end(), {"-o", (work->path() / "k.cubin").string()});
        const auto run = runProcess({.argv = argv});
        QVERIFY(run && run->succeeded());
        const auto messages = parseCompilerMessages(run->standardError, argv[3], "k.ptx");
        const auto& notes = messages.notes;
        QVERIFY2(std::any_of(notes.begin(), notes.end(),
                     [&](const PerformanceNote& note) {
                         return note.code == wanted.code && !note.meaning.empty();
                     }),
            run->standardError.c_str());
    }

    void documentIsTrue()
    {
        const auto path = QStringLiteral(PTXWB_SOURCE_ROOT "/docs/ptxas-notes.md");
        if (qEnvironmentVariableIsSet("PTXWB_WRITE_DOCS")) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(QByteArray::fromStdString(document()));
        }
        QCOMPARE(QString::fromStdString(readAll(path)), QString::fromStdString(document()));
    }
};

QTEST_GUILESS_MAIN(TestPerformanceNotes)
#include "tst_performance_notes.moc"
