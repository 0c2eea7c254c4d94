// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/evidence_model.h"

#include "widgets/results/ledger_words.h"
#include "widgets/results/verdict_words.h"

#include <QRegularExpression>

namespace ptxwb {

namespace {

QString glyphOfState(EvidenceState state)
{
    switch (state) {
    case EvidenceState::Measured:
        return QStringLiteral("● ");
    case EvidenceState::Inferred:
        return QStringLiteral("◐ ");
    case EvidenceState::NotMeasured:
        return QStringLiteral("○ ");
    }
    return {};
}

QString detailText(const Evidence& row)
{
    QStringList lines;
    const std::pair<QString, const std::string*> parts[] = {
        {EvidenceModel::tr("Command: %1"), &row.command},
        {EvidenceModel::tr("Artefact: sha256 %1"), &row.artefactSha256},
        {EvidenceModel::tr("Reason: %1"), &row.reason},
    };
    for (const auto& [pattern, value] : parts) {
        if (!value->empty()) {
            lines << pattern.arg(LedgerWords::translated(*value));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void EvidenceModel::setEvidence(const std::vector<Evidence>& evidence)
{
    beginResetModel();
    m_rows = evidence;
    endResetModel();
}

void EvidenceModel::setColours(const StatusColours& colours)
{
    m_colours = colours;
    if (!m_rows.empty()) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::ForegroundRole});
    }
}

int EvidenceModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EvidenceModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString EvidenceModel::cell(const Evidence& row, int column) const
{
    switch (column) {
    case ClaimColumn:
        return LedgerWords::translated(row.claim);
    case StateColumn:
        return VerdictWords::word(row.state);
    case ValueColumn:
        return LedgerWords::translated(row.value);
    case HowColumn:
        return LedgerWords::translated(row.how);
    case ToolColumn:
        return QStringLiteral("%1 %2")
            .arg(QString::fromStdString(row.tool), QString::fromStdString(row.toolVersion))
            .trimmed();
    case ReasonColumn:
        return LedgerWords::translated(row.reason);
    default:
        return {};
    }
}

QVariant EvidenceModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Evidence& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == StateColumn ? glyphOfState(row.state) + cell(row, StateColumn)
                                             : cell(row, index.column());
    case Qt::ToolTipRole: {
        const QString text = cell(row, index.column());
        const QString detail = detailText(row);
        return detail.isEmpty() ? text : text + QLatin1Char('\n') + detail;
    }
    case wholeRowRole: {
        QStringList lines{QStringLiteral("%1: %2").arg(cell(row, ClaimColumn), cell(row, StateColumn))};
        if (!row.value.empty()) {
            lines.last() += QStringLiteral(", ") + cell(row, ValueColumn);
        }
        const QString how = QStringList{cell(row, HowColumn), cell(row, ToolColumn)}
                                .filter(QRegularExpression(QStringLiteral(".")))
                                .join(QStringLiteral(" · "));
        if (!how.isEmpty()) {
            lines << how;
        }
        const QString detail = detailText(row);
        return detail.isEmpty() ? lines.join(QLatin1Char('\n'))
                                : lines.join(QLatin1Char('\n')) + QLatin1Char('\n') + detail;
    }
    case Qt::ForegroundRole:
        if (index.column() == StateColumn) {
            return m_colours.ink(row.state == EvidenceState::Measured ? Tone::Good
                    : row.state == EvidenceState::Inferred            ? Tone::Neutral
                                                                      : Tone::Caution);
        }
        return {};
    default:
        return {};
    }
}

QVariant EvidenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    switch (section) {
    case ClaimColumn:
        return tr("Claim");
    case StateColumn:
        return tr("State");
    case ValueColumn:
        return tr("Value");
    case HowColumn:
        return tr("How");
    case ToolColumn:
        return tr("Tool");
    case ReasonColumn:
        return tr("Reason");
    default:
        return {};
    }
}

QString EvidenceModel::asTsv() const
{
    QStringList lines;
    for (int row = -1; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < ColumnCount; ++column) {
            QString text = row < 0 ? headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()
                                   : cell(m_rows[static_cast<std::size_t>(row)], column);
            cells << text.replace(QLatin1Char('\t'), QLatin1Char(' '))
                         .replace(QLatin1Char('\n'), QLatin1Char(' '));
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString EvidenceModel::asMarkdown() const
{
    QString text;
    for (int row = -1; row < rowCount(); ++row) {
        text += QLatin1Char('|');
        for (int column = 0; column < ColumnCount; ++column) {
            QString value = row < 0 ? headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()
                                    : cell(m_rows[static_cast<std::size_t>(row)], column);
            value.replace(QLatin1Char('|'), QStringLiteral("\\|"))
                .replace(QLatin1Char('\n'), QLatin1Char(' '));
            text += QStringLiteral(" %1 |").arg(value);
        }
        text += QLatin1Char('\n');
        if (row < 0) {
            text += QLatin1Char('|') + QStringLiteral("---|").repeated(ColumnCount) + QLatin1Char('\n');
        }
    }
    return text;
}

} // namespace ptxwb
