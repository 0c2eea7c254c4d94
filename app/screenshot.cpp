// SPDX-License-Identifier: Apache-2.0
#include "app/screenshot.h"

#include "app/main_window.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>

#include <cstdio>
#include <memory>

namespace ptxwb {

namespace {

constexpr int pollMs = 50;
constexpr int calmPolls = 6; ///< idle for this many polls in a row: layouts and deferred paints are done
constexpr qint64 patienceMs = 120'000;

void end(int status, const QString& message)
{
    if (!message.isEmpty()) {
        std::fprintf(stderr, "ptx-workbench: %s\n", qPrintable(message));
    }
    QCoreApplication::exit(status);
}

} // namespace

void takeScreenshot(MainWindow& window, const QString& path)
{
    auto* poll = new QTimer(&window);
    auto calm = std::make_shared<int>(0);
    auto clock = std::make_shared<QElapsedTimer>();
    clock->start();
    QObject::connect(poll, &QTimer::timeout, &window, [&window, poll, calm, clock, path] {
        *calm = window.isIdle() ? *calm + 1 : 0;
        if (*calm < calmPolls) {
            if (clock->elapsed() > patienceMs) {
                poll->stop();
                end(4, QStringLiteral("the window was still busy after two minutes; no picture was taken"));
            }
            return;
        }
        poll->stop();
        if (const QString problem = window.startProblem(); !problem.isEmpty()) {
            end(2, problem + QStringLiteral(" No picture was taken."));
            return;
        }
        if (window.grab().save(path)) {
            end(0, {});
        } else {
            end(4,
                QStringLiteral("the picture cannot be written to %1; is the folder there and writable?")
                    .arg(path));
        }
    });
    poll->start(pollMs);
}

} // namespace ptxwb
