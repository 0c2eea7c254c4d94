// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/debug_tables.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxwb {

using namespace emulator;

namespace {

QString text(const std::string& words)
{
    return QString::fromStdString(words);
}

QString names(const std::vector<WarpName>& warps)
{
    QStringList list;
    for (const WarpName& warp : warps) {
        list << DebugTables::name(warp);
    }
    return list.join(QLatin1Char(' '));
}

QString lineOrNone(int line)
{
    return line > 0 ? QString::number(line) : QString();
}

} // namespace

QString DebugTables::name(const WarpName& warp)
{
    return QStringLiteral("%1.%2").arg(warp.cta).arg(warp.warp);
}

QStringList DebugTables::warpHeaders()
{
    return {QString(), tr("CTA.warp"), tr("Lanes"), tr("Line"), tr("Instruction"), tr("State")};
}

QStringList DebugTables::registerHeaders()
{
    return {tr("Register"), tr("Bits"), tr("Value"), tr("Other lanes")};
}

QStringList DebugTables::barrierHeaders()
{
    return {tr("CTA"), tr("Barrier"), tr("Phase"), tr("Arrivals missing"), tr("Bytes missing"), tr("Made at"),
        tr("Last arrival"), tr("Last copy"), tr("Waiting")};
}

QStringList DebugTables::pendingHeaders()
{
    return {tr("Line"), tr("Operation"), tr("Issued by"), tr("State")};
}

QStringList DebugTables::watchHeaders()
{
    return {tr("Place"), tr("Value")};
}

QStringList DebugTables::memoryHeaders(const DebugMemory& memory)
{
    QStringList headers{memory.isMatrix ? tr("Row") : tr("From")};
    for (std::uint32_t i = 0; i < memory.columns; ++i) {
        headers << QStringLiteral("[%1]").arg(i);
    }
    return headers;
}

std::vector<DebugRow> DebugTables::memory(const DebugMemory& memory)
{
    if (!memory.problem.empty()) {
        return {{.cells = {text(memory.problem)}}};
    }
    const auto width = static_cast<std::size_t>(dtypeBytes(memory.dtype));
    const std::size_t count = memory.bytes.size() / width;
    std::vector<DebugRow> rows;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % memory.columns == 0) {
            rows.push_back({.cells = {memory.isMatrix
                                    ? QString::number(i / memory.columns)
                                    : QStringLiteral("%1 + %2").arg(text(memory.name)).arg(i * width)}});
        }
        const std::byte* element = memory.bytes.data() + i * width;
        std::uint32_t word = 0;
        std::memcpy(&word, element, std::min(width, sizeof word));
        rows.back().cells << (memory.words ? value(word, 32, RegisterFormat::Hex)
                                           : QString::number(toDouble(memory.dtype, element), 'g', 9));
    }
    return rows;
}

std::vector<DebugRow> DebugTables::watches(const DebugSnapshot& now)
{
    std::vector<DebugRow> rows;
    for (std::size_t i = 0; i < now.watches.size(); ++i) {
        rows.push_back({.cells = {text(now.watches[i].text), text(now.watchValues[i])},
            .toolTip = tr("Enter goes back to its last change, Delete removes the watch"),
            .item = now.watches[i].number});
    }
    return rows;
}

std::vector<DebugRow> DebugTables::warps(const DebugSnapshot& now)
{
    std::vector<DebugRow> rows;
    for (std::size_t i = 0; i < now.warps.size(); ++i) {
        const WarpView& warp = now.warps[i];
        const bool current = warp.name == now.current;
        const QString mark = (current ? QStringLiteral("●") : QString())
            + (warp.name == now.running ? QStringLiteral("▶") : QString());
        const auto add = [&](const QStringList& cells, int line) {
            rows.push_back({.cells = QStringList{mark, name(warp.name)} + cells,
                .strong = current,
                .toolTip = tr("● its registers are shown; ▶ runs next"),
                .line = line,
                .item = static_cast<int>(i)});
        };
        if (warp.splits.empty()) {
            add({QString(), QString(), QString(), tr("has exited")}, 0);
        }
        for (const SplitView& split : warp.splits) {
            const QString lanes = split.lanes == 0xFFFFFFFFU
                ? tr("all")
                : QStringLiteral("0x%1").arg(split.lanes, 8, 16, QLatin1Char('0'));
            add({lanes, lineOrNone(split.line), text(split.opcode),
                    split.waits.empty() ? tr("can run") : text(split.waits)},
                split.line);
        }
    }
    return rows;
}

QString DebugTables::value(std::uint64_t bits, int width, RegisterFormat format)
{
    if (width == 1) {
        return bits != 0 ? tr("true") : tr("false");
    }
    switch (format) {
    case RegisterFormat::Float:
        return width == 64
            ? QString::number(std::bit_cast<double>(bits), 'g', 12)
            : QString::number(
                static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))), 'g', 9);
    case RegisterFormat::Signed:
        return width == 64 ? QString::number(static_cast<std::int64_t>(bits))
                           : QString::number(static_cast<std::int32_t>(bits));
    case RegisterFormat::Unsigned:
        return QString::number(bits);
    case RegisterFormat::Hex:
        break;
    }
    return QStringLiteral("0x%1").arg(bits, width / 4, 16, QLatin1Char('0'));
}

