// SPDX-License-Identifier: Apache-2.0
#include "core/evaluation/given_oracle.h"

#include "core/bench/host_input.h"
#include "core/bench/npy.h"
#include "core/bench/oracle.h"
#include "core/bench/scaled_problem.h"
#include "core/support/files.h"
#include "core/support/subprocess.h"
#include "core/support/temporary_directory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace ptxwb {

namespace {

using Bytes = std::vector<std::byte>;
using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds patience{600'000};
constexpr int withoutTorch = 86; // of the driver below, and of nothing else

// Tensors travel as plain bytes, so that torch alone is needed; ctypes reads those that NumPy has no type
// for.
constexpr const char* driver = R"(import ctypes, json, sys
try:
    import torch
except ImportError as problem:
    print(problem, file=sys.stderr)
    sys.exit(86)
spec = json.load(open("spec.json"))
place = "cuda" if torch.cuda.is_available() else "cpu"
inputs = []
for one in spec["inputs"]:
    raw = bytearray(open(one["file"], "rb").read())
    tensor = torch.frombuffer(raw, dtype=torch.uint8).view(getattr(torch, one["dtype"]))
    inputs.append(tensor[0].item() if one["scalar"] else tensor.reshape(one["shape"]).to(place))
names = {"__name__": "reference"}
exec(compile(open("reference.py").read(), "reference.py", "exec"), names)
outputs = names["run"](*inputs)
if not isinstance(outputs, (tuple, list)):
    outputs = (outputs,)
if len(outputs) != len(spec["outputs"]):
    sys.exit("run() gave %d outputs, the definition has %d" % (len(outputs), len(spec["outputs"])))
for one, tensor in zip(spec["outputs"], outputs):
    if list(tensor.shape) != one["shape"]:
        sys.exit("output %s has shape %s, not %s" % (one["name"], list(tensor.shape), one["shape"]))
    tensor = tensor.detach().to("cpu", getattr(torch, one["dtype"])).contiguous()
    with open(one["file"], "wb") as file:
        file.write(ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()))
print("torch %s on %s" % (torch.__version__, place))
)";

std::string_view asText(const Bytes& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes asBytes(const std::string& text)
{
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

Json describeTensor(const BufferSpec& spec, const std::string& file)
{
    return {{"name", spec.name}, {"file", file}, {"dtype", dtypeName(spec.type.dtype)},
        {"shape", spec.type.shape}, {"scalar", spec.type.shape.empty()}};
}

std::string lastWords(const std::string& log)
{
    constexpr std::size_t most = 600;
    return log.size() <= most ? log : "... " + log.substr(log.size() - most);
}

Error whyPythonFailed(const ProcessOutcome& end, const std::string& python)
{
    if (end.cancelled) {
        return {.code = ErrorCode::Cancelled, .message = "the Python reference was cancelled"};
    }
    if (end.timedOut) {
        return {.code = ErrorCode::TimedOut,
            .message = fmt::format("the Python reference did not end within {} s", patience.count() / 1000)};
    }
    if (!end.signal && end.exitCode == withoutTorch) {
        return {.code = ErrorCode::MissingTool,
            .message = fmt::format("the oracle is the definition's Python reference, and {} has no torch: {}",
                python, lastWords(end.standardError)),
            .hint = "PTXWB_PYTHON names an interpreter that has it, or install it there (pip install torch)"};
    }
    return {.code = ErrorCode::ToolFailed,
        .message = fmt::format("the Python reference failed: {}", lastWords(end.standardError)),
        .hint = "the definition's `reference` is run as it is, with the workload's tensors"};
}

/// Inputs as the runner makes them of this seed, on the host.
Result<std::vector<Bytes>> hostInputs(const EvaluateRequest& request)
{
    std::vector<Bytes> inputs;
    for (std::uint32_t b = 0; b < request.plan.buffers.size(); ++b) {
        const BufferSpec& spec = request.plan.buffers[b];
        if (spec.role != BufferRole::Input) {
            continue;
        }
        auto& bytes = inputs.emplace_back(spec.type.bytes());
        if (spec.init == BufferInit::Derived) {
            continue;
        }
        if (auto filled = fillOnHost(spec, request.seed, b, bytes.data()); !filled) {
            return filled.error();
        }
    }
    auto made = deriveFromSeed({.name = request.oracle.file, .parameters = request.oracle.parameters},
        request.plan.buffers, request.seed);
    if (!made) {
        return made.error();
    }
    for (DerivedInput& input : *made) {
        inputs[input.input] = std::move(input.bytes);
    }
    return inputs;
}

Result<Bytes> storedTensor(const std::filesystem::path& folder, const BufferSpec& spec)
{
    const auto path = folder / (spec.name + ".npy");
    const auto file = readFile(path);
    if (!file) {
        return file.error();
    }
    auto read = readNpy(*file, spec.type);
    if (!read) {
        auto error = read.error();
        error.path = path.string();
        return error;
    }
    return read;
}

} // namespace

bool isGivenOracle(const OracleSpec& oracle)
{
    return oracle.name == "stored" || oracle.name == "python";
}

Result<std::vector<Bytes>> runPythonReference(const Task& task, const std::vector<BufferSpec>& buffers,
    const std::vector<Bytes>& inputs, std::stop_token stop)
{
    const auto scratch = TemporaryDirectory::create();
    if (!scratch) {
        return scratch.error();
    }
    const char* named = std::getenv("PTXWB_PYTHON");
    const std::string python = named != nullptr && *named != '\0' ? named : "python3";
    Json spec{{"inputs", Json::array()}, {"outputs", Json::array()}};
    std::vector<std::pair<std::string, std::string_view>> files{
        {"driver.py", driver}, {"reference.py", task.reference}};
    std::vector<const BufferSpec*> outputs;
    std::size_t input = 0;
    for (const BufferSpec& buffer : buffers) {
        if (buffer.role == BufferRole::Input && input < inputs.size()) {
            const auto file = fmt::format("input{}.bin", input);
            spec["inputs"].push_back(describeTensor(buffer, file));
            files.emplace_back(file, asText(inputs[input++]));
        } else if (buffer.role == BufferRole::Output) {
            spec["outputs"].push_back(describeTensor(buffer, fmt::format("output{}.bin", outputs.size())));
            outputs.push_back(&buffer);
        }
    }
    const std::string described = spec.dump(-1, ' ', false, Json::error_handler_t::replace);
    files.emplace_back("spec.json", described);
    for (const auto& [name, text] : files) {
        if (auto written = writeFileAtomically(scratch->path() / name, std::string(text), stop); !written) {
            return written.error();
        }
    }
    const auto ended = runProcess(
        {.argv = {python, "driver.py"}, .workingDirectory = scratch->path(), .timeout = patience}, stop);
    if (!ended) {
        auto error = ended.error();
        error.hint = "PTXWB_PYTHON names an interpreter with torch";
        return error;
    }
    if (!ended->succeeded()) {
        return whyPythonFailed(*ended, python);
    }
    std::vector<Bytes> made;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto read = readFile(scratch->path() / fmt::format("output{}.bin", i));
        if (!read || read->size() != outputs[i]->type.bytes()) {
            return Error{.code = ErrorCode::ToolFailed,
                .message = fmt::format("the Python reference left no whole output {}", outputs[i]->name)};
        }
        made.push_back(asBytes(*read));
    }
    return made;
}

