// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include <string_view>
#include <vector>

namespace ptxwb::records {

/// Why an answer does not compile, for counting. Closed set.
enum class CauseClass {
    Target, ///< an instruction of another target, or .target without its suffix
    PtxVersion,
    UnknownOpcode, ///< an instruction or a part of its opcode that does not exist
    InstructionForm, ///< exists, but not with these modifiers, types or values
    Operands, ///< number, kind or width
    StateSpace, ///< address of another space; cvta
    UndeclaredName,
    Duplicate,
    Syntax,
    NotPtx, ///< no .version at the start, a Markdown fence
    NonAscii,
    SharedMemory,
    Registers,
    AsmConstraint,
    MissingHeader,
    CppTypes, ///< what else the C++ compiler refuses
    Link,
    Truncated, ///< the answer ends within its code
    NotText, ///< binary, UTF-16
    NoCode,
    Unreadable,
    ToolMissing,
    ToolTimedOut,
    ToolCrashed,
    Other,
};

/// Stable lower_snake_case name, as in `ptxwb.triage.v1`.
std::string_view causeClassName(CauseClass cause);
/// In words, for a table.
std::string_view causeClassTitle(CauseClass cause);
/// The class with that name; Other for a name that is not known.
CauseClass causeClassByName(std::string_view name);

/// Class of a root cause by the shape of its message. Pure.
CauseClass causeClassOf(const Diagnostic& cause);

} // namespace ptxwb::records