std::vector<DebugRow> DebugTables::registers(
    const DebugSnapshot& now, const DebugSnapshot* before, int lane, RegisterFormat format)
{
    const bool comparable = before != nullptr && before->current == now.current
        && before->registers.size() == now.registers.size();
    const auto at = static_cast<std::size_t>(std::clamp(lane, 0, 31));
    std::vector<DebugRow> rows;
    for (std::size_t i = 0; i < now.registers.size(); ++i) {
        const RegisterView& view = now.registers[i];
        const bool defined = (view.defined >> at & 1U) != 0;
        const bool equal = view.defined == 0xFFFFFFFFU
            && std::all_of(view.values.begin(), view.values.end(),
                [&](std::uint64_t one) { return one == view.values[0]; });
        const bool changed = comparable
            && (before->registers[i].values != view.values || before->registers[i].defined != view.defined);
        QStringList all;
        for (std::size_t l = 0; l < view.values.size(); ++l) {
            all << ((view.defined >> l & 1U) != 0 ? value(view.values[l], view.bits, format)
                                                  : tr("undefined"));
        }
        const QString others = equal ? tr("the same")
            : view.defined == 0      ? tr("undefined too")
                                     : all.mid(0, 8).join(QLatin1Char(' ')) + QStringLiteral(" …");
        rows.push_back({.cells = {text(view.name), QString::number(view.bits),
                            defined ? all[static_cast<qsizetype>(at)] : tr("undefined"), others},
            .strong = changed,
            .toolTip = all.join(QLatin1Char('\n')),
            .item = static_cast<int>(i)});
    }
    return rows;
}

std::vector<DebugRow> DebugTables::barriers(const DebugSnapshot& now)
{
    std::vector<DebugRow> rows;
    for (std::size_t i = 0; i < now.barriers.size(); ++i) {
        const BarrierView& one = now.barriers[i];
        rows.push_back({.cells = {QString::number(one.cta), text(one.place),
                            tr("%1 (parity %2)").arg(one.phase).arg(one.phase & 1U),
                            tr("%1 of %2").arg(one.pending).arg(one.expected),
                            tr("%1 (%2 of %3 came)")
                                .arg(one.missingBytes)
                                .arg(one.deliveredBytes)
                                .arg(one.expectedBytes),
                            lineOrNone(one.initLine), lineOrNone(one.arriveLine), lineOrNone(one.deliverLine),
                            names(one.waiting)},
            .strong = !one.waiting.empty(),
            .toolTip = tr("Enter goes back to its last change"),
            .line = one.arriveLine,
            .item = static_cast<int>(i)});
    }
    for (const NamedBarrierView& one : now.namedBarriers) {
        rows.push_back(
            {.cells = {QString::number(one.cta), tr("barrier %1").arg(one.number), QString(),
                 one.expected == 0 ? tr("all; %1 have come").arg(one.arrived)
                                   : tr("%1 of %2").arg(one.expected - one.arrived).arg(one.expected),
                 QString(), QString(), QString(), QString(), names(one.waiting)},
                .strong = !one.waiting.empty()});
    }
    return rows;
}

std::vector<DebugRow> DebugTables::pending(const DebugSnapshot& now)
{
    std::vector<DebugRow> rows;
    for (const PendingView& one : now.pending) {
        rows.push_back({.cells = {QString::number(one.line), text(one.opcode), name(one.warp),
                            one.sourceRead ? tr("has read its source") : tr("under way")},
            .line = one.line});
    }
    return rows;
}

QString DebugTables::stopText(const DebugSnapshot& now)
{
    const QString detail = text(now.stop.detail);
    QString cause;
    switch (now.stop.cause) {
    case StopCause::Start:
        cause = tr("At the start");
        break;
    case StopCause::Step:
        break;
    case StopCause::Breakpoint:
        cause = tr("Breakpoint");
        break;
    case StopCause::Watch:
        cause = tr("Changed: %1").arg(detail);
        break;
    case StopCause::Report:
        cause = tr("Reported: %1").arg(detail);
        break;
    case StopCause::Finished:
        cause = tr("Finished: every thread has exited");
        break;
    case StopCause::Deadlock:
        cause = tr("Deadlock: %1").arg(detail);
        break;
    case StopCause::Livelock:
        cause = tr("Livelock: %1").arg(detail);
        break;
    case StopCause::Fault:
        cause = tr("Stopped by a fault: %1").arg(detail);
        break;
    case StopCause::Interrupted:
        cause = tr("Interrupted");
        break;
    }
    QStringList parts;
    if (!now.note.empty()) {
        parts << text(now.note);
    }
    if (!cause.isEmpty()) {
        parts << cause;
    }
    parts << (now.line > 0 ? tr("Warp %1 at line %2").arg(name(now.current)).arg(now.line)
                           : tr("Warp %1 has exited").arg(name(now.current)));
    return parts.join(QStringLiteral(" · "));
}

} // namespace ptxwb
