// SPDX-License-Identifier: Apache-2.0
#include "core/bench/host_abi.h"

namespace ptxwb::ffi {

DlType dlpackType(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Float64:
        return {2, 64, 1};
    case Dtype::Float32:
        return {2, 32, 1};
    case Dtype::Float16:
        return {2, 16, 1};
    case Dtype::Bfloat16:
        return {4, 16, 1};
    case Dtype::Float8E4m3:
        return {10, 8, 1};
    case Dtype::Float8E5m2:
        return {12, 8, 1};
    case Dtype::Int64:
        return {0, 64, 1};
    case Dtype::Int32:
        return {0, 32, 1};
    case Dtype::Int16:
        return {0, 16, 1};
    case Dtype::Int8:
        return {0, 8, 1};
    case Dtype::Uint8:
        return {1, 8, 1};
    case Dtype::Bool:
        return {6, 8, 1};
    }
    return {0, 0, 1};
}

} // namespace ptxwb::ffi
