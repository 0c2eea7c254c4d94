__device__ __forceinline__ float axpy(float a, float x, float y)
{
    return a * x + y;
}

extern "C" __global__ void saxpy(int n, float a, const float* x, float* y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] = axpy(a, x[i], y[i]);
    }
}

__global__ void reverse(int n, int* v)
{
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = v[t];
    __syncthreads();
    v[t] = s[n - t - 1];
}
