// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sass_json.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <memory>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

struct Options {
    std::string a;
    std::string b;
    std::string target;
};

constexpr std::size_t contextRows = 3;

std::string rowText(const SassKernel* kernel, int index)
{
    if (kernel == nullptr || index < 0) {
        return {};
    }
    const auto& i = kernel->instructions.at(static_cast<std::size_t>(index));
    return fmt::format("{:05x} {:>5} {} {}", i.address, i.predicate, i.opcode, i.operands);
}

class DiffPrinter {
public:
    explicit DiffPrinter(bool colour)
        : m_colour(colour)
    {
    }

    std::string print(const DiffSides& sides, const SassDiff& diff)
    {
        m_text = fmt::format("--- {}\n+++ {}\n", sides.a->title, sides.b->title);
        for (const auto& kernel : diff.kernels) {
            printKernel(kernel, kernelsOf(sides, kernel));
        }
        m_text += diff.summary + '\n';
        return std::move(m_text);
    }

private:
    void line(char mark, const std::string& text, fmt::color colour)
    {
        const std::string row = fmt::format("{} {}\n", mark, text);
        m_text += m_colour && mark != ' ' ? fmt::format(fmt::fg(colour), "{}", row) : row;
    }

    void printKernel(const KernelDiff& kernel, const DiffedKernels& pair)
    {
        m_text += fmt::format(
            "@@ {}: {} equal, {} changed, {} added, {} removed, {} moved, {} scheduling only\n", kernel.name,
            kernel.equal, kernel.changed, kernel.added, kernel.removed, kernel.moved, kernel.schedule);
        if (kernel.onlyInA || kernel.onlyInB) {
            m_text += fmt::format("  only in {}\n", kernel.onlyInA ? "A" : "B");
            return;
        }
        std::vector<bool> shown(kernel.rows.size(), false);
        for (std::size_t i = 0; i < kernel.rows.size(); ++i) {
            if (kernel.rows[i].kind != DiffKind::Equal) {
                const auto from = i < contextRows ? 0 : i - contextRows;
                for (auto k = from; k < std::min(i + contextRows + 1, kernel.rows.size()); ++k) {
                    shown[k] = true;
                }
            }
        }
        bool gap = false;
        for (std::size_t i = 0; i < kernel.rows.size(); ++i) {
            if (!shown[i]) {
                gap = true;
                continue;
            }
            if (gap && i > 0) {
                m_text += "  ...\n";
            }
            gap = false;
            printRow(kernel.rows[i], pair);
        }
    }

    void printRow(const DiffRow& row, const DiffedKernels& pair)
    {
        switch (row.kind) {
        case DiffKind::Equal:
            line(' ', rowText(pair.a, row.a), fmt::color::white);
            break;
        case DiffKind::Schedule:
            line('s', fmt::format("{}   ({})", rowText(pair.b, row.b), fmt::join(row.what, ", ")),
                fmt::color::gray);
            break;
        case DiffKind::Moved:
            line('m', rowText(row.b >= 0 ? pair.b : pair.a, row.b >= 0 ? row.b : row.a),
                fmt::color::steel_blue);
            break;
        case DiffKind::Changed:
        case DiffKind::Added:
        case DiffKind::Removed:
            if (row.a >= 0) {
                line('-', rowText(pair.a, row.a), fmt::color::indian_red);
            }
            if (row.b >= 0) {
                const auto what =
                    row.what.empty() ? std::string() : fmt::format("   ({})", fmt::join(row.what, ", "));
                line('+', rowText(pair.b, row.b) + what, fmt::color::sea_green);
            }
            break;
        }
    }

    bool m_colour;
    std::string m_text;
};

int runDiff(const Options& options, const Session& session)
{
    if (options.a == "-" && options.b == "-") {
        return session.fail({.code = ErrorCode::InvalidArgument, .message = "only one side can be stdin"});
    }
    const auto target = options.target.empty() ? std::nullopt : std::optional(options.target);
    const auto a = inspectFile(options.a, target, session);
    if (!a) {
        return session.fail(a.error());
    }
    const auto b = inspectFile(options.b, target, session);
    if (!b) {
        return session.fail(b.error());
    }
    const DiffSides sides{.a = &*a, .b = &*b};
    const auto diff = diffListings(a->listing, b->listing);
    printDocument(
        session.json ? diffJson(sides, diff) : DiffPrinter(::isatty(STDOUT_FILENO) != 0).print(sides, diff));
    return diff.identical ? Holds : DoesNotHold;
}

} // namespace

RunCommand addDiffCommand(CLI::App& app)
{
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "diff", "Register-blind SASS diff: exit status 0 when the two are the same code, 1 when they differ");
    command->add_option("A", options->a, "A .ptx, .cu, .cubin, .so, fatbin or executable; - is stdin")
        ->required();
    command->add_option("B", options->b, "The other one")->required();
    command->add_option("--target", options->target, "e.g. sm_90a, sm_100a");
    return [options](const Session& session) { return runDiff(*options, session); };
}

} // namespace ptxwb::cli
