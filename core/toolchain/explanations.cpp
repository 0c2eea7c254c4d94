// SPDX-License-Identifier: Apache-2.0
// Plain words for messages, by their shape.
#include "core/toolchain/fix_makers.h"
#include "core/toolchain/form_operands.h"
#include "core/toolchain/ptxas_messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ptxwb::detail {

namespace {

struct Shape {
    std::string_view words; ///< in the message
    std::string_view explanation;
};

constexpr std::array<Shape, 39> shapes{{
    {"Unknown symbol", "Nothing of this name is declared where it is used."},
    {"Unknown modifier", "No instruction has a part of this name, or not at this place of the opcode."},
    {"Not a name of any known instruction", "PTX has no instruction of this name."},
    {"Illegal instruction types",
        "The instruction exists, but not with these types together with this shape."},
    {"Sink '_' is expected", "Nothing comes back here: the operand for the result must be _."},
    {"unexpected value", "The operand takes only the values that the message names."},
    {"State space incorrect",
        "The state spaces in the opcode are not those, or not in the order, that it takes."},
    {"Modifier '", "Parts of the opcode need one another, or exclude one another."},
    {"Illegal Addressing Mode", "The address is not written as this instruction wants it."},
    {"Vector of size", "The braces hold another number of registers than the opcode says."},
    {"Comparison qualifier is not allowed",
        "The instruction compares nothing: setp with .eq, .ne, .lt ... sets a predicate, and @%p before an "
        "instruction "
        "says whether it runs."},
    {"Illegal modifier", "The word exists, but this instruction does not take it."},
    {"Illegal vector", "The instruction does not take a vector of this size or type here."},
    {"Parsing error near",
        "The text is no PTX at this place. What is wrong often stands before the word named: a "
        "missing semicolon, brace or comma."},
    {"Duplicate definition",
        "The name is declared twice in one scope. Give one of them another name, or put its "
        "declaration into a block { } of its own."},
    {"must be register", "This operand can only be a register; put the value or the address there with mov."},
    {"Illegal operand type", "This kind of operand (register, number, name, address) is not allowed here."},
    {"State space mismatch", "The address belongs to another state space than the instruction names."},
    {"Unexpected instruction types", "The instruction does not exist for this combination of types."},
    {"modifier required for instruction", "The instruction is incomplete without this part of its opcode."},
    {"requires call prototype",
        "The function is not declared. Declare it with .func before the call, or give the "
        "call a .callprototype."},
    {"Unresolved extern",
        "The function or variable is declared .extern and defined nowhere in this module; nothing is "
        "linked to it here."},
    {"Predicate expression expected", "Behind @ stands a register that is no predicate (.pred)."},
    {"Label expected", "A branch needs the name of a label of this function."},
    {"cannot be compiled to future architecture",
        "Code with a suffix 'a' or 'f' in .target is for one chip or one family; it cannot be compiled for "
        "others, "
        "newer ones included."},
    {"PTX with .target",
        "The target asked for is not the one that the file's .target permits. Compile for the file's own "
        "target, or "
        "change .target if the code does not need its instructions."},
    {"cannot be compiled for architecture",
        "This instruction belongs to another chip than the one compiled for: it is part of the "
        "architecture-specific "
        "set ('a') of its own generation only."},
    {"Unexpected EOF", "The text ends within a statement or comment, or holds a NUL byte."},
    {"is not defined for option 'gpu-name'", "This ptxas does not know the target; a newer toolkit may."},
    {"too many", "A limit of the hardware or of PTX is passed."},
    {"Unknown field", "An unknown word in the opcode made ptxas read it as a variable with fields."},
    {"vector swizzle", "The word behind the dot names no component; .x .y .z .w do."},
    {"Misaligned", "The declared alignment does not fit the size or use of the variable."},
    {"multiple of warp size",
        "bar.sync and bar.arrive count threads in whole warps: the number must be a multiple of 32."},
    {"value must be power of 2",
        "tcgen05.alloc takes 32, 64, 128, 256 or 512 columns, and tcgen05.dealloc gives back the same "
        "number."},
    {"Argument vector size mismatch",
        "The braces hold another number of registers than the shape and the .x count of the opcode need."},
    {"largest temporal register count",
        "setmaxnreg.dec only gives registers back: its count must not be above what a warp holds there, "
        "which the kernel's launch bounds decide. A warp that needs more takes setmaxnreg.inc."},
    {"32-Bit ABI",
        "Addresses of these chips have 64 bits: somewhere a 32-bit register or .address_size 32 stands for "
        "one."},
    {"out of registers", "The kernel needs more registers than one thread can have with these options."},
}};

// "imm" of a form is a number that stands in the instruction.
std::string registerForNumber(const IsaInstruction& row, const CodeText& code, const PtxStatement& statement)
{
    for (const auto& syntax : row.syntax) {
        const auto names = operandsOfForm(syntax);
        for (std::size_t k = 0; k < names.size() && names.size() == statement.operands.size(); ++k) {
            const auto [first, end] = statement.operands[k];
            if (names[k] == "imm" && end == first + 1 && code[first].kind == TokenKind::Register) {
                return fmt::format(
                    "Operand {} (imm) must be a number, and {} is a register.", k + 1, code.text(first));
            }
        }
    }
    return {};
}

// "Arguments mismatch for instruction 'mov'": the forms that the table knows.
std::string mismatch(const Diagnostic& said, const FixContext& context)
{
    std::string text = "The number, kind or type of the operands fits no form of the instruction.";
    const auto named = quotedText(said.message);
    auto opcode = named; // with its types, where it is found: they tell rows of one mnemonic apart
    std::optional<std::size_t> given; // operands
    std::optional<PtxStatement> found;
    const auto line = said.line.value_or(0);
    const auto& code = context.code;
    for (auto i = code.firstOnLine(line); i < code.size() && code.line(i) == line; ++i) {
        const auto statement = code[i].kind == TokenKind::Opcode ? code.statementAt(i) : std::nullopt;
        if (statement && statement->opcode.starts_with(named)) {
            opcode = statement->opcode;
            found = statement;
            given = static_cast<std::size_t>(std::count_if(statement->operands.begin(),
                statement->operands.end(), [](const auto& one) { return one.first < one.second; }));
            break;
        }
    }
    const auto* row = context.isa != nullptr ? context.isa->find(opcode) : nullptr;
    if (row != nullptr && !row->syntax.empty()) {
        if (const auto words = given ? tooFewWords(*row, *given) : std::string(); !words.empty()) {
            text = words;
        } else if (auto wrong = found ? registerForNumber(*row, code, *found) : std::string();
                   !wrong.empty()) {
            text = std::move(wrong);
        }
        const std::vector<std::string> forms(row->syntax.begin(),
            row->syntax.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, row->syntax.size())));
        text += fmt::format(" Forms: {}.", fmt::join(forms, "; "));
    }
    return text;
}

} // namespace

std::string warningExplanation(std::string_view message)
{
    return message.find("Too many maxnreg") != std::string_view::npos
        ? "A thread has 255 registers at most: a .maxnreg above that limits nothing."
        : std::string{};
}

std::string explanationOf(const Diagnostic& said, const FixContext& context)
{
    const std::string_view message = said.message;
    if (message.starts_with("Arguments mismatch")) {
        return mismatch(said, context);
    }
    if (said.code == "C7602") {
        const auto words = performanceNoteText("C7602", message);
        return fmt::format(
            "{} Usual cause: {} What to do: {}", words.meaning, words.usualCause, words.lookFor);
    }
    for (const auto& shape : shapes) {
        if (message.find(shape.words) != std::string_view::npos) {
            return std::string(shape.explanation);
        }
    }
    return {};
}

} // namespace ptxwb::detail
