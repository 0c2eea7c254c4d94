// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "width": 48, "height": 20 },
  "tensors": { "Y": { "dtype": "int32", "shape": ["height", "width"], "role": "output" },
               "Z": { "dtype": "int32", "shape": ["height", "width"], "role": "output" } },
  "launches": [
    { "kernel": "mandelbrot", "grid": ["width/16", "ceildiv(height,8)"], "block": [16, 8],
      "args": [ {"tensor":"Y"}, {"i32":"width"}, {"i32":"height"} ] },
    { "kernel": "collatz", "grid": ["ceildiv(width*height,128)"], "block": [128],
      "args": [ {"tensor":"Z"}, {"i32":"width*height"} ] } ]
} */
// Loops that end at another time in each lane, switches, early returns.

extern "C" __global__ void mandelbrot(int* y, int width, int height)
{
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= height) {
        return;
    }
    const float re = static_cast<float>(c - 32) / 16.0f;
    const float im = static_cast<float>(r - 10) / 8.0f;
    float a = 0;
    float b = 0;
    int steps = 0;
    while (steps < 100 && __fadd_rn(__fmul_rn(a, a), __fmul_rn(b, b)) < 4.0f) {
        const float next = __fadd_rn(__fsub_rn(__fmul_rn(a, a), __fmul_rn(b, b)), re);
        b = __fadd_rn(__fmul_rn(2.0f * a, b), im);
        a = next;
        ++steps;
    }
    y[r * width + c] = steps;
}

extern "C" __global__ void collatz(int* z, int count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) {
        return;
    }
    unsigned n = i + 1;
    int steps = 0;
    for (;;) {
        switch (n % 6) {
        case 0:
        case 2:
        case 4:
            n /= 2;
            break;
        case 1:
            if (n == 1) {
                z[i] = steps;
                return;
            }
            n = 3 * n + 1;
            break;
        case 3:
            n = 3 * n + 1;
            break;
        default:
            n = n * 3 + 1;
            ++steps;
            n /= 2;
        }
        ++steps;
    }
}
