// SPDX-License-Identifier: Apache-2.0
#include "core/records/answer_source.h"

#include "core/records/trajectory.h"
#include "core/support/input.h"

#include <fmt/format.h>

namespace ptxwb::records {

namespace {

// A trajectory holds the provider's answers twice and more.
constexpr InputLimits limitsFor(AnswerFormat format)
{
    return format == AnswerFormat::Json || format == AnswerFormat::JsonLines
        ? InputLimits{.bytes = 512 * mebibyte}
        : InputLimits{.bytes = 8 * mebibyte, .binaryBytes = 8 * mebibyte};
}

Answer failed(const AnswerFile& file, Error problem)
{
    problem.path = file.shown;
    return {.path = file.shown, .problem = std::move(problem)};
}

} // namespace

std::string answerTitle(const std::string& path, std::optional<int> line, std::optional<int> turn)
{
    std::string title = path;
    if (line) {
        title += fmt::format(":{}", *line);
    }
    if (turn) {
        title += fmt::format(" turn {}", *turn);
    }
    return title;
}

std::optional<Answer> AnswerSource::next(const std::stop_token& stop)
{
    while (m_ready.empty() && m_next < m_files.files.size() && !stop.stop_requested()) {
        read(m_files.files[m_next++], stop);
    }
    if (m_ready.empty()) {
        return std::nullopt;
    }
    auto answer = std::move(m_ready.front());
    m_ready.pop_front();
    return answer;
}

void AnswerSource::read(const AnswerFile& file, const std::stop_token& stop)
{
    if (file.problem) {
        m_ready.push_back(failed(file, *file.problem));
        return;
    }
    auto bytes = readInput(file.path, limitsFor(file.format), stop);
    if (!bytes) {
        if (bytes.error().code != ErrorCode::Cancelled) {
            m_ready.push_back(failed(file, bytes.error()));
        }
        return;
    }
    std::vector<Answer> answers;
    if (file.format == AnswerFormat::JsonLines) {
        answers = answersOfJsonLines(*bytes, file.shown);
    } else if (file.format == AnswerFormat::Json) {
        auto read = answersOfJson(*bytes, file.shown);
        if (!read) {
            m_ready.push_back(failed(file, read.error()));
            return;
        }
        answers = *std::move(read);
        m_files.otherFiles += answers.empty() ? 1 : 0;
    } else {
        answers.push_back({.path = file.shown,
            .turn = file.turn,
            .isCode = file.format == AnswerFormat::Code,
            .text = *std::move(bytes)});
    }
    for (auto& answer : answers) {
        if (file.task) {
            answer.task = file.task;
        }
        m_ready.push_back(std::move(answer));
    }
}

} // namespace ptxwb::records
