// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"
#include "app/cli/inspected_file.h"
#include "app/cli/source_file.h"
#include "app/cli/text_report.h"
#include "core/toolchain/target_matrix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <memory>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;

// CUDA C++ Programming Guide, "Compute capabilities": architecture- and family-specific targets.
constexpr auto suffixA = "every instruction of this one chip; the code runs on no other";
constexpr auto suffixF =
    "what the chips of this family share; the code runs on this chip and later ones of the family";
constexpr auto noSuffix = "what all later chips have too; the code runs on this chip and on all later ones";

Json answerJson(const TargetAnswer& answer)
{
    Json cause = nullptr;
    if (answer.cause) {
        const auto& said = *answer.cause;
        cause = {{"message", said.message}, {"file", said.file},
            {"line", said.line ? Json(*said.line) : Json(nullptr)},
            {"explanation", said.explanation ? Json(*said.explanation) : Json(nullptr)}};
    }
    return {{"ok", answer.ok}, {"cause", cause}};
}

/// Targets that refuse the file for one cause, which the tool words with the target's name in it.
struct CauseGroup {
    std::string cause{}; ///< with "<target>" for the name
    std::optional<int> line{};
    std::vector<std::string> targets{};
};

std::string withoutTarget(std::string text, const std::string& target)
{
    for (auto at = text.find(target); at != std::string::npos; at = text.find(target, at + 1)) {
        const auto end = at + target.size();
        const bool isWhole = end >= text.size() || std::isalnum(static_cast<unsigned char>(text[end])) == 0;
        if (isWhole) {
            text.replace(at, target.size(), "<target>");
        }
    }
    return text;
}

std::vector<CauseGroup> groupsOf(const std::vector<TargetRow>& rows, TargetAnswer TargetRow::*answer)
{
    std::vector<CauseGroup> groups;
    for (const auto& row : rows) {
        const auto& said = row.*answer;
        if (said.ok) {
            continue;
        }
        const auto cause =
            said.cause ? withoutTarget(said.cause->message, row.target) : std::string("refused");
        const auto line = said.cause ? said.cause->line : std::nullopt;
        auto at = std::find_if(groups.begin(), groups.end(),
            [&](const CauseGroup& one) { return one.cause == cause && one.line == line; });
        if (at == groups.end()) {
            at = groups.insert(at, {.cause = cause, .line = line});
        }
        at->targets.push_back(row.target);
    }
    return groups;
}

Json groupsJson(const std::vector<CauseGroup>& groups)
{
    Json all = Json::array();
    for (const auto& group : groups) {
        all.push_back({{"cause", group.cause}, {"line", group.line ? Json(*group.line) : Json(nullptr)},
            {"targets", group.targets}});
    }
    return all;
}

std::string matrixJson(const std::vector<TargetRow>& rows)
{
    Json targets = Json::array();
    for (const auto& row : rows) {
        Json blocking = Json::array();
        for (const auto& family : row.blocking) {
            Json instructions = Json::array();
            for (const auto& one : family.instructions) {
                instructions.push_back(
                    {{"opcode", one.opcode}, {"line", one.line ? Json(*one.line) : Json(nullptr)}});
            }
            blocking.push_back({{"family", family.family}, {"instructions", instructions}});
        }
        auto retargeted = answerJson(row.retargeted);
        if (row.ptxVersion.empty()) {
            retargeted["ptx_version"] = nullptr;
            retargeted["ptx_version_reason"] =
                "nvcc writes the PTX of a CUDA file, or the file names no .version";
        } else {
            retargeted["ptx_version"] = row.ptxVersion;
        }
        retargeted["blocking"] = blocking;
        targets.push_back(
            {{"target", row.target}, {"as_written", answerJson(row.asWritten)}, {"retargeted", retargeted}});
    }
    return Json{{"schema", "ptxwb.matrix.v1"}, {"suffixes", {{"a", suffixA}, {"f", suffixF}, {"", noSuffix}}},
               {"targets", targets},
               {"causes",
                   {{"as_written", groupsJson(groupsOf(rows, &TargetRow::asWritten))},
                       {"retargeted", groupsJson(groupsOf(rows, &TargetRow::retargeted))}}}}
               .dump(2, ' ', false, Json::error_handler_t::replace)
        + '\n';
}

