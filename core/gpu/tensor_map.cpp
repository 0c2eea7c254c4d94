// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/tensor_map.h"

#include "core/gpu/driver_entry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

namespace ptxwb::gpu {

namespace {

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
    const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
    CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

std::optional<CUtensorMapDataType> dataType(Dtype dtype)
{
    switch (dtype) {
    case Dtype::Float64:
        return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    case Dtype::Float32:
        return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    case Dtype::Float16:
        return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    case Dtype::Bfloat16:
        return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
    case Dtype::Int64:
        return CU_TENSOR_MAP_DATA_TYPE_INT64;
    case Dtype::Int32:
        return CU_TENSOR_MAP_DATA_TYPE_INT32;
    case Dtype::Int16:
        return CU_TENSOR_MAP_DATA_TYPE_UINT16;
    case Dtype::Float8E4m3:
    case Dtype::Float8E5m2:
    case Dtype::Int8:
    case Dtype::Uint8:
    case Dtype::Bool:
        return CU_TENSOR_MAP_DATA_TYPE_UINT8;
    }
    return std::nullopt;
}

CUtensorMapSwizzle swizzle(Swizzle value)
{
    switch (value) {
    case Swizzle::None:
        return CU_TENSOR_MAP_SWIZZLE_NONE;
    case Swizzle::B32:
        return CU_TENSOR_MAP_SWIZZLE_32B;
    case Swizzle::B64:
        return CU_TENSOR_MAP_SWIZZLE_64B;
    case Swizzle::B128:
        return CU_TENSOR_MAP_SWIZZLE_128B;
    }
    return CU_TENSOR_MAP_SWIZZLE_NONE;
}

CUtensorMapL2promotion promotion(L2Promotion value)
{
    switch (value) {
    case L2Promotion::None:
        return CU_TENSOR_MAP_L2_PROMOTION_NONE;
    case L2Promotion::B64:
        return CU_TENSOR_MAP_L2_PROMOTION_L2_64B;
    case L2Promotion::B128:
        return CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
    case L2Promotion::B256:
        return CU_TENSOR_MAP_L2_PROMOTION_L2_256B;
    }
    return CU_TENSOR_MAP_L2_PROMOTION_NONE;
}

} // namespace

std::variant<CUtensorMap, CandidateFault> encodeTensorMap(const TensorMapSpec& spec, void* buffer)
{
    const auto encode = driverFunction<Encode>("cuTensorMapEncodeTiled", 12000);
    if (encode == nullptr) {
        return CandidateFault{
            Verdict::Unsupported, "The driver here makes no tensor maps: it is older than CUDA 12.0."};
    }
    const auto type = dataType(spec.dtype);
    CUtensorMap map{};
    const CUresult code = !type
        ? CUDA_ERROR_INVALID_VALUE
        : encode(&map, *type, static_cast<cuuint32_t>(spec.dims.size()),
            static_cast<char*>(buffer) + spec.offsetBytes, spec.dims.data(), spec.stridesBytes.data(),
            spec.box.data(), spec.elementStrides.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle(spec.swizzle),
            promotion(spec.l2),
            spec.fill == OutOfBoundsFill::Nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                                              : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (code != CUDA_SUCCESS) {
        return CandidateFault{Verdict::LaunchError,
            fmt::format(
                "The driver refused tensor map '{}' (code {}): {} dims {}, strides {} bytes, box {}, element "
                "strides {}, offset {} bytes.",
                spec.name, static_cast<int>(code), dtypeName(spec.dtype), spec.dims, spec.stridesBytes,
                spec.box, spec.elementStrides, spec.offsetBytes)};
    }
    return map;
}

} // namespace ptxwb::gpu
