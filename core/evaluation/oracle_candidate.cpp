// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/oracle_candidate.h"

#include "core/evaluation/emulated_source.h"
#include "core/support/files.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb {

namespace {

Result<CandidateSource> sourceOf(const Task& task)
{
    const auto path = task.directory / task.oracle.file;
    auto text = readFile(path);
    if (!text) {
        auto error = text.error();
        error.message = fmt::format("the task's oracle: {}", error.message);
        return error;
    }
    const auto language = languageOf(path, *text);
    if (!language) {
        return language.error();
    }
    return CandidateSource{.displayName = path.string(),
        .text = *std::move(text),
        .directory = path.parent_path(),
        .language = *language};
}

} // namespace

bool hasOracleCandidate(const Task& task)
{
    return task.oracle.name == "candidate";
}

Result<void> addOracleCandidate(EvaluateRequest& request, const Compiler& compiler, const Task& task,
    const Workload& workload, std::stop_token stop)
{
    if (!hasOracleCandidate(task)) {
        return {};
    }
    const auto source = sourceOf(task);
    if (!source) {
        return source.error();
    }
    auto built = buildCandidate(
        compiler, *source, &task, &workload, {.preferredTarget = request.target}, std::move(stop));
    if (!built) {
        return built.error();
    }
    if (built->refused) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = fmt::format("the task's oracle cannot be used: {}", built->reason),
            .path = source->displayName};
    }
    request.oracleVersion = Rival{.cubin = std::move(built->cubin), .plan = std::move(built->plan.plan)};
    return {};
}

std::function<Result<std::vector<std::vector<double>>>(
    const std::vector<std::vector<std::byte>>&, std::stop_token)>
emulatedOracle(const Compiler& compiler, const Task& task, const Workload& workload)
{
    return [&compiler, task, workload](const std::vector<std::vector<std::byte>>& buffers,
               const std::stop_token& stop) -> Result<std::vector<std::vector<double>>> {
        const auto source = sourceOf(task);
        if (!source) {
            return source.error();
        }
        const auto emulated = emulatedSource(compiler,
            {.displayName = source->displayName,
                .text = source->text,
                .language = source->language,
                .directory = source->directory},
            stop);
        if (!emulated) {
            return emulated.error();
        }
        auto plan = resolveLaunchPlan(source->text, task, workload);
        if (!plan) {
            return plan.error();
        }
        emulator::EmulatorRequest run;
        run.text = emulated->ptx;
        run.displayName = emulated->displayName;
        run.plan = *plan;
        for (std::size_t b = 0; b < plan->buffers.size(); ++b) {
            const auto& spec = plan->buffers[b];
            const bool isInput = spec.role == BufferRole::Input;
            run.buffers.push_back(
                isInput && b < buffers.size() ? buffers[b] : std::vector<std::byte>(spec.type.bytes()));
        }
        auto outcome = emulator::emulate(std::move(run), {}, stop);
        if (!outcome) {
            return outcome.error();
        }
        if (outcome->end != emulator::EmulatorEnd::Completed) {
            return Error{.code = ErrorCode::Unsupported,
                .message = fmt::format("the task's oracle did not come to its end in the emulator ({})",
                    emulator::endName(outcome->end)),
                .path = source->displayName};
        }
        std::vector<std::vector<double>> references;
        for (std::size_t b = 0; b < plan->buffers.size(); ++b) {
            const auto& spec = plan->buffers[b];
            if (spec.role != BufferRole::Output) {
                continue;
            }
            const auto width = static_cast<std::size_t>(dtypeBytes(spec.type.dtype));
            auto& values = references.emplace_back(static_cast<std::size_t>(spec.type.elements()));
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] = toDouble(spec.type.dtype, outcome->buffers[b].data() + i * width);
            }
        }
        return references;
    };
}

} // namespace ptxwb
