// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "rows": 100 },
  "tensors": { "X": { "dtype": "float32", "shape": ["rows"] },
               "Values": { "dtype": "float32", "shape": ["rows", 24] },
               "Columns": { "dtype": "int32", "shape": ["rows", 24] },
               "Y": { "dtype": "float32", "shape": ["rows"], "role": "output" } },
  "launches": [ { "kernel": "sparseProduct", "grid": ["ceildiv(rows,4)"], "block": [128],
    "args": [ {"tensor":"Values"}, {"tensor":"Columns"}, {"tensor":"X"}, {"tensor":"Y"}, {"i32":"rows"} ] } ]
} */
// Compressed rows, a warp each, of lengths that differ.

extern "C" __global__ void sparseProduct(
    const float* values, const unsigned* columns, const float* x, float* y, int rows)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    const int begin = row * 24;
    const int end = begin + row % 25;
    float sum = 0;
    for (int i = begin + lane; i < end; i += 32) {
        sum += values[i] * x[columns[i] % rows];
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xFFFFFFFFU, sum, offset);
    }
    if (lane == 0) {
        y[row] = sum;
    }
}
