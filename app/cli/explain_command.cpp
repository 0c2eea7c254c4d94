// SPDX-License-Identifier: Apache-2.0
#include "app/cli/asked_opcode.h"
#include "app/cli/command_line.h"
#include "core/ptx/descriptor_fields.h"
#include "core/ptx/isa_table.h"
#include "core/ptx/spelling.h"
#include "core/ptx/usage_advice.h"
#include "core/sass/families.h"
#include "core/sass/opcode_reading.h"
#include "core/toolchain/ptxas_messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>

namespace ptxwb::cli {

namespace {

using Json = nlohmann::ordered_json;

/// The same answer in both forms.
struct Explanation {
    std::string text{};
    Json document{};
};

Explanation instructionExplanation(
    const IsaTable& table, const std::string& asked, const IsaInstruction& first)
{
    std::string text;
    Json rows = Json::array();
    const auto whole = readOpcode(table, asked);
    const auto* chosen = whole.row != nullptr ? whole.row : &first;
    std::vector<const IsaInstruction*> sameName;
    for (const auto& row : table.instructions()) {
        if (row.mnemonic == first.mnemonic) {
            sameName.push_back(&row);
        }
    }
    // What was asked for comes first: `add` alone has four rows.
    std::ranges::stable_partition(sameName, [&](const auto* row) { return row == chosen; });
    for (const auto* entry : sameName) {
        const auto& row = *entry;
        const bool isAsked = &row == chosen && !whole.needs.empty();
        text += fmt::format("{}: {}\n", row.mnemonic, row.summary);
        text += isAsked
            ? fmt::format("  {} {}; executed by a {}\n", asked, whole.needs, row.execScope)
            : fmt::format("  {}; executed by a {}\n", needsText(row.minPtx, row.minTarget), row.execScope);
        for (const auto& word : isAsked ? whole.unknownWords : std::vector<std::string>{}) {
            text += fmt::format("  '{}' is no word that we know of any instruction\n", word);
        }
        for (const auto& line : row.syntax) {
            text += fmt::format("  {}\n", line);
        }
        Json forms = Json::array();
        for (const auto& form : row.forms) {
            text += fmt::format("  {} {}\n", form.form, needsText(form.minPtx, form.minTarget));
            forms.push_back({{"form", form.form}, {"min_ptx", form.minPtx}, {"min_target", form.minTarget}});
        }
        if (!row.completion.empty()) {
            text += fmt::format("  done is told by: {}\n", row.completion);
        }
        if (!row.proxy.empty()) {
            text += fmt::format("  memory accesses by the proxy: {}\n", row.proxy);
        }
        const auto* example = isAsked ? whole.example : nullptr;
        if (example == nullptr && !row.examples.empty()) {
            example = &row.examples.front();
        }
        if (example != nullptr) {
            text += fmt::format("  ptxas accepts: {}\n", example->ptx);
        }
        text += fmt::format("  {}\n", row.manualUrl);
        Json examples = Json::array();
        for (const auto& one : row.examples) {
            examples.push_back(one.ptx);
        }
        rows.push_back({{"mnemonic", row.mnemonic}, {"summary", row.summary}, {"syntax", row.syntax},
            {"min_ptx", row.minPtx}, {"min_target", row.minTarget}, {"exec_scope", row.execScope},
            {"forms", forms}, {"proxy", row.proxy.empty() ? Json(nullptr) : Json(row.proxy)},
            {"completion", row.completion.empty() ? Json(nullptr) : Json(row.completion)},
            {"examples", examples}, {"manual", row.manualUrl}, {"family", ptxFamilyName(row.family)}});
    }
    const auto advice = usageAdvice(asked);
    if (!advice.empty()) {
        text += "around it:\n";
        for (const auto line : advice) {
            text += fmt::format("  - {}\n", line);
        }
    }
    const auto said = [](const std::string& word) { return word.empty() ? Json(nullptr) : Json(word); };
    return {text,
        {{"schema", "ptxwb.explain.v1"}, {"asked", asked}, {"kind", "ptx_instruction"},
            {"asked_unknown_words", whole.unknownWords}, {"asked_min_ptx", said(whole.minPtx)},
            {"asked_min_target", said(whole.minTarget)},
            {"asked_example", whole.example != nullptr ? Json(whole.example->ptx) : Json(nullptr)},
            {"rows", rows}, {"around_it", advice}}};
}

Explanation opcodeExplanation(const std::string& asked, const OpcodeReading& reading)
{
    const SassInstruction row{.opcode = asked};
    const auto said = describeInstruction(row);
    std::vector<std::string_view> families;
    for (const auto family : allSassFamilies()) {
        if (contains(familiesOf(asked), family)) {
            families.push_back(sassFamilyName(family));
        }
    }
    std::string text = fmt::format("{} (SASS): {}\n", reading.opcode, reading.words);
    if (said != reading.words && said != reading.opcode) {
        text += fmt::format("  {}: {}\n", asked, said);
    }
    if (!families.empty()) {
        text += fmt::format("  counted in: {}\n", fmt::join(families, ", "));
    }
    text += "  our reading; NVIDIA documents SASS by name only\n";
    return {text,
        {{"schema", "ptxwb.explain.v1"}, {"asked", asked}, {"kind", "sass_opcode"},
            {"opcode", reading.opcode}, {"reading", reading.words},
            {"with_modifiers", said == reading.opcode ? std::string(reading.words) : said},
            {"families", families}, {"by", "ours"}}};
}

std::optional<Explanation> noteExplanation(const std::string& asked)
{
    const auto note = performanceNoteText(asked);
    if (note.meaning.empty()) {
        return std::nullopt;
    }
    return Explanation{
        fmt::format("{} (a note of ptxas): {}\n  usual cause (our guess): {}\n  look for (our guess): {}\n",
            asked, note.meaning, note.usualCause, note.lookFor),
        {{"schema", "ptxwb.explain.v1"}, {"asked", asked}, {"kind", "ptxas_note"}, {"meaning", note.meaning},
            {"usual_cause", note.usualCause}, {"look_for", note.lookFor}}};
}

void addReading(Explanation& explanation, const DescriptorReading& reading)
{
    explanation.text += fmt::format("as {}:\n", reading.kind);
    Json fields = Json::array();
    for (const auto& field : reading.fields) {
        const auto bits = field.firstBit == field.lastBit
            ? fmt::format("bit {}", field.firstBit)
            : fmt::format("bits {}-{}", field.firstBit, field.lastBit);
        explanation.text += fmt::format("  {:<11} {:<32} {}\n", bits, field.name, field.meaning);
        fields.push_back({{"name", field.name}, {"first_bit", field.firstBit}, {"last_bit", field.lastBit},
            {"raw", field.raw}, {"meaning", field.meaning}});
    }
    for (const auto& problem : reading.problems) {
        explanation.text += fmt::format("  wrong: {}\n", problem);
    }
    for (const auto& remark : reading.remarks) {
        explanation.text += fmt::format("  look: {}\n", remark);
    }
    explanation.text += fmt::format("  {}\n", reading.manualUrl);
    explanation.document["readings"].push_back({{"kind", reading.kind}, {"fields", fields},
        {"problems", reading.problems}, {"remarks", reading.remarks}, {"manual", reading.manualUrl}});
}

std::optional<std::uint64_t> numberIn(std::string_view text)
{
    const bool isHex = text.starts_with("0x") || text.starts_with("0X");
    const auto digits = isHex ? text.substr(2) : text;
    std::uint64_t value = 0;
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, isHex ? 16 : 10);
    const bool whole = failed == std::errc() && end == digits.data() + digits.size() && !digits.empty();
    return whole ? std::optional(value) : std::nullopt;
}

/// A value may be of several kinds: those without a contradiction are shown, all of them where each has one.
Explanation valueExplanation(const std::string& asked, std::uint64_t value)
{
    std::vector<DescriptorReading> readings;
    if (value > 0xFFFFFFFFU) {
        readings = {readWgmmaDescriptor(value), readTcgen05Descriptor(value)};
    } else {
        const auto low = static_cast<std::uint32_t>(value);
        readings = {readTcgen05InstructionDescriptor(low),
            readBlockScaledDescriptor(low, BlockScaledKind::Mxf8f6f4),
            readBlockScaledDescriptor(low, BlockScaledKind::Mxf4)};
        // A matrix descriptor without its upper half would describe 8 rows in one place.
        if (std::none_of(readings.begin(), readings.end(),
                [](const DescriptorReading& reading) { return reading.problems.empty(); })) {
            readings.push_back(readWgmmaDescriptor(value));
        }
    }
    const bool anyFits = std::any_of(readings.begin(), readings.end(),
        [](const DescriptorReading& reading) { return reading.problems.empty(); });
    Explanation explanation{fmt::format("0x{:016x}\n", value),
        {{"schema", "ptxwb.explain.v1"}, {"asked", asked}, {"kind", "descriptor"},
            {"value", fmt::format("0x{:016x}", value)}, {"readings", Json::array()}}};
    for (const auto& reading : readings) {
        if (!anyFits || reading.problems.empty()) {
            addReading(explanation, reading);
        } else {
            explanation.text += fmt::format("not {}: {}\n", reading.kind, reading.problems.front());
        }
    }
    return explanation;
}

std::string upper(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
        [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

/// Opcodes are upper case, but for the x between the numbers of a shape (HGMMA.64x256x16).
std::string opcodeSpelling(const std::string& asked)
{
    std::string opcode = upper(asked);
    const auto isDigit = [&](std::size_t at) {
        return at < opcode.size() && opcode[at] >= '0' && opcode[at] <= '9';
    };
    for (std::size_t i = 1; i < opcode.size(); ++i) {
        if (opcode[i] == 'X' && isDigit(i - 1) && isDigit(i + 1)) {
            opcode[i] = 'x';
        }
    }
    return opcode;
}

/// Names that resemble what was asked: same beginning, containing it, or a few letters away.
std::vector<std::string> similarNames(const IsaTable& table, const std::string& asked)
{
    std::vector<std::string> names;
    std::vector<std::string> known;
    const auto stem = asked.substr(0, asked.find('.'));
    for (const auto& row : table.instructions()) {
        const bool close = !asked.empty()
            && (row.mnemonic.find(asked) != std::string::npos || row.mnemonic.starts_with(stem + '.'));
        if (close && (names.empty() || names.back() != row.mnemonic) && names.size() < 12) {
            names.push_back(row.mnemonic);
        }
        known.push_back(row.mnemonic);
    }
    if (!names.empty()) {
        return names;
    }
    names = nearestWords(asked, known);
    known.clear();
    for (const auto& reading : allOpcodeReadings()) {
        known.emplace_back(reading.opcode);
    }
    const auto opcodes = nearestWords(upper(stem), known);
    names.insert(names.end(), opcodes.begin(), opcodes.end());
    names.resize(std::min<std::size_t>(names.size(), 12));
    return names;
}

int runExplain(const std::string& asked, const Session& session)
{
    const auto give = [&](const Explanation& explanation) {
        return session.print(session.json
                ? explanation.document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n'
                : explanation.text,
            Holds);
    };
    if (const auto value = numberIn(asked)) {
        return give(valueExplanation(asked, *value));
    }
    const auto table = IsaTable::shared();
    if (!table) {
        return session.fail(table.error());
    }
    if (const auto* row = (*table)->find(asked); row != nullptr && asked.starts_with(row->mnemonic)) {
        return give(instructionExplanation(**table, asked, *row));
    }
    if (const auto note = noteExplanation(upper(asked))) {
        return give(*note);
    }
    if (const auto* reading = opcodeReading(upper(asked))) {
        return give(opcodeExplanation(opcodeSpelling(asked), *reading));
    }
    const auto similar = similarNames(**table, asked);
    return session.fail({.code = ErrorCode::InvalidArgument,
        .message = fmt::format(
            "'{}' is no PTX instruction, SASS opcode, C75xx note or descriptor value that is known here",
            asked),
        .hint = similar.empty()
            ? "for example: ptxwb explain wgmma.mma_async, HGMMA, C7510, 0x4000004000010020"
            : fmt::format("similar: {}", fmt::join(similar, ", "))});
}

} // namespace

RunCommand addExplainCommand(CLI::App& app)
{
    auto asked = std::make_shared<std::string>();
    auto* command = app.add_subcommand(
        "explain", "A PTX instruction, a SASS opcode, a C75xx note, or the value of a descriptor");
    command->add_option("X", *asked, "e.g. wgmma.mma_async, HGMMA, C7510, 0x4000004000010020");
    return [asked](const Session& session) {
        // Behind -- stands what begins with a dash: a negative value.
        const auto& behind = session.passThrough;
        if (asked->empty() != behind.empty() && behind.size() < 2) {
            return runExplain(asked->empty() ? behind.front() : *asked, session);
        }
        return session.fail({.code = ErrorCode::InvalidArgument,
            .message = behind.empty() ? "explain what?" : "one word is explained at a time",
            .hint = "for example: ptxwb explain wgmma.mma_async; a word that begins with a dash stands "
                    "behind --"});
    };
}

} // namespace ptxwb::cli
