// SPDX-License-Identifier: Apache-2.0
#include "widgets/history/history_model.h"

#include "core/bench/verdict.h"
#include "widgets/results/verdict_words.h"

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>

namespace ptxwb {

using records::HistoryEntry;

namespace {

QDateTime timeOf(const HistoryEntry& entry)
{
    return QDateTime::fromString(QString::fromStdString(entry.madeUtc), Qt::ISODate).toLocalTime();
}

bool isNumber(int column)
{
    return column == HistoryModel::SpeedupColumn || column == HistoryModel::MedianColumn;
}

} // namespace

void HistoryModel::setEntries(std::vector<HistoryEntry> entries)
{
    beginResetModel();
    m_entries = std::move(entries);
    endResetModel();
}

void HistoryModel::setColours(const StatusColours& colours)
{
    m_colours = colours;
    if (!m_entries.empty()) {
        emit dataChanged(index(0, VerdictColumn), index(rowCount() - 1, VerdictColumn), {Qt::ForegroundRole});
    }
}

int HistoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int HistoryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

QString HistoryModel::cell(const HistoryEntry& entry, int column) const
{
    switch (column) {
    case MadeColumn: {
        const QDateTime made = timeOf(entry);
        return made.isValid() ? made.toString(QStringLiteral("yyyy-MM-dd hh:mm"))
                              : QString::fromStdString(entry.madeUtc);
    }
    case CandidateColumn: {
        const QString name = QFileInfo(QString::fromStdString(entry.candidatePath)).fileName();
        return name.isEmpty() ? tr("untitled") : name;
    }
    case TaskColumn:
        return QString::fromStdString(entry.task);
    case WorkloadColumn:
        return QString::fromStdString(entry.workload);
    case VerdictColumn: {
        const auto verdict = verdictByName(entry.verdict);
        return verdict
            ? glyphOf(VerdictWords::tone(*verdict)) + QLatin1Char(' ') + VerdictWords::word(*verdict)
            : QString::fromStdString(entry.verdict);
    }
    case SpeedupColumn:
        return entry.speedup ? QLocale().toString(*entry.speedup, 'f', 3) + QStringLiteral("×") : QString();
    case MedianColumn:
        return entry.coldMedianUs ? QLocale().toString(*entry.coldMedianUs, 'f', 1) : QString();
    case WhereColumn:
        return !entry.device.empty() ? QString::fromStdString(entry.device)
            : entry.on == "emulator" ? tr("emulator")
                                     : tr("not run");
    default:
        return {};
    }
}

QVariant HistoryModel::sortKey(const HistoryEntry& entry, int column) const
{
    switch (column) {
    case MadeColumn:
        return static_cast<qlonglong>(entry.id); // numbers are given in the order of time
    case SpeedupColumn:
        return entry.speedup.value_or(-1);
    case MedianColumn:
        return entry.coldMedianUs.value_or(-1);
    default:
        return cell(entry, column);
    }
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const HistoryEntry& entry = m_entries[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cell(entry, index.column());
    case SortRole:
        return sortKey(entry, index.column());
    case Qt::ToolTipRole:
        return tr("Evaluation %1 of %2, for %3, by version %4\nText: %5")
            .arg(entry.id)
            .arg(QString::fromStdString(entry.candidatePath), QString::fromStdString(entry.target),
                QString::fromStdString(entry.productVersion),
                QString::fromStdString(entry.candidateSha256).left(12));
    case Qt::ForegroundRole:
        if (const auto verdict = verdictByName(entry.verdict); verdict && index.column() == VerdictColumn) {
            return m_colours.ink(VerdictWords::tone(*verdict));
        }
        return {};
    case Qt::TextAlignmentRole:
        return isNumber(index.column()) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::TextAlignmentRole && isNumber(section)) {
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case MadeColumn:
        return tr("Made");
    case CandidateColumn:
        return tr("Candidate");
    case TaskColumn:
        return tr("Task");
    case WorkloadColumn:
        return tr("Workload");
    case VerdictColumn:
        return tr("Verdict");
    case SpeedupColumn:
        return tr("Speed-up");
    case MedianColumn:
        return tr("Cold µs");
    case WhereColumn:
        return tr("Where");
    default:
        return {};
    }
}

} // namespace ptxwb
