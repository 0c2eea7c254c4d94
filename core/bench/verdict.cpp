// SPDX-License-Identifier: Apache-2.0
#include "core/bench/verdict.h"

#include <array>

namespace ptxwb {

namespace {

struct VerdictFacts {
    Verdict verdict;
    std::string_view name;
    std::string_view meaning;
};

constexpr std::array<VerdictFacts, 19> facts{{
    {Verdict::Correct, "correct", "Every output agrees with the reference in every trial."},
    {Verdict::IncorrectNumerical, "incorrect_numerical",
        "An output differs from the reference by more than the rule allows."},
    {Verdict::IncorrectShapeOrDtype, "incorrect_shape_or_dtype",
        "An output has another shape or element type than the task asks for."},
    {Verdict::NotFinite, "not_finite", "An output holds NaN or Inf where the reference is finite."},
    {Verdict::NotWritten, "not_written", "Elements of an output were never written."},
    {Verdict::InputModified, "input_modified", "The kernel changed one of its inputs."},
    {Verdict::OutOfBounds, "out_of_bounds", "The kernel accessed memory outside its buffers."},
    {Verdict::Nondeterministic, "nondeterministic", "The same inputs gave different results."},
    {Verdict::Race, "race", "Threads or asynchronous copies access the same memory without order."},
    {Verdict::Deadlock, "deadlock", "The kernel waits for something that can never happen."},
    {Verdict::CompileError, "compile_error", "The compiler or assembler refused the source."},
    {Verdict::ExtractionError, "extraction_error",
        "No kernel with a usable launch plan could be read from the text."},
    {Verdict::BannedLibrary, "banned_library", "The candidate calls a library that it is meant to replace."},
    {Verdict::LaunchError, "launch_error", "The device refused to launch the kernel."},
    {Verdict::RuntimeError, "runtime_error", "The kernel faulted while it ran."},
    {Verdict::Timeout, "timeout", "The kernel did not end within its time."},
    {Verdict::Unsupported, "unsupported",
        "This place cannot run the kernel; nothing is said about its results."},
    {Verdict::InfrastructureError, "infrastructure_error", "The machinery failed, not the candidate."},
    {Verdict::Unverified, "unverified", "The results were not checked."},
}};

const VerdictFacts& factsOf(Verdict verdict)
{
    return facts[static_cast<std::size_t>(verdict)];
}

static_assert(
    [] {
        for (std::size_t i = 0; i < facts.size(); ++i) {
            if (static_cast<std::size_t>(facts[i].verdict) != i) {
                return false;
            }
        }
        return true;
    }(),
    "the table is in the order of the enumeration");

} // namespace

std::string_view verdictName(Verdict verdict)
{
    return factsOf(verdict).name;
}

std::optional<Verdict> verdictByName(std::string_view name)
{
    for (const VerdictFacts& f : facts) {
        if (f.name == name) {
            return f.verdict;
        }
    }
    return std::nullopt;
}

std::vector<std::string> verdictNames()
{
    std::vector<std::string> names;
    for (const VerdictFacts& f : facts) {
        names.emplace_back(f.name);
    }
    return names;
}

std::string_view verdictMeaning(Verdict verdict)
{
    return factsOf(verdict).meaning;
}

int exitStatusOf(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Correct:
        return 0;
    case Verdict::Unsupported:
    case Verdict::Unverified:
    case Verdict::InfrastructureError:
        return 3;
    default:
        return 1;
    }
}

} // namespace ptxwb
