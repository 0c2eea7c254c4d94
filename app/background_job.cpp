// SPDX-License-Identifier: Apache-2.0
#include "app/background_job.h"

#include <algorithm>

namespace ptxwb {

BackgroundJob::~BackgroundJob()
{
    for (Run& run : m_runs) {
        run.thread.request_stop();
    }
    // Joined here, while this object can still take the posted results; they are dropped with it.
    m_runs.clear();
}

int BackgroundJob::startThread(std::function<Landing(std::stop_token)> work)
{
    decide(Ending::Superseded);
    const int number = ++m_lastNumber;
    m_current = number;
    Run& run = m_runs.emplace_back();
    run.number = number;
    run.thread = std::jthread([this, number, work = std::move(work)](std::stop_token stop) {
        Landing landing = work(stop);
        QMetaObject::invokeMethod(
            this, [this, number, landing = std::move(landing)] { finish(number, landing); },
            Qt::QueuedConnection);
    });
    emit started(number);
    return number;
}

void BackgroundJob::decide(Ending ending)
{
    const auto run = std::find_if(
        m_runs.begin(), m_runs.end(), [this](const Run& one) { return one.number == m_current; });
    if (m_current == 0 || run == m_runs.end()) {
        return;
    }
    run->decided = ending;
    run->thread.request_stop();
    const int number = m_current;
    m_current = 0;
    emit ended(number, ending);
}

void BackgroundJob::cancel()
{
    decide(Ending::Cancelled);
}

void BackgroundJob::finish(int number, const Landing& landing)
{
    const auto run =
        std::find_if(m_runs.begin(), m_runs.end(), [number](const Run& one) { return one.number == number; });
    const bool lands = !run->decided;
    m_runs.erase(run); // joins; the thread has nothing left to do
    if (!lands) {
        return;
    }
    m_current = 0;
    landing();
    emit ended(number, Ending::Landed);
}

} // namespace ptxwb
