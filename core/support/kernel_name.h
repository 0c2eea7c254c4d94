// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ptxwb {

/// A C++ name as it was written ("void gemm<128>(float*)"); empty when `name` is no mangled one. A label of
/// a function inside a kernel's section ("$_Z4gemmPf$_Z4helpf") is told as "help(float) in gemm(float*)".
std::string demangled(std::string_view name);

/// For people: the name as written with the raw one behind it, "gemm(float*) [_Z4gemmPf]"; a name that is not
/// mangled stays as it is.
std::string titleOfKernel(std::string_view name);

/// "ns::gemm" of a mangled "void ns::gemm<128>(float*)"; empty for a name that is not mangled.
std::string qualifiedName(std::string_view name);

/// Of a name that nvcc makes unique for each build (`_INTERNAL_7cac4d79_..`,
/// `_GLOBAL__N__7cac4d79_.._cu_4d393f88`) the same name in every build, as long as it was.
std::string withoutBuildHash(std::string_view name);

/// The same of one that is made unique for each file: a mangled name in which an anonymous namespace says
/// nothing of its file, `_ZN12_GLOBAL__N_14gemmEPf`.
std::string withoutFileOfUnit(std::string_view name);

/// Whether a person who says `word` means the kernel `name`: the raw name, the name as written, or the latter
/// without its parameters, return type, template arguments and namespaces ("gemm"), each whole.
bool isNamed(std::string_view name, std::string_view word);

} // namespace ptxwb
