// SPDX-License-Identifier: Apache-2.0
#include "app/live_registers_controller.h"

#include "app/build_controller.h"
#include "core/sass/live_registers.h"
#include "core/support/files.h"
#include "core/toolchain/disassembler.h"

namespace ptxwb {

LiveRegistersController::LiveRegistersController(BuildController& builds, QObject* parent)
    : QObject(parent)
    , m_builds(builds)
    , m_job(new BackgroundJob(this))
{
    connect(&m_builds, &BuildController::buildStarted, m_job, &BackgroundJob::cancel);
    connect(&m_builds, &BuildController::buildFinished, this, &LiveRegistersController::read);
}

void LiveRegistersController::read()
{
    const std::shared_ptr<const Build> build = m_builds.current();
    if (!m_compiler || !build->listing) {
        return;
    }
    m_job->start<Result<SassListing>>(
        [compiler = m_compiler, build](std::stop_token stop) -> Result<SassListing> {
            const Artefact* cubin = build->compile.artefact("cubin");
            if (cubin == nullptr) {
                return Error{.code = ErrorCode::NotFound, .message = "the build left no cubin"};
            }
            if (const std::optional<std::string> slow = liveRegistersTakeLong(*build->listing)) {
                return Error{
                    .code = ErrorCode::NotFound, .message = *slow + "; \"ptxwb sass --live\" reads them"};
            }
            const Result<std::string> table =
                liveRegisterTable(compiler->toolchain(), cubin->bytes, userCacheDirectory() / "sass", stop);
            if (!table) {
                return table.error();
            }
            SassListing listing = *build->listing;
            const Result<int> joined = joinLiveRegisters(listing, *table);
            if (!joined) {
                return joined.error();
            }
            return listing;
        },
        [this](Result<SassListing> listing) {
            if (listing) {
                emit ready(*listing);
            } else {
                emit failed(listing.error());
            }
        });
}

} // namespace ptxwb
