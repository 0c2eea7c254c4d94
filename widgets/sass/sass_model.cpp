// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/sass_model.h"

#include "core/sass/control_flow.h"
#include "core/sass/live_registers.h"
#include "core/sass/opcode_reading.h"

#include <QCoreApplication>
#include <QFontDatabase>

#include <algorithm>

namespace ptxwb {

namespace {

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QString lastPart(const QString& path)
{
    return path.section(QLatin1Char('/'), -1).section(QLatin1Char('\\'), -1);
}

QString waits(const ControlCode& code)
{
    QStringList indices;
    for (int i = 0; i < 6; ++i) {
        if (((code.waitMask >> i) & 1) != 0) {
            indices << QString::number(i);
        }
    }
    return indices.join(QLatin1Char(' '));
}

QString sets(const ControlCode& code)
{
    QStringList parts;
    if (code.writeBarrier >= 0) {
        parts << QStringLiteral("W%1").arg(code.writeBarrier);
    }
    if (code.readBarrier >= 0) {
        parts << QStringLiteral("R%1").arg(code.readBarrier);
    }
    return parts.join(QLatin1Char(' '));
}

} // namespace

SassModel::SassModel(QObject* parent)
    : QAbstractTableModel(parent)
{
    setMonospace(QFontDatabase::systemFont(QFontDatabase::FixedFont));
}

void SassModel::setKernel(const SassListing& listing, int kernel)
{
    beginResetModel();
    m_listing = listing;
    m_kernel = kernel >= 0 && kernel < static_cast<int>(listing.kernels.size()) ? kernel : -1;
    m_flow = {};
    m_mostLive = 0;
    m_counts.clear();
    m_waits.clear();
    m_families.clear();
    m_labels.clear();
    m_marked.clear();
    if (m_kernel >= 0) {
        const auto& shown = m_listing.kernels[static_cast<std::size_t>(m_kernel)];
        m_flow = controlFlow(shown);
        m_waits = scoreboardWaits(shown, m_flow);
        m_counts = countFamilies(shown);
        m_mostLive = ptxwb::mostLiveRegisters(shown).value_or(0);
        const auto count = shown.instructions.size();
        m_labels.resize(count);
        m_marked.assign(count, 0);
        m_families.reserve(count);
        for (const auto& row : shown.instructions) {
            m_families.push_back(familiesOf(row.opcode));
        }
        for (const auto& [address, name] : shown.labels) {
            const auto at =
                std::ranges::lower_bound(shown.instructions, address, {}, &SassInstruction::address);
            if (at != shown.instructions.end() && at->address == address) {
                m_labels[static_cast<std::size_t>(at - shown.instructions.begin())] = text(name);
            }
        }
    }
    endResetModel();
}

void SassModel::setLiveRegisters(const SassListing& listing)
{
    if (m_kernel < 0 || listing.text != m_listing.text) {
        return; // of a listing that is no longer shown
    }
    m_listing = listing;
    m_mostLive = ptxwb::mostLiveRegisters(m_listing.kernels[static_cast<std::size_t>(m_kernel)]).value_or(0);
    if (rowCount() > 0) {
        emit dataChanged(index(0, LiveColumn), index(rowCount() - 1, LiveColumn));
    }
}

void SassModel::setColours(const SassColours& colours)
{
    m_colours = colours;
    if (rowCount() > 0) {
        emit dataChanged(
            index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole, Qt::BackgroundRole});
    }
}

void SassModel::setMonospace(const QFont& font)
{
    m_font = font;
    m_boldFont = font;
    m_boldFont.setBold(true);
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::FontRole});
    }
}

int SassModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_families.size());
}

int SassModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

const SassInstruction* SassModel::instruction(int row) const
{
    return row < 0 || row >= rowCount()
        ? nullptr
        : &m_listing.kernels[static_cast<std::size_t>(m_kernel)].instructions[static_cast<std::size_t>(row)];
}

