// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "rows": 70, "columns": 100 },
  "tensors": { "X": { "dtype": "float32", "shape": ["rows", "columns"] },
               "Y": { "dtype": "float32", "shape": ["columns", "rows"], "role": "output" } },
  "launches": [ { "kernel": "transpose", "grid": ["ceildiv(columns,32)", "ceildiv(rows,32)"], "block": [32, 8],
    "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"i32":"rows"}, {"i32":"columns"} ] } ]
} */
// Through a tile with a column of padding.

extern "C" __global__ void transpose(const float* x, float* y, int rows, int columns)
{
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x;
    int r = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (c < columns && r + j < rows) {
            tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * columns + c];
        }
    }
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x;
    r = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (c < rows && r + j < columns) {
            y[(r + j) * rows + c] = tile[threadIdx.x][threadIdx.y + j];
        }
    }
}
