// SPDX-License-Identifier: Apache-2.0
#include "app/cli/source_file.h"

#include "core/support/input.h"

namespace ptxwb::cli {

Result<SourceFile> readSource(const std::string& name, const Session& session, bool binaries)
{
    InputLimits limits;
    if (binaries) {
        limits.binaryBytes = 2048 * mebibyte; // shared objects of libraries are that large
    }
    const bool isStdin = name == "-";
    auto bytes = isStdin ? readStandardInput(limits, session.stop) : readInput(name, limits, session.stop);
    if (!bytes) {
        return bytes.error();
    }
    SourceFile source{.displayName = isStdin ? "<stdin>" : name, .bytes = *std::move(bytes)};
    if (!isStdin) {
        std::error_code ignored;
        source.directory = std::filesystem::absolute(name, ignored).parent_path();
    }
    return source;
}

bool isFatbin(std::string_view bytes)
{
    return bytes.starts_with("\x50\xed\x55\xba"); // 0xba55ed50, as nvcc -fatbin writes it
}

Result<Language> languageOfSource(const SourceFile& source)
{
    if (isFatbin(source.bytes)) {
        return Error{.code = ErrorCode::BadFormat,
            .message = "this is a fatbin: code that is compiled already",
            .hint = "name the PTX or CUDA source; ptxwb sass and ptxwb diff read a fatbin",
            .path = source.displayName};
    }
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
