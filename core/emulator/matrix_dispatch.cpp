// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/matrix_kernels.h"

namespace ptxwb::emulator {

namespace matrix_portable {
MatrixKernels kernels();
}
#if defined(PTXWB_HAVE_AVX2_LANES)
namespace matrix_avx2 {
MatrixKernels kernels();
}
namespace matrix_avx512 {
MatrixKernels kernels();
}
#endif

namespace {

MatrixKernels chosen()
{
#if defined(PTXWB_HAVE_AVX2_LANES)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")) {
        return matrix_avx512::kernels();
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return matrix_avx2::kernels();
    }
#endif
    return matrix_portable::kernels();
}

} // namespace

const MatrixKernels& matrixKernels()
{
    static const MatrixKernels kernels = chosen();
    return kernels;
}

} // namespace ptxwb::emulator
