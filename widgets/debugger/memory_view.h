// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/debugger/debug_snapshot.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ptxwb {

class DebugTableModel;

/// Memory from a place on, eight elements a row: a tensor, a variable, shared memory; or a matrix there,
/// through a swizzle or a descriptor.
class MemoryView : public QWidget {
    Q_OBJECT
public:
    explicit MemoryView(QWidget* parent = nullptr);

    void show(const DebugMemory& memory);
    DebugTableModel* model() const { return m_model; }

signals:
    /// What to read at this and every later stop; an empty place: nothing.
    void queryChanged(const ptxwb::MemoryQuery& query);

private:
    QWidget* makeChoices();
    void ask();

    DebugTableModel* m_model;
    QLineEdit* m_place;
    QComboBox* m_format;
    QComboBox* m_layout;
    QSpinBox* m_rows;
    QSpinBox* m_columns;
    QLabel* m_title;
};

} // namespace ptxwb
