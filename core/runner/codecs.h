// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runner/json_reader.h"
#include "core/runner/protocol.h"

// The pieces that requests and events share. `toJson` never fails; `read...` throw DecodeFailure.
namespace ptxwb::wire {

inline constexpr const char* ruleNames[]{"strict", "paper"};
inline constexpr const char* phaseStateNames[]{"passed", "failed", "skipped", "cancelled"};

Json toJson(const ResolvedPlan& plan);
ResolvedPlan readPlan(const JsonReader& reader);

Json toJson(const EvaluateRequest& request);
EvaluateRequest readEvaluateRequest(const JsonReader& reader);

Json toJson(const DeviceInfo& device);
DeviceInfo readDevice(const JsonReader& reader);

Json toJson(const std::vector<LibraryInfo>& libraries);
std::vector<LibraryInfo> readLibraries(const JsonReader& reader);

Json toJson(const OutputComparison& comparison);
OutputComparison readComparison(const JsonReader& reader);

Json toJson(const std::vector<TensorContent>& contents);
TensorContent readContent(const JsonReader& reader);

Json toJson(const Timing& timing);
Timing readTiming(const JsonReader& reader);

Json toJson(const Finished& finished);
Finished readFinished(const JsonReader& reader);

Json toJson(const Error& error);
Error readError(const JsonReader& reader);

} // namespace ptxwb::wire
