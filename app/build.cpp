// SPDX-License-Identifier: Apache-2.0
#include "app/build.h"

#include "core/evaluation/line_links.h"
#include "core/support/sha256.h"
#include "core/toolchain/disassembler.h"

namespace ptxwb {

namespace {

std::string titleOf(const BuildRequest& request, const CompileOutcome& outcome)
{
    std::string title = request.compile.displayName;
    if (!outcome.target.empty()) {
        title += " (" + outcome.target + ")";
    }
    for (const std::string& option : outcome.options) {
        title += " " + option;
    }
    return title;
}

void addListing(Build& build, const Compiler& compiler, const BuildRequest& request,
    const std::filesystem::path& cacheDirectory, const std::stop_token& stop)
{
    const Artefact* cubin = build.compile.artefact("cubin");
    if (cubin == nullptr) {
        return;
    }
    Result<Disassembly> disassembly =
        disassembleCubin(compiler.toolchain(), cubin->bytes, cacheDirectory / "sass", stop);
    if (!disassembly) {
        build.listingFailure = disassembly.error();
        return;
    }
    build.disassembler = disassembly->tool;
    if (auto facts = readCubinFacts(cubin->bytes)) {
        build.facts = *std::move(facts);
    }
    Result<SassListing> listing = parseSassListing(std::move(disassembly->text));
    if (!listing) {
        build.listingFailure = listing.error();
        return;
    }
    build.listing = *std::move(listing);
    if (request.compile.language == Language::Ptx) {
        linkWgmmaLines(*build.listing, request.compile.text);
    } else if (const Artefact* ptx = build.compile.artefact("ptx")) {
        linkWgmmaLines(*build.listing, ptx->bytes);
    }
}

} // namespace

Build makeBuild(const Compiler& compiler, const BuildRequest& request,
    const std::filesystem::path& cacheDirectory, std::stop_token stop)
{
    Build build;
    build.revision = request.revision;
    build.sourceSha256 = sha256Hex(request.compile.text);
    build.source = request.compile.text;
    build.displayName = request.compile.displayName;
    build.title = request.compile.displayName;
    Result<CompileOutcome> outcome = compiler.compile(request.compile, stop);
    if (!outcome) {
        build.failure = outcome.error();
        return build;
    }
    build.compile = *std::move(outcome);
    build.title = titleOf(request, build.compile);
    if (build.compile.ok) {
        addListing(build, compiler, request, cacheDirectory, stop);
    }
    return build;
}

} // namespace ptxwb
