// SPDX-License-Identifier: Apache-2.0
#include "core/records/triage_run.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace ptxwb::records {

namespace {

// What the working threads share.
class Work {
public:
    Work(AnswerSource source, const TriageSettings& settings, const Compiler& compiler, TriageLog* log,
        const std::function<void(const TriageProgress&)>& onRow, const std::stop_token& stop)
        : m_source(std::move(source))
        , m_settings(settings)
        , m_compiler(compiler)
        , m_log(log)
        , m_onRow(onRow)
        , m_userStop(stop)
        , m_forward(stop, [this] { m_stop.request_stop(); })
    {
    }

    void operator()()
    {
        const auto stop = m_stop.get_token();
        while (true) {
            const auto taken = take(stop);
            if (!taken) {
                return;
            }
            const auto& [number, answer] = *taken;
            if (const auto* known = knownRow(answer)) {
                add(number, *known);
                continue;
            }
            auto row = triageAnswer(answer, m_settings, m_compiler, stop);
            if (row) {
                add(number, *std::move(row));
            } else {
                fail(row.error());
                return;
            }
        }
    }

    Result<TriageRun> result()
    {
        if (m_failure && m_failure->code != ErrorCode::Cancelled) {
            return *m_failure;
        }
        std::sort(
            m_rows.begin(), m_rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        TriageRun run{.files = m_source.files(), .stopped = m_userStop.stop_requested()};
        run.rows.reserve(m_rows.size());
        for (auto& [number, row] : m_rows) {
            run.rows.push_back(std::move(row));
        }
        return run;
    }

private:
    std::optional<std::pair<int, Answer>> take(const std::stop_token& stop)
    {
        const std::lock_guard lock(m_sourceMutex);
        if (stop.stop_requested()) {
            return std::nullopt;
        }
        auto answer = m_source.next(stop);
        return answer ? std::optional(std::pair(m_taken++, *std::move(answer))) : std::nullopt;
    }

    const TriageRow* knownRow(const Answer& answer) const
    {
        return m_log == nullptr || answer.problem
            ? nullptr
            : m_log->find(identify(answer, m_settings, m_compiler.toolchain()).key);
    }

    void add(int number, TriageRow row)
    {
        std::size_t filesRead = 0;
        {
            const std::lock_guard lock(m_sourceMutex);
            filesRead = m_source.filesRead();
        }
        const std::lock_guard lock(m_rowMutex);
        if (m_log != nullptr && !row.fromLog) {
            if (auto written = m_log->append(row); !written) {
                m_failure = written.error();
                m_stop.request_stop();
                return;
            }
        }
        m_rows.emplace_back(number, std::move(row));
        if (m_onRow) {
            m_onRow({.rows = static_cast<int>(m_rows.size()),
                .filesRead = static_cast<int>(filesRead),
                .files = static_cast<int>(m_source.files().files.size()),
                .row = &m_rows.back().second});
        }
    }

    void fail(const Error& error)
    {
        const std::lock_guard lock(m_rowMutex);
        if (!m_failure) {
            m_failure = error;
        }
        m_stop.request_stop();
    }

    AnswerSource m_source;
    const TriageSettings& m_settings;
    const Compiler& m_compiler;
    TriageLog* m_log;
    const std::function<void(const TriageProgress&)>& m_onRow;
    std::stop_token m_userStop;
    std::stop_source m_stop;
    std::mutex m_sourceMutex;
    std::mutex m_rowMutex;
    int m_taken = 0;
    std::vector<std::pair<int, TriageRow>> m_rows;
    std::optional<Error> m_failure;
    std::stop_callback<std::function<void()>> m_forward;
};

} // namespace

Result<TriageRun> runTriage(AnswerSource source, const TriageSettings& settings, const Compiler& compiler,
    int jobs, TriageLog* log, const std::function<void(const TriageProgress&)>& onRow,
    const std::stop_token& stop)
{
    if (jobs <= 0) {
        jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    }
    Work work(std::move(source), settings, compiler, log, onRow, stop);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < jobs; ++i) {
            threads.emplace_back([&work] { work(); });
        }
    }
    auto run = work.result();
    if (run) {
        run->sandboxed = settings.sandboxed;
    }
    return run;
}

} // namespace ptxwb::records
