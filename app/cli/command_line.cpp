// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command_line.h"

#include "core/support/output.h"
#include "core/toolchain/crash_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <unistd.h>

namespace ptxwb::cli {

void Session::progress(std::string_view line) const
{
    if (!quiet) {
        std::fputs(fmt::format("{}\n", line).c_str(), stderr); // fmt::print throws where stderr is closed
    }
}

int exitStatusOf(const Error& error)
{
    switch (error.code) {
    case ErrorCode::InvalidArgument:
    case ErrorCode::NotFound:
    case ErrorCode::Unreadable:
        return WrongUsage;
    case ErrorCode::BadFormat:
    case ErrorCode::ToolFailed:
        return DoesNotHold;
    case ErrorCode::MissingTool:
    case ErrorCode::Unavailable:
    case ErrorCode::Unsupported:
    case ErrorCode::Network:
    case ErrorCode::DiskFull:
        return Missing;
    case ErrorCode::Cancelled:
        return Interrupted;
    case ErrorCode::ToolCrashed:
    case ErrorCode::TimedOut:
    case ErrorCode::Protocol:
    case ErrorCode::Internal:
        break;
    }
    return InternalError;
}

int Session::fail(const Error& error) const
{
    if (json) {
        using Json = nlohmann::ordered_json;
        Json document{{"schema", "ptxwb.error.v1"},
            {"error",
                {{"code", errorCodeName(error.code)}, {"message", error.message}, {"hint", error.hint},
                    {"path", error.path.empty() ? Json(nullptr) : Json(error.path)},
                    {"line", error.line ? Json(*error.line) : Json(nullptr)},
                    {"json_path", error.jsonPath.empty() ? Json(nullptr) : Json(error.jsonPath)}}}};
        if (error.code == ErrorCode::ToolCrashed) {
            const auto bundle = crashBundleOf(error);
            document["error"]["bundle"] = bundle ? Json(*bundle) : Json(nullptr);
        }
        return print(
            document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n', exitStatusOf(error));
    }
    auto shown = error;
    if (crashBundleOf(error)) {
        shown.path.clear(); // the message names it
    }
    std::fputs(fmt::format("ptxwb: {}\n", describe(shown)).c_str(), stderr);
    return exitStatusOf(error);
}

int Session::print(std::string_view answer, int status) const
{
    // The answer to Ctrl+C is still to be printed, though the stop is set.
    const auto written =
        writeTo(STDOUT_FILENO, answer, "<stdout>", status == Interrupted ? std::stop_token() : stop);
    if (written) {
        return status;
    }
    // Not by fail(): its document would go to the same place.
    std::fputs(fmt::format("ptxwb: {}\n", describe(written.error())).c_str(), stderr);
    return exitStatusOf(written.error());
}

} // namespace ptxwb::cli
