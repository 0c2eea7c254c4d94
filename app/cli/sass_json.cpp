// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sass_json.h"

#include "app/cli/sass_selection.h"
#include "core/sass/control_flow.h"
#include "core/sass/diff_text.h"
#include "core/sass/kernel_summary.h"
#include "core/sass/live_registers.h"
#include "core/sass/occupancy.h"
#include "core/sass/opcode_reading.h"
#include "core/sass/scoreboards.h"
#include "core/support/kernel_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;

Json familyNames(FamilySet set)
{
    Json names = Json::array();
    for (const auto family : allSassFamilies()) {
        if (contains(set, family)) {
            names.push_back(sassFamilyName(family));
        }
    }
    return names;
}

Json demangledOrNull(std::string_view name)
{
    const auto written = demangled(name);
    return written.empty() ? Json(nullptr) : Json(written);
}

Json lineOrNull(int line)
{
    return line > 0 ? Json(line) : Json(nullptr);
}

/// What is worked out for a kernel as a whole and shown at its rows.
struct KernelContext {
    const SassKernel& kernel;
    ControlFlow flow{};
    std::vector<std::vector<ScoreboardWait>> waits{};
};

std::uint64_t addressOf(const KernelContext& context, int row)
{
    return context.kernel.instructions.at(static_cast<std::size_t>(row)).address;
}

Json waitsJson(const KernelContext& context, std::size_t row)
{
    Json waits = Json::array();
    for (const auto& wait : context.waits.at(row)) {
        Json setters = Json::array();
        for (const int setter : wait.setters) {
            setters.push_back(addressOf(context, setter));
        }
        const bool groups = wait.barrier == ScoreboardWait::groups;
        waits.push_back({{"kind", groups ? "wgmma_groups" : "scoreboard"},
            {"barrier", groups ? Json(nullptr) : Json(wait.barrier)}, {"set_by", setters},
            {"more", wait.more}});
    }
    return waits;
}

Json countsJson(const RowCounts& counts)
{
    return {{"rows", counts.rows}, {"tensor_products", counts.tensorProducts},
        {"tensor_waits", counts.tensorWaits}, {"tensor_fences", counts.tensorFences},
        {"mbarrier_waits", counts.mbarrierWaits}, {"tma_copies", counts.tmaCopies},
        {"cta_barriers", counts.ctaBarriers}, {"cluster_barriers", counts.clusterBarriers},
        {"local_accesses", counts.localAccesses}, {"async_copies", counts.asyncCopies},
        {"async_waits", counts.asyncWaits}, {"global_loads", counts.globalLoads},
        {"shared_loads", counts.sharedLoads}, {"stores", counts.stores}, {"atomics", counts.atomics}};
}

Json loopsJson(const KernelContext& context, const std::vector<LoopSummary>& loops)
{
    Json list = Json::array();
    for (const auto& loop : loops) {
        list.push_back({{"first_address", addressOf(context, loop.first)},
            {"last_address", addressOf(context, loop.last)}, {"counts", countsJson(loop.counts)},
            {"rows_out_of_line", loop.rowsOutOfLine}, {"stall_cycles", loop.stallCycles},
            {"stall_cycles_fewest", loop.fewestStallCycles},
            {"slots_between_products", loop.slotsBetweenProducts},
            {"waits_among_products", loop.waitsAmongProducts}});
    }
    return list;
}

Json occupancyJson(const KernelFacts* facts, std::string_view target)
{
    const auto occupancy = facts != nullptr ? occupancyOf(*facts, target) : std::nullopt;
    if (!occupancy) {
        return nullptr;
    }
    const auto orNull = [](const std::optional<int>& value) { return value ? Json(*value) : Json(nullptr); };
    Json limits = Json::array();
    for (const auto& limit : occupancy->limits) {
        limits.push_back({{"by", limit.by}, {"ctas", limit.ctas}});
    }
    return {{"warps_on_multiprocessor", occupancy->mostWarps},
        {"warps_by_registers", occupancy->warpsByRegisters}, {"threads", orNull(occupancy->threads)},
        {"threads_by",
            !occupancy->threads             ? Json(nullptr)
                : occupancy->threadsAreMost ? Json("maxntid")
                                            : Json("reqntid")},
        {"limits", limits}, {"ctas_at_most", orNull(occupancy->ctas)},
        {"warps_at_most", orNull(occupancy->warps)}, {"static_shared_bytes", facts->sharedBytes},
        {"dynamic_shared_bytes", nullptr}};
}

