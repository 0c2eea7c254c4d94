// SPDX-License-Identifier: Apache-2.0
#include "core/toolchain/target_matrix.h"

#include "core/ptx/isa_table.h"
#include "core/ptx/outline.h"
#include "core/toolchain/causes.h"
#include "core/toolchain/fix_makers.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace ptxwb {

namespace {

TargetAnswer answerOf(const CompileOutcome& outcome)
{
    TargetAnswer answer{.ok = outcome.ok};
    for (const auto& said : outcome.diagnostics) {
        const bool isError = said.severity == Severity::Error || said.severity == Severity::Fatal;
        if (!outcome.ok && isError && said.rootCause) {
            answer.cause = said;
            break;
        }
    }
    return answer;
}

bool namesBlockedInstruction(const Diagnostic& said)
{
    const std::string_view message = said.message;
    return message.find("not supported on .target") != std::string_view::npos
        || message.find("requires .target") != std::string_view::npos
        || (said.line && message.find("cannot be compiled for architecture") != std::string_view::npos);
}

std::string_view baseOf(std::string_view opcode)
{
    return opcode.substr(0, opcode.find('.'));
}

/// The instruction on `line` that a message quotes by its opcode ("cvt with .e4m3x2") or a modifier
/// (".tf32"), as the file writes it; empty where there is none.
std::string_view writtenOpcode(const PtxOutline& outline, std::optional<int> line, std::string_view quoted)
{
    for (const auto& function : outline.functions) {
        for (const auto& instruction : function.instructions) {
            if (instruction.range.line == line
                && (quoted.starts_with('.') ? instruction.opcode.find(quoted) != std::string_view::npos
                                            : baseOf(instruction.opcode) == baseOf(quoted))) {
                return instruction.opcode;
            }
        }
    }
    return {};
}

/// What a message says that the target lacks: the opcode as the tool names it, of an ordinary instruction as
/// the file writes it (what is refused of `cvt` is one of its types). Empty when another message says it.
std::string blockedOpcode(const Diagnostic& said, const PtxOutline& outline)
{
    const auto all = detail::quotedText(said.message);
    const auto quoted = all.substr(0, all.find(' '));
    const auto written = writtenOpcode(outline, said.line, quoted);
    if (quoted.starts_with('.')) {
        return ptxFamilyOf(written) == PtxFamily::Ordinary ? std::string(written) : std::string();
    }
    return std::string(
        written.empty() || ptxFamilyOf(quoted) != PtxFamily::Ordinary ? quoted : std::string_view(written));
}

/// The families of tensor work and copies by name; an ordinary instruction is a family with its like: "cvt".
std::string blockedFamily(std::string_view opcode)
{
    const auto family = ptxFamilyOf(opcode);
    return std::string(family == PtxFamily::Ordinary ? baseOf(opcode) : ptxFamilyName(family));
}

std::vector<BlockingFamily> blockingOf(const CompileOutcome& outcome, const PtxOutline& outline)
{
    std::vector<BlockingFamily> families;
    for (const auto& said : outcome.diagnostics) {
        if (!namesBlockedInstruction(said)) {
            continue;
        }
        const auto opcode = blockedOpcode(said, outline);
        if (opcode.empty()) {
            continue;
        }
        const auto family = blockedFamily(opcode);
        auto found = std::find_if(families.begin(), families.end(),
            [&](const BlockingFamily& one) { return one.family == family; });
        if (found == families.end()) {
            found = families.insert(families.end(), {.family = family});
        }
        const BlockingInstruction one{opcode, said.line}; // ptxas may say it in two ways
        if (std::find(found->instructions.begin(), found->instructions.end(), one)
            == found->instructions.end()) {
            found->instructions.push_back(one);
        }
    }
    return families;
}

// The copy for a target. Its .version is the file's own, or the first that knows the target.
struct Copy {
    std::string text{};
    std::string version{};
};

Copy retarget(
    const std::string& text, const PtxOutline& outline, const std::string& target, const IsaTable* isa)
{
    Copy made{.version = outline.version.value_or("")};
    const auto floor = isa != nullptr ? isa->minPtxOfTarget(target) : std::string_view{};
    if (!floor.empty() && detail::isLaterVersion(floor, made.version)) {
        made.version = std::string(floor);
    }
    Fix edits;
    const auto replace = [&](const TextRange& range, const std::string& by) {
        edits.edits.push_back({range.line, range.column, range.endLine, range.endColumn, by});
    };
    if (outline.version && made.version != *outline.version) {
        replace(outline.versionRange, made.version);
    }
    if (outline.target && *outline.target != target) {
        replace(outline.targetRange, target);
    }
    made.text = applyFix(text, edits);
    return made;
}

/// One build. Where the copy is the file as written, one build is both answers.
struct Piece {
    TargetRow* row = nullptr;
    bool isWritten = false;
    bool isCopy = false;
};

} // namespace

std::string retargetedPtx(const std::string& text, const std::string& target)
{
    const auto isa = IsaTable::shared();
    return retarget(text, outlinePtx(text), target, isa ? *isa : nullptr).text;
}

Result<std::vector<TargetRow>> compileForAllTargets(
    const Compiler& compiler, const CompileRequest& request, std::stop_token stop)
{
    const auto& targets = compiler.toolchain().targets;
    if (targets.empty()) {
        return Error{.code = ErrorCode::MissingTool,
            .message = "no ptxas here lists its targets",
            .hint = howToGet(ToolKind::Ptxas)};
    }
    const bool isPtx = request.language == Language::Ptx;
    const PtxOutline outline = isPtx ? outlinePtx(request.text) : PtxOutline{};
    const auto isa = IsaTable::shared();

    const auto copyFor = [&](const std::string& target) {
        return retarget(request.text, outline, target, isa ? *isa : nullptr);
    };

    // Every build is a piece of work of its own, so that no worker ends long before the other.
    std::vector<TargetRow> rows(targets.size());
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        rows[i].target = targets[i];
        pieces.push_back({.row = &rows[i], .isWritten = true, .isCopy = true});
        if (!isPtx) {
            continue;
        }
        auto copy = copyFor(targets[i]);
        rows[i].ptxVersion = std::move(copy.version);
        if (copy.text != request.text) {
            pieces.back().isCopy = false;
            pieces.push_back({.row = &rows[i], .isCopy = true});
        }
    }
    std::atomic<std::size_t> next{0};
    std::mutex guard;
    std::optional<Error> failed;
    const auto work = [&]() {
        for (auto i = next++; i < pieces.size(); i = next++) {
            const auto& piece = pieces[i];
            auto asked = request;
            asked.target = piece.row->target;
            if (!piece.isWritten) {
                asked.text = copyFor(*asked.target).text;
            }
            asked.proveFixes = false; // nobody sees them
            const auto made = compiler.compile(asked, stop);
            if (!made) {
                const std::lock_guard lock(guard);
                failed = made.error();
                next = pieces.size();
                return;
            }
            if (piece.isWritten) {
                piece.row->asWritten = answerOf(*made);
            }
            if (piece.isCopy) {
                piece.row->retargeted = answerOf(*made);
                piece.row->blocking = blockingOf(*made, outline);
            }
        }
    };
    {
        std::jthread second(work);
        work();
    }
    if (failed) {
        return *failed;
    }
    return rows;
}

} // namespace ptxwb
