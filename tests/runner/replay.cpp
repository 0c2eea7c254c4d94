// SPDX-License-Identifier: Apache-2.0
// ptxwb-replay LOG [--speed X]: plays a recorded runner conversation over stdin and stdout, so that a front
// end can be tested across the real process boundary without a GPU. Qt-free.
//
// LOG holds one JSON object a line, each with "t_ms", the time since the start, and one of
//   "event": {...}    an event to write, as `ptxwb-runner --record LOG` wrote it
//   "request": true   wait for a request here; a probe is answered from the log's own device
//   "raw": "text"     a line to write as it is        "stderr": "text"   a line of log
//   "exit": N         end with that status            "signal": N        die by that signal
//   "hang": true      say nothing any more
// X divides the waits (0: no waits). Cancel, or a closed stdin, ends it as it ends the runner.
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr int cancelledExit = 6;
constexpr int usageExit = 2;

std::string unread;
std::deque<std::string> early; ///< lines that came before the log asked for them

void say(const std::string& line)
{
    std::cout << line << '\n' << std::flush;
}

/// The next line of stdin; nothing at its end, or when `until` passed first.
std::optional<std::string> nextLine(std::optional<Clock::time_point> until, bool& ended)
{
    for (;;) {
        if (const auto end = unread.find('\n'); end != std::string::npos) {
            std::string line = unread.substr(0, end);
            unread.erase(0, end + 1);
            return line;
        }
        int waitMs = -1;
        if (until) {
            const double left = Milliseconds(*until - Clock::now()).count();
            if (left <= 0) {
                return std::nullopt;
            }
            waitMs = static_cast<int>(left) + 1;
        }
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (::poll(&input, 1, waitMs) <= 0) {
            continue;
        }
        char bytes[65536];
        const ssize_t got = ::read(STDIN_FILENO, bytes, sizeof bytes);
        if (got <= 0) {
            ended = true;
            return std::nullopt;
        }
        unread.append(bytes, static_cast<std::size_t>(got));
    }
}

[[noreturn]] void cancel()
{
    say(R"({"event":"cancelled"})");
    std::exit(cancelledExit);
}

/// Sleeps until `until`, watching for a cancel.
void waitUntil(std::optional<Clock::time_point> until)
{
    bool ended = false;
    while (const auto line = nextLine(until, ended)) {
        if (line->find("\"cancel\"") != std::string::npos) {
            cancel();
        }
        early.push_back(*line);
    }
    if (ended) {
        cancel();
    }
}

Json probeAnswer(const std::vector<Json>& log)
{
    Json answer{{"event", "probe_result"}, {"devices", Json::array()}, {"libraries", Json::array()},
        {"problem", "the recorded log names no device"}};
    for (const Json& entry : log) {
        if (!entry.contains("event") || !entry["event"].contains("device")) {
            continue;
        }
        answer["devices"] = Json::array({entry["event"]["device"]});
        answer["libraries"] = entry["event"].value("libraries", Json::array());
        answer["problem"] = "";
    }
    return answer;
}

void receiveRequest(const std::vector<Json>& log)
{
    bool ended = false;
    std::optional<std::string> line;
    if (early.empty()) {
        line = nextLine(std::nullopt, ended);
    } else {
        line = early.front();
        early.pop_front();
    }
    if (!line) {
        std::exit(0);
    }
    const Json request = Json::parse(*line, nullptr, false);
    if (!request.is_object() || !request.contains("request")) {
        std::cerr << "ptxwb-replay: that is no request\n";
        std::exit(usageExit);
    }
    if (request["request"] == "probe") {
        say(probeAnswer(log).dump());
        std::exit(0);
    }
}

void play(const Json& entry, const std::vector<Json>& log)
{
    if (entry.contains("event")) {
        say(entry["event"].dump());
    } else if (entry.contains("request")) {
        receiveRequest(log);
    } else if (entry.contains("raw")) {
        say(entry["raw"].get<std::string>());
    } else if (entry.contains("stderr")) {
        std::cerr << entry["stderr"].get<std::string>() << std::endl;
    } else if (entry.contains("exit")) {
        std::exit(entry["exit"].get<int>());
    } else if (entry.contains("signal")) {
        const int signal = entry["signal"].get<int>();
        std::signal(signal, SIG_DFL); // a sanitizer would make an exit of it
        std::raise(signal);
    } else if (entry.contains("hang")) {
        waitUntil(std::nullopt);
    }
}

} // namespace

int main(int argc, char** argv)
{
    double speed = 1;
    std::string path;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--speed" && i + 1 < argc) {
            speed = std::atof(argv[++i]);
        } else {
            path = argv[i];
        }
    }
    std::ifstream file(path);
    if (!file) {
        std::cerr << "usage: ptxwb-replay LOG [--speed X]; cannot read '" << path << "'\n";
        return usageExit;
    }
    std::vector<Json> log;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty()) {
            log.push_back(Json::parse(line));
        }
    }
    // Waiting for the front end's request does not count as recorded time.
    double playedMs = 0;
    for (const Json& entry : log) {
        const double atMs = entry.at("t_ms").get<double>();
        if (speed > 0 && atMs > playedMs) {
            waitUntil(Clock::now()
                + std::chrono::microseconds(static_cast<long>((atMs - playedMs) * 1000 / speed)));
        }
        playedMs = std::max(playedMs, atMs);
        play(entry, log);
    }
    return 0;
}
