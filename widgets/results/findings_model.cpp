// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/findings_model.h"

#include "widgets/results/verdict_words.h"

#include <algorithm>
#include <string_view>

namespace ptxwb {

namespace {

Tone toneOf(const emulator::Report& report)
{
    return report.severity == emulator::ReportSeverity::Error ? Tone::Bad : Tone::Caution;
}

constexpr std::string_view generated = " (generated PTX)";

/// The file that was run: of findings in generated PTX the one that it was made of.
std::string ownFile(const emulator::Report& report)
{
    for (const emulator::SourceLine& line : report.lines) {
        if (line.file.ends_with(generated)) {
            return line.file.substr(0, line.file.size() - generated.size());
        }
    }
    return report.lines.empty() ? std::string() : report.lines.front().file;
}

/// The first of its lines; 0: it has none there.
int ownLine(const emulator::Report& report)
{
    const std::string own = ownFile(report);
    const auto found = std::find_if(report.lines.begin(), report.lines.end(),
        [&](const emulator::SourceLine& line) { return line.file == own; });
    return found == report.lines.end() ? 0 : found->line;
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
        const std::string own = ownFile(report);
        QStringList lines;
        QStringList ofPtx;
        for (const emulator::SourceLine& line : report.lines) {
            const QString number = QString::number(line.line);
            if (line.file == own) {
                lines << number;
            } else if (line.file == own + std::string(generated)) {
                ofPtx << number;
            } else {
                const auto name = line.file.substr(line.file.rfind('/') + 1);
                lines << QStringLiteral("%1:%2").arg(QString::fromStdString(name), number);
            }
        }
        lines.removeDuplicates();
        ofPtx.removeDuplicates();
        if (!ofPtx.isEmpty()) {
            lines << tr("PTX %1").arg(ofPtx.join(QStringLiteral(", ")));
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
        return ownLine(report);
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
