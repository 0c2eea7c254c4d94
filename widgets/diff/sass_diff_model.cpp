// SPDX-License-Identifier: Apache-2.0
#include "widgets/diff/sass_diff_model.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QHash>

namespace ptxwb {

namespace {

constexpr int contextRows = 3;

QString hex(std::uint64_t address)
{
    return QStringLiteral("%1").arg(address, 4, 16, QLatin1Char('0'));
}

/// core's word for a difference as the user reads it.
QString differenceTitle(const std::string& what)
{
    const QHash<QString, QString> titles{{QStringLiteral("opcode"), SassDiffModel::tr("opcode")},
        {QStringLiteral("modifier"), SassDiffModel::tr("modifier")},
        {QStringLiteral("predicate"), SassDiffModel::tr("predicate")},
        {QStringLiteral("immediate"), SassDiffModel::tr("immediate")},
        {QStringLiteral("operand"), SassDiffModel::tr("operand")},
        {QStringLiteral("target"), SassDiffModel::tr("target")},
        {QStringLiteral("stall"), SassDiffModel::tr("stall")},
        {QStringLiteral("yield"), SassDiffModel::tr("yield")},
        {QStringLiteral("write_barrier"), SassDiffModel::tr("write barrier")},
        {QStringLiteral("read_barrier"), SassDiffModel::tr("read barrier")},
        {QStringLiteral("wait_mask"), SassDiffModel::tr("wait")},
        {QStringLiteral("reuse"), SassDiffModel::tr("reuse")}};
    const auto key = QString::fromStdString(what);
    return titles.value(key, key);
}

} // namespace

SassDiffModel::SassDiffModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_font(QFontDatabase::systemFont(QFontDatabase::FixedFont))
{
}

void SassDiffModel::setDiff(const SassDiff& diff, const SassListing& a, const SassListing& b)
{
    beginResetModel();
    m_diff = diff;
    m_a = a;
    m_b = b;
    m_kernel = diff.kernels.empty() ? -1 : 0;
    build();
    endResetModel();
}

void SassDiffModel::setKernel(int kernel)
{
    beginResetModel();
    m_kernel = kernel >= 0 && kernel < static_cast<int>(m_diff.kernels.size()) ? kernel : -1;
    build();
    endResetModel();
}

void SassDiffModel::setHideEqual(bool hide)
{
    beginResetModel();
    m_hideEqual = hide;
    build();
    endResetModel();
}

void SassDiffModel::setShowSchedule(bool show)
{
    beginResetModel();
    m_showSchedule = show;
    build();
    endResetModel();
}

void SassDiffModel::setColours(const SassColours& colours)
{
    m_colours = colours;
    if (rowCount() > 0) {
        emit dataChanged(
            index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole, Qt::BackgroundRole});
    }
}

void SassDiffModel::setMonospace(const QFont& font)
{
    m_font = font;
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::FontRole});
    }
}

