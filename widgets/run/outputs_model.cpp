// SPDX-License-Identifier: Apache-2.0
#include "widgets/run/outputs_model.h"

namespace ptxwb {

namespace {

QString number(double value)
{
    return QString::number(value, 'g', 9);
}

} // namespace

void OutputsModel::setOutputs(std::vector<emulator::TensorContent> outputs)
{
    beginResetModel();
    m_rows = std::move(outputs);
    endResetModel();
}

int OutputsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OutputsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int{ColumnCount};
}

QString OutputsModel::cell(const emulator::TensorContent& output, int column) const
{
    switch (column) {
    case NameColumn:
        return QString::fromStdString(output.name);
    case TypeColumn: {
        QStringList extents;
        for (const auto extent : output.type.shape) {
            extents << QString::number(extent);
        }
        const std::string_view type = dtypeName(output.type.dtype);
        return QStringLiteral("%1 [%2]").arg(
            QString::fromUtf8(type.data(), static_cast<qsizetype>(type.size())),
            extents.join(QStringLiteral(", ")));
    }
    case MinColumn:
        return output.min ? number(*output.min) : QStringLiteral("–");
    case MaxColumn:
        return output.max ? number(*output.max) : QStringLiteral("–");
    case NanColumn:
        return QString::number(output.nanCount);
    case UnwrittenColumn:
        return output.unwrittenCount ? QString::number(*output.unwrittenCount) : tr("not known");
    case DifferenceColumn:
        return output.difference ? number(*output.difference) : tr("none");
    case HeadColumn: {
        QStringList values;
        for (const double value : output.head) {
            values << number(value);
        }
        if (static_cast<std::size_t>(output.type.elements()) > output.head.size()) {
            values << QStringLiteral("…");
        }
        return values.join(QLatin1Char(' '));
    }
    default:
        return {};
    }
}

QVariant OutputsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const emulator::TensorContent& output = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return cell(output, index.column());
    case Qt::ToolTipRole:
        return index.column() == HeadColumn
            ? cell(output, HeadColumn)
            : QStringLiteral("SHA-256 %1").arg(QString::fromStdString(output.sha256));
    case Qt::TextAlignmentRole:
        return index.column() >= MinColumn && index.column() <= DifferenceColumn
            ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
            : QVariant();
    default:
        return {};
    }
}

QVariant OutputsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) {
        return {};
    }
    const bool tip = role == Qt::ToolTipRole;
    switch (section) {
    case NameColumn:
        return tr("Output");
    case TypeColumn:
        return tr("Type");
    case MinColumn:
        return tr("Least");
    case MaxColumn:
        return tr("Greatest");
    case NanColumn:
        return tip ? tr("Values that are not a number") : tr("NaN");
    case UnwrittenColumn:
        return tip ? tr("Elements that no thread wrote; integers cannot tell") : tr("Not written");
    case DifferenceColumn:
        return tip ? tr("Between schedules whose bits differ: normwise, relative") : tr("Differs by");
    case HeadColumn:
        return tr("First values");
    default:
        return {};
    }
}

} // namespace ptxwb