Json summaryJson(const InspectedFile& file, const KernelContext& context)
{
    const auto summary = summarise(context.kernel, context.flow);
    const auto live = mostLiveRegisters(context.kernel);
    return {{"counts", countsJson(summary.all)}, {"tensor_loops", loopsJson(context, summary.tensorLoops)},
        {"copy_loops", loopsJson(context, summary.copyLoops)},
        {"other_loops", loopsJson(context, summary.otherLoops)},
        {"occupancy", occupancyJson(factsOf(file, context.kernel), targetOf(file, context.kernel))},
        {"tensor_memory",
            summary.tensorColumns == 0
                ? Json(nullptr)
                : Json{{"columns", summary.tensorColumns}, {"more", summary.hasMoreTensorColumns}}},
        {"live_registers_max", live ? Json(*live) : Json(nullptr)}};
}

Json instructionJson(const SassListing& listing, const KernelContext& context, std::size_t index)
{
    const auto& instruction = context.kernel.instructions.at(index);
    const int loopDepth =
        context.flow.blocks.at(static_cast<std::size_t>(context.flow.blockOf.at(index))).loopDepth;
    Json row{{"address", instruction.address}, {"predicate", instruction.predicate},
        {"opcode", instruction.opcode}, {"operands", operandsShown(instruction)}};
    if (instruction.hasEncoding) {
        const auto control = decodeControl(instruction.encoding);
        row["encoding"] = {fmt::format("0x{:016x}", instruction.encoding[0]),
            fmt::format("0x{:016x}", instruction.encoding[1])};
        row["control"] = {{"stall", control.stall}, {"yield", control.yield},
            {"write_barrier", control.writeBarrier < 0 ? Json(nullptr) : Json(control.writeBarrier)},
            {"read_barrier", control.readBarrier < 0 ? Json(nullptr) : Json(control.readBarrier)},
            {"wait_mask", control.waitMask}, {"reuse", control.reuse}};
    } else {
        row["encoding"] = nullptr;
        row["control"] = nullptr;
    }
    row["ptx_line"] = lineOrNull(instruction.ptxLine);
    row["ptx_line_by"] =
        instruction.ptxLine == 0 ? Json(nullptr) : Json(instruction.lineInferred ? "ours" : "tool");
    row["source_line"] = lineOrNull(instruction.sourceLine);
    row["source_line_by"] =
        instruction.sourceLine == 0 ? Json(nullptr) : Json(instruction.lineInferred ? "ours" : "tool");
    if (instruction.sourceFile >= 0) {
        row["source_file"] = listing.files.at(static_cast<std::size_t>(instruction.sourceFile));
    }
    Json inlinedAt = Json::array();
    for (int i = 0; i < instruction.callerCount; ++i) {
        const auto& frame = listing.callers.at(static_cast<std::size_t>(instruction.firstCaller + i));
        inlinedAt.push_back(
            {{"file", listing.files.at(static_cast<std::size_t>(frame.file))}, {"line", frame.line}});
    }
    row["inlined_at"] = std::move(inlinedAt);
    row["families"] = familyNames(familiesOf(instruction.opcode));
    row["live_registers"] = instruction.liveRegisters < 0 ? Json(nullptr) : Json(instruction.liveRegisters);
    row["loop_depth"] = loopDepth;
    const int target = context.flow.target.at(index);
    row["branch_target"] = target < 0 ? Json(nullptr) : Json(addressOf(context, target));
    Json tableTargets = Json::array();
    for (const auto& [branch, targets] : context.flow.tables) {
        if (branch == static_cast<int>(index)) {
            for (const int place : targets) {
                tableTargets.push_back(addressOf(context, place));
            }
        }
    }
    row["branch_targets"] = std::move(tableTargets);
    row["waits_for"] = waitsJson(context, index);
    const auto reading = describeInstruction(instruction);
    row["reading"] = reading.empty() ? Json(nullptr) : Json(reading);
    return row;
}

Json countsJson(const FamilyCounts& counts)
{
    Json object = Json::object();
    for (const auto& [family, count] : counts) {
        object[std::string(sassFamilyName(family))] = count;
    }
    return object;
}

Json sideJson(const InspectedFile& file)
{
    return {{"title", file.title}, {"sha256", file.sha256}, {"target", file.target}};
}

const SassKernel* kernelAt(const SassListing& listing, int index)
{
    return index < 0 ? nullptr : &listing.kernels.at(static_cast<std::size_t>(index));
}

