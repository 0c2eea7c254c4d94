// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/task.h"

#include <array>
#include <cstdint>
#include <map>

namespace ptxwb {

/// Everything below is resolved: expressions evaluated for one workload. It travels to the runner as it is.

enum class BufferRole { Input, Output, Workspace };
enum class BufferInit { Random, Zero, Iota, Poison, Scalar, Derived };

/// A device buffer of the launch: the task's tensors in definition order, then workspaces.
struct BufferSpec {
    std::string name{};
    TensorType type{};
    BufferRole role = BufferRole::Input;
    BufferInit init = BufferInit::Random;
    double scalar = 0; ///< BufferInit::Scalar
};

enum class Swizzle { None, B32, B64, B128 };
enum class OutOfBoundsFill { Zero, Nan };
enum class L2Promotion { None, B64, B128, B256 };

/// Arguments of cuTensorMapEncodeTiled; dimension 0 is innermost.
struct TensorMapSpec {
    std::string name{};
    int buffer = -1; ///< index into ResolvedPlan::buffers
    Dtype dtype = Dtype::Bfloat16;
    std::vector<std::uint64_t> dims{}; ///< elements, rank 1..5
    std::vector<std::uint64_t> stridesBytes{}; ///< rank - 1 entries, of dimensions 1..
    std::vector<std::uint32_t> box{};
    std::vector<std::uint32_t> elementStrides{};
    Swizzle swizzle = Swizzle::None;
    OutOfBoundsFill fill = OutOfBoundsFill::Zero;
    L2Promotion l2 = L2Promotion::None;
    std::uint64_t offsetBytes = 0;
};

enum class ArgumentKind { Tensor, TensorMap, Workspace, I32, U32, I64, U64, F32, F64 };

struct LaunchArgument {
    ArgumentKind kind = ArgumentKind::Tensor;
    int index = -1; ///< buffer, or tensor map
    std::int64_t offsetBytes = 0; ///< of a tensor
    std::int64_t integer = 0;
    double real = 0;
};

struct Launch {
    std::string kernel{};
    std::array<std::uint32_t, 3> grid{1, 1, 1};
    std::array<std::uint32_t, 3> block{1, 1, 1};
    std::array<std::uint32_t, 3> cluster{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    bool cooperative = false;
    bool programmaticSerialization = false; ///< "pdl"
    std::optional<std::array<std::uint32_t, 3>>
        preferredCluster{}; ///< attribute `preferred_cluster` (Blackwell)
    std::vector<LaunchArgument> arguments{};
};

struct ResolvedPlan {
    std::vector<BufferSpec> buffers{};
    std::vector<TensorMapSpec> tensorMaps{};
    std::vector<Launch> launches{};
};

/// Finds the one `@launch { ... }` object in a block comment of the file; the JSON text and the line it
/// starts on.
/// `@launch` stands at the start of a line of the comment (blanks and asterisks may precede it).
/// Errors: NotFound (no plan; hint shows a minimal one), BadFormat (two plans, unbalanced braces).
struct PlanText {
    std::string json{};
    int line = 1; ///< of the opening brace, 1-based in the file
};
Result<PlanText> extractLaunchPlan(std::string_view fileText);

/// Parses and resolves the plan of a candidate for one workload of a task. Validates names, ranges (grid,
/// block, cluster divides grid, box against swizzle span, alignments) before any device is touched. Errors:
/// BadFormat with line (in the file) and jsonPath.
Result<ResolvedPlan> resolveLaunchPlan(std::string_view fileText, const Task& task, const Workload& workload);

/// The tensors of a task as buffers, without launches: what a host-contract candidate is called with. Errors
/// as above.
Result<ResolvedPlan> taskBuffers(const Task& task, const Workload& workload);

/// A plan that declares its own axes and tensors: a kernel without a task.
struct DeclaredPlan {
    ResolvedPlan plan{};
    std::map<std::string, std::int64_t> axes{};
    std::vector<std::string> files{}; ///< by buffer: the .npy file of `"init": "file:NAME.npy"`, as written
    bool declaresTensors = false; ///< the plan has `tensors`
    std::optional<double> flops{}; ///< `"flops"`: of all launches together
    std::optional<double> bytes{}; ///< `"bytes"`: the least that must travel to and from memory
};

/// Resolves such a plan. Errors: BadFormat with line and jsonPath, as above.
Result<DeclaredPlan> resolveDeclaredPlan(std::string_view fileText);

/// The line of the file where the plan has that JSON path, its first line when it has none; nothing
/// without a plan.
std::optional<int> planLine(std::string_view fileText, std::string_view jsonPath);

/// Kernel names that the plan launches, in order, without resolving anything else.
Result<std::vector<std::string>> plannedKernels(std::string_view fileText);

} // namespace ptxwb
