// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/verdict_words.h"

namespace ptxwb {

QString VerdictWords::word(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Correct:
        return tr("Correct");
    case Verdict::IncorrectNumerical:
        return tr("Wrong numbers");
    case Verdict::IncorrectShapeOrDtype:
        return tr("Wrong shape or type");
    case Verdict::NotFinite:
        return tr("Not finite");
    case Verdict::NotWritten:
        return tr("Output not written");
    case Verdict::InputModified:
        return tr("Input modified");
    case Verdict::OutOfBounds:
        return tr("Out of bounds");
    case Verdict::Nondeterministic:
        return tr("Not deterministic");
    case Verdict::Race:
        return tr("Race");
    case Verdict::Deadlock:
        return tr("Deadlock");
    case Verdict::CompileError:
        return tr("Does not compile");
    case Verdict::ExtractionError:
        return tr("No candidate found");
    case Verdict::BannedLibrary:
        return tr("Banned library");
    case Verdict::LaunchError:
        return tr("Launch failed");
    case Verdict::RuntimeError:
        return tr("Run-time fault");
    case Verdict::Timeout:
        return tr("Timed out");
    case Verdict::Unsupported:
        return tr("Not supported here");
    case Verdict::InfrastructureError:
        return tr("Infrastructure error");
    case Verdict::Unverified:
        return tr("Unverified");
    }
    return {};
}

Tone VerdictWords::tone(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Correct:
        return Tone::Good;
    case Verdict::Unverified:
    case Verdict::Unsupported:
    case Verdict::InfrastructureError:
        return Tone::Caution;
    default:
        return Tone::Bad;
    }
}

QString VerdictWords::word(Phase phase)
{
    switch (phase) {
    case Phase::Extract:
        return tr("Extract");
    case Phase::Compile:
        return tr("Compile");
    case Phase::Inspect:
        return tr("Inspect");
    case Phase::Verify:
        return tr("Verify");
    case Phase::Sanitize:
        return tr("Sanitize");
    case Phase::Measure:
        return tr("Measure");
    }
    return {};
}

QString VerdictWords::word(PhaseState state)
{
    switch (state) {
    case PhaseState::Passed:
        return tr("passed");
    case PhaseState::Failed:
        return tr("failed");
    case PhaseState::Skipped:
        return tr("skipped");
    case PhaseState::Cancelled:
        return tr("cancelled");
    }
    return {};
}

Tone VerdictWords::tone(PhaseState state)
{
    switch (state) {
    case PhaseState::Passed:
        return Tone::Good;
    case PhaseState::Failed:
        return Tone::Bad;
    case PhaseState::Skipped:
    case PhaseState::Cancelled:
        return Tone::Neutral;
    }
    return Tone::Neutral;
}

QString VerdictWords::word(EvidenceState state)
{
    switch (state) {
    case EvidenceState::Measured:
        return tr("measured");
    case EvidenceState::Inferred:
        return tr("inferred");
    case EvidenceState::NotMeasured:
        return tr("not measured");
    }
    return {};
}

QString VerdictWords::word(emulator::RuleId rule)
{
    switch (rule) {
    case emulator::RuleId::Deadlock:
        return tr("Deadlock");
    case emulator::RuleId::Livelock:
        return tr("Livelock");
    case emulator::RuleId::Race:
        return tr("Race");
    case emulator::RuleId::MissingProxyFence:
        return tr("Missing proxy fence");
    case emulator::RuleId::MissingWgmmaFence:
        return tr("Missing wgmma fence");
    case emulator::RuleId::MissingWgmmaWait:
        return tr("Missing wgmma wait");
    case emulator::RuleId::OutOfBounds:
        return tr("Out of bounds");
    case emulator::RuleId::TxCountMismatch:
        return tr("Byte counts of a barrier do not match");
    case emulator::RuleId::UninitialisedRead:
        return tr("Uninitialised read");
    case emulator::RuleId::Misaligned:
        return tr("Misaligned address");
    case emulator::RuleId::BarrierMisuse:
        return tr("Barrier misused");
    case emulator::RuleId::DivergentAligned:
        return tr("Divergent aligned instruction");
    case emulator::RuleId::DescriptorMismatch:
        return tr("Descriptor does not match");
    case emulator::RuleId::Trap:
        return tr("Trap");
    case emulator::RuleId::ResourceLimit:
        return tr("Resource limit");
    case emulator::RuleId::NotEmulated:
        return tr("Not emulated");
    }
    return {};
}

} // namespace ptxwb