bool SassModel::hasControlCodes() const
{
    const auto* first = instruction(0);
    return first != nullptr && first->hasEncoding;
}

QString SassModel::fileName(int file) const
{
    return file < 0 ? QString() : lastPart(text(m_listing.files[static_cast<std::size_t>(file)]));
}

QVariant SassModel::data(const QModelIndex& index, int role) const
{
    const auto* row = instruction(index.row());
    if (!index.isValid() || row == nullptr) {
        return {};
    }
    const auto at = static_cast<std::size_t>(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return display(*row, index.row(), index.column());
    case Qt::ToolTipRole:
        return toolTip(*row, index.row(), index.column());
    case Qt::ForegroundRole:
        switch (index.column()) {
        case PredicateColumn:
        case OperandsColumn:
            return m_colours.text;
        case OpcodeColumn:
        case FamiliesColumn:
            return m_colours.ink(m_families[at]);
        default:
            return m_colours.faint;
        }
    case Qt::BackgroundRole:
        return m_marked[at] != 0 ? QVariant(m_colours.linkedRow) : QVariant();
    case Qt::FontRole:
        // Families do not hang on hue alone.
        return index.column() == OpcodeColumn && (m_families[at] & ~familiesOf("BRA")) != 0 ? m_boldFont
                                                                                            : m_font;
    case Qt::TextAlignmentRole:
        return index.column() == StallColumn || index.column() == LiveColumn
            ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
            : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case FamiliesRole:
        return m_families[at];
    case PtxLineRole:
        return row->ptxLine;
    case SourceLineRole:
        return ownPlace(*row).line;
    case LoopDepthRole:
        return m_flow.blocks[static_cast<std::size_t>(m_flow.blockOf[at])].loopDepth;
    case TargetRowRole:
        return m_flow.target[at];
    case RawRole:
        return rowText(index.row());
    default:
        return {};
    }
}

QVariant SassModel::display(const SassInstruction& row, int index, int column) const
{
    const auto at = static_cast<std::size_t>(index);
    const auto code = row.hasEncoding ? decodeControl(row.encoding) : ControlCode{};
    switch (column) {
    case AddressColumn: {
        const auto address = QStringLiteral("%1").arg(row.address, 4, 16, QLatin1Char('0'));
        return m_labels[at].isEmpty() ? address : address + QLatin1Char(' ') + m_labels[at];
    }
    case PredicateColumn:
        return text(row.predicate);
    case OpcodeColumn: {
        const int depth = m_flow.blocks[static_cast<std::size_t>(m_flow.blockOf[at])].loopDepth;
        return QString(depth, QChar(0x2502)) + (depth > 0 ? QStringLiteral(" ") : QString())
            + text(row.opcode);
    }
    case OperandsColumn:
        return text(operandsShown(row));
    case WaitColumn:
        return row.hasEncoding ? waits(code) : QString();
    case SetColumn:
        return row.hasEncoding ? sets(code) : QString();
    case StallColumn:
        return row.hasEncoding
            ? QString::number(code.stall) + (code.yield ? QStringLiteral(" Y") : QStringLiteral("  "))
            : QString();
    case LiveColumn:
        return row.liveRegisters >= 0 ? QString::number(row.liveRegisters) : QString();
    case FamiliesColumn: {
        QStringList names;
        for (const auto family : allSassFamilies()) {
            if (contains(m_families[at], family)) {
                names << familyTitle(family);
            }
        }
        return names.join(QStringLiteral(", "));
    }
    case PtxLineColumn:
        if (row.ptxLine <= 0) {
            return QString();
        }
        return row.lineInferred ? QStringLiteral("~%1").arg(row.ptxLine) : QString::number(row.ptxLine);
    case SourceColumn:
        if (const auto place = ownPlace(row); place.line > 0) {
            return QStringLiteral("%1%2:%3")
                .arg(row.lineInferred ? QStringLiteral("~") : QString(), fileName(place.file))
                .arg(place.line);
        }
        return QString();
    default:
        return {};
    }
}