void SassDiffModel::setTitles(const QString& a, const QString& b)
{
    m_titleA = a;
    m_titleB = b;
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

bool SassDiffModel::isChange(DiffKind kind) const
{
    return kind != DiffKind::Equal && (kind != DiffKind::Schedule || m_showSchedule);
}

void SassDiffModel::build()
{
    m_lines.clear();
    m_changes = 0;
    if (m_kernel < 0) {
        return;
    }
    const auto& kernel = m_diff.kernels[static_cast<std::size_t>(m_kernel)];
    const auto count = static_cast<int>(kernel.rows.size());
    bool inChange = false;
    const auto addRow = [&](int row) {
        const bool change = isChange(kernel.rows[static_cast<std::size_t>(row)].kind);
        if (change && !inChange) {
            ++m_changes;
        }
        inChange = change;
        m_lines.push_back({row, 0, change ? m_changes - 1 : -1});
    };
    if (!m_hideEqual) {
        for (int row = 0; row < count; ++row) {
            addRow(row);
        }
        return;
    }
    int next = 0;
    for (const auto& [first, end] : diffHunks(kernel, contextRows, m_showSchedule)) {
        if (first > next) {
            m_lines.push_back({-1, first - next, -1});
            inChange = false;
        }
        for (int row = first; row < end; ++row) {
            addRow(row);
        }
        next = end;
    }
    if (next < count) {
        m_lines.push_back({-1, count - next, -1});
    }
}

int SassDiffModel::nextChange(int row, bool forward) const
{
    const auto count = static_cast<int>(m_lines.size());
    const auto changeAt = [this](int i) { return m_lines[static_cast<std::size_t>(i)].change; };
    const int current = row >= 0 && row < count ? changeAt(row) : -1;
    const int step = forward ? 1 : -1;
    for (int i = row + step; i >= 0 && i < count; i += step) {
        if (changeAt(i) >= 0 && changeAt(i) != current) {
            int first = i;
            while (first > 0 && changeAt(first - 1) == changeAt(i)) {
                --first;
            }
            return first;
        }
    }
    return -1;
}

int SassDiffModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int SassDiffModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

const SassInstruction* SassDiffModel::instruction(const Line& line, bool inB) const
{
    const auto& kernel = m_diff.kernels[static_cast<std::size_t>(m_kernel)];
    const auto& row = kernel.rows[static_cast<std::size_t>(line.row)];
    const int at = inB ? row.b : row.a;
    const int of = inB ? kernel.kernelB : kernel.kernelA;
    return at < 0 || of < 0
        ? nullptr
        : &(inB ? m_b : m_a).kernels[static_cast<std::size_t>(of)].instructions[static_cast<std::size_t>(at)];
}

QString SassDiffModel::kindText(const DiffRow& row) const
{
    const auto& kernel = m_diff.kernels[static_cast<std::size_t>(m_kernel)];
    QStringList what;
    QStringList registers;
    for (const auto& name : row.what) {
        what << differenceTitle(name);
    }
    switch (row.kind) {
    case DiffKind::Equal:
        return {};
    case DiffKind::Changed:
        for (const auto& name : row.registers) {
            registers << QString::fromStdString(name);
        }
        return QStringLiteral("≠ ") + what.join(QStringLiteral(", "))
            + (registers.isEmpty() ? QString() : QStringLiteral(": ")) + registers.join(QStringLiteral(", "));
    case DiffKind::Added:
        return QStringLiteral("+");
    case DiffKind::Removed:
        return QStringLiteral("−");
    case DiffKind::Moved: {
        const bool fromA = row.a >= 0;
        const auto& other = fromA ? m_b.kernels[static_cast<std::size_t>(kernel.kernelB)]
                                  : m_a.kernels[static_cast<std::size_t>(kernel.kernelA)];
        const auto address = hex(other.instructions[static_cast<std::size_t>(row.peer)].address);
        return (fromA ? QStringLiteral("→ ") : QStringLiteral("← ")) + address;
    }
    case DiffKind::Schedule:
        return m_showSchedule ? QStringLiteral("~ ") + what.join(QStringLiteral(", ")) : QString();
    }
    return {};
}

QVariant SassDiffModel::background(const DiffRow& row, int column) const
{
    const bool left = column <= CodeAColumn;
    const bool right = column >= AddressBColumn;
    switch (row.kind) {
    case DiffKind::Equal:
        return {};
    case DiffKind::Changed:
        return left ? m_colours.removed : right ? m_colours.added : m_colours.changed;
    case DiffKind::Added:
        return left ? QVariant() : QVariant(m_colours.added);
    case DiffKind::Removed:
        return right ? QVariant() : QVariant(m_colours.removed);
    case DiffKind::Moved:
        return (row.a >= 0 && right) || (row.b >= 0 && left) ? QVariant() : QVariant(m_colours.moved);
    case DiffKind::Schedule:
        return m_showSchedule ? QVariant(m_colours.scheduled) : QVariant();
    }
    return {};
}

QVariant SassDiffModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const auto& line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == ChangeRole) {
        return line.change;
    }
    if (role == Qt::FontRole) {
        return m_font;
    }
    if (line.row < 0) {
        if (role == Qt::DisplayRole && index.column() == CodeAColumn) {
            return line.leftOut == 1 ? tr("⋯ 1 equal row") : tr("⋯ %L1 equal rows").arg(line.leftOut);
        }
        return role == Qt::ForegroundRole ? QVariant(m_colours.faint)
            : role == KindRole            ? QVariant(-1)
                                          : QVariant();
    }
    const auto& row =
        m_diff.kernels[static_cast<std::size_t>(m_kernel)].rows[static_cast<std::size_t>(line.row)];
    const bool inB = index.column() >= AddressBColumn;
    const auto* code = instruction(line, inB);
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == KindColumn) {
            return kindText(row);
        }
        if (code == nullptr) {
            return {};
        }
        return index.column() == CodeAColumn || index.column() == CodeBColumn
            ? QString::fromStdString(instructionText(*code))
            : hex(code->address);
    case Qt::ToolTipRole:
        return index.column() == KindColumn && row.kind != DiffKind::Equal ? diffKindTitle(row.kind)
                                                                           : QString();
    case Qt::ForegroundRole:
        if (index.column() == AddressAColumn || index.column() == AddressBColumn) {
            return m_colours.faint;
        }
        return code != nullptr && index.column() != KindColumn ? m_colours.ink(familiesOf(code->opcode))
                                                               : m_colours.text;
    case Qt::BackgroundRole:
        return background(row, index.column());
    case KindRole:
        return static_cast<int>(row.kind);
    default:
        return {};
    }
}

QVariant SassDiffModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    switch (section) {
    case CodeAColumn:
        return m_titleA;
    case CodeBColumn:
        return m_titleB;
    case AddressAColumn:
    case AddressBColumn:
        return role == Qt::DisplayRole ? tr("Address") : tr("Offset in the kernel");
    case KindColumn:
        return role == Qt::DisplayRole ? tr("Change")
                                       : tr("What differs; an arrow names the address moved to or from");
    default:
        return {};
    }
}

QString diffKindTitle(DiffKind kind)
{
    switch (kind) {
    case DiffKind::Equal:
        return SassDiffModel::tr("equal");
    case DiffKind::Changed:
        return SassDiffModel::tr("changed");
    case DiffKind::Added:
        return SassDiffModel::tr("added");
    case DiffKind::Removed:
        return SassDiffModel::tr("removed");
    case DiffKind::Moved:
        return SassDiffModel::tr("moved");
    case DiffKind::Schedule:
        return SassDiffModel::tr("scheduling differs");
    }
    return {};
}

} // namespace ptxwb
