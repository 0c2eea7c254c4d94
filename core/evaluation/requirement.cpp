// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/requirement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace ptxwb {

namespace {

using Comparison = Requirement::Comparison;

constexpr std::array quantities{"speedup", "time_us", "warm_us", "registers", "spill_bytes"};
constexpr std::array<std::pair<std::string_view, Comparison>, 4> comparisons{{{">=", Comparison::AtLeast},
    {"<=", Comparison::AtMost}, {">", Comparison::Above}, {"<", Comparison::Below}}};

bool isQuantity(std::string_view name)
{
    return std::find(quantities.begin(), quantities.end(), name) != quantities.end();
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

Error misread(std::size_t column, const std::string& what)
{
    return {.code = ErrorCode::InvalidArgument,
        .message = fmt::format("--require, column {}: {}", column + 1, what),
        .hint =
            fmt::format("goals by name (wgmma, tma, wgmma:code), strict, paper, or {} with >=, <=, > or <, "
                        "separated by commas: 'wgmma,speedup>=0.95'",
                fmt::join(quantities, ", "))};
}

Result<Requirement> parseOne(std::string_view item, std::size_t column)
{
    Requirement requirement{.text = std::string(trimmed(item))};
    const auto at = item.find_first_of("<>=");
    const auto name = trimmed(item.substr(0, std::min(at, item.size())));
    if (name.empty()) {
        return misread(column, "a name is missing");
    }
    const auto odd = std::find_if(name.begin(), name.end(),
        [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != ':'; });
    if (odd != name.end()) {
        return misread(column + static_cast<std::size_t>(&*odd - item.data()),
            fmt::format("'{}' is no part of a name", *odd));
    }
    requirement.name = std::string(name);
    if (at == std::string_view::npos) {
        if (isQuantity(name)) {
            return misread(column + item.size(), fmt::format("{} needs a bound", name));
        }
        return requirement;
    }
    const auto rest = item.substr(at);
    const auto sign = std::find_if(
        comparisons.begin(), comparisons.end(), [&](const auto& row) { return rest.starts_with(row.first); });
    if (sign == comparisons.end()) {
        return misread(column + at, "'=' is no comparison here");
    }
    if (!isQuantity(name)) {
        return misread(column, fmt::format("'{}' is no quantity", name));
    }
    requirement.comparison = sign->second;
    const auto number = trimmed(rest.substr(sign->first.size()));
    const auto [end, failure] =
        std::from_chars(number.data(), number.data() + number.size(), requirement.bound);
    if (number.empty() || failure != std::errc{} || end != number.data() + number.size()
        || !std::isfinite(requirement.bound)) {
        return misread(column + at + sign->first.size(), fmt::format("'{}' is no number", number));
    }
    return requirement;
}

RequirementOutcome goalOutcome(const Requirement& requirement, const Evaluation& e)
{
    RequirementOutcome outcome{.text = requirement.text};
    constexpr std::string_view codeOnly = ":code";
    std::string_view name = requirement.name;
    const bool inCodeOnly = name.ends_with(codeOnly);
    if (inCodeOnly) {
        name.remove_suffix(codeOnly.size());
    }
    const auto goal = std::find_if(
        e.goals.begin(), e.goals.end(), [&](const GoalRecord& g) { return g.goal.name == name; });
    if (goal == e.goals.end()) {
        std::vector<std::string> known;
        for (const auto& g : e.goals) {
            known.push_back(g.goal.name);
        }
        outcome.reason = e.goals.empty()
            ? fmt::format("the candidate has no goals: it did not compile, or {} has none for {}", e.task,
                e.target.empty() ? "its target" : e.target)
            : fmt::format(
                "{} has no goal '{}' for {}; it has {}", e.task, name, e.target, fmt::join(known, ", "));
    } else if (goal->inCode == 0) {
        outcome.reason = "not in the code";
    } else if (inCodeOnly) {
        outcome.met = true;
        outcome.reason = fmt::format("{} in the code", goal->inCode);
    } else if (!goal->executed) {
        outcome.reason = fmt::format("not measured: {}", goal->reason);
    } else {
        outcome.met = *goal->executed > 0;
        outcome.reason = fmt::format("executed {} times ({})", *goal->executed, goal->executedBy);
    }
    return outcome;
}

struct Quantity {
    std::optional<double> value{};
    std::string reason{};
};

Quantity timeOf(const std::vector<double>& samples, const Evaluation& e)
{
    if (e.timing && e.timing->impossible) {
        return {{}, "the time is below the roofline floor, so it is no result"};
    }
    return {median(samples), "not measured"};
}

Quantity quantityOf(const std::string& name, const Evaluation& e)
{
    const std::string untimed = "not measured: there is no time of this candidate";
    if (name == "speedup") {
        const auto* leading = leadingBaseline(e);
        return leading == nullptr ? Quantity{{}, e.timing ? "not measured: no baseline was timed" : untimed}
                                  : Quantity{leading->speedup->ratio, {}};
    }
    if (name == "time_us" || name == "warm_us") {
        return e.timing
            ? timeOf(name == "time_us" ? e.timing->candidate.coldUs : e.timing->candidate.warmUs, e)
            : Quantity{{}, untimed};
    }
    if (e.kernels.empty()) {
        return {{}, "not measured: the candidate did not compile"};
    }
    const bool known = std::all_of(e.kernels.begin(), e.kernels.end(), [&](const KernelResources& kernel) {
        return name == "registers" ? kernel.registers.has_value()
                                   : kernel.spillStoreBytes.has_value() && kernel.spillLoadBytes.has_value();
    });
    if (!known) {
        return {{}, "not measured: the compiler did not say"};
    }
    double most = 0;
    for (const auto& kernel : e.kernels) {
        most = std::max(most,
            name == "registers" ? static_cast<double>(kernel.registers.value_or(0))
                                : static_cast<double>(
                                    kernel.spillStoreBytes.value_or(0) + kernel.spillLoadBytes.value_or(0)));
    }
    return {most, {}};
}

bool holds(double value, Comparison comparison, double bound)
{
    switch (comparison) {
    case Comparison::AtLeast:
        return value >= bound;
    case Comparison::AtMost:
        return value <= bound;
    case Comparison::Above:
        return value > bound;
    case Comparison::Below:
        return value < bound;
    }
    return false;
}

} // namespace

Result<std::vector<Requirement>> parseRequirements(std::string_view text)
{
    std::vector<Requirement> all;
    for (std::size_t begin = 0; begin <= text.size();) {
        const auto end = std::min(text.find(',', begin), text.size());
        auto one = parseOne(text.substr(begin, end - begin), begin);
        if (!one) {
            return one.error();
        }
        all.push_back(*std::move(one));
        begin = end + 1;
    }
    return all;
}

RequirementOutcome checkRequirement(const Requirement& requirement, const Evaluation& e)
{
    if (!requirement.comparison) {
        if (requirement.name != "strict" && requirement.name != "paper") {
            return goalOutcome(requirement, e);
        }
        const auto& judged = requirement.name == "strict" ? e.strict : e.paper;
        return {.text = requirement.text,
            .met = judged && judged->verdict == Verdict::Correct,
            .reason =
                judged ? std::string(verdictName(judged->verdict)) : "not measured: nothing was checked"};
    }
    const Quantity quantity = quantityOf(requirement.name, e);
    if (!quantity.value) {
        return {.text = requirement.text, .met = false, .reason = quantity.reason};
    }
    return {.text = requirement.text,
        .met = holds(*quantity.value, *requirement.comparison, requirement.bound),
        .reason = fmt::format("it is {:.6g}", *quantity.value)};
}

} // namespace ptxwb