QString SassModel::waitToolTip(const SassInstruction& row, int index) const
{
    QStringList lines;
    if (row.hasEncoding && decodeControl(row.encoding).waitMask != 0) {
        lines << tr("Waits until these scoreboards are free: %1").arg(waits(decodeControl(row.encoding)));
    }
    for (const auto& wait : m_waits[static_cast<std::size_t>(index)]) {
        if (wait.barrier == ScoreboardWait::groups) {
            for (const int setter : wait.setters) {
                lines << tr("Waits for the group of wgmma that ends with %1").arg(rowText(setter));
            }
            continue;
        }
        for (const int setter : wait.setters) {
            lines << tr("%1 is set by %2").arg(wait.barrier).arg(rowText(setter));
        }
        if (wait.more) {
            lines << tr("%1 is set by further rows").arg(wait.barrier);
        }
    }
    return lines.join(QLatin1Char('\n'));
}

SourceFrame SassModel::ownPlace(const SassInstruction& row) const
{
    return ptxwb::ownPlace(m_listing, row);
}

QStringList SassModel::framesOf(const SassInstruction& row) const
{
    const auto own = ownPlace(row);
    QStringList places;
    bool outside = false; // of the shown place, where its callers are
    const auto add = [&](const SourceFrame& place) {
        if (!outside && place == own) {
            outside = true;
            return;
        }
        places << (outside ? tr("inlined at %1:%2") : tr("code of %1:%2, inlined here"))
                      .arg(fileName(place.file))
                      .arg(place.line);
    };
    add({.file = row.sourceFile, .line = row.sourceLine});
    for (int i = 0; i < row.callerCount; ++i) {
        add(m_listing.callers[static_cast<std::size_t>(row.firstCaller + i)]);
    }
    return places;
}

QString SassModel::inferredText()
{
    return tr(
        "Our reading: the compiler's line table leaves wgmma out, so the n-th row gets the n-th wgmma.");
}

QString SassModel::toolTip(const SassInstruction& row, int index, int column) const
{
    switch (column) {
    case OpcodeColumn:
    case OperandsColumn: {
        const auto reading = describeInstruction(row);
        QStringList lines{reading.empty() ? tr("This opcode is not known here.")
                                          : tr("Our reading: %1").arg(text(reading))};
        if (const int depth = this->index(index, column).data(LoopDepthRole).toInt(); depth > 0) {
            lines << tr("Loop depth %1").arg(depth);
        }
        return lines.join(QLatin1Char('\n'));
    }
    case WaitColumn:
        return waitToolTip(row, index);
    case PtxLineColumn:
        if (row.lineInferred) {
            return inferredText();
        }
        return row.ptxLine > 0 ? QString() : tr("The compiler's line table has no entry for this row.");
    case SourceColumn:
        return (framesOf(row) + (row.lineInferred ? QStringList(inferredText()) : QStringList()))
            .join(QLatin1Char('\n'));
    case LiveColumn:
        return row.liveRegisters > 0 && row.liveRegisters == m_mostLive ? tr("The most of this kernel")
                                                                        : QString();
    case StallColumn:
        if (!row.hasEncoding) {
            return {};
        }
        return decodeControl(row.encoding).yield
            ? tr("Stall cycles; the scheduler may switch to another warp")
            : tr("Stall cycles");
    default:
        return {};
    }
}

