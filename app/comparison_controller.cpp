// SPDX-License-Identifier: Apache-2.0
#include "app/comparison_controller.h"

#include "core/support/files.h"
#include "core/support/input.h"

#include <algorithm>
#include <utility>

namespace ptxwb {

namespace {

Error withoutListing(const Build& build)
{
    if (build.failure) {
        return *build.failure;
    }
    if (build.listingFailure) {
        return *build.listingFailure;
    }
    Error error;
    error.code = ErrorCode::BadFormat;
    error.path = build.title;
    error.message = "it does not compile, so there is no SASS to compare";
    const auto& all = build.compile.diagnostics;
    const auto root = std::find_if(all.begin(), all.end(),
        [](const Diagnostic& one) { return one.rootCause && one.severity <= Severity::Error; });
    if (root != all.end()) {
        error.message += ": " + root->message;
        error.line = root->line;
    }
    return error;
}

Result<Comparison> compare(std::shared_ptr<const Build> a, std::shared_ptr<const Build> b)
{
    for (const auto& side : {a, b}) {
        if (!side->listing) {
            return withoutListing(*side);
        }
    }
    Comparison comparison;
    comparison.diff = diffListings(*a->listing, *b->listing);
    if (a->facts && b->facts) {
        addFactDifferences(comparison.diff, *a->facts, *b->facts);
    }
    comparison.a = std::move(a);
    comparison.b = std::move(b);
    return comparison;
}

} // namespace

ComparisonController::ComparisonController(QObject* parent)
    : QObject(parent)
    , m_job(new BackgroundJob(this))
{
}

void ComparisonController::compareWithFile(
    std::shared_ptr<const Compiler> compiler, const QString& path, const BuildRequest& buffer, Order order)
{
    m_job->start<Result<Comparison>>(
        [compiler = std::move(compiler), path = path.toStdString(), buffer, order](
            std::stop_token stop) -> Result<Comparison> {
            const Result<std::string> bytes = readInput(path, {}, stop);
            if (!bytes) {
                return bytes.error();
            }
            const Result<Language> language = languageOf(path, *bytes);
            if (!language) {
                return language.error();
            }
            BuildRequest file = buffer;
            file.compile.text = *bytes;
            file.compile.language = *language;
            file.compile.displayName = std::filesystem::path(path).filename().string();
            file.compile.directory = std::filesystem::path(path).parent_path();
            auto a = std::make_shared<const Build>(makeBuild(*compiler, file, userCacheDirectory(), stop));
            auto b = std::make_shared<const Build>(makeBuild(*compiler, buffer, userCacheDirectory(), stop));
            if (order == Order::BufferFirst) {
                std::swap(a, b);
            }
            return compare(std::move(a), std::move(b));
        },
        [this](Result<Comparison> result) { land(std::move(result)); });
}

void ComparisonController::compareBuilds(std::shared_ptr<const Build> a, std::shared_ptr<const Build> b)
{
    m_job->start<Result<Comparison>>(
        [a = std::move(a), b = std::move(b)](std::stop_token) { return compare(a, b); },
        [this](Result<Comparison> result) { land(std::move(result)); });
}

void ComparisonController::land(Result<Comparison> result)
{
    if (result) {
        emit compared(std::make_shared<const Comparison>(*std::move(result)));
    } else {
        emit failed(result.error());
    }
}

} // namespace ptxwb