Result<void> addGivenOracle(EvaluateRequest& request, const Task& task, std::stop_token stop)
{
    if (!isGivenOracle(task.oracle)) {
        return {};
    }
    std::vector<Bytes> inputs;
    std::vector<Bytes> outputs;
    if (task.oracle.name == "stored") {
        const auto folder = task.directory / task.oracle.file;
        for (const BufferSpec& spec : request.plan.buffers) {
            if (spec.role == BufferRole::Workspace) {
                continue;
            }
            auto tensor = storedTensor(folder, spec);
            if (!tensor) {
                return tensor.error();
            }
            (spec.role == BufferRole::Input ? inputs : outputs).push_back(*std::move(tensor));
        }
    } else {
        auto made = hostInputs(request);
        if (!made) {
            return made.error();
        }
        inputs = *std::move(made);
        auto answered = runPythonReference(task, request.plan.buffers, inputs, std::move(stop));
        if (!answered) {
            return answered.error();
        }
        outputs = *std::move(answered);
    }
    std::size_t input = 0;
    std::size_t output = 0;
    for (std::size_t b = 0; b < request.plan.buffers.size(); ++b) {
        BufferSpec& spec = request.plan.buffers[b];
        const auto content = [&](const Bytes& bytes) {
            return BufferContent{.buffer = static_cast<int>(b), .bytes = std::string(asText(bytes))};
        };
        if (spec.role == BufferRole::Input) {
            request.contents.push_back(content(inputs[input++]));
            spec.init = BufferInit::Zero; // nothing of it is drawn again, and no part is altered
        } else if (spec.role == BufferRole::Output) {
            request.storedOutputs.push_back(content(outputs[output++]));
        }
    }
    request.tolerance.trials = 1; // more would see the same inputs
    return {};
}

std::function<Result<std::vector<std::vector<double>>>(
    const std::vector<std::vector<std::byte>>&, std::stop_token)>
emulatedGivenOracle(const Task& task, const std::vector<BufferSpec>& buffers)
{
    return [task, buffers](const std::vector<Bytes>& contents,
               const std::stop_token& stop) -> Result<std::vector<std::vector<double>>> {
        if (task.oracle.name != "python") {
            return Error{.code = ErrorCode::Unsupported,
                .message = "stored outputs belong to stored inputs, and the emulator draws its own",
                .hint = "--on gpu, or another --oracle"};
        }
        std::vector<Bytes> inputs;
        for (std::size_t b = 0; b < buffers.size() && b < contents.size(); ++b) {
            if (buffers[b].role == BufferRole::Input) {
                inputs.push_back(contents[b]);
            }
        }
        const auto made = runPythonReference(task, buffers, inputs, stop);
        if (!made) {
            return made.error();
        }
        std::vector<std::vector<double>> references;
        std::size_t output = 0;
        for (const BufferSpec& spec : buffers) {
            if (spec.role == BufferRole::Output) {
                references.push_back(toDoubles(spec.type, (*made)[output++].data()));
            }
        }
        return references;
    };
}

} // namespace ptxwb
