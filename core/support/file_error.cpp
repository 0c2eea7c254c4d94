// SPDX-License-Identifier: Apache-2.0
#include "core/support/file_error.h"

#include <cerrno>
#include <cstring>

namespace ptxwb::detail {

Error fileError(std::string_view path, int number, std::string_view what)
{
    Error error{.code = ErrorCode::Unreadable,
        .message = std::string(what) + ": " + std::strerror(number),
        .path = std::string(path)};
    switch (number) {
    case ENOENT:
        error.code = ErrorCode::NotFound;
        error.hint = "check the name";
        break;
    case ENOSPC:
    case EDQUOT:
        error.code = ErrorCode::DiskFull;
        error.hint = "free some space; nothing was overwritten";
        break;
    case EISDIR:
        error.hint = "name a file in it";
        break;
    case EBADF:
        error.hint = "it is closed";
        break;
    case EPIPE:
        error.hint = "nobody reads it any more";
        break;
    default:
        break;
    }
    return error;
}

} // namespace ptxwb::detail
