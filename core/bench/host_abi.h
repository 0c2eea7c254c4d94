// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/tensor.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

// The C ABI of the host contract, as far as it is used: DLPack's tensor and TVM-FFI's call, declared here so
// that the runner is built without those headers. Layouts: dlpack.h and tvm/ffi/c_api.h of apache-tvm-ffi
// 0.1.
namespace ptxwb::ffi {

inline constexpr std::int32_t deviceCuda = 2; // kDLCUDA

struct DlType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

/// Codes of DLPack 1.1.
DlType dlpackType(Dtype dtype);

struct DlTensor {
    void* data;
    struct {
        std::int32_t type;
        std::int32_t id;
    } device;
    std::int32_t dimensions;
    DlType dtype;
    std::int64_t* shape;
    std::int64_t* strides; ///< in elements
    std::uint64_t byteOffset;
};
static_assert(sizeof(DlTensor) == 48);

/// One argument or result; `type` says which member counts.
struct Any {
    static constexpr std::int32_t integer = 1;
    static constexpr std::int32_t real = 3;
    static constexpr std::int32_t tensor = 7;
    static constexpr std::int32_t error = 67;
    std::int32_t type;
    std::uint32_t padding;
    union {
        std::int64_t asInteger;
        double asReal;
        void* asPointer;
    };
};
static_assert(sizeof(Any) == 16);

struct Bytes {
    const char* data;
    std::size_t size;
};

/// An error object begins with its header of 24 bytes; kind and message follow.
struct Error {
    unsigned char header[24];
    Bytes kind;
    Bytes message;
};

/// What TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, f) exports as `__tvm_ffi_run`; not 0: an error was raised.
using Entry = int (*)(void* self, const Any* arguments, std::int32_t count, Any* result);
inline constexpr const char* entrySymbol = "__tvm_ffi_run";
inline constexpr std::string_view noEntry =
    "It exports no `run`: TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, your_function) does that.";

/// Whether the text of a .cu exports an entry: then it is of the host contract.
inline bool exportsEntry(std::string_view text)
{
    return text.find("TVM_FFI_DLL_EXPORT_TYPED_FUNC") != std::string_view::npos;
}

// Of libtvm_ffi.so.
using SetStream = int (*)(std::int32_t deviceType, std::int32_t device, void* stream, void** before);
using TakeError = void (*)(void** error);
inline constexpr const char* setStreamSymbol = "TVMFFIEnvSetStream";
inline constexpr const char* takeErrorSymbol = "TVMFFIErrorMoveFromRaised";

} // namespace ptxwb::ffi
