// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

/// A TCP server on 127.0.0.1 that answers each connection with the next of its scripted answers, in pieces of
/// a chosen size, and keeps what it was sent.
class ScriptedServer {
public:
    enum class End {
        Close, ///< orderly
        Reset, ///< RST in the middle of whatever is there
        HoldOpen, ///< silence until the client goes or the server is destroyed
    };
    struct Answer {
        std::string bytes{}; ///< head and body as they go over the wire
        std::size_t pieceBytes = 1U << 20;
        End end = End::Close;
        std::chrono::microseconds pauseBetweenPieces{0};
    };

    explicit ScriptedServer(std::vector<Answer> answers);
    ~ScriptedServer();
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    std::string baseUrl() const;
    std::vector<std::string> requests() const; ///< head and body of each, as received
    bool clientWentAway() const; ///< in the connection that is or was held open

private:
    void serve(std::stop_token stop);
    void answerOne(int client, const Answer& answer, const std::stop_token& stop);

    std::vector<Answer> m_answers;
    int m_listener = -1;
    int m_port = 0;
    mutable std::mutex m_mutex;
    std::vector<std::string> m_requests;
    bool m_clientWentAway = false;
    std::jthread m_thread;
};

/// An answer with an event stream as its body.
std::string eventStream(const std::string& events);
/// An answer of any kind; `extraHeaders` are whole lines with their ends.
std::string httpAnswer(const std::string& status, const std::string& contentType, const std::string& body,
    const std::string& extraHeaders = {});
