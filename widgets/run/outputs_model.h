// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/emulator/run_plan.h"

#include <QAbstractTableModel>

#include <vector>

namespace ptxwb {

/// What the output tensors of a run held.
class OutputsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        NameColumn,
        TypeColumn, ///< "float32 [128, 64]"
        MinColumn,
        MaxColumn,
        NanColumn,
        UnwrittenColumn, ///< elements that nobody wrote
        DifferenceColumn, ///< between schedules
        HeadColumn, ///< the first values
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setOutputs(std::vector<emulator::TensorContent> outputs);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(const emulator::TensorContent& output, int column) const;

    std::vector<emulator::TensorContent> m_rows;
};

} // namespace ptxwb
