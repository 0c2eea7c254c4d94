// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/file_stamp.h"

#include <fmt/format.h>

#include <sys/stat.h>

namespace ptxwb::detail {

std::string fileStamp(const std::filesystem::path& path)
{
    struct stat info { };
    if (::stat(path.c_str(), &info) != 0) {
        return {};
    }
    return fmt::format("{}:{}:{}:{}.{:09}:{}.{:09}", info.st_dev, info.st_ino, info.st_size,
        info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

} // namespace ptxwb::detail
