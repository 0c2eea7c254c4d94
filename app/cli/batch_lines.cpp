// SPDX-License-Identifier: Apache-2.0
#include "app/cli/batch_lines.h"

#include "app/cli/source_file.h"
#include "app/cli/task_option.h"
#include "core/support/files.h"
#include "core/support/input.h"
#include "core/support/sha256.h"
#include "core/support/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;

/// A problem with one line, thrown within this file.
struct LineFault {
    Error error;
};

[[noreturn]] void fault(std::string message, std::string hint = {})
{
    throw LineFault{{.code = ErrorCode::BadFormat, .message = std::move(message), .hint = std::move(hint)}};
}

std::string textOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || found->is_null()) {
        return {};
    }
    if (!found->is_string()) {
        fault(fmt::format("\"{}\" is no text", key));
    }
    return found->get<std::string>();
}

BatchLine readLine(const std::string& text, int number, const std::string& task,
    const std::filesystem::path& directory, const Session& session, std::map<std::string, Task>& tasks)
{
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) {
        fault("no JSON object", R"(one a line: {"file": "gemm.ptx", "task": "gemm_n7168_k5120"})");
    }
    static const std::set<std::string> known{"id", "file", "text", "name", "task", "workload", "seed"};
    for (const auto& [key, value] : json.items()) {
        if (!known.contains(key)) {
            fault(fmt::format("unknown key \"{}\"", key), "id, file, text, name, task, workload, seed");
        }
    }
    BatchLine line;
    line.id = textOf(json, "id");
    if (line.id.empty()) {
        line.id = std::to_string(number);
    }
    const auto file = textOf(json, "file");
    line.text = textOf(json, "text");
    line.workload = textOf(json, "workload");
    if (file.empty() == line.text.empty()) {
        fault("exactly one of \"file\" and \"text\" must be given");
    }
    if (!file.empty()) {
        const auto path =
            std::filesystem::path(file).is_absolute() ? std::filesystem::path(file) : directory / file;
        auto source = readSource(path.string(), session);
        if (!source) {
            throw LineFault{source.error()};
        }
        line.name = file;
        line.text = std::move(source->bytes);
        line.directory = source->directory;
    } else {
        line.name = textOf(json, "name");
        if (line.name.empty()) {
            fault("\"text\" needs a \"name\" with the ending .ptx or .cu");
        }
    }
    if (const auto seed = json.find("seed"); seed != json.end()) {
        if (!seed->is_number_unsigned()) {
            fault("\"seed\" is no whole number from 0");
        }
        line.seed = seed->get<std::uint64_t>();
    }
    const auto name = textOf(json, "task").empty() ? task : textOf(json, "task");
    if (name.empty()) {
        fault("no task", "give \"task\" in the line, or --task for all");
    }
    if (!tasks.contains(name)) {
        auto found = findTask(name);
        if (!found) {
            throw LineFault{found.error()};
        }
        tasks[name] = *std::move(found);
    }
    line.task = tasks[name];
    return line;
}

std::string oneLine(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json header(const BatchLine& line, int status)
{
    return {{"schema", "ptxwb.batch.line.v1"}, {"id", line.id}, {"work", line.work}, {"exit_status", status}};
}

} // namespace

Result<std::vector<BatchLine>> readBatchLines(
    const std::string& file, const std::string& task, const Session& session)
{
    const auto text =
        readInput(file, {.bytes = std::size_t{256} << 20, .binaryBytes = std::size_t{256} << 20});
    if (!text) {
        return text.error();
    }
    std::vector<BatchLine> lines;
    std::map<std::string, Task> tasks;
    std::map<std::string, int> ids;
    int number = 0;
    for (std::size_t begin = 0; begin < text->size();) {
        const auto end = std::min(text->find('\n', begin), text->size());
        const auto row = text->substr(begin, end - begin);
        begin = end + 1;
        ++number;
        if (row.find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        try {
            auto line =
                readLine(row, number, task, std::filesystem::path(file).parent_path(), session, tasks);
            if (const auto [same, isNew] = ids.emplace(line.id, number); !isNew) {
                fault(fmt::format("the id \"{}\" stands in line {} already", line.id, same->second));
            }
            lines.push_back(std::move(line));
        } catch (const LineFault& problem) {
            auto error = problem.error;
            error.message = fmt::format("line {}: {}", number, error.message);
            error.line = number;
            if (error.path.empty()) {
                error.path = file;
            }
            return error;
        }
    }
    if (lines.empty()) {
        return Error{.code = ErrorCode::BadFormat, .message = "the batch has no lines", .path = file};
    }
    return lines;
}

std::string workOf(const BatchLine& line, const std::string& settings)
{
    return sha256Hex(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", productVersion(), settings, line.name,
        line.task.name, line.workload, line.seed, line.text));
}

