// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/recorded_run.h"

#include "core/support/files.h"

#include <algorithm>
#include <cctype>

namespace ptxwb {

RecordedRuns loadRecordedRuns(const Task& task)
{
    RecordedRuns result;
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(task.directory / "recorded", ignored)) {
        if (entry.path().extension() == ".json") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
        auto text = readFile(file);
        if (!text) {
            result.problems.push_back(text.error());
            continue;
        }
        auto evaluation = evaluationFromJson(*text);
        if (!evaluation) {
            Error problem = evaluation.error();
            problem.path = file.string();
            result.problems.push_back(std::move(problem));
            continue;
        }
        result.runs.push_back({.path = file, .evaluation = *std::move(evaluation)});
    }
    return result;
}

std::string recordedFileName(const Evaluation& evaluation)
{
    std::string device = evaluation.device ? evaluation.device->name : "no-device";
    if (device.starts_with("NVIDIA ")) {
        device.erase(0, 7);
    }
    const auto candidate = std::filesystem::path(evaluation.candidatePath).stem().string();
    std::string name = device + '-' + candidate + '-' + evaluation.workload.name() + ".json";
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
        return static_cast<char>(std::isalnum(c) != 0 || c == '.' || c == '_' ? std::tolower(c) : '-');
    });
    return name;
}

std::string recordedLabel(const Evaluation& evaluation)
{
    const std::string device = evaluation.device ? evaluation.device->name : "an unknown device";
    return "recorded on " + device + ", " + evaluation.madeUtc.substr(0, 10);
}

} // namespace ptxwb
