// SPDX-License-Identifier: Apache-2.0
#include "core/support/error.h"

namespace ptxwb {

std::string_view errorCodeName(ErrorCode code)
{
    switch (code) {
    case ErrorCode::InvalidArgument:
        return "invalid_argument";
    case ErrorCode::NotFound:
        return "not_found";
    case ErrorCode::Unreadable:
        return "unreadable";
    case ErrorCode::BadFormat:
        return "bad_format";
    case ErrorCode::MissingTool:
        return "missing_tool";
    case ErrorCode::ToolFailed:
        return "tool_failed";
    case ErrorCode::ToolCrashed:
        return "tool_crashed";
    case ErrorCode::TimedOut:
        return "timed_out";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::DiskFull:
        return "disk_full";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::Unavailable:
        return "unavailable";
    case ErrorCode::Network:
        return "network";
    case ErrorCode::Protocol:
        return "protocol";
    case ErrorCode::Internal:
        return "internal";
    }
    return "internal";
}

std::string describe(const Error& error)
{
    std::string text;
    if (!error.path.empty()) {
        text += error.path;
        if (error.line) {
            text += ':' + std::to_string(*error.line);
        }
        text += ": ";
    } else if (error.line) {
        text += "line " + std::to_string(*error.line) + ": ";
    }
    if (!error.jsonPath.empty()) {
        text += error.jsonPath + ": ";
    }
    text += error.message;
    if (!error.hint.empty()) {
        text += " (" + error.hint + ')';
    }
    return text;
}

} // namespace ptxwb
