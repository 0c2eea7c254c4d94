// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/problems_model.h"

#include <algorithm>

namespace ptxwb {

namespace {

QString glyphOf(Severity severity)
{
    switch (severity) {
    case Severity::Fatal:
    case Severity::Error:
        return QStringLiteral("✗");
    case Severity::Warning:
        return QStringLiteral("⚠");
    case Severity::Info:
        return QStringLiteral("ℹ");
    }
    return {};
}

Diagnostic asDiagnostic(const PerformanceNote& note)
{
    Diagnostic row;
    row.severity = Severity::Info;
    row.code = note.code;
    row.message = note.message;
    if (!note.meaning.empty()) {
        row.explanation = note.meaning;
    }
    row.line = note.line;
    row.tool = "ptxas";
    return row;
}

QString messageText(const Diagnostic& row)
{
    QString text = QString::fromStdString(row.message).simplified();
    if (row.code) {
        text = QStringLiteral("%1: %2").arg(QString::fromStdString(*row.code), text);
    }
    return text;
}

QVariant numberOrNothing(const std::optional<int>& number)
{
    return number ? QVariant(*number) : QVariant();
}

} // namespace

QString ProblemsModel::severityText(Severity severity)
{
    switch (severity) {
    case Severity::Fatal:
        return tr("Fatal");
    case Severity::Error:
        return tr("Error");
    case Severity::Warning:
        return tr("Warning");
    case Severity::Info:
        return tr("Note");
    }
    return {};
}

void ProblemsModel::setProblems(
    const std::vector<Diagnostic>& diagnostics, const std::vector<PerformanceNote>& notes)
{
    beginResetModel();
    m_rows = diagnostics;
    std::transform(notes.begin(), notes.end(), std::back_inserter(m_rows), asDiagnostic);
    endResetModel();
}

int ProblemsModel::countOf(Severity severity) const
{
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(),
        [severity](const Diagnostic& row) { return row.severity == severity; }));
}

void ProblemsModel::setColours(const StatusColours& colours)
{
    m_colours = colours;
    if (!m_rows.empty()) {
        emit dataChanged(
            index(0, SeverityColumn), index(rowCount() - 1, SeverityColumn), {Qt::ForegroundRole});
    }
}

int ProblemsModel::nextRow(int line, int column, bool forward) const
{
    using Place = std::pair<int, int>;
    const auto placeOf = [this](int row) {
        const Diagnostic& one = m_rows[static_cast<std::size_t>(row)];
        return Place(one.line.value_or(0), one.column.value_or(1));
    };
    const Place here(line, column);
    int beyond = -1; // the nearest in the direction
    int around = -1; // the farthest the other way, where the search begins again
    for (int row = 0; row < rowCount(); ++row) {
        const Place place = placeOf(row);
        if (place.first <= 0) {
            continue;
        }
        const auto nearer = [&](int best) {
            return best < 0 || (forward ? place < placeOf(best) : place > placeOf(best));
        };
        if ((forward ? place > here : place < here) && nearer(beyond)) {
            beyond = row;
        }
        if (nearer(around)) {
            around = row;
        }
    }
    return beyond >= 0 ? beyond : around;
}

int ProblemsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Diagnostic& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == LineRole) {
        return row.line.value_or(0);
    }
    if (role == ColumnRole) {
        return row.column.value_or(0);
    }
    if (role == Qt::ToolTipRole && row.explanation) {
        return QString::fromStdString(*row.explanation);
    }
    if (role == Qt::ForegroundRole && index.column() == SeverityColumn) {
        return m_colours.ink(row.severity <= Severity::Error ? Tone::Bad
                : row.severity == Severity::Warning          ? Tone::Caution
                                                             : Tone::Neutral);
    }
    if (role == Qt::TextAlignmentRole && (index.column() == LineColumn || index.column() == ColumnColumn)) {
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != SortRole && role != Qt::ToolTipRole) {
        return {};
    }
    switch (index.column()) {
    case SeverityColumn:
        return role == SortRole
            ? QVariant(static_cast<int>(row.severity))
            : QVariant(glyphOf(row.severity) + QLatin1Char(' ') + severityText(row.severity));
    case LineColumn:
        return numberOrNothing(row.line);
    case ColumnColumn:
        return numberOrNothing(row.column);
    case MessageColumn:
        return messageText(row);
    case ToolColumn:
        return QString::fromStdString(row.tool);
    default:
        return {};
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case SeverityColumn:
        return tr("Severity");
    case LineColumn:
        return tr("Line");
    case ColumnColumn:
        return tr("Column");
    case MessageColumn:
        return tr("Message");
    case ToolColumn:
        return tr("Tool");
    default:
        return {};
    }
}

} // namespace ptxwb
