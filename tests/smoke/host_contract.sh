# SPDX-License-Identifier: Apache-2.0
# A .cu that brings its own host code, on a machine without a GPU: its launches run on the emulator.
source "$(dirname "$0")/expect.sh"
needs nvcc
headers=$(ls -d "$scratch"/cache/venv/lib/python3*/site-packages/tvm_ffi/include "$tree/.deps/tvm_ffi/include" 2> /dev/null | head -n 1 || true)
if [ -z "$headers" ]; then
    echo "skipped: the headers of TVM-FFI are not here (packaging/run or packaging/deps brings them)"
    exit 77
fi

cat > double.ptx << 'END'
/* @launch { "launches": [ { "kernel": "k", "grid": ["ceildiv(n,64)"], "block": [64],
  "args": [ {"tensor":"X"}, {"tensor":"Y"}, {"u32":"n"} ] } ] } */
.version 8.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .reg .f32 %f<4>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, 64, %r2;
  ld.param.u32 %r4, [n];
  setp.ge.u32 %p, %r3, %r4;
  @%p bra DONE;
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [y];
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd0, %rd2;
  add.u64 %rd4, %rd1, %rd2;
  ld.global.f32 %f0, [%rd3];
  add.f32 %f1, %f0, %f0;
  st.global.f32 [%rd4], %f1;
DONE:
  ret;
}
END
expect 0 ptxwb task new scale --axis n --input X:float32:n --tensor-output Y:float32:n --workload n=1000 \
    --oracle candidate:double.ptx < /dev/null

cat > twice.cu << 'END'
#include <cuda_runtime.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>
#include <cstdio>
__constant__ float half;
__device__ int launched;
__global__ void scale(const float* x, float* y, int n)
{
    __shared__ float tile[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[127 - threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i == 0) {
        atomicAdd(&launched, 1);
    }
    if (i < n) {
        y[i] = tile[127 - threadIdx.x] / half;
    }
}
void run(tvm::ffi::TensorView x, tvm::ffi::TensorView y)
{
    const DLDevice device = x.device();
    const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(device.device_type, device.device_id));
    const float value = 0.5F;
    TVM_FFI_ICHECK(cudaMemcpyToSymbol(half, &value, sizeof value) == cudaSuccess);
    const int n = static_cast<int>(x.size(0));
    cudaDeviceProp properties;
    TVM_FFI_ICHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.major == 9);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {2, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = {static_cast<unsigned>((n + 255) / 256 * 2)};
    config.blockDim = {128};
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    float* between = nullptr;
    TVM_FFI_ICHECK(cudaMallocAsync(&between, n * sizeof(float), stream) == cudaSuccess);
    TVM_FFI_ICHECK(cudaLaunchKernelEx(&config, scale, static_cast<const float*>(x.data_ptr()), between, n) == cudaSuccess);
    cudaMemcpyAsync(y.data_ptr(), between, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
    cudaFreeAsync(between, stream);
    int count = 0;
    TVM_FFI_ICHECK(cudaMemcpyFromSymbol(&count, launched, sizeof count) == cudaSuccess && count == 1) << count;
    std::puts("{\"event\":\"result\",\"verdict\":\"incorrect_numerical\"}");
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
END
deadline=200
expect 0 ptxwb eval twice.cu --task ./scale --on emulator
printed 'host contract: the file brings its own launch code'
printed 'its own host code was run'
printed 'verdict: correct'

# Without the headers, in a moment: the entry by hand, a race, and code that never ends.
cat > hand.cu << 'END'
#define TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, function)
struct Tensor {
    void* data;
};
struct Any {
    int type, padding;
    Tensor* tensor;
};
__global__ void scale(const float* x, float* y, int n)
{
    __shared__ float tile[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[127 - threadIdx.x] = i < n ? x[i] : 0;
    if (i < n) y[i] = tile[threadIdx.x];
}
extern "C" __attribute__((visibility("default"))) int __tvm_ffi_run(void*, const Any* arguments, int, void*)
{
    scale<<<8, 128>>>(static_cast<const float*>(arguments[0].tensor->data), static_cast<float*>(arguments[1].tensor->data),
        1000);
    return 0;
}
END
expect 1 ptxwb eval hand.cu --task ./scale --on emulator
printed 'verdict: race'
printed 'at hand.cu:14'
printed 'at hand.cu (generated PTX):'
