// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/memory_view.h"

#include "widgets/debugger/debug_table_model.h"
#include "widgets/debugger/debug_tables.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>

namespace ptxwb {

namespace {

/// Items of the layout's box.
enum Layout { Bytes, RowsPlain, Rows32, Rows64, Rows128, ThroughK, ThroughMn };

Swizzle swizzleOf(int layout)
{
    return layout == Rows32 ? Swizzle::B32
        : layout == Rows64  ? Swizzle::B64
        : layout == Rows128 ? Swizzle::B128
                            : Swizzle::None;
}

} // namespace

MemoryView::MemoryView(QWidget* parent)
    : QWidget(parent)
    , m_model(new DebugTableModel(DebugTables::memoryHeaders({}), this))
    , m_place(new QLineEdit)
    , m_format(new QComboBox)
    , m_layout(new QComboBox)
    , m_rows(new QSpinBox)
    , m_columns(new QSpinBox)
    , m_title(new QLabel)
{
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
    layout->addWidget(makeChoices());
    m_title->setMargin(2);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_title->hide();
    layout->addWidget(m_title);
    layout->addWidget(table, 1);
    connect(m_place, &QLineEdit::editingFinished, this, &MemoryView::ask);
    for (QComboBox* box : {m_format, m_layout}) {
        connect(box, &QComboBox::activated, this, &MemoryView::ask);
    }
    for (QSpinBox* spin : {m_rows, m_columns}) {
        connect(spin, &QSpinBox::editingFinished, this, &MemoryView::ask);
    }
}

QWidget* MemoryView::makeChoices()
{
    m_place->setAccessibleName(tr("From"));
    m_place->setPlaceholderText(tr("Y[3], tile+128, shared+1024, %descA"));
    m_place->setClearButtonEnabled(true);
    m_place->setMinimumWidth(90);
    m_format->setAccessibleName(tr("Shown as"));
    m_format->addItem(tr("its own type"), -1);
    for (const Dtype dtype : {Dtype::Int32, Dtype::Float32, Dtype::Bfloat16, Dtype::Float16, Dtype::Float64,
             Dtype::Float8E4m3, Dtype::Int64, Dtype::Uint8}) {
        const std::string_view name = dtypeName(dtype);
        m_format->addItem(
            QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())), static_cast<int>(dtype));
    }
    m_layout->setAccessibleName(tr("Lies"));
    m_layout->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_layout->setMinimumContentsLength(10);
    m_layout->setToolTip(
        tr("A matrix in shared memory: rows as TMA writes them under a swizzle, or as wgmma reads them "
           "through the descriptor in a 64-bit register"));
    for (const QString& name :
        {tr("byte by byte"), tr("in rows"), tr("in rows, swizzle 32 B"), tr("in rows, swizzle 64 B"),
            tr("in rows, swizzle 128 B"), tr("by descriptor, K-major"), tr("by descriptor, M/N-major")}) {
        m_layout->addItem(name);
    }
    for (const auto& [spin, name, value] :
        {std::tuple(m_rows, tr("Rows"), 64), std::tuple(m_columns, tr("Columns"), 16)}) {
        spin->setAccessibleName(name);
        spin->setRange(1, static_cast<int>(emulator::mostMatrixRows));
        spin->setValue(value);
        spin->setEnabled(false); // of a matrix only
    }
    auto* widget = new QWidget;
    auto* rows = new QVBoxLayout(widget); // two of them: one would set the least width of the whole pane
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(1);
    auto* where = new QHBoxLayout;
    auto* how = new QHBoxLayout;
    rows->addLayout(where);
    rows->addLayout(how);
    for (QWidget* one : std::initializer_list<QWidget*>{m_place, m_format, m_layout, m_rows, m_columns}) {
        auto* label = new QLabel(one->accessibleName());
        label->setBuddy(one);
        label->setContentsMargins(6, 0, 0, 0);
        auto* row = one == m_place || one == m_format ? where : how;
        row->addWidget(label);
        row->addWidget(one, one == m_place || one == m_layout ? 1 : 0);
    }
    return widget;
}

void MemoryView::ask()
{
    MemoryQuery query;
    query.place = m_place->text().remove(QLatin1Char(' ')).toStdString();
    if (const int dtype = m_format->currentData().toInt(); dtype >= 0) {
        query.dtype = static_cast<Dtype>(dtype);
    }
    const int layout = m_layout->currentIndex();
    m_rows->setEnabled(layout != Bytes);
    m_columns->setEnabled(layout != Bytes);
    if (layout != Bytes) {
        query.matrix =
            emulator::MatrixQuery{.layout = layout == ThroughK ? emulator::MatrixLayout::DescriptorK
                    : layout == ThroughMn                      ? emulator::MatrixLayout::DescriptorMn
                                                               : emulator::MatrixLayout::Rows,
                .swizzle = swizzleOf(layout),
                .rows = static_cast<std::uint32_t>(m_rows->value()),
                .columns = static_cast<std::uint32_t>(m_columns->value())};
    }
    emit queryChanged(query);
}

void MemoryView::show(const DebugMemory& memory)
{
    m_model->setHeaders(DebugTables::memoryHeaders(memory));
    m_model->setRows(DebugTables::memory(memory));
    m_title->setText(
        memory.isMatrix && memory.problem.empty() ? QString::fromStdString(memory.name) : QString());
    m_title->setVisible(!m_title->text().isEmpty());
}

} // namespace ptxwb
