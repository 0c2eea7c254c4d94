// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/debugger/debug_snapshot.h"
#include "widgets/debugger/debug_table_model.h"

#include <QCoreApplication>

#include <cstdint>

namespace ptxwb {

enum class RegisterFormat { Hex, Signed, Unsigned, Float };

/// Rows of the debugger's tables from a snapshot. Pure.
class DebugTables {
    Q_DECLARE_TR_FUNCTIONS(ptxwb::DebugTables)
public:
    static QStringList warpHeaders();
    static QStringList registerHeaders();
    static QStringList barrierHeaders();
    static QStringList pendingHeaders();

    static QStringList watchHeaders();

    static QStringList memoryHeaders(const DebugMemory& memory);

    static std::vector<DebugRow> memory(const DebugMemory& memory);
    static std::vector<DebugRow> watches(const DebugSnapshot& now);
    static std::vector<DebugRow> warps(const DebugSnapshot& now);
    /// Those that changed since `before` (of the same warp) are strong.
    static std::vector<DebugRow> registers(
        const DebugSnapshot& now, const DebugSnapshot* before, int lane, RegisterFormat format);
    static std::vector<DebugRow> barriers(const DebugSnapshot& now);
    static std::vector<DebugRow> pending(const DebugSnapshot& now);

    static QString stopText(const DebugSnapshot& now);
    static QString value(std::uint64_t bits, int width, RegisterFormat format);
    static QString name(const emulator::WarpName& warp); ///< "0.4": CTA, warp
};

} // namespace ptxwb