BatchAnswers readBatchAnswers(const std::string& file)
{
    BatchAnswers answers;
    const auto text = readFile(file);
    for (std::size_t begin = 0; text && begin < text->size();) {
        const auto end = text->find('\n', begin);
        if (end == std::string::npos) {
            break; // cut off
        }
        auto row = text->substr(begin, end - begin);
        begin = end + 1;
        const Json json = Json::parse(row, nullptr, false);
        if (json.is_object() && json.contains("id") && json["id"].is_string() && json.contains("work")
            && json["work"].is_string() && json.contains("exit_status")
            && json["exit_status"].is_number_integer()) {
            const auto id = json["id"].get<std::string>();
            answers[id] = {.work = json["work"].get<std::string>(),
                .status = json["exit_status"].get<int>(),
                .document = std::move(row)};
        }
    }
    return answers;
}

Result<void> startBatchAnswers(const std::string& file, const BatchAnswers& answers)
{
    std::string text;
    for (const auto& [id, answer] : answers) {
        text += answer.document + '\n';
    }
    return writeFileAtomically(file, text);
}

BatchAnswer answerLine(
    const BatchLine& line, Evaluation evaluation, const std::vector<Requirement>& requirements)
{
    BatchAnswer answer{.work = line.work, .status = exitStatusOf(evaluation.verdict)};
    for (const auto& requirement : requirements) {
        evaluation.requirements.push_back(checkRequirement(requirement, evaluation));
        if (!evaluation.requirements.back().met && answer.status == Holds) {
            answer.status = DoesNotHold;
        }
    }
    Json json = header(line, answer.status);
    json["evaluation"] = Json::parse(toJson(evaluation), nullptr, false);
    answer.document = oneLine(json);
    answer.summary = std::string(verdictName(evaluation.verdict));
    return answer;
}

BatchAnswer failureLine(const BatchLine& line, const Error& error)
{
    BatchAnswer answer{.work = line.work, .status = exitStatusOf(error)};
    Json json = header(line, answer.status);
    json["evaluation"] = nullptr;
    json["evaluation_reason"] = error.message;
    json["error"] = {{"code", errorCodeName(error.code)}, {"message", error.message}, {"hint", error.hint}};
    answer.document = oneLine(json);
    answer.summary = error.message;
    return answer;
}

std::string inOrder(const std::vector<BatchLine>& lines, const BatchAnswers& answers)
{
    std::string text;
    for (const auto& line : lines) {
        if (const auto found = answers.find(line.id); found != answers.end()) {
            text += found->second.document + '\n';
        }
    }
    return text;
}

std::string batchSummary(
    const std::vector<BatchLine>& lines, const BatchAnswers& answers, const std::string& output, bool json)
{
    std::map<std::string, int> verdicts;
    for (const auto& line : lines) {
        const auto found = answers.find(line.id);
        if (found == answers.end()) {
            continue;
        }
        const Json row = Json::parse(found->second.document, nullptr, false);
        const bool judged = row.is_object() && row.contains("evaluation") && row["evaluation"].is_object();
        ++verdicts[judged ? row["evaluation"].value("verdict", "unknown") : "not evaluated"];
    }
    if (json) {
        return Json{{"schema", "ptxwb.batch.v1"}, {"path", output}, {"lines", lines.size()},
                   {"verdicts", verdicts}}
                   .dump(2, ' ', false, Json::error_handler_t::replace)
            + '\n';
    }
    std::string text;
    for (const auto& [verdict, count] : verdicts) {
        text += fmt::format("{}: {}\n", verdict, count);
    }
    return text + fmt::format("{} lines in {}\n", lines.size(), output);
}

} // namespace ptxwb::cli
