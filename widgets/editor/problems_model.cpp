// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/problems_model.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

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

Problem asProblem(const PerformanceNote& note)
{
    Problem problem;
    Diagnostic& row = problem.cause;
    row.severity = Severity::Info;
    row.code = note.code;
    row.message = note.message;
    if (!note.meaning.empty()) {
        row.explanation = note.meaning;
    }
    row.line = note.line;
    row.tool = "ptxas";
    problem.usualCause = note.usualCause;
    problem.lookFor = note.lookFor;
    problem.lineBy = note.lineBy;
    problem.kernel = note.kernel;
    problem.registers = note.registers;
    problem.isNote = true;
    return problem;
}

void addNotes(const std::vector<PerformanceNote>& notes, std::vector<Problem>& problems)
{
    for (const PerformanceNote& note : notes) {
        Problem made = asProblem(note);
        const auto same = std::find_if(problems.begin(), problems.end(), [&](const Problem& other) {
            return other.isNote && other.cause.code == made.cause.code && other.kernel == note.kernel
                && other.cause.explanation == made.cause.explanation;
        });
        if (same == problems.end()) {
            problems.push_back(std::move(made));
        } else {
            same->consequences.push_back(std::move(made.cause));
        }
    }
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

QString ProblemsModel::messageText(const Diagnostic& diagnostic) const
{
    QString text = QString::fromStdString(diagnostic.message).simplified();
    if (diagnostic.code) {
        text = QStringLiteral("%1: %2").arg(QString::fromStdString(*diagnostic.code), text);
    }
    if (!isOwn(diagnostic)) {
        const QString place = QString::fromStdString(diagnostic.file);
        text = QStringLiteral("%1: %2").arg(
            diagnostic.line ? QStringLiteral("%1:%2").arg(place).arg(*diagnostic.line) : place, text);
    }
    return text;
}

bool ProblemsModel::isOwn(const Diagnostic& diagnostic) const
{
    return m_ownFile.empty() || diagnostic.file.empty() || diagnostic.file == m_ownFile;
}

void ProblemsModel::setProblems(const std::vector<Diagnostic>& diagnostics,
    const std::vector<PerformanceNote>& notes, const std::string& ownFile)
{
    beginResetModel();
    m_ownFile = ownFile;
    m_problems.clear();
    std::map<int, std::size_t> ofGroup;
    for (const Diagnostic& row : diagnostics) {
        // Group 0: nobody grouped it.
        const auto known = row.group == 0 ? ofGroup.end() : ofGroup.find(row.group);
        if (known == ofGroup.end()) {
            if (row.group != 0) {
                ofGroup.emplace(row.group, m_problems.size());
            }
            m_problems.push_back({.cause = row});
            continue;
        }
        Problem& problem = m_problems[known->second];
        if (row.rootCause && !problem.cause.rootCause) {
            problem.consequences.insert(problem.consequences.begin(), std::exchange(problem.cause, row));
        } else {
            problem.consequences.push_back(row);
        }
    }
    addNotes(notes, m_problems);
    endResetModel();
}

const Problem* ProblemsModel::problem(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return nullptr;
    }
    const QModelIndex top = index.parent().isValid() ? index.parent() : index;
    return &m_problems[static_cast<std::size_t>(top.row())];
}

const Diagnostic* ProblemsModel::message(const QModelIndex& index) const
{
    const Problem* of = problem(index);
    if (of == nullptr) {
        return nullptr;
    }
    return index.parent().isValid() ? &of->consequences[static_cast<std::size_t>(index.row())] : &of->cause;
}

int ProblemsModel::countOf(Severity severity) const
{
    return static_cast<int>(std::count_if(m_problems.begin(), m_problems.end(),
        [severity](const Problem& one) { return one.cause.severity == severity; }));
}

int ProblemsModel::fixableCount() const
{
    return static_cast<int>(std::count_if(
        m_problems.begin(), m_problems.end(), [](const Problem& one) { return !one.cause.fixes.empty(); }));
}

void ProblemsModel::setColours(const StatusColours& colours)
{
    m_colours = colours;
    const auto tell = [this](const QModelIndex& parent) {
        if (const int rows = rowCount(parent); rows > 0) {
            emit dataChanged(index(0, SeverityColumn, parent), index(rows - 1, SeverityColumn, parent),
                {Qt::ForegroundRole});
        }
    };
    tell({});
    for (int row = 0; row < rowCount(); ++row) {
        tell(index(row, 0));
    }
}

int ProblemsModel::nextRow(int line, int column, bool forward) const
{
    using Place = std::pair<int, int>;
    const auto placeOf = [this](int row) {
        const Diagnostic& one = m_problems[static_cast<std::size_t>(row)].cause;
        return Place(isOwn(one) ? one.line.value_or(0) : 0, one.column.value_or(1));
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

QString ProblemsModel::asText() const
{
    QStringList lines;
    const auto add = [&](const QModelIndex& row, const QString& indent) {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column) {
            if (column != FixColumn) {
                cells << row.siblingAtColumn(column).data().toString();
            }
        }
        lines << indent + cells.join(QLatin1Char('\t'));
    };
    for (int row = 0; row < rowCount(); ++row) {
        const QModelIndex top = index(row, 0);
        add(top, {});
        for (int child = 0; child < rowCount(top); ++child) {
            add(index(child, 0, top), QStringLiteral("    "));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

QModelIndex ProblemsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    // The id says whose child it is: 0 nobody's, else the cause's row + 1.
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr{0});
}

QModelIndex ProblemsModel::parent(const QModelIndex& child) const
{
    return child.isValid() && child.internalId() > 0
        ? createIndex(static_cast<int>(child.internalId()) - 1, 0, quintptr{0})
        : QModelIndex();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) {
        return static_cast<int>(m_problems.size());
    }
    return parent.internalId() > 0 || parent.column() != 0
        ? 0
        : static_cast<int>(m_problems[static_cast<std::size_t>(parent.row())].consequences.size());
}

int ProblemsModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Diagnostic& row = *message(index);
    if (role == LineRole) {
        return isOwn(row) ? row.line.value_or(0) : 0;
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
    if (role == SortRole && index.column() == SeverityColumn) {
        return static_cast<int>(row.severity);
    }
    if (role != Qt::DisplayRole && role != SortRole && role != Qt::ToolTipRole) {
        return {};
    }
    return display(row, index.parent().isValid() ? nullptr : problem(index), index.column());
}

QVariant ProblemsModel::display(const Diagnostic& row, const Problem* cause, int column) const
{
    switch (column) {
    case SeverityColumn:
        return cause == nullptr ? tr("follows")
                                : glyphOf(row.severity) + QLatin1Char(' ') + severityText(row.severity);
    case LineColumn:
        return numberOrNothing(isOwn(row) ? row.line : std::nullopt);
    case ColumnColumn:
        return numberOrNothing(isOwn(row) ? row.column : std::nullopt);
    case MessageColumn:
        return messageText(row);
    case FixColumn:
        return row.fixes.empty() ? QString() : tr("%n fix(es)", nullptr, static_cast<int>(row.fixes.size()));
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
    case FixColumn:
        return tr("Fix");
    case ToolColumn:
        return tr("Tool");
    default:
        return {};
    }
}

} // namespace ptxwb
