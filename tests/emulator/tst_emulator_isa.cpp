// SPDX-License-Identifier: Apache-2.0
// Every snippet of the ISA table (resources/isa) that ptxas takes for sm_90a, tiers 1 to 4 without tcgen05:
// which of them the emulator knows. docs/emulator-instructions.md lists the others; with PTXWB_WRITE_DOCS=1
// in the environment it is written anew.
#include "core/emulator/module.h"
#include "core/emulator/program.h"
#include "core/emulator/warp_handlers.h"
#include "core/support/files.h"

#include <QTest>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace ptxwb;
using namespace ptxwb::emulator;

namespace {

using Json = nlohmann::json;

/// Empty when all of it is emulated; else what is not, and why.
std::string missingIn(const std::string& snippet)
{
    const std::string text =
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".const .align 16 .b8 cmem[64];\n.global .align 16 .b8 gmem[1024];\n"
        ".func (.param .b32 rv) fn(.param .b32 a0)\n{\nret;\n}\n"
        ".visible .entry k(.param .u64 p0, .param .u64 p1, .param .align 64 .b8 tmap[128])\n{\n"
        ".reg .pred %p<8>, %q, %q2;\n.reg .b8 %b<8>;\n.reg .b16 %h<8>;\n"
        ".reg .b32 %r<256>;\n.reg .b64 %rd<64>;\n.reg .f32 %f<256>;\n.reg .f64 %fd<32>;\n"
        ".shared .align 1024 .b8 smem[4096];\n.shared .align 8 .b64 mbar;\n"
        ".local .align 16 .b8 lmem[64];\nL0:\nL1:\nL2:\n{\n"
        + snippet + "\n}\nret;\n}\n";
    const auto module = parseModule(text);
    if (!module) {
        return describe(module.error());
    }
    const auto program = decodeKernel(*module, "k");
    if (!program) {
        return describe(program.error());
    }
    for (const auto& in : (*program)->code) {
        if (in.run == notEmulated) {
            return in.extra->text;
        }
    }
    return {};
}

bool isForHopper(const std::string& accepted)
{
    constexpr std::array<std::string_view, 5> open{"all", "sm_80+", "sm_86+", "sm_89+", "sm_90+"};
    return std::any_of(open.begin(), open.end(), [&](auto start) { return accepted.starts_with(start); })
        || accepted.find("sm_90a") != std::string::npos;
}

} // namespace

class TestEmulatorIsa : public QObject {
    Q_OBJECT

private slots:
    void whatIsNotEmulatedIsListed()
    {
        const auto file = readFile(std::string(PTXWB_SOURCE_ROOT) + "/resources/isa/ptx-instructions.json");
        QVERIFY(file);
        const auto table = Json::parse(*file);
        int known = 0;
        std::vector<std::string> missing;
        for (const auto& instruction : table["instructions"]) {
            const auto mnemonic = instruction["mnemonic"].get<std::string>();
            const int tier = instruction.value("emulator_tier", 9);
            if (tier > 4 || mnemonic.starts_with("tcgen05") || !instruction.contains("checked")) {
                continue;
            }
            for (const auto& snippet : instruction["checked"]) {
                const auto ptx = snippet["ptx"].get<std::string>();
                if (!isForHopper(snippet["accepted"].get<std::string>())) {
                    continue;
                }
                const auto reason = missingIn(ptx);
                if (reason.empty()) {
                    ++known;
                } else {
                    missing.push_back(
                        fmt::format("| {} | `{}` | `{}` | {} |", tier, mnemonic, ptx.substr(0, 140), reason));
                }
            }
        }
        std::sort(missing.begin(), missing.end());
        std::string list = fmt::format(
            "<!-- snippets -->\n\n{} of {} snippets are emulated. Not emulated:\n\n"
            "| tier | instruction | snippet | what the emulator says |\n| --- | --- | --- | --- |\n",
            known, static_cast<std::size_t>(known) + missing.size());
        for (const auto& line : missing) {
            list += line + "\n";
        }
        const std::string last = "\n<!-- snippets end -->";
        list += last;
        const std::string path = std::string(PTXWB_SOURCE_ROOT) + "/docs/emulator-instructions.md";
        auto text = readFile(path);
        QVERIFY(text);
        const auto from = text->find("<!-- snippets -->");
        const auto to = text->find(last);
        QVERIFY(from != std::string::npos && to != std::string::npos);
        if (text->substr(from, to + last.size() - from) != list) {
            QVERIFY2(qEnvironmentVariableIsSet("PTXWB_WRITE_DOCS"), list.c_str());
            text->replace(from, to + last.size() - from, list);
            QVERIFY(writeFileAtomically(path, *text));
        }
    }
};

QTEST_APPLESS_MAIN(TestEmulatorIsa)
#include "tst_emulator_isa.moc"