std::string causeText(const TargetAnswer& answer)
{
    if (answer.ok || !answer.cause) {
        return answer.ok ? "accepted" : "refused";
    }
    const auto& said = *answer.cause;
    return said.line ? fmt::format("line {}: {}", *said.line, said.message) : said.message;
}

// "wgmma 8 (wgmma.fence, wgmma.mma_async)"
std::string blockingText(const std::vector<BlockingFamily>& families)
{
    std::vector<std::string> parts;
    for (const auto& family : families) {
        std::vector<std::string> names;
        for (const auto& one : family.instructions) {
            if (std::find(names.begin(), names.end(), one.opcode) == names.end()) {
                names.push_back(one.opcode);
            }
        }
        parts.push_back(
            fmt::format("{} x{} ({})", family.family, family.instructions.size(), fmt::join(names, ", ")));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

// Why the file does not pass, once for all targets that have the same cause.
std::string refused(std::string_view what, const std::vector<CauseGroup>& groups)
{
    std::string text;
    for (const auto& group : groups) {
        text += fmt::format("\n{}, refused for {}:\n  {}{}\n", what, fmt::join(group.targets, ", "),
            group.line ? fmt::format("line {}: ", *group.line) : std::string(), group.cause);
    }
    return text;
}

std::string matrixReport(const std::vector<TargetRow>& rows)
{
    std::vector<std::vector<std::string>> cells{
        {"target", "as written", "retargeted", ".version", "what it lacks"}};
    for (const auto& row : rows) {
        cells.push_back({row.target, row.asWritten.ok ? "accepted" : "refused",
            row.retargeted.ok ? "accepted" : "refused", row.ptxVersion.empty() ? "-" : row.ptxVersion,
            row.blocking.empty() ? (row.retargeted.ok ? "" : causeText(row.retargeted))
                                 : blockingText(row.blocking)});
    }
    return table(cells) + refused("as written", groupsOf(rows, &TargetRow::asWritten))
        + refused("retargeted", groupsOf(rows, &TargetRow::retargeted))
        + fmt::format("\nas written: the file as it is; retargeted: a copy whose .target and .version name "
                      "this target.\n"
                      "a: {}.\nf: {}.\nno suffix: {}.\n",
            suffixA, suffixF, noSuffix);
}

int runMatrix(const std::string& file, const Session& session)
{
    auto source = readSource(file, session);
    if (!source) {
        return session.fail(source.error());
    }
    const auto language = languageOfSource(*source);
    if (!language) {
        return session.fail(language.error());
    }
    if (*language == Language::Cubin) {
        return session.fail({.code = ErrorCode::BadFormat,
            .message = "this is a cubin: it is for one target",
            .hint = "name the PTX or CUDA source",
            .path = file});
    }
    const Compiler compiler = makeCompiler();
    const auto rows = compileForAllTargets(compiler,
        {.displayName = source->displayName,
            .text = std::move(source->bytes),
            .language = *language,
            .directory = source->directory,
            .options = session.passThrough},
        session.stop);
    if (!rows) {
        return session.fail(rows.error());
    }
    const bool any =
        std::any_of(rows->begin(), rows->end(), [](const TargetRow& row) { return row.asWritten.ok; });
    return session.print(session.json ? matrixJson(*rows) : matrixReport(*rows), any ? Holds : DoesNotHold);
}

} // namespace

RunCommand addMatrixCommand(CLI::App& app)
{
    auto file = std::make_shared<std::string>();
    auto* command = app.add_subcommand("matrix", "The same file for every target that this ptxas knows");
    command->add_option("FILE", *file, "A .ptx or .cu file; - is stdin")->required();
    return [file](const Session& session) { return runMatrix(*file, session); };
}

} // namespace ptxwb::cli
