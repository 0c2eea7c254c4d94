// SPDX-License-Identifier: Apache-2.0
#include "core/gpu/cuda_error.h"

#include <fmt/format.h>

namespace ptxwb::gpu {

std::string cudaMessage(cudaError_t code)
{
    return fmt::format("{} ({})", cudaGetErrorString(code), cudaGetErrorName(code));
}

Error cudaFailure(cudaError_t code, const std::string& what)
{
    Error error{.code = ErrorCode::Internal, .message = fmt::format("{}: {}", what, cudaMessage(code))};
    switch (code) {
    case cudaErrorInsufficientDriver:
        error.code = ErrorCode::Unavailable;
        error.hint = "no NVIDIA driver is here, or it is older than this program's CUDA runtime: install a "
                     "newer driver";
        break;
    case cudaErrorNoDevice:
        error.code = ErrorCode::Unavailable;
        error.hint =
            "no GPU is visible: `nvidia-smi -L`, CUDA_VISIBLE_DEVICES, and the container's --gpus option";
        break;
    case cudaErrorInvalidDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceUninitialized:
    case cudaErrorSystemNotReady:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorInitializationError:
    case cudaErrorECCUncorrectable:
        error.code = ErrorCode::Unavailable;
        error.hint = "`nvidia-smi` shows what the driver says about the device";
        break;
    case cudaErrorMemoryAllocation:
        error.code = ErrorCode::Unavailable;
        error.hint = "other processes may hold the device's memory: `nvidia-smi`";
        break;
    default:
        break;
    }
    return error;
}

Result<void> check(cudaError_t code, const std::string& what)
{
    if (code == cudaSuccess) {
        return {};
    }
    return cudaFailure(code, what);
}

bool isSticky(cudaError_t code)
{
    switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorExternalDevice:
    case cudaErrorUnknown:
#if CUDART_VERSION >= 13000
    case cudaErrorContained:
    case cudaErrorTensorMemoryLeak:
#endif
        return true;
    default:
        return false;
    }
}

} // namespace ptxwb::gpu
