// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ptxwb {

/// A library of the vendor's (or a framework that brings one) that does a candidate's work for it, named in a
/// list of mapped files ("/proc/PID/maps"): "libcublasLt.so.13". Pure.
std::optional<std::string> bannedLibraryIn(std::string_view maps);

/// The same for the bytes of a shared object: the name of a function of cuBLAS or cuDNN that it calls or
/// looks up. Pure.
std::optional<std::string> bannedFunctionIn(std::string_view object);

} // namespace ptxwb
