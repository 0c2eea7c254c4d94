// SPDX-License-Identifier: Apache-2.0
#include "tests/llm/scripted_server.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

bool waitReadable(int fd, const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        pollfd entry{fd, POLLIN, 0};
        if (::poll(&entry, 1, 20) > 0) {
            return true;
        }
    }
    return false;
}

std::size_t bodyLength(const std::string& head)
{
    const std::string name = "Content-Length: ";
    const auto at = head.find(name);
    return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + name.size(), nullptr, 10);
}

// Reads one request; empty when the client went before it was whole.
std::string readRequest(int client, const std::stop_token& stop)
{
    std::string request;
    std::array<char, 4096> buffer{};
    while (waitReadable(client, stop)) {
        const auto got = ::recv(client, buffer.data(), buffer.size(), 0);
        if (got <= 0) {
            return {};
        }
        request.append(buffer.data(), static_cast<std::size_t>(got));
        const auto headEnd = request.find("\r\n\r\n");
        if (headEnd != std::string::npos
            && request.size() >= headEnd + 4 + bodyLength(request.substr(0, headEnd))) {
            return request;
        }
    }
    return {};
}

} // namespace

ScriptedServer::ScriptedServer(std::vector<Answer> answers)
    : m_answers(std::move(answers))
    , m_listener(::socket(AF_INET, SOCK_STREAM, 0))
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (::bind(m_listener, reinterpret_cast<sockaddr*>(&address), length) != 0 || ::listen(m_listener, 8) != 0
        || ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
        std::abort();
    }
    m_port = ntohs(address.sin_port);
    m_thread = std::jthread([this](std::stop_token stop) { serve(std::move(stop)); });
}

ScriptedServer::~ScriptedServer()
{
    m_thread = {};
    ::close(m_listener);
}

std::string ScriptedServer::baseUrl() const
{
    return "http://127.0.0.1:" + std::to_string(m_port) + "/v1";
}

std::vector<std::string> ScriptedServer::requests() const
{
    const std::scoped_lock lock(m_mutex);
    return m_requests;
}

bool ScriptedServer::clientWentAway() const
{
    const std::scoped_lock lock(m_mutex);
    return m_clientWentAway;
}

void ScriptedServer::serve(std::stop_token stop)
{
    for (const auto& answer : m_answers) {
        if (!waitReadable(m_listener, stop)) {
            return;
        }
        const int client = ::accept(m_listener, nullptr, nullptr);
        if (client >= 0) {
            answerOne(client, answer, stop);
            ::close(client);
        }
    }
}

void ScriptedServer::answerOne(int client, const Answer& answer, const std::stop_token& stop)
{
    const int on = 1;
    ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto request = readRequest(client, stop);
    {
        const std::scoped_lock lock(m_mutex);
        m_requests.push_back(std::move(request));
    }
    for (std::size_t at = 0; at < answer.bytes.size() && !stop.stop_requested();) {
        const auto size = std::min(answer.pieceBytes, answer.bytes.size() - at);
        if (::send(client, answer.bytes.data() + at, size, MSG_NOSIGNAL) <= 0) {
            return;
        }
        at += size;
        if (answer.pauseBetweenPieces.count() > 0) {
            std::this_thread::sleep_for(answer.pauseBetweenPieces);
        }
    }
    if (answer.end == End::Reset) {
        // Let the bytes arrive first: a reset throws away what is still on its way.
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        const linger hard{1, 0};
        ::setsockopt(client, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    } else if (answer.end == End::HoldOpen && waitReadable(client, stop)) {
        const std::scoped_lock lock(m_mutex);
        m_clientWentAway = true;
    }
}

std::string httpAnswer(const std::string& status, const std::string& contentType, const std::string& body,
    const std::string& extraHeaders)
{
    return "HTTP/1.1 " + status + "\r\nContent-Type: " + contentType + "\r\nConnection: close\r\n"
        + extraHeaders + "\r\n" + body;
}

std::string eventStream(const std::string& events)
{
    return httpAnswer("200 OK", "text/event-stream", events);
}
