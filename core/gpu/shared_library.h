// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ptxwb::gpu {

/// A library loaded at run time, and why not where it is absent. Never unloaded: NVIDIA's libraries do not
/// like it.
class SharedLibrary {
public:
    /// Tries each name by the loader's own search, then in CUDA's and Python's usual directories.
    static SharedLibrary open(const std::vector<std::string>& names);

    bool isOpen() const { return m_handle != nullptr; }
    const std::string& path() const { return m_path; } ///< of the file that was loaded
    const std::string& reason() const { return m_reason; } ///< why absent
    void* handle() const { return m_handle; } ///< what dlopen gave, for headers that call dlsym themselves
    /// A function by name, nullptr when it is not there.
    template <class F> F function(const char* name) const { return reinterpret_cast<F>(symbol(name)); }

private:
    void* symbol(const char* name) const;
    void* m_handle = nullptr;
    std::string m_path;
    std::string m_reason;
};

/// The first file of that name below a Python's packages ("tvm_ffi/lib/libtvm_ffi.so").
std::optional<std::string> inPythonPackages(const std::string& below);

} // namespace ptxwb::gpu
