// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/memory_view.h"

#include "widgets/debugger/debug_table_model.h"
#include "widgets/debugger/debug_tables.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace ptxwb {

MemoryView::MemoryView(QWidget* parent)
    : QWidget(parent)
    , m_model(new DebugTableModel(DebugTables::memoryHeaders(), this))
    , m_place(new QLineEdit)
    , m_format(new QComboBox)
{
    m_place->setAccessibleName(tr("From"));
    m_place->setPlaceholderText(tr("Y[3], Y[1,2], tile+128, shared+1024"));
    m_place->setClearButtonEnabled(true);
    m_format->setAccessibleName(tr("Shown as"));
    m_format->addItem(tr("its own type"), -1);
    for (const Dtype dtype : {Dtype::Int32, Dtype::Float32, Dtype::Bfloat16, Dtype::Float16, Dtype::Float64,
             Dtype::Float8E4m3, Dtype::Int64, Dtype::Uint8}) {
        const std::string_view name = dtypeName(dtype);
        m_format->addItem(
            QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), static_cast<int>(dtype));
    }
    auto* choices = new QHBoxLayout;
    for (QWidget* one : std::initializer_list<QWidget*>{m_place, m_format}) {
        auto* label = new QLabel(one->accessibleName());
        label->setBuddy(one);
        label->setContentsMargins(8, 0, 0, 0);
        choices->addWidget(label);
        choices->addWidget(one, one == m_place ? 1 : 0);
    }
    auto* table = new QTableView;
    table->setModel(m_model);
    table->setAccessibleName(tr("Memory"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setTabKeyNavigation(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setMinimumHeight(40); // else the pane would push up the whole row of docks
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 4);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    layout->addLayout(choices);
    layout->addWidget(table, 1);
    connect(m_place, &QLineEdit::editingFinished, this, &MemoryView::ask);
    connect(m_format, &QComboBox::activated, this, &MemoryView::ask);
}

void MemoryView::ask()
{
    MemoryQuery query;
    query.place = m_place->text().remove(QLatin1Char(' ')).toStdString();
    if (const int dtype = m_format->currentData().toInt(); dtype >= 0) {
        query.dtype = static_cast<Dtype>(dtype);
    }
    emit queryChanged(query);
}

void MemoryView::show(const DebugMemory& memory)
{
    m_model->setRows(DebugTables::memory(memory));
}

} // namespace ptxwb
