// SPDX-License-Identifier: Apache-2.0
#include "core/records/cause_class.h"

#include <algorithm>
#include <array>

namespace ptxwb::records {

namespace {

struct Name {
    CauseClass cause;
    std::string_view name;
    std::string_view title;
};

constexpr std::array<Name, 25> names{{
    {CauseClass::Target, "target", "instruction not of this .target"},
    {CauseClass::PtxVersion, "ptx_version", "wrong .version"},
    {CauseClass::UnknownOpcode, "unknown_opcode", "no such instruction or modifier"},
    {CauseClass::InstructionForm, "instruction_form", "no such form of the instruction"},
    {CauseClass::Operands, "operands", "wrong operands"},
    {CauseClass::StateSpace, "state_space", "state space of an address"},
    {CauseClass::UndeclaredName, "undeclared_name", "name not declared"},
    {CauseClass::Duplicate, "duplicate", "name declared twice"},
    {CauseClass::Syntax, "syntax", "syntax"},
    {CauseClass::NotPtx, "not_ptx", "text that is no PTX"},
    {CauseClass::NonAscii, "non_ascii", "character that is not ASCII"},
    {CauseClass::SharedMemory, "shared_memory", "too much shared memory"},
    {CauseClass::Registers, "registers", "too many registers"},
    {CauseClass::AsmConstraint, "asm_constraint", "constraint of an asm operand"},
    {CauseClass::MissingHeader, "missing_header", "header that is not here"},
    {CauseClass::CppTypes, "cpp_types", "C++ types and calls"},
    {CauseClass::Link, "link", "not defined at link time"},
    {CauseClass::Truncated, "truncated", "answer ends within its code"},
    {CauseClass::NotText, "not_text", "file that is no text"},
    {CauseClass::NoCode, "no_code", "no code in the answer"},
    {CauseClass::Unreadable, "unreadable", "file that cannot be read"},
    {CauseClass::ToolMissing, "tool_missing", "compiler not here"},
    {CauseClass::ToolTimedOut, "tool_timed_out", "compiler took too long"},
    {CauseClass::ToolCrashed, "tool_crashed", "compiler crashed"},
    {CauseClass::Other, "other", "other"},
}};

struct Shape {
    std::string_view words; ///< in the message
    CauseClass cause;
};

// The first that fits decides.
constexpr std::array<Shape, 54> shapes{{
    {"requires PTX ISA .version", CauseClass::PtxVersion},
    {"Unsupported .version", CauseClass::PtxVersion},
    {"does not support .target", CauseClass::PtxVersion},
    {"not supported on .target", CauseClass::Target},
    {"requires .target", CauseClass::Target},
    {"cannot be compiled", CauseClass::Target},
    {"PTX with .target", CauseClass::Target},
    {"is not defined for option 'gpu-name'", CauseClass::Target},
    {"Missing .version", CauseClass::NotPtx},
    {"arkdown", CauseClass::NotPtx},
    {"is binary", CauseClass::NotText},
    {"UTF-16", CauseClass::NotText},
    {"is empty", CauseClass::NotText},
    {"non-ASCII", CauseClass::NonAscii},
    {"unrecognized token", CauseClass::NonAscii},
    {"Unexpected EOF", CauseClass::Syntax},
    {"is missing behind", CauseClass::Syntax},
    {"Parsing error", CauseClass::Syntax},
    {"syntax error", CauseClass::Syntax},
    {"Not a name of any known instruction", CauseClass::UnknownOpcode},
    {"Unknown modifier", CauseClass::UnknownOpcode},
    {"Unknown field", CauseClass::UnknownOpcode},
    {"Illegal modifier", CauseClass::InstructionForm},
    {"modifier required", CauseClass::InstructionForm},
    {"Unexpected instruction types", CauseClass::InstructionForm},
    {"out of range", CauseClass::InstructionForm},
    {"State space", CauseClass::StateSpace},
    {"cvta", CauseClass::StateSpace},
    {"uses too much shared", CauseClass::SharedMemory},
    {"bytes of shared memory", CauseClass::SharedMemory},
    {"Insufficient registers", CauseClass::Registers},
    {"out of registers", CauseClass::Registers},
    {"too many registers", CauseClass::Registers},
    {"Unknown symbol", CauseClass::UndeclaredName},
    {"is undefined", CauseClass::UndeclaredName},
    {"has no member", CauseClass::UndeclaredName},
    {"requires call prototype", CauseClass::UndeclaredName},
    {"Duplicate", CauseClass::Duplicate},
    {"already been defined", CauseClass::Duplicate},
    {"already been declared", CauseClass::Duplicate},
    {"asm operand", CauseClass::AsmConstraint},
    {"asm constraint", CauseClass::AsmConstraint},
    {"Arguments mismatch", CauseClass::Operands},
    {"but the instructions that use", CauseClass::Operands},
    {"vector size mismatch", CauseClass::Operands},
    {"must be register", CauseClass::Operands},
    {"Illegal operand", CauseClass::Operands},
    {"Illegal vector", CauseClass::Operands},
    {"Predicate expression", CauseClass::Operands},
    {"Label expected", CauseClass::Operands},
    {"No such file", CauseClass::MissingHeader},
    {"cannot open source file", CauseClass::MissingHeader},
    {"ndefined reference", CauseClass::Link},
    {"Unresolved extern", CauseClass::Link},
}};

// nvcc: "expected a ";"", "expected an expression".
bool isCppSyntax(const Diagnostic& cause)
{
    return cause.message.starts_with("expected ") || cause.message.starts_with("unexpected end");
}

} // namespace

std::string_view causeClassName(CauseClass cause)
{
    return names[static_cast<std::size_t>(cause)].name;
}

std::string_view causeClassTitle(CauseClass cause)
{
    return names[static_cast<std::size_t>(cause)].title;
}

CauseClass causeClassByName(std::string_view name)
{
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const Name& one) { return one.name == name; });
    return found == names.end() ? CauseClass::Other : found->cause;
}

CauseClass causeClassOf(const Diagnostic& cause)
{
    const bool byCpp = cause.tool == "nvcc" || cause.tool == "gcc";
    if (byCpp && isCppSyntax(cause)) {
        return CauseClass::Syntax;
    }
    for (const auto& shape : shapes) {
        if (cause.message.find(shape.words) != std::string::npos) {
            return shape.cause;
        }
    }
    return byCpp ? CauseClass::CppTypes : CauseClass::Other;
}

} // namespace ptxwb::records
