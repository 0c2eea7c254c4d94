// SPDX-License-Identifier: Apache-2.0
#include "app/cli/debug_session.h"

#include "app/cli/debug_number.h"
#include "app/cli/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <sstream>

namespace ptxwb::cli {

using namespace emulator;

namespace {

std::vector<std::string> wordsOf(const std::string& line)
{
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    return words;
}

std::string causeText(const Stop& stop)
{
    switch (stop.cause) {
    case StopCause::Start:
        return "at the start\n";
    case StopCause::Step:
        return {};
    case StopCause::Breakpoint:
    case StopCause::Watch:
        return stop.detail + '\n';
    case StopCause::Report:
        return fmt::format("reported: {}\n", stop.detail);
    case StopCause::Finished:
        return "finished: every thread has exited\n";
    case StopCause::Deadlock:
        return fmt::format("deadlock: {}\n", stop.detail);
    case StopCause::Livelock:
        return fmt::format("livelock: {}\n", stop.detail);
    case StopCause::Fault:
        return fmt::format("stopped by a fault: {}\n", stop.detail);
    case StopCause::Interrupted:
        return "interrupted\n";
    }
    return {};
}

} // namespace

DebugSession::DebugSession(DebugTarget target, std::stop_token stop)
    : m_target(std::move(target))
    , m_stop(std::move(stop))
{
    std::istringstream in(m_target.request.text);
    for (std::string line; std::getline(in, line);) {
        m_source.push_back(line);
    }
}

Result<DebugSession> DebugSession::open(DebugTarget target, std::stop_token stop)
{
    DebugSession session(std::move(target), std::move(stop));
    if (auto opened = session.reopen(); !opened) {
        return opened.error();
    }
    return session;
}

Result<void> DebugSession::reopen()
{
    auto opened = Debugger::open(m_target.request, m_target.launch, m_target.cta);
    if (!opened) {
        return opened.error();
    }
    if (m_debugger) {
        for (const auto& point : m_debugger->breakpoints()) {
            (*opened)->addBreakpoint(point.line, point.condition);
        }
    }
    m_debugger = std::move(*opened);
    return {};
}

std::string DebugSession::greeting() const
{
    const auto& launch = m_target.request.plan.launches[m_target.launch];
    return fmt::format("{}: grid {} x {} x {}, block {} x {} x {}, policy {}, seed {}\n{}\nhelp lists the "
                       "commands\n",
        launch.kernel, launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0], launch.block[1],
        launch.block[2], policyName(m_target.request.policy), m_target.request.seed,
        m_debugger->ctasTalk()
            ? std::string("its CTAs may talk to each other: all of them run")
            : fmt::format("its CTAs do not talk to each other: cta {} runs, with its cluster", m_target.cta));
}

