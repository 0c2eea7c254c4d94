// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/sass_view.h"

#include "core/support/kernel_name.h"
#include "widgets/editor/elided_label.h"
#include "widgets/editor/placeholder_pane.h"
#include "widgets/editor/wrapped_label.h"
#include "widgets/sass/family_chips.h"
#include "widgets/sass/listing_table.h"
#include "widgets/sass/loop_label.h"
#include "widgets/sass/row_reading.h"
#include "widgets/sass/sass_filter_model.h"
#include "widgets/sass/sass_find_bar.h"
#include "widgets/sass/sass_model.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb {

namespace {

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

} // namespace

SassView::SassView(QWidget* parent)
    : QWidget(parent)
    , m_model(new SassModel(this))
    , m_filter(new SassFilterModel(this))
{
    m_filter->setSourceModel(m_model);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_pane = new PlaceholderPane(makeContent(), this);
    layout->addWidget(m_pane);
    setFocusProxy(m_pane);
    makeActions();
    applyPalette();
    setEmptyReason(tr("No machine code yet. Compile to see it here (Ctrl+Enter)."));
}

QWidget* SassView::makeContent()
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(4, 4, 4, 2);
    layout->setSpacing(4);

    auto* head = new QHBoxLayout;
    m_kernels = new QComboBox(content);
    m_kernels->setAccessibleName(tr("Kernel"));
    m_kernels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kernels->setMinimumContentsLength(16);
    m_resourceLabel = new ElidedLabel(content);
    m_resourceLabel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_resourceLabel->setContentsMargins(4, 0, 4, 0);
    head->addWidget(m_kernels, 1);
    head->addWidget(m_resourceLabel);
    layout->addLayout(head);

    m_notice = new WrappedLabel(content);
    m_notice->hide();
    layout->addWidget(m_notice);

    m_loop = new LoopLabel(content);
    layout->addWidget(m_loop);
    connect(m_loop, &LoopLabel::loopActivated, this, &SassView::goToRow);

    m_chips = new FamilyChips(content);
    layout->addWidget(m_chips);
    m_showAll = new QPushButton(content);
    m_showAll->setFlat(true);
    m_showAll->hide();
    layout->addWidget(m_showAll, 0, Qt::AlignLeft);
    m_findBar = new SassFindBar(m_filter, content);
    layout->addWidget(m_findBar);

    m_table = new ListingTable(m_filter, tr("Machine code"), content);
    m_table->horizontalHeader()->setStretchLastSection(true);
    // Lines come first, as in the editor's margin.
    m_table->horizontalHeader()->moveSection(SassModel::PtxLineColumn, 0);
    // As in `ptxwb sass --live`; behind the operands it would often be out of sight.
    m_table->horizontalHeader()->moveSection(
        m_table->horizontalHeader()->visualIndex(SassModel::LiveColumn), 2);
    layout->addWidget(m_table, 1);
    content->setFocusProxy(m_table);

    m_reading = new RowReading(content);
    layout->addWidget(m_reading);
    connect(m_reading, &RowReading::rowActivated, this, &SassView::goToRow);

    m_footer = new QLabel(content);
    m_footer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    layout->addWidget(m_footer);

    connect(m_kernels, &QComboBox::currentIndexChanged, this, &SassView::showKernel);
    connect(m_chips, &FamilyChips::chosenChanged, this, [this](FamilySet families) {
        m_filter->setFamilies(families);
        showFooter();
    });
    connect(m_showAll, &QPushButton::clicked, this, [this] { m_chips->setChosen(0); });
    connect(m_findBar, &SassFindBar::found, this,
        [this](int row) { m_table->goTo(m_filter->index(row, SassModel::AddressColumn)); });
    connect(m_findBar, &SassFindBar::closed, m_table, [this] { m_table->setFocus(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        [this](const QModelIndex& current) {
            m_findBar->setCurrentRow(current.row());
            m_reading->showRow(*m_model, current.isValid() ? m_filter->mapToSource(current).row() : -1);
            activate(current);
        });
    // A click on the row that is current already leads back to the editor too.
    connect(m_table, &QTableView::clicked, this, &SassView::activate);
    connect(m_table, &QTableView::activated, this, &SassView::activate);
    return content;
}

void SassView::makeActions()
{
    const auto add = [this](
                         const QString& title, const QKeySequence& keys, const std::function<void()>& work) {
        m_table->addPaneAction(this, title, keys, work);
    };
    add(tr("Find…"), QKeySequence::Find, [this] { openFind(); });
    add(tr("Find Next"), QKeySequence::FindNext, [this] { m_findBar->findNext(); });
    add(tr("Find Previous"), QKeySequence::FindPrevious, [this] { m_findBar->findPrevious(); });
    add(tr("Go to Branch Target"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] { followBranch(); });
    add(tr("Go to the Row That Sets the Scoreboard"), QKeySequence(Qt::CTRL | Qt::Key_J),
        [this] { goToSetter(); });
    add(tr("Copy Rows"), QKeySequence::Copy, [this] { copySelection(); });
    add(tr("Show All Rows"), QKeySequence(), [this] { m_chips->setChosen(0); });
}

void SassView::setListing(const SassListing& listing, const std::vector<KernelResources>& resources)
{
    const auto kept = currentKernel();
    const int scroll = m_table->verticalScrollBar()->value();
    m_listing = listing;
    m_liveProblem.clear();
    m_resources = resources;
    {
        const QSignalBlocker blocker(m_kernels);
        m_kernels->clear();
        int wanted = 0;
        for (const auto& kernel : m_listing.kernels) {
            const auto name = text(kernel.name);
            if (name == kept && !kept.isEmpty()) {
                wanted = m_kernels->count();
            }
            const bool several = !kernel.target.empty() && kernel.target != m_listing.target;
            const auto written = QString::fromStdString(demangled(kernel.name));
            const auto& title = written.isEmpty() ? name : written;
            m_kernels->addItem(several ? tr("%1 (%2)").arg(title, text(kernel.target)) : title, name);
            m_kernels->setItemData(m_kernels->count() - 1, name, Qt::ToolTipRole);
        }
        m_kernels->setCurrentIndex(m_listing.kernels.empty() ? -1 : wanted);
    }
    m_quiet = true;
    showKernel(m_kernels->currentIndex());
    m_quiet = false;
    if (currentKernel() == kept) {
        m_table->verticalScrollBar()->setValue(scroll);
    }
    setEmptyReason(m_listing.kernels.empty() ? tr("The object holds no kernel. Does the file have an .entry?")
                                             : QString());
}

void SassView::setLiveRegisters(const SassListing& listing)
{
    if (listing.text != m_listing.text) {
        return;
    }
    m_listing = listing;
    m_model->setLiveRegisters(listing);
    m_liveProblem.clear();
    const QModelIndex current = m_table->currentIndex();
    m_reading->showRow(*m_model, current.isValid() ? m_filter->mapToSource(current).row() : -1);
    sizeColumns();
    showFooter();
}

void SassView::setLiveRegistersProblem(const QString& problem)
{
    m_liveProblem = problem;
    showFooter();
}

void SassView::setEmptyReason(const QString& reason)
{
    m_pane->setPlaceholder(reason);
}

void SassView::setNotice(const QString& notice)
{
    m_notice->setText(notice);
    m_notice->setVisible(!notice.isEmpty());
}

void SassView::setTool(const QString& nameAndVersion, const QString& path)
{
    m_tool = nameAndVersion;
    m_toolPath = path;
    showFooter();
}

void SassView::setCurrentKernel(const QString& name)
{
    if (const int at = m_kernels->findData(name); at >= 0) {
        m_kernels->setCurrentIndex(at);
    }
}

QString SassView::currentKernel() const
{
    return m_kernels->currentData().toString();
}

int SassView::hiddenRows() const
{
    return m_filter->hiddenRows();
}

void SassView::showKernel(int index)
{
    m_model->setKernel(m_listing, index);
    m_chips->setCounts(m_model->familyCounts());
    m_reading->showRow(*m_model, -1);
    m_loop->setKernel(
        index < 0 ? nullptr : &m_listing.kernels[static_cast<std::size_t>(index)], m_model->flow());
    m_kernels->setToolTip(currentKernel());
    m_resourceLabel->setText(resourceText(currentKernel()));
    m_resourceLabel->setToolTip(m_resourceLabel->text());
    sizeColumns();
    showFooter();
    if (!m_quiet) {
        emit currentKernelChanged(currentKernel());
    }
}

QString SassView::resourceText(const QString& kernel) const
{
    const auto name = kernel.toStdString();
    const auto at = std::ranges::find(m_resources, name, &KernelResources::name);
    if (at == m_resources.end()) {
        return {};
    }
    QStringList parts;
    if (at->registers) {
        parts << tr("registers %1").arg(*at->registers);
    }
    if (at->spillStoreBytes && at->spillLoadBytes) {
        const int spilled = *at->spillStoreBytes + *at->spillLoadBytes;
        parts << (spilled == 0 ? tr("no spills") : tr("spilled %L1 bytes").arg(spilled));
    }
    if (at->sharedBytes) {
        parts << tr("shared %L1 bytes").arg(*at->sharedBytes);
    }
    if (at->barriers) {
        parts << tr("barriers %1").arg(*at->barriers);
    }
    return parts.join(QStringLiteral(" · "));
}

void SassView::showFooter()
{
    const int hidden = hiddenRows();
    m_showAll->setVisible(hidden > 0);
    m_showAll->setText(hidden == 1 ? tr("1 row hidden by the filter. Show all")
                                   : tr("%L1 rows hidden by the filter. Show all").arg(hidden));

    QStringList parts;
    if (!m_tool.isEmpty()) {
        parts << m_tool;
    }
    if (!m_listing.target.empty()) {
        const int at = m_kernels->currentIndex();
        const auto own = at < 0 ? std::string_view{} : m_listing.kernels[static_cast<std::size_t>(at)].target;
        parts << text(own.empty() ? m_listing.target : own);
    }
    parts << tr("instructions %L1").arg(m_model->rowCount());
    if (m_model->hasLiveRegisters()) {
        parts << tr("at most %1 registers live at once").arg(m_model->mostLiveRegisters());
    } else if (!m_liveProblem.isEmpty()) {
        parts << tr("no live registers: %1").arg(m_liveProblem);
    }
    if (!m_listing.hasPtxLines && !m_listing.hasSourceLines) {
        parts << tr("no line map");
    }
    if (m_model->rowCount() > 0 && !m_model->hasControlCodes()) {
        parts << tr("no encodings, so no control codes");
    }
    if (const int at = m_kernels->currentIndex(); at >= 0) {
        if (const auto unknown = m_listing.kernels[static_cast<std::size_t>(at)].unknownLines.size();
            unknown > 0) {
            parts << tr("lines not understood: %1").arg(unknown);
        }
    }
    m_footer->setText(parts.join(QStringLiteral(" · ")));
    m_footer->setToolTip(m_toolPath);
}

void SassView::activate(const QModelIndex& index)
{
    if (m_quiet || !index.isValid()) {
        return;
    }
    const auto* row = m_model->instruction(m_filter->mapToSource(index).row());
    if (row == nullptr) {
        return;
    }
    if (row->ptxLine > 0) {
        emit ptxLineActivated(row->ptxLine);
    }
    if (const auto place = m_model->ownPlace(*row); place.line > 0) {
        emit sourceLineActivated(place.line, text(m_listing.files[static_cast<std::size_t>(place.file)]));
    }
}

void SassView::highlightPtxLine(int line)
{
    scrollTo(m_model->markPtxLine(line));
}

void SassView::highlightSourceLine(int line, const QString& file)
{
    scrollTo(m_model->markSourceLine(line, file));
}

void SassView::scrollTo(int sourceRow)
{
    if (sourceRow < 0) {
        return;
    }
    const auto index = m_filter->mapFromSource(m_model->index(sourceRow, SassModel::AddressColumn));
    if (index.isValid() && !m_table->viewport()->rect().contains(m_table->visualRect(index).center())) {
        m_table->scrollTo(index, QAbstractItemView::PositionAtCenter);
    }
}

void SassView::openFind()
{
    m_findBar->open();
}

void SassView::followBranch()
{
    const int target = m_table->currentIndex().data(SassModel::TargetRowRole).toInt();
    if (!m_table->currentIndex().isValid() || target < 0) {
        return;
    }
    goToRow(target);
}

void SassView::goToSetter()
{
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid()) {
        return;
    }
    for (const ScoreboardWait& wait : m_model->waitsOf(m_filter->mapToSource(current).row())) {
        if (!wait.setters.empty()) {
            goToRow(wait.setters.back()); // the nearest before, where there are several
            return;
        }
    }
}

void SassView::goToRow(int row)
{
    m_chips->setChosen(0); // it may be hidden
    m_table->goTo(m_filter->mapFromSource(m_model->index(row, SassModel::AddressColumn)));
}

void SassView::copySelection() const
{
    auto rows = m_table->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const auto& row : rows) {
        lines << row.data(SassModel::RawRole).toString();
    }
    if (!lines.isEmpty()) {
        QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')) + QLatin1Char('\n'));
    }
}

void SassView::setCodeFont(const QFont& font)
{
    m_codeFont = font;
    applyPalette();
}

void SassView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyPalette();
    }
}

void SassView::applyPalette()
{
    const auto colours = sassColours(palette());
    m_model->setColours(colours);
    m_chips->setColours(colours);
    const QFont mono = m_codeFont.value_or(ListingTable::monospace(font()));
    m_model->setMonospace(mono);
    m_table->setRowFont(mono);
    m_footer->setForegroundRole(QPalette::PlaceholderText);
    sizeColumns();
}

} // namespace ptxwb
