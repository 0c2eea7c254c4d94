// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/findings_model.h"

#include "widgets/results/verdict_words.h"

namespace ptxwb {

namespace {

Tone toneOf(const emulator::Report& report)
{
    return report.severity == emulator::ReportSeverity::Error ? Tone::Bad : Tone::Caution;
}

} // namespace

void FindingsModel::setReports(const std::vector<emulator::Report>& reports)
{
    beginResetModel();
    m_rows = reports;
    endResetModel();
}

const emulator::Report* FindingsModel::report(int row) const
{
    return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

void FindingsModel::setColours(const StatusColours& colours)
{
    m_colours = colours;
    if (!m_rows.empty()) {
        emit dataChanged(index(0, RuleColumn), index(rowCount() - 1, RuleColumn), {Qt::ForegroundRole});
    }
}

int FindingsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FindingsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString FindingsModel::cell(const emulator::Report& report, int column) const
{
    switch (column) {
    case RuleColumn:
        return QStringLiteral("%1 %2").arg(glyphOf(toneOf(report)), VerdictWords::word(report.rule));
    case LinesColumn: {
        QStringList lines;
        for (const emulator::SourceLine& line : report.lines) {
            lines << QString::number(line.line);
        }
        return lines.join(QStringLiteral(", "));
    }
    case MessageColumn:
        return QString::fromStdString(report.message);
    case FixColumn:
        return QString::fromStdString(report.fix);
    default:
        return {};
    }
}

QString FindingsModel::details(const emulator::Report& report) const
{
    QStringList lines{cell(report, RuleColumn), cell(report, MessageColumn)};
    const std::pair<QString, QString> parts[] = {{tr("Mend: %1"), cell(report, FixColumn)},
        {tr("Kernel: %1"), QString::fromStdString(report.kernel)},
        {tr("Met by: %1"),
            QString::fromStdString(report.warp + (report.agent.empty() ? "" : " " + report.agent))},
        {tr("Schedule: %1"), QString::fromStdString(report.policy)}};
    for (const auto& [pattern, value] : parts) {
        if (!value.trimmed().isEmpty()) {
            lines << pattern.arg(value.trimmed());
        }
    }
    if (report.atLeast) {
        lines << tr("Seen at least %L1 times; the run was stopped then, since its verdict was decided")
                     .arg(static_cast<qulonglong>(report.occurrences));
    } else if (report.occurrences > 1) {
        lines << tr("Seen %L1 times").arg(static_cast<qulonglong>(report.occurrences));
    }
    return lines.join(QLatin1Char('\n'));
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const emulator::Report& report = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cell(report, index.column());
    case Qt::ToolTipRole:
        return details(report);
    case LineRole:
        return report.lines.empty() ? 0 : report.lines.front().line;
    case Qt::ForegroundRole:
        return index.column() == RuleColumn ? QVariant(m_colours.ink(toneOf(report))) : QVariant();
    default:
        return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case RuleColumn:
        return tr("Finding");
    case LinesColumn:
        return tr("Lines");
    case MessageColumn:
        return tr("What happened");
    case FixColumn:
        return tr("How to mend it");
    default:
        return {};
    }
}

} // namespace ptxwb
