// SPDX-License-Identifier: Apache-2.0
#include "widgets/triage/triage_words.h"

namespace ptxwb {

using records::CauseClass;
using records::TriageResult;

QString TriageWords::result(TriageResult result)
{
    switch (result) {
    case TriageResult::Compiles:
        return tr("compiles");
    case TriageResult::DoesNotCompile:
        return tr("does not compile");
    case TriageResult::NoCode:
        return tr("no code");
    case TriageResult::NotCompiled:
        return tr("not tried");
    }
    return {};
}

Tone TriageWords::tone(TriageResult result)
{
    switch (result) {
    case TriageResult::Compiles:
        return Tone::Good;
    case TriageResult::DoesNotCompile:
        return Tone::Bad;
    case TriageResult::NoCode:
    case TriageResult::NotCompiled:
        return Tone::Caution;
    }
    return Tone::Neutral;
}

QString TriageWords::cause(CauseClass cause)
{
    switch (cause) {
    case CauseClass::Target:
        return tr("wrong target");
    case CauseClass::PtxVersion:
        return tr("needs a newer .version");
    case CauseClass::UnknownOpcode:
        return tr("unknown instruction or modifier");
    case CauseClass::InstructionForm:
        return tr("modifiers, types or values that do not go together");
    case CauseClass::Operands:
        return tr("operands: number, kind or width");
    case CauseClass::StateSpace:
        return tr("address of another state space");
    case CauseClass::UndeclaredName:
        return tr("undeclared name");
    case CauseClass::Duplicate:
        return tr("declared twice");
    case CauseClass::Syntax:
        return tr("syntax");
    case CauseClass::NotPtx:
        return tr("does not begin as PTX does");
    case CauseClass::NonAscii:
        return tr("a character that is not ASCII");
    case CauseClass::SharedMemory:
        return tr("too much shared memory");
    case CauseClass::Registers:
        return tr("registers");
    case CauseClass::AsmConstraint:
        return tr("asm operands and constraints");
    case CauseClass::MissingHeader:
        return tr("a header that is not there");
    case CauseClass::CppTypes:
        return tr("C++: types and names");
    case CauseClass::Link:
        return tr("linking");
    case CauseClass::Truncated:
        return tr("the answer ends within its code");
    case CauseClass::NotText:
        return tr("not text");
    case CauseClass::NoCode:
        return tr("no code in the answer");
    case CauseClass::Unreadable:
        return tr("cannot be read");
    case CauseClass::ToolMissing:
        return tr("a tool is missing here");
    case CauseClass::ToolTimedOut:
        return tr("the compiler took too long");
    case CauseClass::ToolCrashed:
        return tr("the compiler crashed");
    case CauseClass::Other:
        return tr("other");
    }
    return {};
}

} // namespace ptxwb