void addRow(Json& side, const SassKernel* kernel, int index)
{
    if (kernel != nullptr && index >= 0) {
        side.push_back(instructionText(kernel->instructions.at(static_cast<std::size_t>(index))));
    }
}

Json hunksJson(const KernelDiff& kernel, const DiffSides& sides)
{
    const auto* a = kernelAt(sides.a->listing, kernel.kernelA);
    const auto* b = kernelAt(sides.b->listing, kernel.kernelB);
    Json hunks = Json::array();
    for (const auto& run : diffRuns(kernel)) {
        if (run.kind == DiffKind::Equal) {
            continue;
        }
        std::set<std::string> what;
        std::set<std::string> registers;
        Json rowsA = Json::array();
        Json rowsB = Json::array();
        for (int i = run.first; i < run.end; ++i) {
            const auto& row = kernel.rows.at(static_cast<std::size_t>(i));
            what.insert(row.what.begin(), row.what.end());
            registers.insert(row.registers.begin(), row.registers.end());
            addRow(rowsA, a, row.a);
            addRow(rowsB, b, row.b);
        }
        hunks.push_back({{"kind", diffKindName(run.kind)}, {"what", what}, {"registers", registers},
            {"a", rowsA}, {"b", rowsB}});
    }
    return hunks;
}

// Sum over kernels; nullopt where a side does not know it.
template <class Member> std::optional<int> resourceDelta(const DiffSides& sides, Member member)
{
    const auto total = [&](const InspectedFile& file) -> std::optional<int> {
        int sum = 0;
        bool any = false;
        for (const auto& kernel : file.compiled.kernels) {
            if (std::ranges::find(file.listing.kernels, kernel.name, &SassKernel::name)
                == file.listing.kernels.end()) {
                continue; // left out by --kernel
            }
            any = true;
            const std::optional<int> value = member(kernel);
            if (!value) {
                return std::nullopt;
            }
            sum += *value;
        }
        return any ? std::optional(sum) : std::nullopt;
    };
    const auto a = total(*sides.a);
    const auto b = total(*sides.b);
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

std::optional<int> liveRegistersDelta(const DiffSides& sides)
{
    const auto most = [](const InspectedFile& file) {
        std::optional<int> live;
        for (const auto& kernel : file.listing.kernels) {
            if (const auto here = mostLiveRegisters(kernel)) {
                live = std::max(live.value_or(0), *here);
            }
        }
        return live;
    };
    const auto a = most(*sides.a);
    const auto b = most(*sides.b);
    return a && b ? std::optional(*b - *a) : std::nullopt;
}

Json orNull(const std::optional<int>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

std::string liveRegistersReason(const DiffSides& sides)
{
    for (const auto* side : {sides.a, sides.b}) {
        if (!side->liveRegistersReason.empty()) {
            return side->title + ": " + side->liveRegistersReason;
        }
    }
    return "nvdisasm did not tell them for both sides";
}

Json deltasJson(const DiffSides& sides, const SassDiff& diff, const ResourceDeltas& resources)
{
    Json families = Json::object();
    for (const auto& [family, delta] : diff.familyDeltas) {
        families[std::string(sassFamilyName(family))] = delta;
    }
    return {{"families", families},
        {"registers", orNull(diff.factsCompared ? diff.registersDelta : resources.registers)},
        {"live_registers_max", orNull(resources.liveRegistersMax)},
        {"live_registers_max_reason",
            resources.liveRegistersMax ? Json(nullptr) : Json(liveRegistersReason(sides))},
        {"spill_bytes", orNull(resources.spillBytes)},
        {"shared_bytes", orNull(diff.factsCompared ? diff.sharedBytesDelta : resources.sharedBytes)},
        {"stall_cycles", orNull(diff.stallDelta)}};
}

Json factsJson(const SassDiff& diff)
{
    const auto orNone = [](const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); };
    Json facts = Json::array();
    for (const auto& fact : diff.facts) {
        facts.push_back(
            {{"what", fact.what}, {"kernel", orNone(fact.kernel)}, {"symbol", orNone(fact.symbol)},
                {"where", orNone(fact.where)}, {"a", orNone(fact.a)}, {"b", orNone(fact.b)}});
    }
    return facts;
}

/// Null where one side was not compiled here.
Json notesJson(const SassDiff& diff)
{
    if (!diff.notesCompared) {
        return nullptr;
    }
    Json notes = Json::array();
    for (const auto& note : diff.notes) {
        notes.push_back(
            {{"code", note.code}, {"kernel", note.kernel.empty() ? Json(nullptr) : Json(note.kernel)},
                {"message", note.message}, {"a", note.a}, {"b", note.b}});
    }
    return notes;
}

Json changesJson(const KernelDiff& kernel)
{
    Json changes = Json::array();
    for (const auto& change : kernel.changes) {
        changes.push_back(
            {{"text", change.text}, {"rows", change.rows}, {"rows_in_loops", change.rowsInLoops}});
    }
    return changes;
}

} // namespace

