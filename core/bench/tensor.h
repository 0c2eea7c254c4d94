// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb {

/// Element types of FlashInfer Trace definitions that the workbench handles.
enum class Dtype {
    Float64,
    Float32,
    Float16,
    Bfloat16,
    Float8E4m3,
    Float8E5m2,
    Int64,
    Int32,
    Int16,
    Int8,
    Uint8,
    Bool
};

std::string_view dtypeName(Dtype dtype); ///< "bfloat16"
std::optional<Dtype> dtypeByName(std::string_view name); ///< "float8_e4m3fn" too
const std::vector<std::string>& dtypeNames(); ///< as definitions spell them
int dtypeBytes(Dtype dtype);

/// A dense row-major tensor's type and extents.
struct TensorType {
    Dtype dtype = Dtype::Float32;
    std::vector<std::int64_t> shape{}; ///< empty: scalar

    std::int64_t elements() const;
    std::uint64_t bytes() const;
};

/// Host conversions with round-to-nearest-even; NaN stays NaN, overflow becomes Inf (e4m3: NaN).
double toDouble(Dtype dtype, const void* element);
void fromDouble(Dtype dtype, double value, void* element); ///< integers: nearest, clamped to the type's range
std::uint16_t toBfloat16(float value);
float fromBfloat16(std::uint16_t bits);
std::uint16_t toFloat16(float value);
float fromFloat16(std::uint16_t bits);

} // namespace ptxwb
