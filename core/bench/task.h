// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/tensor.h"
#include "core/bench/tolerance.h"

#include <cstdint>
#include <filesystem>
#include <map>

namespace ptxwb {

/// An axis of a definition. A const axis is part of the task: a candidate may hard-code it.
struct Axis {
    std::string name{};
    std::optional<std::int64_t> constant{}; ///< nullopt: var, set by the workload
    std::string description{};
};

struct TensorSpec {
    std::string name{};
    Dtype dtype = Dtype::Float32;
    std::vector<std::string> shape{}; ///< axis names
    bool isScalar = false; ///< `"shape": null`
    std::string description{};
};

enum class InputSource { Random, Scalar, Stored, Derived };

struct WorkloadInput {
    InputSource source = InputSource::Random;
    double scalar = 0;
    std::string path{}; ///< safetensors file (Stored)
    std::string tensorKey{};
};

/// One concrete shape of a task.
struct Workload {
    std::string uuid{};
    std::map<std::string, std::int64_t> axes{}; ///< var axes only, as in the file
    std::map<std::string, WorkloadInput> inputs{};
    std::vector<std::string> tags{}; ///< "paper", "small", "emulator", "demo"

    bool hasTag(std::string_view tag) const;
    /// "paper", or the first tag, or the uuid: what recorded files and titles call it.
    std::string name() const;
};

/// Where the right answer comes from. Our own code by name: "gemm_nt", "gemm_nt_scaled", "attention_forward",
/// "attention_forward_scaled", "attention_backward", "gathered_attention"; or "candidate" (a slow, plain
/// kernel), "python" (the definition's reference), "stored" (outputs that were kept).
struct OracleSpec {
    std::string name{}; ///< empty: no oracle
    std::map<std::string, double> parameters{}; ///< e.g. causal 0|1, scale
    std::string file{}; ///< "candidate": the kernel that makes the reference, in the task's folder
};

/// What a candidate for a target is asked to use; met when any of its SASS families is in the code (and
/// executed).
struct InstructionGoal {
    std::string name{}; ///< "wgmma", "tma", "tcgen05"
    std::string target{}; ///< "sm_90a"
    std::string sassFamily{}; ///< name of a SassFamily
};

struct BaselineSpec {
    std::string name{}; ///< "cublaslt", "cudnn"
    std::string description{};
};

/// A kernel of the tree with the verdict that it must get.
struct ExampleKernel {
    std::string path{}; ///< relative to the task's directory
    std::string target{};
    std::string contract{}; ///< "kernel" or "host"
    std::string title{};
    std::string expectedVerdict{};
    std::vector<std::string> expectedGoals{}; ///< goals expected to be met
};

/// An operator to implement: FlashInfer Trace definition plus our `workbench` object
/// (tasks/<family>/<name>/task.json).
struct Task {
    std::string name{};
    std::string opType{};
    std::string description{};
    std::vector<Axis> axes{};
    std::vector<TensorSpec> inputs{}; ///< in argument order
    std::vector<TensorSpec> outputs{};
    std::string reference{}; ///< Python source of the definition
    std::vector<std::string> constraints{};
    std::vector<std::string> tags{};
    OracleSpec oracle{}; ///< name empty: no oracle here
    Tolerance tolerance{};
    StrictRule strict{};
    std::vector<BaselineSpec> baselines{};
    std::string flops{}; ///< expression over axes, empty unknown
    std::string bytes{}; ///< minimal traffic, expression over axes
    std::vector<InstructionGoal> goals{};
    std::string contract = "kernel";
    std::vector<ExampleKernel> examples{};
    std::vector<Workload> workloads{};
    std::vector<std::string> notes{}; ///< e.g. that the data differ from the paper's
    std::filesystem::path directory{};

    /// Const axes and the workload's var axes together. Errors: InvalidArgument naming a missing axis.
    Result<std::map<std::string, std::int64_t>> axisValues(const Workload& workload) const;
    Result<TensorType> typeOf(const TensorSpec& spec, const Workload& workload) const;
    /// By uuid, uuid prefix (>= 8 digits) or tag. Errors: NotFound listing what there is.
    Result<const Workload*> workload(std::string_view uuidOrTag) const;
};

/// Parses task.json and workloads.jsonl. Errors: BadFormat with path, line and JSON path.
Result<Task> loadTask(const std::filesystem::path& directory);

/// Every task below `root` (share/tasks), sorted by name. A broken one is an error naming its file.
Result<std::vector<Task>> loadTasks(const std::filesystem::path& root);

} // namespace ptxwb