std::string DebugSession::sourceLine(int line) const
{
    const auto index = static_cast<std::size_t>(line) - 1;
    if (line < 1 || index >= m_source.size()) {
        return {};
    }
    const auto& text = m_source[index];
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string DebugSession::moved(const Stop& stop) const
{
    const auto at = m_debugger->current();
    const int line = m_debugger->line();
    return causeText(stop)
        + (line == 0 ? fmt::format("{}.{} has exited\n", at.cta, at.warp)
                     : fmt::format("{}.{} at line {}: {}\n", at.cta, at.warp, line, sourceLine(line)));
}

const std::vector<Report>& DebugSession::reports() const
{
    return m_checked.empty() ? m_debugger->reports() : m_checked;
}

std::string DebugSession::run(const std::string& line)
{
    auto words = wordsOf(line);
    if (words.empty() && !m_lastLine.empty()) {
        words = wordsOf(m_lastLine);
    } else if (!words.empty()) {
        m_lastLine = line;
    }
    return words.empty() ? std::string() : dispatch(words, line);
}

std::string DebugSession::dispatch(const Words& words, const std::string& line)
{
    const auto& command = words[0];
    const auto is = [&](std::string_view full, std::string_view brief = "-") {
        return command == full || command == brief;
    };
    if (is("quit", "q") || is("exit")) {
        m_over = true;
        return {};
    }
    if (is("help", "h")) {
        return debugHelp();
    }
    if (is("run", "r")) {
        m_debugger->restart();
        return moved(m_debugger->resume(m_stop));
    }
    if (is("continue", "c")) {
        return moved(m_debugger->resume(m_stop));
    }
    if (is("step", "s")) {
        return steps(words, [this] { return m_debugger->step(m_stop); });
    }
    if (is("next", "n")) {
        return steps(words, [this] { return m_debugger->nextWarp(m_stop); });
    }
    if (is("until", "u")) {
        const auto wanted = words.size() == 2 ? numberOf<int>(words[1]) : std::nullopt;
        return wanted ? moved(m_debugger->untilLine(*wanted, m_stop)) : "until LINE\n";
    }
    if (is("back", "b")) {
        return back(words);
    }
    if (is("goto")) {
        const auto round = words.size() == 2 ? numberOf<std::uint64_t>(words[1]) : std::nullopt;
        return round ? moved(m_debugger->goTo(*round)) : "goto ROUND\n";
    }
    if (is("timeline")) {
        return timeline(words);
    }
    if (is("back-to-report")) {
        return report({"report"});
    }
    if (is("break")) {
        return addBreak(words);
    }
    if (is("watch")) {
        const auto added = words.size() == 2
            ? m_debugger->addWatch(words[1])
            : Result<int>(Error{.code = ErrorCode::InvalidArgument, .message = "watch WHERE"});
        return added ? fmt::format("watch {}: {}\n", *added, m_debugger->watches().back().last)
                     : describe(added.error()) + '\n';
    }
    if (is("delete")) {
        const auto number = words.size() == 2 ? numberOf<int>(words[1]) : std::nullopt;
        return number && m_debugger->remove(*number) ? std::string()
                                                     : "there is no such number: info breaks\n";
    }
    if (is("warp") || is("cta")) {
        return chooseWarp(words);
    }
    if (is("info", "i")) {
        return info(words);
    }
    if (is("print", "p")) {
        return print(words);
    }
    if (is("x")) {
        return examine(words);
    }
    if (is("matrix", "m")) {
        return matrix(words);
    }
    if (is("list", "l")) {
        return list(words);
    }
    if (is("where", "w")) {
        return fmt::format("round {}, {} warp instructions of this cluster\n", m_debugger->round(),
                   m_debugger->instructions())
            + moved({StopCause::Step, {}});
    }
    if (is("check")) {
        return check();
    }
    if (is("report")) {
        return report(words);
    }
    if (is("policy") || is("seed") || is("launch")) {
        return schedule(words);
    }
    return fmt::format("'{}' is not understood; help lists the commands\n", line);
}

std::string DebugSession::steps(const Words& words, const std::function<Stop()>& one)
{
    const auto count = words.size() > 1 ? numberOf<int>(words[1]).value_or(1) : 1;
    Stop stop;
    for (int i = 0; i < count; ++i) {
        stop = one();
        if (stop.cause != StopCause::Step) {
            break;
        }
    }
    return moved(stop);
}

std::string DebugSession::back(const Words& words)
{
    const bool isAddress = words.size() > 1 && words[1].starts_with("0x");
    const auto count = words.size() > 1 ? numberOf<int>(words[1]) : std::optional(1);
    if (count && !isAddress) {
        Stop stop;
        for (int i = 0; i < *count; ++i) {
            stop = m_debugger->back(m_stop);
            if (stop.cause != StopCause::Step) {
                break;
            }
        }
        return moved(stop);
    }
    const auto place = m_debugger->watchPlace(words[1]);
    if (!place) {
        return describe(place.error()) + '\n';
    }
    const auto stop = m_debugger->backToChange(*place, m_stop);
    return stop
        ? moved(*stop)
        : fmt::format("{} has not changed since the start: {}\n", words[1], m_debugger->valueText(*place));
}

std::string DebugSession::addBreak(const Words& words)
{
    constexpr std::string_view usage = "break LINE [if REG OP VALUE], or break report on|off\n";
    if (words.size() == 3 && words[1] == "report" && (words[2] == "on" || words[2] == "off")) {
        m_debugger->stopsAtReports = words[2] == "on";
        return {};
    }
    const auto line = words.size() > 1 ? numberOf<int>(words[1]) : std::nullopt;
    if (!line || (words.size() > 2 && (words.size() < 4 || words[2] != "if"))) {
        return std::string(usage);
    }
    std::optional<BreakCondition> condition;
    if (words.size() > 2) {
        std::string text;
        for (std::size_t i = 3; i < words.size(); ++i) {
            text += words[i] + ' ';
        }
        auto parsed = parseBreakCondition(text);
        if (!parsed) {
            return describe(parsed.error()) + '\n';
        }
        if (const auto view = m_debugger->registerOf(parsed->name); !view) {
            return describe(view.error()) + '\n';
        }
        condition = std::move(*parsed);
    }
    return fmt::format("breakpoint {} at line {}: {}\n", m_debugger->addBreakpoint(*line, condition), *line,
        sourceLine(*line));
}

std::string DebugSession::chooseWarp(const Words& words)
{
    const auto usage = words[0] == "cta" ? "cta N\n" : "warp N, or warp CTA.N\n";
    if (words.size() != 2) {
        return usage;
    }
    WarpName name = m_debugger->current();
    const auto dot = words[1].find('.');
    const auto cta = numberOf<std::uint64_t>(words[1].substr(0, words[0] == "cta" ? std::string::npos : dot));
    const auto warp = numberOf<std::uint32_t>(words[1].substr(dot == std::string::npos ? 0 : dot + 1));
    if (!cta || !warp) {
        return usage;
    }
    if (words[0] == "cta") {
        name = {*cta, 0};
    } else {
        name = {dot == std::string::npos ? name.cta : *cta, *warp};
    }
    if (m_debugger->choose(name)) {
        return moved({StopCause::Step, {}});
    }
    if (m_debugger->ctasTalk() || words[0] != "cta") {
        return describe(m_debugger->choose(name).error()) + '\n';
    }
    const auto before = m_target.cta;
    m_target.cta = *cta;
    if (auto opened = reopen(); !opened) {
        m_target.cta = before;
        return describe(opened.error()) + '\n';
    }
    return fmt::format("cta {} from its start\n", *cta) + moved({StopCause::Step, {}});
}

std::string DebugSession::info(const Words& words) const
{
    const std::string what = words.size() > 1 ? words[1] : std::string();
    if (what == "warps") {
        return warpsText(m_debugger->warps(), m_debugger->current(), m_debugger->runningWarp());
    }
    if (what == "barriers") {
        return barriersText(m_debugger->barriers(), m_debugger->namedBarriers());
    }
    if (what == "queue") {
        return pendingText(m_debugger->pending());
    }
    if (what == "reports") {
        return reports().empty() ? std::string("nothing was reported yet\n") : reportLines(reports());
    }
    if (what == "registers") {
        std::string text;
        for (const auto& name : m_debugger->registerNames()) {
            text += (text.empty() ? "" : " ") + name;
        }
        return text + '\n';
    }
    if (what == "breaks") {
        std::string text;
        for (const auto& point : m_debugger->breakpoints()) {
            text += fmt::format("{}: break {}{}\n", point.number, point.line,
                point.condition ? fmt::format(" if {} {} {}", point.condition->name,
                    point.condition->comparison, point.condition->value)
                                : std::string());
        }
        for (const auto& watch : m_debugger->watches()) {
            text += fmt::format("{}: watch {}: {}\n", watch.number, watch.text, watch.last);
        }
        return text.empty() ? std::string("none\n") : text;
    }
    return "info warps|barriers|queue|reports|breaks|registers\n";
}

std::string DebugSession::print(const Words& words) const
{
    if (words.size() < 2) {
        return "print REG [d|u|f|x]\n";
    }
    const auto view = m_debugger->registerOf(words[1]);
    return view ? registerText(*view, words.size() > 2 ? words[2] : "x") : describe(view.error()) + '\n';
}

std::string DebugSession::examine(const Words& words) const
{
    if (words.size() < 2) {
        return "x WHERE [COUNT] [f|d|u|x]\n";
    }
    const auto place = m_debugger->locate(words[1]);
    if (!place) {
        return describe(place.error()) + '\n';
    }
    std::size_t count = 8;
    std::string format;
    for (std::size_t i = 2; i < words.size(); ++i) {
        const auto number = numberOf<std::size_t>(words[i]);
        count = number ? std::clamp<std::size_t>(*number, 1, 4096) : count;
        format = number ? format : words[i];
    }
    const auto dtype = place->dtype && format.empty() ? *place->dtype
        : format == "f"                               ? Dtype::Float32
                                                      : Dtype::Int32;
    const auto width = static_cast<std::size_t>(dtypeBytes(dtype));
    const auto bytes = m_debugger->read(*place, count * width);
    if (!bytes) {
        return describe(bytes.error()) + '\n';
    }
    std::string text;
    constexpr std::size_t perLine = 8;
    const bool asHex = !place->dtype && (format.empty() || format == "x");
    for (std::size_t i = 0; i < count; ++i) {
        const auto* element = bytes->data() + i * width;
        std::uint32_t bits = 0;
        std::memcpy(&bits, element, std::min(width, sizeof bits));
        text += i % perLine == 0 ? fmt::format("{}{} +{:<5}", i == 0 ? "" : "\n", place->name, i * width)
                                 : std::string();
        text += asHex || format == "x" ? fmt::format("  {:08x}", bits)
            : format == "u"            ? fmt::format("  {}", bits)
                                       : fmt::format("  {:.9g}", toDouble(dtype, element));
    }
    return text + '\n';
}

std::string DebugSession::list(const Words& words) const
{
    const int around = words.size() > 1 ? numberOf<int>(words[1]).value_or(0) : m_debugger->line();
    std::string text;
    for (int line = std::max(around - 5, 1); line <= around + 5; ++line) {
        if (static_cast<std::size_t>(line) <= m_source.size()) {
            text += fmt::format("{} {:5}  {}\n", line == m_debugger->line() ? "->" : "  ", line,
                m_source[static_cast<std::size_t>(line) - 1]);
        }
    }
    return text;
}

} // namespace ptxwb::cli
