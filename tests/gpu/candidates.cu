// SPDX-License-Identifier: Apache-2.0
// Candidates for the runner's own tests: C[M,N] = A[M,K] B[N,K]^T in float32, right and wrong in known ways.
// Grid and block are one-dimensional, a thread makes one element.

namespace {

__device__ unsigned long long index()
{
    return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ float element(const float* a, const float* b, unsigned long long i, int n, int k, int from, int to)
{
    double sum = 0;
    for (int j = from; j < to; ++j) {
        sum += static_cast<double>(a[i / n * k + j]) * b[i % n * k + j];
    }
    return static_cast<float>(sum);
}

__device__ int calls;

} // namespace

extern "C" {

__global__ void right(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m) * n) {
        c[index()] = element(a, b, index(), n, k, 0, k);
    }
}

__global__ void half_of_k(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m) * n) {
        c[index()] = element(a, b, index(), n, k, 0, k / 2);
    }
}

__global__ void zeros(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m) * n) {
        c[index()] = 0;
    }
}

__global__ void nothing(const float* a, const float* b, float* c, int m, int n, int k) { }

__global__ void all_but_last_row(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m - 1) * n) {
        c[index()] = element(a, b, index(), n, k, 0, k);
    }
}

__global__ void one_past_the_end(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m) * n) {
        c[index()] = element(a, b, index(), n, k, 0, k);
    }
    if (index() == 0) {
        c[static_cast<unsigned long long>(m) * n] = 1;
    }
}

__global__ void changes_an_input(float* a, const float* b, float* c, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m) * n) {
        c[index()] = element(a, b, index(), n, k, 0, k);
    }
    if (index() + 1 == static_cast<unsigned long long>(m) * n) {
        a[static_cast<unsigned long long>(m) * k - 1] += 1e-3F;
    }
}

__global__ void one_nan(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m) * n) {
        c[index()] = index() == 7 ? 0.0F / (a[0] - a[0]) : element(a, b, index(), n, k, 0, k);
    }
}

__global__ void traps(const float* a, const float* b, float* c, int m, int n, int k)
{
    asm volatile("trap;");
}

__global__ void writes_nowhere(const float* a, const float* b, float* c, int m, int n, int k)
{
    *reinterpret_cast<volatile float*>(0x10) = 1;
}

__global__ void is_misaligned(const float* a, const float* b, float* c, int m, int n, int k)
{
    *reinterpret_cast<volatile float*>(reinterpret_cast<char*>(c) + 1) = 1;
}

__global__ void never_ends(const float* a, const float* b, float* c, int m, int n, int k)
{
    while (*static_cast<volatile const float*>(a) < 1e30F) { }
}

// After a few calls it stops working: right in the trials, wrong when timed.
__global__ void tires(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m) * n) {
        c[index()] = calls > 8 ? 0 : element(a, b, index(), n, k, 0, k);
    }
}
__global__ void count_a_call()
{
    ++calls;
}

// Two launches over a workspace that must be zero before every call.
__global__ void add_halves(const float* a, const float* b, float* sums, int m, int n, int k)
{
    if (index() < static_cast<unsigned long long>(m) * n) {
        atomicAdd(sums + index(), element(a, b, index(), n, k, 0, k / 2));
        atomicAdd(sums + index(), element(a, b, index(), n, k, k / 2, k));
    }
}
__global__ void copy_sums(const float* sums, float* c, int count)
{
    if (index() < count) {
        c[index()] = sums[index()];
    }
}

} // extern "C"
