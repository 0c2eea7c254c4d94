// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/sass_view.h"

#include "widgets/sass/family_chips.h"
#include "widgets/sass/listing_table.h"
#include "widgets/sass/sass_colours.h"
#include "widgets/sass/sass_model.h"

#include <QHeaderView>

namespace ptxwb {

void SassView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitOpcodes();
}

void SassView::fitOpcodes()
{
    // A few long opcodes must not push the operands of all rows out of a narrow pane.
    constexpr int leastOpcode = 20; // "|| HGMMA.64x256x16"
    constexpr int leastOperands = 24;
    const QFontMetrics metrics(m_model->index(0, SassModel::OpcodeColumn).data(Qt::FontRole).value<QFont>());
    const auto characters = [&metrics](int n) { return n * metrics.averageCharWidth(); };
    const QHeaderView* header = m_table->horizontalHeader();
    int before = 0;
    for (int at = 0; at < header->visualIndex(SassModel::OperandsColumn); ++at) {
        const int column = header->logicalIndex(at);
        before += column == SassModel::OpcodeColumn ? 0 : header->sectionSize(column);
    }
    const int left = width() - before - characters(leastOperands);
    m_table->setColumnWidth(
        SassModel::OpcodeColumn, qMin(m_opcodeWidth, qMax(left, characters(leastOpcode))));
}

void SassView::sizeColumns()
{
    m_table->resizeColumnsToContents();
    m_opcodeWidth = m_table->columnWidth(SassModel::OpcodeColumn);
    // The rows that were measured need not be the widest.
    int widest = m_table->columnWidth(SassModel::FamiliesColumn);
    const QFontMetrics metrics(m_table->font());
    for (const auto& [family, sites] : m_model->familyCounts()) {
        widest =
            qMax(widest, metrics.horizontalAdvance(familyTitle(family)) + 4 * metrics.averageCharWidth());
    }
    m_table->setColumnWidth(SassModel::FamiliesColumn, widest);
    // Rows of wgmma carry a "~" before their line.
    m_table->setColumnWidth(SassModel::PtxLineColumn,
        qMax(m_table->columnWidth(SassModel::PtxLineColumn),
            metrics.horizontalAdvance(QStringLiteral("~0000")) + 2 * metrics.averageCharWidth()));
    m_table->setColumnHidden(SassModel::WaitColumn, !m_model->hasControlCodes());
    m_table->setColumnHidden(SassModel::SetColumn, !m_model->hasControlCodes());
    m_table->setColumnHidden(SassModel::StallColumn, !m_model->hasControlCodes());
    m_table->setColumnHidden(SassModel::LiveColumn, !m_model->hasLiveRegisters());
    m_table->setColumnHidden(SassModel::PtxLineColumn, !m_listing.hasPtxLines);
    m_table->setColumnHidden(SassModel::SourceColumn, !m_listing.hasSourceLines);
    if (m_listing.hasSourceLines) {
        const QModelIndex first = m_table->model()->index(0, SassModel::SourceColumn);
        const QFontMetrics cell(first.data(Qt::FontRole).value<QFont>());
        const int width = cell.horizontalAdvance(first.data().toString() + QStringLiteral("000"));
        m_table->setColumnWidth(
            SassModel::SourceColumn, qMax(m_table->columnWidth(SassModel::SourceColumn), qMin(width, 260)));
    }
    fitOpcodes();
    // The line that the user wrote comes first: of the CUDA source where there is one.
    const int lead = m_listing.hasSourceLines ? SassModel::SourceColumn : SassModel::PtxLineColumn;
    QHeaderView* header = m_table->horizontalHeader();
    header->moveSection(header->visualIndex(lead), 0);
}

} // namespace ptxwb
