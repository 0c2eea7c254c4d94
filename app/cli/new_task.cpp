// SPDX-License-Identifier: Apache-2.0
#include "app/cli/new_task.h"

#include "core/support/sha256.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;

/// A problem with one word, thrown within this file.
struct Misread {
    Error error;
};

[[noreturn]] void misread(
    const char* option, const std::string& word, const std::string& why, std::string hint)
{
    throw Misread{{.code = ErrorCode::InvalidArgument,
        .message = fmt::format("{} '{}': {}", option, word, why),
        .hint = std::move(hint)}};
}

bool isName(std::string_view text)
{
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0
        && std::all_of(
            text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::vector<std::string> split(const std::string& text, char at)
{
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(at, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::int64_t sizeOf(const char* option, const std::string& word, const std::string& number)
{
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (failure != std::errc{} || end != number.data() + number.size() || value < 1) {
        misread(option, word, fmt::format("'{}' is no size from 1", number), "e.g. M=4096");
    }
    return value;
}

Json axesJson(const NewTask& task)
{
    Json axes = Json::object();
    for (const auto& word : task.axes) {
        const auto parts = split(word, '=');
        if (!isName(parts[0]) || parts.size() > 2 || axes.contains(parts[0])) {
            misread("--axis", word, axes.contains(parts[0]) ? "given twice" : "not of the form",
                "M, or N=7168; a name has letters, digits and _");
        }
        axes[parts[0]] = parts.size() == 1
            ? Json{{"type", "var"}}
            : Json{{"type", "const"}, {"value", sizeOf("--axis", word, parts[1])}};
    }
    if (axes.empty()) {
        misread("--axis", "", "there is none", "--axis M --axis N=7168");
    }
    return axes;
}

Json tensorsJson(const char* option, const std::vector<std::string>& words, const Json& axes)
{
    Json tensors = Json::object();
    for (const auto& word : words) {
        const auto parts = split(word, ':');
        if (parts.size() != 3 || !isName(parts[0]) || tensors.contains(parts[0])) {
            misread(option, word, "not of the form, or given twice", "A:bfloat16:M,K");
        }
        if (!dtypeByName(parts[1])) {
            misread(option, word, fmt::format("unknown dtype '{}'", parts[1]),
                fmt::format("{}", fmt::join(dtypeNames(), ", ")));
        }
        Json shape = Json::array();
        for (const auto& axis : split(parts[2], ',')) {
            if (!axes.contains(axis)) {
                misread(option, word, fmt::format("there is no axis '{}'", axis), "--axis declares it");
            }
            shape.push_back(axis);
        }
        tensors[parts[0]] = {{"shape", shape}, {"dtype", parts[1]}};
    }
    return tensors;
}

std::string uuidOf(const std::string& text)
{
    const auto hash = sha256Hex(text);
    return fmt::format("{}-{}-5{}-8{}-{}", hash.substr(0, 8), hash.substr(8, 4), hash.substr(12, 3),
        hash.substr(15, 3), hash.substr(18, 12));
}

std::string workloadsText(const NewTask& task, const Json& axes, const Json& inputs)
{
    std::string lines;
    for (const auto& word : task.workloads) {
        const auto parts = split(word, ':');
        Json sizes = Json::object();
        for (const auto& size : split(parts[0], ',')) {
            const auto pair = split(size, '=');
            if (pair.size() != 2 || !axes.contains(pair[0])) {
                misread("--workload", word, fmt::format("'{}' sets no axis of the task", size),
                    "M=4096 or M=4096:paper");
            }
            if (axes[pair[0]]["type"] == "const") {
                misread("--workload", word, fmt::format("axis {} is the same in every workload", pair[0]),
                    "leave it away, or declare it with --axis NAME");
            }
            sizes[pair[0]] = sizeOf("--workload", word, pair[1]);
        }
        Json filled = Json::object();
        for (const auto& [name, tensor] : inputs.items()) {
            filled[name] = {{"type", "random"}};
        }
        std::string tag = parts[0];
        std::replace(tag.begin(), tag.end(), ',', '-');
        std::erase(tag, '=');
        Json tags = Json::array();
        // The first one is what a GPU and the emulator take unasked.
        if (lines.empty()) {
            tags = {"paper", "emulator"};
        }
        tags.push_back(parts.size() > 1 ? parts[1] : tag);
        lines += Json{{"definition", task.name}, {"solution", nullptr},
                     {"workload",
                         {{"uuid", uuidOf(task.name + word)}, {"axes", sizes}, {"inputs", filled},
                             {"tags", tags}}},
                     {"evaluation", nullptr}}
                     .dump(-1, ' ', false, Json::error_handler_t::replace)
            + '\n';
    }
    if (lines.empty()) {
        misread("--workload", "", "there is none", "--workload M=4096");
    }
    return lines;
}

Json oracleJson(const NewTask& task, std::vector<std::pair<std::string, std::string>>& files)
{
    if (task.oracle.starts_with("candidate:")) {
        const std::string name = task.oracle.ends_with(".cu") ? "oracle.cu" : "oracle.ptx";
        files.emplace_back(name, task.oracleText);
        return {{"name", "candidate"}, {"file", name}};
    }
    if (task.oracle == "python") {
        if (task.referenceText.find("def run(") == std::string::npos) {
            misread("--oracle", task.oracle, "there is no reference with a function `run`",
                "--reference FILE.py");
        }
        return {{"name", "python"}};
    }
    constexpr std::string_view stored = "stored:";
    if (task.oracle.starts_with(stored) && task.oracle.size() > stored.size()) {
        std::error_code failed;
        return {{"name", "stored"},
            {"file", std::filesystem::absolute(task.oracle.substr(stored.size()), failed).string()}};
    }
    for (const char* known : {"gemm_nt", "attention_forward"}) {
        if (task.oracle == known) {
            return {{"name", known}, {"parameters", Json::object()}};
        }
    }
    misread("--oracle", task.oracle, "unknown",
        "gemm_nt, attention_forward, candidate:FILE, python, stored:FOLDER, none");
}

} // namespace

Result<std::vector<std::pair<std::string, std::string>>> filesOf(const NewTask& task)
{
    try {
        if (!isName(task.name)) {
            misread("NAME", task.name, "no name", "letters, digits and _");
        }
        std::vector<std::pair<std::string, std::string>> files;
        const Json axes = axesJson(task);
        const Json inputs = tensorsJson("--input", task.inputs, axes);
        const Json outputs = tensorsJson("--tensor-output", task.outputs, axes);
        if (outputs.empty()) {
            misread("--tensor-output", "", "there is none", "--tensor-output C:float32:M,N");
        }
        Json workbench = Json::object();
        if (!task.oracle.empty() && task.oracle != "none") {
            workbench["oracle"] = oracleJson(task, files);
        }
        workbench["tolerance"] = {
            {"rtol", task.rtol}, {"atol", task.atol}, {"matched_ratio", 1.0}, {"trials", 3}};
        if (task.strict > 0) {
            workbench["strict"] = {{"normwise_rel_error", task.strict}};
        }
        for (const auto& [key, expression] :
            {std::pair("flops", &task.flops), std::pair("bytes", &task.bytes)}) {
            if (!expression->empty()) {
                workbench[key] = *expression;
            }
        }
        workbench["goals"] = {{{"name", "wgmma"}, {"target", "sm_90a"}, {"family", "wgmma"}},
            {{"name", "tma"}, {"target", "sm_90a"}, {"family", "tma"}}};
        workbench["notes"] = {"The tolerances were given by the task's author, not measured."};
        files.emplace_back("workloads.jsonl", workloadsText(task, axes, inputs));
        std::vector<std::string> names;
        for (const auto& [name, tensor] : inputs.items()) {
            names.push_back(name);
        }
        files.emplace_back("task.json",
            Json{{"name", task.name}, {"op_type", "custom"}, {"axes", axes}, {"inputs", inputs},
                {"outputs", outputs},
                {"reference",
                    !task.referenceText.empty()
                        ? task.referenceText
                        : fmt::format(
                            "def run({}):\n    raise NotImplementedError(\"the oracle of this task is "
                            "not Python\")\n",
                            fmt::join(names, ", "))},
                {"workbench", workbench}}
                    .dump(2, ' ', false, Json::error_handler_t::replace)
                + '\n');
        return files;
    } catch (const Misread& problem) {
        return problem.error;
    }
}

std::string newTaskReport(const Task& task, const std::string& directory, bool json)
{
    if (json) {
        return Json{{"schema", "ptxwb.task.v1"}, {"name", task.name}, {"path", directory},
                   {"oracle", task.oracle.name.empty() ? Json(nullptr) : Json(task.oracle.name)},
                   {"workloads", task.workloads.size()}}
                   .dump(2, ' ', false, Json::error_handler_t::replace)
            + '\n';
    }
    return fmt::format("{}: task.json and workloads.jsonl in {}\nptxwb eval KERNEL.ptx --task {}\n",
        task.name, directory, std::filesystem::path(directory).is_absolute() ? directory : "./" + directory);
}

} // namespace ptxwb::cli