ResourceDeltas resourceDeltas(const DiffSides& sides)
{
    return {.registers = resourceDelta(sides, [](const KernelResources& k) { return k.registers; }),
        .liveRegistersMax = liveRegistersDelta(sides),
        .spillBytes = resourceDelta(sides,
            [](const KernelResources& k) -> std::optional<int> {
                return k.spillStoreBytes && k.spillLoadBytes
                    ? std::optional(*k.spillStoreBytes + *k.spillLoadBytes)
                    : std::nullopt;
            }),
        .sharedBytes = resourceDelta(sides, [](const KernelResources& k) { return k.sharedBytes; })};
}

std::string sassJson(const InspectedFile& file, const SassSelection& selection)
{
    Json kernels = Json::array();
    for (const auto& kernel : file.listing.kernels) {
        if (!isSelected(kernel, selection)) {
            continue;
        }
        Json rows = Json::array();
        KernelContext context{.kernel = kernel, .flow = controlFlow(kernel)};
        context.waits = scoreboardWaits(kernel, context.flow);
        for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
            if (isSelected(kernel.instructions[i], selection)) {
                rows.push_back(instructionJson(file.listing, context, i));
            }
        }
        Json labels = Json::array();
        for (const auto& [address, label] : kernel.labels) {
            labels.push_back({{"address", address}, {"label", label}});
        }
        kernels.push_back({{"name", kernel.name}, {"demangled", demangledOrNull(kernel.name)},
            {"summary", summaryJson(file, context)}, {"families", countsJson(countFamilies(kernel))},
            {"rows_in_all", kernel.instructions.size()}, {"labels", labels}, {"instructions", rows}});
    }
    const auto account = paperAccount(file.listing);
    const Json document{{"schema", "ptxwb.sass.v1"}, {"title", file.title}, {"sha256", file.sha256},
        {"target", file.target},
        {"tool", {{"name", toolName(file.disassembler.kind)}, {"version", file.disassembler.version}}},
        {"live_registers_reason",
            file.liveRegistersReason.empty() ? Json(nullptr) : Json(file.liveRegistersReason)},
        {"kernels", kernels},
        {"paper_account", {{"GMMA", account.gmma}, {"TMA", account.tma}, {"TCGEN", account.tcgen}}},
        {"families", countsJson(countFamilies(file.listing))}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string diffJson(const DiffSides& sides, const SassDiff& diff)
{
    Json kernels = Json::array();
    for (const auto& kernel : diff.kernels) {
        kernels.push_back({{"name", kernel.name}, {"demangled", demangledOrNull(kernel.name)},
            {"name_in_b", kernel.nameInB.empty() ? Json(nullptr) : Json(kernel.nameInB)},
            {"demangled_in_b", demangledOrNull(kernel.nameInB)},
            {"only_in",
                kernel.onlyInA       ? Json("a")
                    : kernel.onlyInB ? Json("b")
                                     : Json(nullptr)},
            {"equal", kernel.equal}, {"changed", kernel.changed}, {"added", kernel.added},
            {"removed", kernel.removed}, {"moved", kernel.moved}, {"schedule", kernel.schedule},
            {"changes", changesJson(kernel)}, {"reordered_only", kernel.reorderedOnly},
            {"hunks", hunksJson(kernel, sides)}});
    }
    const auto resources = resourceDeltas(sides);
    const Json document{{"schema", "ptxwb.diff.v1"}, {"a", sideJson(*sides.a)}, {"b", sideJson(*sides.b)},
        {"identical", diff.identical}, {"instructions_identical", diff.instructionsIdentical},
        {"compared", diff.factsCompared ? "instructions, resources, launch bounds, data" : "instructions"},
        {"schedule_only", diff.scheduleOnly && diff.facts.empty()}, {"beside_instructions", factsJson(diff)},
        {"notes", notesJson(diff)}, {"kernels", kernels}, {"deltas", deltasJson(sides, diff, resources)},
        {"summary", diffSummary(diff, resources)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ptxwb::cli
