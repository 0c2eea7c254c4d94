// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/background_job.h"
#include "app/build.h"
#include "core/sass/diff.h"

#include <QObject>

#include <memory>

namespace ptxwb {

/// Two builds side by side, and how they differ.
struct Comparison {
    std::shared_ptr<const Build> a{};
    std::shared_ptr<const Build> b{};
    SassDiff diff{};
};

/// Makes comparisons in the background.
class ComparisonController : public QObject {
    Q_OBJECT
public:
    explicit ComparisonController(QObject* parent = nullptr);

    /// Which of the two is A, what the changes start from.
    enum class Order { FileFirst, BufferFirst };

    /// Builds the file as the text of the editor was built (target and options), then compares.
    void compareWithFile(std::shared_ptr<const Compiler> compiler, const QString& path,
        const BuildRequest& buffer, Order order);
    void compareBuilds(std::shared_ptr<const Build> a, std::shared_ptr<const Build> b);
    void cancel() { m_job->cancel(); }
    bool isRunning() const { return m_job->isRunning(); }

signals:
    void compared(std::shared_ptr<const ptxwb::Comparison> comparison);
    void failed(const ptxwb::Error& error);

private:
    void land(Result<Comparison> result);

    BackgroundJob* m_job;
};

} // namespace ptxwb