QVariant SassModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
    case AddressColumn:
        return tip ? tr("Offset in the kernel, and the label that stands there") : tr("Address");
    case PredicateColumn:
        return tip ? tr("Guard: the row has an effect only where this predicate holds") : tr("Guard");
    case OpcodeColumn:
        return tip ? tr("Opcode with modifiers; bars show loops") : tr("Opcode");
    case OperandsColumn:
        return tip ? tr("Results first, then sources") : tr("Operands");
    case WaitColumn:
        return tip ? tr("Scoreboards that the row waits for before it is issued") : tr("Wait");
    case SetColumn:
        return tip
            ? tr("Scoreboards that the row sets: W until its result is written, R until its sources are read")
            : tr("Set");
    case StallColumn:
        return tip ? tr("Cycles before the next row of the warp; Y: the scheduler may switch warps")
                   : tr("Stall");
    case LiveColumn:
        return tip ? tr("General registers that hold a value still needed, by nvdisasm") : tr("Live");
    case FamiliesColumn:
        return tip ? tr("Instruction families") : tr("Family");
    case PtxLineColumn:
        return tip ? tr("Line of the PTX") : tr("PTX");
    case SourceColumn:
        return tip ? tr("Line of the CUDA source") : tr("Source");
    default:
        return {};
    }
}

template <class Belongs> int SassModel::mark(const Belongs& belongs)
{
    int first = -1;
    bool any = false;
    for (int i = 0; i < rowCount(); ++i) {
        const char now = belongs(*instruction(i)) ? 1 : 0;
        any = any || now != m_marked[static_cast<std::size_t>(i)];
        m_marked[static_cast<std::size_t>(i)] = now;
        if (now != 0 && first < 0) {
            first = i;
        }
    }
    if (any) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::BackgroundRole});
    }
    return first;
}

int SassModel::markPtxLine(int line)
{
    return mark([line](const SassInstruction& row) { return line > 0 && row.ptxLine == line; });
}

int SassModel::markSourceLine(int line, const QString& file)
{
    const auto wanted = lastPart(file);
    const auto isPlace = [&](int placeFile, int placeLine) {
        return placeLine == line && (wanted.isEmpty() || fileName(placeFile) == wanted);
    };
    return mark([&](const SassInstruction& row) {
        if (line <= 0) {
            return false;
        }
        bool belongs = isPlace(row.sourceFile, row.sourceLine);
        for (int i = 0; i < row.callerCount && !belongs; ++i) {
            const auto& place = m_listing.callers[static_cast<std::size_t>(row.firstCaller + i)];
            belongs = isPlace(place.file, place.line);
        }
        return belongs;
    });
}

QString SassModel::rowText(int row) const
{
    const auto* at = instruction(row);
    if (at == nullptr) {
        return {};
    }
    auto line = QStringLiteral("/*%1*/ ").arg(at->address, 4, 16, QLatin1Char('0'));
    for (const auto part : {at->predicate, at->opcode, at->operands}) {
        if (!part.empty()) {
            line += QLatin1Char(' ') + text(part);
        }
    }
    return line;
}

QString familyTitle(SassFamily family)
{
    switch (family) {
    case SassFamily::Gmma:
        return SassModel::tr("wgmma");
    case SassFamily::Tma:
        return SassModel::tr("TMA");
    case SassFamily::BulkCopy:
        return SassModel::tr("bulk copy");
    case SassFamily::Mbarrier:
        return SassModel::tr("mbarrier");
    case SassFamily::Tcgen05:
        return SassModel::tr("tcgen05");
    case SassFamily::CpAsync:
        return SassModel::tr("cp.async");
    case SassFamily::Ldmatrix:
        return SassModel::tr("ldmatrix");
    case SassFamily::Mma:
        return SassModel::tr("mma");
    case SassFamily::Setmaxnreg:
        return SassModel::tr("setmaxnreg");
    case SassFamily::Cluster:
        return SassModel::tr("cluster");
    case SassFamily::WarpgroupSync:
        return SassModel::tr("warpgroup");
    case SassFamily::Barrier:
        return SassModel::tr("barrier");
    case SassFamily::Global:
        return SassModel::tr("global");
    case SassFamily::Shared:
        return SassModel::tr("shared");
    case SassFamily::Local:
        return SassModel::tr("local");
    case SassFamily::Branch:
        return SassModel::tr("branch");
    }
    return {};
}

} // namespace ptxwb
