// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/host_child/channel.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace ptxwb::emulator::host {

namespace {

constexpr int nobodyThere = 3; ///< exit status

std::mutex mutex;
int input = -1;
int output = -1;
std::string buffer;

void writeAll(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t put = ::write(output, text.data(), text.size());
        if (put < 0 && errno != EINTR) {
            ::_exit(nobodyThere);
        }
        text.remove_prefix(put > 0 ? static_cast<std::size_t>(put) : 0);
    }
}

std::string readLine()
{
    std::size_t scanned = 0;
    for (;;) {
        if (const auto end = buffer.find('\n', scanned); end != std::string::npos) {
            std::string line = buffer.substr(0, end);
            buffer.erase(0, end + 1);
            return line;
        }
        scanned = buffer.size();
        std::array<char, 65536> piece{};
        const ssize_t got = ::read(input, piece.data(), piece.size());
        if (got == 0 || (got < 0 && errno != EINTR)) {
            ::_exit(nobodyThere);
        }
        buffer.append(piece.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    }
}

std::string lineOf(const nlohmann::json& message)
{
    return message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

/// Async-signal-safe.
void onFault(int signal, siginfo_t* info, void* /*context*/)
{
    std::array<char, 64> text{};
    constexpr std::string_view head = R"({"do":"touched","address":)";
    std::size_t at = head.copy(text.data(), head.size());
    std::array<char, 20> digits{};
    std::size_t count = 0;
    auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
    do {
        digits[count++] = static_cast<char>('0' + address % 10);
        address /= 10;
    } while (address != 0);
    while (count > 0) {
        text[at++] = digits[--count];
    }
    text[at++] = '}';
    text[at++] = '\n';
    writeAll({text.data(), at});
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}

} // namespace

void openChannel()
{
    constexpr int above = 200; // out of the way of descriptors that host code opens
    input = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, above);
    output = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, above);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::signal(SIGPIPE, SIG_IGN);
}

nlohmann::json hearSetup()
{
    auto setup = nlohmann::json::parse(readLine(), nullptr, false);
    return setup.is_object() ? setup : nlohmann::json::object();
}

void tell(const nlohmann::json& message)
{
    const std::scoped_lock lock(mutex);
    writeAll(lineOf(message));
}

nlohmann::json ask(const nlohmann::json& call)
{
    const std::scoped_lock lock(mutex);
    writeAll(lineOf(call));
    auto answer = nlohmann::json::parse(readLine(), nullptr, false);
    if (!answer.is_object()) {
        ::_exit(nobodyThere);
    }
    return answer;
}

void endAtMissing(std::string_view api)
{
    tell({{"do", "missing"},
        {"text", "host code calls " + std::string(api) + ", which the emulated CUDA runtime does not have"}});
    ::_exit(0);
}

void tellOfFaults()
{
    static std::array<char, 65536> stack;
    stack_t alternate{};
    alternate.ss_sp = stack.data();
    alternate.ss_size = stack.size();
    ::sigaltstack(&alternate, nullptr);
    struct sigaction action { };
    action.sa_sigaction = onFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &action, nullptr);
    ::sigaction(SIGBUS, &action, nullptr);
}

} // namespace ptxwb::emulator::host
