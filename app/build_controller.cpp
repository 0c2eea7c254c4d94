// SPDX-License-Identifier: Apache-2.0
#include "app/build_controller.h"

#include "core/support/files.h"

#include <QTimer>

namespace ptxwb {

BuildController::BuildController(std::function<BuildRequest()> currentRequest, QObject* parent)
    : QObject(parent)
    , m_currentRequest(std::move(currentRequest))
    , m_job(new BackgroundJob(this))
    , m_delay(new QTimer(this))
{
    m_delay->setSingleShot(true);
    m_delay->setInterval(300);
    connect(m_delay, &QTimer::timeout, this, [this] { start(false); });
    connect(m_job, &BackgroundJob::ended, this, [this](int, BackgroundJob::Ending ending) {
        if (ending == BackgroundJob::Ending::Cancelled) {
            emit buildCancelled();
        }
    });
}

void BuildController::setCompiler(std::shared_ptr<const Compiler> compiler)
{
    m_compiler = std::move(compiler);
    if (m_wanted) {
        buildNow();
    }
}

void BuildController::setLive(bool on)
{
    m_live = on;
    if (!on) {
        m_delay->stop();
    }
}

void BuildController::setDelay(int ms)
{
    m_delay->setInterval(ms);
}

void BuildController::scheduleBuild()
{
    // What runs now was asked for a text that is no more.
    if (m_job->isRunning()) {
        m_job->cancel();
    }
    if (m_live) {
        m_delay->start();
    }
}

void BuildController::buildNow()
{
    start(true);
}

void BuildController::start(bool asked)
{
    m_delay->stop();
    if (!m_compiler) {
        m_wanted = true;
        return;
    }
    m_wanted = false;
    m_job->start<Build>(
        [compiler = m_compiler, request = m_currentRequest()](
            std::stop_token stop) { return makeBuild(*compiler, request, userCacheDirectory(), stop); },
        [this, asked](Build build) { land(std::move(build), asked); });
    emit buildStarted();
}

void BuildController::cancel()
{
    m_delay->stop();
    m_wanted = false;
    m_job->cancel();
}

bool BuildController::isBusy() const
{
    return m_job->isRunning() || m_delay->isActive() || m_wanted;
}

void BuildController::land(Build build, bool asked)
{
    m_currentAsked = asked;
    m_current = std::make_shared<const Build>(std::move(build));
    if (m_current->compile.ok) {
        if (m_lastGood && m_lastGood->sourceSha256 != m_current->sourceSha256) {
            m_previous = m_lastGood;
        }
        m_lastGood = m_current;
    }
    emit buildFinished();
}

} // namespace ptxwb
