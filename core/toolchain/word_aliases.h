// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ptxwb::detail {

/// What PTX calls an instruction that other languages call so ("return" is ret); empty: nothing known.
std::string_view aliasOfInstruction(std::string_view name);

/// What PTX calls a part of an opcode, or a type, that other languages write so (".i64" is .s64, ".gte" is
/// .ge); empty: nothing known.
std::string_view aliasOfModifier(std::string_view dotted);

/// The special register that CUDA C++ and common habit call so, with its percent sign ("threadIdx" and
/// "%threadIdx" are %tid, "%lane_id" is %laneid); empty: nothing known.
std::string_view aliasOfSpecialRegister(std::string_view name);

} // namespace ptxwb::detail
