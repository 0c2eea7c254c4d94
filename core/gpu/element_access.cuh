// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/elements.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace ptxwb::gpu {

__device__ inline double loadElement(const void* data, ElementKind kind, std::uint64_t i)
{
    switch (kind) {
    case ElementKind::F64:
        return static_cast<const double*>(data)[i];
    case ElementKind::F32:
        return static_cast<const float*>(data)[i];
    case ElementKind::F16:
        return __half2float(static_cast<const __half*>(data)[i]);
    case ElementKind::Bf16:
        return __bfloat162float(static_cast<const __nv_bfloat16*>(data)[i]);
    case ElementKind::E4m3:
        return __half2float(__nv_cvt_fp8_to_halfraw(static_cast<const std::uint8_t*>(data)[i], __NV_E4M3));
    case ElementKind::E5m2:
        return __half2float(__nv_cvt_fp8_to_halfraw(static_cast<const std::uint8_t*>(data)[i], __NV_E5M2));
    case ElementKind::I64:
        return static_cast<double>(static_cast<const std::int64_t*>(data)[i]);
    case ElementKind::I32:
        return static_cast<const std::int32_t*>(data)[i];
    case ElementKind::I16:
        return static_cast<const std::int16_t*>(data)[i];
    case ElementKind::I8:
        return static_cast<const std::int8_t*>(data)[i];
    case ElementKind::U8:
    case ElementKind::Bool:
        return static_cast<const std::uint8_t*>(data)[i];
    }
    return 0;
}

/// Rounds to nearest even; integers are rounded and clamped as fromDouble of core/bench/tensor.h does.
__device__ inline void storeElement(void* data, ElementKind kind, std::uint64_t i, double value)
{
    switch (kind) {
    case ElementKind::F64:
        static_cast<double*>(data)[i] = value;
        break;
    case ElementKind::F32:
        static_cast<float*>(data)[i] = static_cast<float>(value);
        break;
    case ElementKind::F16:
        static_cast<__half*>(data)[i] = __double2half(value);
        break;
    case ElementKind::Bf16:
        static_cast<__nv_bfloat16*>(data)[i] = __double2bfloat16(value);
        break;
    case ElementKind::E4m3:
        static_cast<std::uint8_t*>(data)[i] = __nv_cvt_double_to_fp8(value, __NV_NOSAT, __NV_E4M3);
        break;
    case ElementKind::E5m2:
        static_cast<std::uint8_t*>(data)[i] = __nv_cvt_double_to_fp8(value, __NV_NOSAT, __NV_E5M2);
        break;
    case ElementKind::I64:
        static_cast<std::int64_t*>(data)[i] = __double2ll_rn(value);
        break;
    case ElementKind::I32:
        static_cast<std::int32_t*>(data)[i] = __double2int_rn(value);
        break;
    case ElementKind::I16:
        static_cast<std::int16_t*>(data)[i] =
            static_cast<std::int16_t>(max(-32768, min(32767, __double2int_rn(value))));
        break;
    case ElementKind::I8:
        static_cast<std::int8_t*>(data)[i] =
            static_cast<std::int8_t>(max(-128, min(127, __double2int_rn(value))));
        break;
    case ElementKind::U8:
        static_cast<std::uint8_t*>(data)[i] =
            static_cast<std::uint8_t>(max(0, min(255, __double2int_rn(value))));
        break;
    case ElementKind::Bool:
        static_cast<std::uint8_t*>(data)[i] = value != 0 ? 1 : 0;
        break;
    }
}

} // namespace ptxwb::gpu
