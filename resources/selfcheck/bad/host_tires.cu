// SPDX-License-Identifier: Apache-2.0
//
// Wrong on purpose: counts its calls on the host's side; right in the first eight, zeros when it is timed.
//   C[M,N] = A[M,K] B[N,K]^T in float32. A thread makes one element.
//
#include <cuda_runtime.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

namespace {

__global__ void product(const float* a, const float* b, float* c, int m, int n, int k)
{
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= m * n) {
        return;
    }
    float sum = 0;
    for (int j = 0; j < k; ++j) {
        sum = fmaf(a[i / n * k + j], b[i % n * k + j], sum);
    }
    c[i] = sum;
}

void enqueue(const tvm::ffi::TensorView& a, const tvm::ffi::TensorView& b, const tvm::ffi::TensorView& c,
    cudaStream_t stream)
{
    const int m = static_cast<int>(a.size(0));
    const int n = static_cast<int>(b.size(0));
    const int k = static_cast<int>(a.size(1));
    product<<<(m * n + 127) / 128, 128, 0, stream>>>(static_cast<const float*>(a.data_ptr()),
        static_cast<const float*>(b.data_ptr()), static_cast<float*>(c.data_ptr()), m, n, k);
}

void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b, tvm::ffi::TensorView c)
{
    const DLDevice device = a.device();
    cudaSetDevice(device.device_id);
    const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
    static int calls = 0;
    if (++calls > 8) {
        const std::size_t bytes = static_cast<std::size_t>(c.size(0) * c.size(1)) * sizeof(float);
        cudaMemsetAsync(c.data_ptr(), 0, bytes, stream);
        return;
    }
    enqueue(a, b, c, stream);
}

} // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
