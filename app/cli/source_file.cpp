// SPDX-License-Identifier: Apache-2.0
#include "app/cli/source_file.h"

#include "core/support/files.h"

#include <array>
#include <cstdio>

namespace ptxwb::cli {

Result<SourceFile> readSource(const std::string& name)
{
    if (name == "-") {
        SourceFile source{.displayName = "<stdin>"};
        std::array<char, 65536> buffer;
        for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), stdin)) > 0;) {
            source.bytes.append(buffer.data(), got);
        }
        return source;
    }
    auto bytes = readFile(name);
    if (!bytes) {
        return bytes.error();
    }
    std::error_code ignored;
    const auto absolute = std::filesystem::absolute(name, ignored);
    return SourceFile{.displayName = name, .bytes = *std::move(bytes), .directory = absolute.parent_path()};
}

Result<Language> languageOfSource(const SourceFile& source)
{
    auto language = languageOf(source.displayName, source.bytes);
    if (!language && language.error().code == ErrorCode::Unsupported) {
        // Not this machine but the content is the reason.
        Error error = language.error();
        error.code = ErrorCode::BadFormat;
        return error;
    }
    return language;
}

Result<void> keepsInput(const std::string& input, const std::string& output)
{
    std::error_code ignored;
    if (!output.empty() && std::filesystem::equivalent(input, output, ignored)) {
        return Error{.code = ErrorCode::InvalidArgument,
            .message = "the input file is never changed",
            .hint = "name another file after -o",
            .path = output};
    }
    return {};
}

} // namespace ptxwb::cli
