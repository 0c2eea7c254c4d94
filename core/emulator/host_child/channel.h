// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace ptxwb::emulator::host {

/// Takes the standard streams for the talk with the emulator and gives host code others: it reads nothing,
/// and what it prints goes to the log. Once, before anything else.
void openChannel();
/// The setup. An empty object at the end of the input.
nlohmann::json hearSetup();

/// Says something that has no answer. Any thread.
void tell(const nlohmann::json& message);
/// Asks the emulated device. Any thread. Ends the process when nobody answers.
nlohmann::json ask(const nlohmann::json& call);

/// Says that host code called what the emulated runtime lacks, and ends the process.
[[noreturn]] void endAtMissing(std::string_view api);

/// Tells of the address of a fault from within its handler, before the signal ends the process.
void tellOfFaults();

} // namespace ptxwb::emulator::host
