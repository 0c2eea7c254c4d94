// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/compile_json.h"

#include "core/support/kernel_name.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace ptxwb {

namespace {

using Json = nlohmann::ordered_json;

template <class T> Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json demangledOrNull(const std::string& name)
{
    const auto written = demangled(name);
    return written.empty() ? Json(nullptr) : Json(written);
}

Json fixesJson(const std::vector<Fix>& fixes)
{
    Json rows = Json::array();
    for (const auto& fix : fixes) {
        Json edits = Json::array();
        for (const auto& edit : fix.edits) {
            edits.push_back({{"line", edit.line}, {"start_column", edit.startColumn},
                {"end_line", edit.endLine}, {"end_column", edit.endColumn}, {"text", edit.text}});
        }
        rows.push_back({{"title", fix.title}, {"tried", fix.tried}, {"edits", edits}});
    }
    return rows;
}

} // namespace

Json diagnosticsJson(const std::vector<Diagnostic>& diagnostics)
{
    Json rows = Json::array();
    for (const auto& d : diagnostics) {
        rows.push_back({{"severity", severityName(d.severity)}, {"code", orNull(d.code)},
            {"message", d.message}, {"file", d.file}, {"line", orNull(d.line)}, {"column", orNull(d.column)},
            {"end_column", orNull(d.endColumn)}, {"tool", d.tool}, {"root_cause", d.rootCause},
            {"group", d.group}, {"explanation", orNull(d.explanation)}, {"fixes", fixesJson(d.fixes)}});
    }
    return rows;
}

Json notesJson(const std::vector<PerformanceNote>& notes)
{
    std::vector<std::size_t> groups; // the first note of each: what differs by the line only is one group
    std::vector<std::size_t> groupOf;
    std::vector<int> sizes;
    for (const auto& n : notes) {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](std::size_t i) {
            return notes[i].code == n.code && notes[i].kernel == n.kernel && notes[i].meaning == n.meaning;
        });
        groupOf.push_back(static_cast<std::size_t>(found - groups.begin()));
        if (found == groups.end()) {
            groups.push_back(groupOf.size() - 1);
            sizes.push_back(0);
        }
        ++sizes[groupOf.back()];
    }
    Json rows = Json::array();
    for (std::size_t i = 0; i < notes.size(); ++i) {
        const auto& n = notes[i];
        rows.push_back({{"code", n.code}, {"line", orNull(n.line)}, {"line_by", n.lineBy},
            {"kernel", n.kernel}, {"kernel_demangled", demangledOrNull(n.kernel)},
            {"registers", orNull(n.registers)}, {"group", groupOf[i] + 1}, {"group_size", sizes[groupOf[i]]},
            {"message", n.message}, {"meaning", n.meaning}, {"usual_cause", n.usualCause},
            {"look_for", n.lookFor}, {"our_guess", Json::array({"usual_cause", "look_for"})}});
    }
    return rows;
}

Json kernelsJson(const std::vector<KernelResources>& kernels)
{
    Json rows = Json::array();
    for (const auto& k : kernels) {
        rows.push_back({{"name", k.name}, {"demangled", demangledOrNull(k.name)},
            {"registers", orNull(k.registers)}, {"spill_store_bytes", orNull(k.spillStoreBytes)},
            {"spill_load_bytes", orNull(k.spillLoadBytes)}, {"shared_bytes", orNull(k.sharedBytes)},
            {"stack_bytes", orNull(k.stackBytes)}, {"barriers", orNull(k.barriers)}});
    }
    return rows;
}

namespace {

Json documentOf(
    std::string_view schema, const CompileOutcome& outcome, const std::vector<std::string>& targetsKnown)
{
    Json artefacts = Json::array();
    for (const auto& artefact : outcome.artefacts) {
        artefacts.push_back(
            {{"kind", artefact.kind}, {"sha256", artefact.sha256}, {"bytes", artefact.bytes.size()}});
    }
    Json tools = Json::array();
    for (const auto& tool : outcome.tools) {
        tools.push_back(
            {{"name", toolName(tool.kind)}, {"path", tool.path.string()}, {"version", tool.version}});
    }
    Json notLinted = Json::array();
    for (const auto& one : outcome.asmNotLinted) {
        notLinted.push_back({{"line", one.line}, {"reason", one.reason}});
    }
    return {{"schema", schema}, {"target", outcome.target}, {"target_reason", outcome.targetReason},
        {"targets_known", targetsKnown}, {"ok", outcome.ok}, {"artefacts", artefacts}, {"tools", tools},
        {"command", outcome.command}, {"options", outcome.options}, {"from_cache", outcome.fromCache},
        {"linted", outcome.isLinted}, {"asm_statements", outcome.asmStatements},
        {"asm_not_linted", notLinted}, {"diagnostics", diagnosticsJson(outcome.diagnostics)},
        {"diagnostics_left_out", outcome.diagnosticsLeftOut}, {"notes", notesJson(outcome.notes)},
        {"kernels", kernelsJson(outcome.kernels)}};
}

std::string dumped(const Json& document)
{
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace

std::string toJson(const CompileOutcome& outcome, const std::vector<std::string>& targetsKnown)
{
    return dumped(documentOf("ptxwb.compile.v1", outcome, targetsKnown));
}

std::string ptxJson(const CompileOutcome& outcome, const std::vector<std::string>& targetsKnown)
{
    Json document = documentOf("ptxwb.ptx.v1", outcome, targetsKnown);
    if (const auto* ptx = outcome.artefact("ptx")) {
        document["ptx"] = ptx->bytes;
    } else {
        document["ptx"] = nullptr;
        document["ptx_reason"] = outcome.ok ? "nvcc left no PTX" : "it did not compile, see diagnostics";
    }
    return dumped(document);
}

} // namespace ptxwb
