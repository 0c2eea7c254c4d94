// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sass_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>

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

Json lineOrNull(int line)
{
    return line > 0 ? Json(line) : Json(nullptr);
}

Json instructionJson(const SassListing& listing, const SassInstruction& instruction)
{
    Json row{{"address", instruction.address}, {"predicate", instruction.predicate},
        {"opcode", instruction.opcode}, {"operands", instruction.operands}};
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
    row["source_line"] = lineOrNull(instruction.sourceLine);
    if (instruction.sourceFile >= 0) {
        row["source_file"] = listing.files.at(static_cast<std::size_t>(instruction.sourceFile));
    }
    row["families"] = familyNames(familiesOf(instruction.opcode));
    row["live_registers"] = nullptr;
    row["loop_depth"] = nullptr;
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

Json rowText(const SassKernel* kernel, int index)
{
    if (kernel == nullptr || index < 0) {
        return nullptr;
    }
    const auto& i = kernel->instructions.at(static_cast<std::size_t>(index));
    return fmt::format("{}{}{}{}{}", i.predicate, i.predicate.empty() ? "" : " ", i.opcode,
        i.operands.empty() ? "" : " ", i.operands);
}

// Neighbouring rows of one kind make one hunk.
Json hunksJson(const KernelDiff& kernel, const SassKernel* a, const SassKernel* b)
{
    Json hunks = Json::array();
    const DiffRow* previous = nullptr;
    for (const auto& row : kernel.rows) {
        if (row.kind == DiffKind::Equal) {
            previous = nullptr;
            continue;
        }
        if (previous == nullptr || previous->kind != row.kind || previous->what != row.what) {
            hunks.push_back({{"kind", diffKindName(row.kind)}, {"what", row.what}, {"a", Json::array()},
                {"b", Json::array()}});
        }
        auto& hunk = hunks.back();
        if (row.a >= 0) {
            hunk["a"].push_back(rowText(a, row.a));
        }
        if (row.b >= 0) {
            hunk["b"].push_back(rowText(b, row.b));
        }
        previous = &row;
    }
    return hunks;
}

// Sum over kernels; nullopt where a side does not know it.
template <class Member> Json resourceDelta(const DiffSides& sides, Member member)
{
    const auto total = [&](const InspectedFile& file) -> std::optional<int> {
        int sum = 0;
        for (const auto& kernel : file.compiled.kernels) {
            const auto value = member(kernel);
            if (!value) {
                return std::nullopt;
            }
            sum += *value;
        }
        return file.compiled.kernels.empty() ? std::nullopt : std::optional(sum);
    };
    const auto a = total(*sides.a);
    const auto b = total(*sides.b);
    return a && b ? Json(*b - *a) : Json(nullptr);
}

int stallCycles(const SassListing& listing)
{
    int sum = 0;
    for (const auto& kernel : listing.kernels) {
        for (const auto& instruction : kernel.instructions) {
            sum += instruction.hasEncoding ? decodeControl(instruction.encoding).stall : 0;
        }
    }
    return sum;
}

Json deltasJson(const DiffSides& sides, const SassDiff& diff)
{
    Json families = Json::object();
    for (const auto& [family, delta] : diff.familyDeltas) {
        families[std::string(sassFamilyName(family))] = delta;
    }
    return {{"families", families},
        {"registers", resourceDelta(sides, [](const auto& k) { return k.registers; })},
        {"live_registers_max", nullptr},
        {"live_registers_max_reason", "live registers are not read by this version"},
        {"spill_bytes",
            resourceDelta(sides,
                [](const auto& k) -> std::optional<int> {
                    return k.spillStoreBytes && k.spillLoadBytes
                        ? std::optional(*k.spillStoreBytes + *k.spillLoadBytes)
                        : std::nullopt;
                })},
        {"shared_bytes", resourceDelta(sides, [](const auto& k) { return k.sharedBytes; })},
        {"stall_cycles", stallCycles(sides.b->listing) - stallCycles(sides.a->listing)}};
}

} // namespace

DiffedKernels kernelsOf(const DiffSides& sides, const KernelDiff& kernel)
{
    // Two single kernels are compared whatever their names are.
    const auto find = [&](const SassListing& listing) -> const SassKernel* {
        for (const auto& candidate : listing.kernels) {
            if (candidate.name == kernel.name || listing.kernels.size() == 1) {
                return &candidate;
            }
        }
        return nullptr;
    };
    return {.a = kernel.onlyInB ? nullptr : find(sides.a->listing),
        .b = kernel.onlyInA ? nullptr : find(sides.b->listing)};
}

bool isSelected(const SassKernel& kernel, const SassSelection& selection)
{
    return selection.kernelRegex.empty()
        || std::regex_search(kernel.name.begin(), kernel.name.end(), std::regex(selection.kernelRegex));
}

bool isSelected(const SassInstruction& instruction, const SassSelection& selection)
{
    if (selection.families.empty()) {
        return true;
    }
    const auto set = familiesOf(instruction.opcode);
    return std::any_of(selection.families.begin(), selection.families.end(),
        [set](SassFamily family) { return contains(set, family); });
}

std::string sassJson(const InspectedFile& file, const SassSelection& selection)
{
    Json kernels = Json::array();
    for (const auto& kernel : file.listing.kernels) {
        if (!isSelected(kernel, selection)) {
            continue;
        }
        Json rows = Json::array();
        for (const auto& instruction : kernel.instructions) {
            if (isSelected(instruction, selection)) {
                rows.push_back(instructionJson(file.listing, instruction));
            }
        }
        Json labels = Json::array();
        for (const auto& [address, label] : kernel.labels) {
            labels.push_back({{"address", address}, {"label", label}});
        }
        kernels.push_back({{"name", kernel.name}, {"families", countsJson(countFamilies(kernel))},
            {"rows_in_all", kernel.instructions.size()}, {"labels", labels}, {"instructions", rows}});
    }
    const auto account = paperAccount(file.listing);
    const Json document{{"schema", "ptxwb.sass.v1"}, {"title", file.title}, {"sha256", file.sha256},
        {"target", file.target},
        {"tool", {{"name", toolName(file.disassembler.kind)}, {"version", file.disassembler.version}}},
        {"kernels", kernels},
        {"paper_account", {{"GMMA", account.gmma}, {"TMA", account.tma}, {"TCGEN", account.tcgen}}},
        {"families", countsJson(countFamilies(file.listing))}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string diffJson(const DiffSides& sides, const SassDiff& diff)
{
    Json kernels = Json::array();
    for (const auto& kernel : diff.kernels) {
        const auto [a, b] = kernelsOf(sides, kernel);
        kernels.push_back({{"name", kernel.name},
            {"only_in",
                kernel.onlyInA       ? Json("a")
                    : kernel.onlyInB ? Json("b")
                                     : Json(nullptr)},
            {"equal", kernel.equal}, {"changed", kernel.changed}, {"added", kernel.added},
            {"removed", kernel.removed}, {"moved", kernel.moved}, {"schedule", kernel.schedule},
            {"hunks", hunksJson(kernel, a, b)}});
    }
    const Json document{{"schema", "ptxwb.diff.v1"}, {"a", sideJson(*sides.a)}, {"b", sideJson(*sides.b)},
        {"identical", diff.identical}, {"schedule_only", diff.scheduleOnly}, {"kernels", kernels},
        {"deltas", deltasJson(sides, diff)}, {"summary", diff.summary}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ptxwb::cli
