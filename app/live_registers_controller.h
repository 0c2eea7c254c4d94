// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/background_job.h"
#include "app/build.h"

#include <QObject>

#include <memory>

namespace ptxwb {

class BuildController;

/// Reads the live registers of each good build, behind it: a second pass of nvdisasm that the listing need
/// not wait for. The newest build wins.
class LiveRegistersController : public QObject {
    Q_OBJECT
public:
    LiveRegistersController(BuildController& builds, QObject* parent = nullptr);

    void setCompiler(std::shared_ptr<const Compiler> compiler) { m_compiler = std::move(compiler); }
    bool isRunning() const { return m_job->isRunning(); }

signals:
    /// The build's listing with its live registers.
    void ready(const ptxwb::SassListing& listing);
    void failed(const ptxwb::Error& error);

private:
    void read();

    BuildController& m_builds;
    std::shared_ptr<const Compiler> m_compiler;
    BackgroundJob* m_job;
};

} // namespace ptxwb
