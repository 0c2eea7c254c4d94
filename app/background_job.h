// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace ptxwb {

/// One kind of background work. Each start runs on a thread of its own and ends in exactly one `ended` signal
/// on the GUI thread. A new start supersedes the one before: that one is asked to stop, ends as Superseded,
/// and its result never lands. Destruction asks everything to stop and joins it.
class BackgroundJob : public QObject {
    Q_OBJECT
public:
    enum class Ending {
        Landed, ///< the result was handed over
        Cancelled, ///< by the user; not a failure
        Superseded, ///< a newer start took its place
    };
    Q_ENUM(Ending)

    using QObject::QObject;
    ~BackgroundJob() override;

    /// `work` runs on its thread and should look at the token between slow steps; `land` gets its result on
    /// the GUI thread. The work must own what it uses. Returns the number that `ended` will carry.
    template <class T> int start(std::function<T(std::stop_token)> work, std::function<void(T)> land)
    {
        return startThread([work = std::move(work), land = std::move(land)](std::stop_token stop) -> Landing {
            auto result = std::make_shared<T>(work(stop));
            return [result, land] { land(std::move(*result)); };
        });
    }

    /// Ends the present run as Cancelled. Its result does not land, even if it was on its way.
    void cancel();
    bool isRunning() const { return m_current != 0; }

signals:
    void started(int number);
    void ended(int number, ptxwb::BackgroundJob::Ending ending);

private:
    using Landing = std::function<void()>;
    struct Run {
        int number = 0;
        std::jthread thread{};
        std::optional<Ending> decided{}; ///< set when it was cancelled or superseded
    };

    int startThread(std::function<Landing(std::stop_token)> work);
    void decide(Ending ending);
    void finish(int number, const Landing& landing);

    std::list<Run> m_runs;
    int m_current = 0;
    int m_lastNumber = 0;
};

} // namespace ptxwb
