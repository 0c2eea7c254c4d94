// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/background_job.h"
#include "app/build.h"

#include <QElapsedTimer>

#include <functional>
#include <memory>

class QTimer;

namespace ptxwb {

/// Compiles the editor's text: on demand, and a moment after each edit. The newest text wins; the result of
/// an older one never lands.
class BuildController : public QObject {
    Q_OBJECT
public:
    /// `currentRequest` reads the editor on the GUI thread.
    BuildController(std::function<BuildRequest()> currentRequest, QObject* parent = nullptr);

    void setCompiler(std::shared_ptr<const Compiler> compiler);
    void setLive(bool on);
    /// How long after the last edit a live compile starts.
    void setDelay(int ms);

    /// The text or a choice that it depends on changed.
    void scheduleBuild();
    void buildNow();
    void cancel();
    bool isBusy() const;
    /// The last build to land was asked for; false for one that followed an edit by itself.
    bool wasAskedFor() const { return m_currentAsked; }

    /// The last build that landed; null before the first.
    std::shared_ptr<const Build> current() const { return m_current; }
    /// The last good build of another text than the current one, for deltas and comparison; may be null.
    std::shared_ptr<const Build> previous() const { return m_previous; }

signals:
    void buildStarted();
    void buildFinished();
    void buildCancelled();

private:
    void start(bool asked);
    void land(Build build, bool asked);

    std::function<BuildRequest()> m_currentRequest;
    std::shared_ptr<const Compiler> m_compiler;
    BackgroundJob* m_job;
    QTimer* m_delay;
    std::shared_ptr<const Build> m_current;
    std::shared_ptr<const Build> m_lastGood;
    std::shared_ptr<const Build> m_previous;
    bool m_live = true;
    bool m_currentAsked = true;
    bool m_wanted = false; ///< asked for before the compiler was found
};

} // namespace ptxwb
