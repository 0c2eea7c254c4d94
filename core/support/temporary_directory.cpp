// SPDX-License-Identifier: Apache-2.0
#include "core/support/temporary_directory.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

namespace ptxwb {

Result<TemporaryDirectory> TemporaryDirectory::create(std::string_view prefix)
{
    const char* base = std::getenv("TMPDIR");
    std::string pattern = base != nullptr && *base != '\0' ? base : "/tmp";
    pattern += '/';
    pattern += prefix;
    pattern += "-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) {
        const int number = errno;
        return Error{
            .code = number == ENOSPC || number == EDQUOT ? ErrorCode::DiskFull : ErrorCode::Unreadable,
            .message = std::string("cannot make a temporary directory: ") + std::strerror(number),
            .hint = "free some space, or point TMPDIR at a writable directory",
            .path = pattern};
    }
    return TemporaryDirectory(pattern);
}

TemporaryDirectory::TemporaryDirectory(std::filesystem::path path)
    : m_path(std::move(path))
{
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : m_path(std::exchange(other.m_path, {}))
{
}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept
{
    std::swap(m_path, other.m_path);
    return *this;
}

TemporaryDirectory::~TemporaryDirectory()
{
    if (!m_path.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
}

} // namespace ptxwb
