// SPDX-License-Identifier: Apache-2.0
#include "widgets/triage/triage_model.h"

#include "widgets/triage/triage_words.h"

#include <algorithm>
#include <map>

namespace ptxwb {

using records::TriageResult;
using records::TriageRow;

namespace {

int lineOf(const TriageRow& row)
{
    return row.cause && row.cause->line ? row.cause->answerLine.value_or(*row.cause->line) : 0;
}

int bucketOf(const TriageRow& row)
{
    return row.cause ? static_cast<int>(row.cause->cause) : int{TriageModel::CompilesBucket};
}

bool lacks(const TriageRow& row)
{
    return row.result == TriageResult::Compiles && !row.askedNotPresent.empty();
}

QString joined(const std::vector<std::string>& words)
{
    QStringList list;
    for (const std::string& word : words) {
        list << QString::fromStdString(word);
    }
    return list.join(QStringLiteral(", "));
}

QString familiesText(const records::FamilyTable& families)
{
    QStringList parts;
    for (const auto& [name, count] : families) {
        parts << QStringLiteral("%1 %2").arg(QString::fromStdString(name)).arg(count);
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

void TriageModel::setRows(std::vector<TriageRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void TriageModel::addRow(const TriageRow& row)
{
    beginInsertRows({}, rowCount(), rowCount());
    m_rows.push_back(row);
    endInsertRows();
}

void TriageModel::setColours(const StatusColours& colours)
{
    m_colours = colours;
    if (!m_rows.empty()) {
        emit dataChanged(index(0, ResultColumn), index(rowCount() - 1, ResultColumn), {Qt::ForegroundRole});
    }
}

std::vector<TriageModel::Count> TriageModel::counts() const
{
    std::map<int, int> ofBucket;
    int lacking = 0;
    for (const TriageRow& row : m_rows) {
        ++ofBucket[bucketOf(row)];
        lacking += lacks(row) ? 1 : 0;
    }
    std::vector<Count> causes;
    for (const auto& [bucket, answers] : ofBucket) {
        if (bucket != CompilesBucket) {
            causes.push_back({bucket, answers});
        }
    }
    std::stable_sort(
        causes.begin(), causes.end(), [](const Count& a, const Count& b) { return a.answers > b.answers; });
    std::vector<Count> all{{AllBucket, rowCount()}, {CompilesBucket, ofBucket[CompilesBucket]}};
    if (lacking > 0) {
        all.push_back({LacksBucket, lacking});
    }
    all.insert(all.end(), causes.begin(), causes.end());
    return all;
}

int TriageModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TriageModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

QString TriageModel::cell(const TriageRow& row, int column) const
{
    switch (column) {
    case AnswerColumn:
        return QString::fromStdString(records::answerTitle(row.path, row.fileLine, row.turn));
    case ResultColumn:
        return glyphOf(TriageWords::tone(row.result)) + QLatin1Char(' ') + TriageWords::result(row.result);
    case CauseColumn:
        return row.cause ? TriageWords::cause(row.cause->cause)
            : lacks(row) ? tr("lacks %1").arg(joined(row.askedNotPresent))
                         : QString();
    case LineColumn:
        return lineOf(row) > 0 ? QString::number(lineOf(row)) : QString();
    case MessageColumn:
        return row.cause ? QString::fromStdString(row.cause->message).simplified() : QString();
    case AskedColumn:
        return familiesText(row.asked);
    case PresentColumn:
        if (!row.present) {
            return row.result == TriageResult::Compiles ? tr("not read") : QString();
        }
        return QStringLiteral("GMMA %1, TMA %2, TCGEN %3")
            .arg(row.present->gmma)
            .arg(row.present->tma)
            .arg(row.present->tcgen);
    case SaidColumn:
        if (!row.recorded) {
            return {};
        }
        return row.recorded->minSpeedup ? QStringLiteral("%1, %2×")
                                              .arg(QString::fromStdString(row.recorded->paperClass))
                                              .arg(*row.recorded->minSpeedup, 0, 'g', 3)
                                        : QString::fromStdString(row.recorded->paperClass);
    default:
        return {};
    }
}

QVariant TriageModel::sortKey(const TriageRow& row, int column) const
{
    switch (column) {
    case LineColumn:
        return lineOf(row);
    case ResultColumn:
        return static_cast<int>(row.result);
    default:
        return cell(row, column);
    }
}

QString TriageModel::toolTip(const TriageRow& row) const
{
    QStringList lines{cell(row, AnswerColumn)};
    if (row.cause) {
        lines << QString::fromStdString(row.cause->message);
        if (row.cause->explanation) {
            lines << QString::fromStdString(*row.cause->explanation);
        }
        for (const std::string& fix : row.cause->fixes) {
            lines << tr("Fix: %1").arg(QString::fromStdString(fix));
        }
        if (row.cause->others > 0) {
            lines << tr("%n further cause(s)", nullptr, row.cause->others);
        }
    } else if (!row.presentReason.empty()) {
        lines << QString::fromStdString(row.presentReason);
    }
    if (row.rulesDiffer && row.reference && row.commonMark) {
        lines << tr("The two rules of extraction find different code; taken by: %1")
                     .arg(QString::fromStdString(row.rule));
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant TriageModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const TriageRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cell(row, index.column());
    case SortRole:
        return sortKey(row, index.column());
    case Qt::ToolTipRole:
        return toolTip(row);
    case BucketRole:
        return bucketOf(row);
    case LacksRole:
        return lacks(row);
    case Qt::ForegroundRole:
        return index.column() == ResultColumn ? QVariant(m_colours.ink(TriageWords::tone(row.result)))
                                              : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == LineColumn ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant TriageModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case AnswerColumn:
        return tr("Answer");
    case ResultColumn:
        return tr("Result");
    case CauseColumn:
        return tr("Cause");
    case LineColumn:
        return tr("Line");
    case MessageColumn:
        return tr("Message");
    case AskedColumn:
        return tr("Asks for");
    case PresentColumn:
        return tr("In SASS");
    case SaidColumn:
        return tr("Said by the file");
    default:
        return {};
    }
}

} // namespace ptxwb
