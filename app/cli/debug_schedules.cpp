// SPDX-License-Identifier: Apache-2.0
// Commands that look at other schedules, and at what they found.
#include "app/cli/debug_number.h"
#include "app/cli/debug_session.h"
#include "app/cli/text_report.h"

#include <fmt/format.h>

#include <tuple>

namespace ptxwb::cli {

using namespace emulator;

std::string DebugSession::check()
{
    m_checked.clear();
    const auto schedules = schedulesOf(
        {AsyncPolicy::Early, AsyncPolicy::Late, AsyncPolicy::Random}, m_target.request.seed, m_target.seeds);
    std::string text;
    for (const auto& schedule : schedules) {
        auto request = m_target.request;
        request.policy = schedule.policy;
        request.seed = schedule.seed;
        auto outcome = emulate(std::move(request), {}, m_stop);
        if (!outcome) {
            return describe(outcome.error()) + '\n';
        }
        text += fmt::format(
            "{}, seed {}: {}\n", policyName(schedule.policy), schedule.seed, endName(outcome->end));
        addReports(m_checked, std::move(outcome->reports));
    }
    text += m_checked.empty() ? fmt::format("nothing was found under {} schedules\n", schedules.size())
                              : reportLines(m_checked) + "report N opens the N-th where it was filed\n";
    return text;
}

std::string DebugSession::report(const Words& words)
{
    const auto known = reports();
    const auto number = words.size() > 1 ? numberOf<std::size_t>(words[1]) : std::optional(known.size());
    if (!number || *number == 0 || *number > known.size()) {
        return known.empty() ? std::string("nothing was reported yet; check looks under every policy\n")
                             : fmt::format("report 1 to {}\n", known.size());
    }
    const auto& wanted = known[*number - 1];
    const auto policy = policyByName(wanted.policy).value_or(m_target.request.policy);
    const bool talks = m_debugger->ctasTalk();
    if (policy != m_target.request.policy || wanted.seed != m_target.request.seed
        || (!talks && wanted.cta != m_target.cta)) {
        m_target.request.policy = policy;
        m_target.request.seed = wanted.seed;
        m_target.cta = wanted.cta;
        if (auto opened = reopen(); !opened) {
            return describe(opened.error()) + '\n';
        }
    }
    if (!m_debugger->goToReport(wanted, m_stop)) {
        return "it does not come again in this launch\n";
    }
    return reportLines({wanted}) + moved({StopCause::Step, {}});
}

std::string DebugSession::schedule(const Words& words)
{
    const auto number = words.size() == 2 ? numberOf<std::uint64_t>(words[1]) : std::nullopt;
    const auto policy = words.size() == 2 ? policyByName(words[1]) : std::nullopt;
    auto& request = m_target.request;
    const auto before = std::tuple(request.policy, request.seed, m_target.launch);
    if (words[0] == "policy" && policy) {
        request.policy = *policy;
    } else if (words[0] == "seed" && number) {
        request.seed = *number;
    } else if (words[0] == "launch" && number) {
        m_target.launch = static_cast<std::size_t>(number.value_or(0));
    } else {
        return "policy early|late|random, seed N, launch N\n";
    }
    if (auto opened = reopen(); !opened) {
        std::tie(request.policy, request.seed, m_target.launch) = before;
        return describe(opened.error()) + '\n';
    }
    m_checked.clear();
    return greeting();
}

} // namespace ptxwb::cli
