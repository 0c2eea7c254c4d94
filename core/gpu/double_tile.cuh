// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/gpu/element_access.cuh"

// The float64 matrix product of the oracles: a block of 256 threads makes a 128 x 128 tile, 8 x 8 each, so
// that one shared load feeds eight FMAs.
namespace ptxwb::gpu::tiles {

inline constexpr int tile = 128;
inline constexpr int depth = 16;
inline constexpr int perThread = 8;
inline constexpr int threads = 256;
inline constexpr int pitch = tile + 2; // keeps 16-byte alignment of pairs and spreads the banks

using Panel = double[depth][pitch]; ///< a slice of `depth` terms of the sum, for 128 rows or columns
using Sums = double[perThread][perThread];

// A thread's rows and columns lie 16 apart, so that neighbouring threads read neighbouring words.
__device__ inline int rowOf(int i)
{
    return static_cast<int>(threadIdx.x) / 16 + 16 * i;
}
__device__ inline int columnOf(int j)
{
    return static_cast<int>(threadIdx.x) % 16 + 16 * j;
}

/// Rows [row0, row0 + tile) of a row-major [rows, k] matrix that begins `base` elements into memory, columns
/// [k0, k0 + depth): the sum runs along the rows.
__device__ inline void loadAlongRows(Panel& panel, const void* matrix, ElementKind kind, std::int64_t base,
    std::int64_t row0, std::int64_t rows, std::int64_t k0, std::int64_t k)
{
    for (int i = static_cast<int>(threadIdx.x); i < tile * depth; i += threads) {
        const int row = i / depth;
        const int column = i % depth;
        const bool inside = row0 + row < rows && k0 + column < k;
        const std::int64_t at = base + (row0 + row) * k + k0 + column;
        panel[column][row] = inside ? loadElement(matrix, kind, static_cast<std::uint64_t>(at)) : 0.0;
    }
}

/// Columns [column0, column0 + tile) of a row-major [k, columns] matrix, rows [k0, k0 + depth): the sum runs
/// down the columns.
__device__ inline void loadDownColumns(Panel& panel, const void* matrix, ElementKind kind, std::int64_t base,
    std::int64_t column0, std::int64_t columns, std::int64_t k0, std::int64_t k)
{
    for (int i = static_cast<int>(threadIdx.x); i < tile * depth; i += threads) {
        const int row = i / tile;
        const int column = i % tile;
        const bool inside = column0 + column < columns && k0 + row < k;
        const std::int64_t at = base + (k0 + row) * columns + column0 + column;
        panel[row][column] = inside ? loadElement(matrix, kind, static_cast<std::uint64_t>(at)) : 0.0;
    }
}

/// Adds the products of two panels.
__device__ inline void accumulate(Sums& sums, const Panel& a, const Panel& b)
{
    for (int d = 0; d < depth; ++d) {
        double fromA[perThread];
        double fromB[perThread];
#pragma unroll
        for (int i = 0; i < perThread; ++i) {
            fromA[i] = a[d][rowOf(i)];
            fromB[i] = b[d][columnOf(i)];
        }
#pragma unroll
        for (int i = 0; i < perThread; ++i) {
#pragma unroll
            for (int j = 0; j < perThread; ++j) {
                sums[i][j] = fma(fromA[i], fromB[j], sums[i][j]);
            }
        }
    }
}

} // namespace ptxwb::gpu::tiles
