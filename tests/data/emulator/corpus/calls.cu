// SPDX-License-Identifier: Apache-2.0
/* @launch {
  "axes": { "n": 128 },
  "tensors": { "X": { "dtype": "int32", "shape": ["n"] },
               "Y": { "dtype": "int32", "shape": ["n", 6], "role": "output" } },
  "launches": [ { "kernel": "calls", "grid": ["n/64"], "block": [64], "args": [ {"tensor":"X"}, {"tensor":"Y"} ] } ]
} */
// Functions that are called: structures by value, recursion, pointers to functions, virtual functions.

struct Pair {
    int first;
    double second;
    char tail[5];
};

__device__ __noinline__ Pair turned(Pair p, int by)
{
    Pair q = p;
    q.first = static_cast<int>(p.second) + by;
    q.second = p.first;
    for (int i = 0; i < 5; ++i) {
        q.tail[i] = static_cast<char>(p.tail[4 - i] + by);
    }
    return q;
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int twice(int v)
{
    return 2 * v;
}
__device__ __noinline__ int squared(int v)
{
    return v * v;
}
__device__ int (*const functions[2])(int) = {twice, squared};

struct Shape {
    __device__ virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    __device__ explicit Square(int s) : side(s) {}
    __device__ int area() const override { return side * side; }
};
struct Strip : Shape {
    int length;
    __device__ explicit Strip(int l) : length(l) {}
    __device__ int area() const override { return 3 * length; }
};

__device__ __noinline__ int areaOf(const Shape& shape)
{
    return shape.area();
}

extern "C" __global__ void calls(const int* x, int* y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = x[i];
    int* out = y + i * 6;
    Pair p{v, v + 0.5, {1, 2, 3, 4, static_cast<char>(v)}};
    const Pair q = turned(p, 3);
    out[0] = q.first;
    out[1] = static_cast<int>(q.second) + 10 * q.tail[0] + 100 * q.tail[4];
    out[2] = fibonacci(v & 7);
    out[3] = functions[v & 1](v & 1023);
    const Square square(v & 15);
    const Strip strip(v & 31);
    out[4] = areaOf((v & 2) != 0 ? static_cast<const Shape&>(square) : strip);
    int heap[16];
    for (int j = 0; j < 16; ++j) {
        heap[(j * 7 + v) & 15] = j;
    }
    out[5] = heap[v & 15] + 100 * heap[(v >> 3) & 15];
}
