// SPDX-License-Identifier: Apache-2.0
#include "widgets/debugger/debugger_pane.h"

#include "widgets/debugger/debug_table_model.h"
#include "widgets/debugger/debug_tables.h"
#include "widgets/debugger/memory_view.h"
#include "widgets/debugger/timeline_pane.h"
#include "widgets/results/findings_model.h"
#include "widgets/results/findings_view.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>
#include <QVBoxLayout>

#include <limits>

namespace ptxwb {

namespace {

QTableView* makeTable(QAbstractItemModel* model, const QString& name)
{
    auto* view = new QTableView;
    view->setModel(model);
    view->setAccessibleName(name);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setTabKeyNavigation(false);
    view->setFrameShape(QFrame::NoFrame);
    view->setMinimumHeight(40); // else the pane would push up the whole row of docks
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 4);
    view->horizontalHeader()->setHighlightSections(false);
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view->horizontalHeader()->setStretchLastSection(true);
    return view;
}

QSpinBox* makeSpin(int least, int most, int value, const QString& name)
{
    auto* spin = new QSpinBox;
    spin->setRange(least, most);
    spin->setValue(value);
    spin->setAccessibleName(name);
    return spin;
}

void addLabelled(QHBoxLayout* layout, QWidget* widget)
{
    auto* label = new QLabel(widget->accessibleName());
    label->setBuddy(widget);
    label->setContentsMargins(8, 0, 0, 0);
    layout->addWidget(label);
    layout->addWidget(widget);
}

} // namespace

DebuggerPane::DebuggerPane(QWidget* parent)
    : QWidget(parent)
    , m_warps(new DebugTableModel(DebugTables::warpHeaders(), this))
    , m_registers(new DebugTableModel(DebugTables::registerHeaders(), this))
    , m_barriers(new DebugTableModel(DebugTables::barrierHeaders(), this))
    , m_pending(new DebugTableModel(DebugTables::pendingHeaders(), this))
    , m_watches(new DebugTableModel(DebugTables::watchHeaders(), this))
    , m_reports(new FindingsModel(this))
    , m_bar(new QToolBar)
    , m_policy(new QComboBox)
    , m_seed(makeSpin(1, std::numeric_limits<int>::max(), 1, tr("Seed")))
    , m_cta(makeSpin(0, std::numeric_limits<int>::max(), 0, tr("CTA")))
    , m_lane(makeSpin(0, 31, 0, tr("Lane")))
    , m_format(new QComboBox)
    , m_place(new QLineEdit)
    , m_memory(new MemoryView)
    , m_timeline(new TimelinePane)
    , m_state(new QLabel)
    , m_launch(new QLabel)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(makeHead());
    m_pane = new PlaceholderPane(makeTables());
    layout->addWidget(m_pane, 1);
    showReason(
        tr("Nothing is debugged. Alt+F5 starts the kernel on the CPU at its first instruction; F10 steps "
           "it, F11 steps it backwards, F9 sets a breakpoint on the line of the caret."));
}

QWidget* DebuggerPane::makeHead()
{
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(4, 2, 6, 0);
    m_bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    layout->addWidget(m_bar, 1);
    m_policy->setAccessibleName(tr("Asynchronous work"));
    m_policy->setToolTip(tr("When copies and products of the tensor cores happen; for the next start"));
    m_policy->addItem(tr("early"), static_cast<int>(emulator::AsyncPolicy::Early));
    m_policy->addItem(tr("late"), static_cast<int>(emulator::AsyncPolicy::Late));
    m_policy->addItem(tr("random"), static_cast<int>(emulator::AsyncPolicy::Random));
    m_cta->setToolTip(tr("Which CTA runs, by its linear index; for the next start"));
    m_seed->setToolTip(tr("Of random tensors and of the random policy; for the next start"));
    for (QWidget* one : std::initializer_list<QWidget*>{m_policy, m_seed, m_cta}) {
        addLabelled(layout, one);
    }
    return head;
}

QWidget* DebuggerPane::makeRegisters()
{
    m_registersView = makeTable(m_registers, tr("Registers"));
    for (const auto& [word, format] : {std::pair(QStringLiteral("0x"), RegisterFormat::Hex),
             std::pair(tr("signed"), RegisterFormat::Signed),
             std::pair(tr("unsigned"), RegisterFormat::Unsigned),
             std::pair(tr("float"), RegisterFormat::Float)}) {
        m_format->addItem(word, static_cast<int>(format));
    }
    m_format->setAccessibleName(tr("Shown as"));
    auto* registers = new QWidget;
    auto* layout = new QVBoxLayout(registers);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    auto* choices = new QHBoxLayout;
    addLabelled(choices, m_lane);
    addLabelled(choices, m_format);
    choices->addStretch(1);
    layout->addLayout(choices);
    layout->addWidget(m_registersView, 1);
    connect(m_lane, &QSpinBox::valueChanged, this, &DebuggerPane::showRegisters);
    connect(m_format, &QComboBox::currentIndexChanged, this, &DebuggerPane::showRegisters);
    return registers;
}

QWidget* DebuggerPane::makeWatches()
{
    auto* watches = new QWidget;
    auto* layout = new QVBoxLayout(watches);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(1);
    auto* choices = new QHBoxLayout;
    m_place->setAccessibleName(tr("Place"));
    m_place->setPlaceholderText(tr("%r5, Y[3], tile+128, shared+1024"));
    addLabelled(choices, m_place);
    auto* watch = new QPushButton(tr("Stop when it changes"));
    auto* back = new QPushButton(tr("Back to its last change"));
    choices->addWidget(watch);
    choices->addWidget(back);
    layout->addLayout(choices);
    auto* table = makeTable(m_watches, tr("Watches"));
    layout->addWidget(table, 1);
    const auto place = [this] { return m_place->text().remove(QLatin1Char(' ')); };
    const auto add = [this, place] {
        if (!place().isEmpty()) {
            emit watchRequested(place());
        }
    };
    connect(m_place, &QLineEdit::returnPressed, this, add);
    connect(watch, &QPushButton::clicked, this, add);
    connect(back, &QPushButton::clicked, this, [this, place] {
        if (!place().isEmpty()) {
            emit backRequested(place());
        }
    });
    connect(table, &QTableView::activated, this,
        [this](const QModelIndex& index) { emit backRequested(index.siblingAtColumn(0).data().toString()); });
    auto* remove = new QAction(tr("Remove the watch"), table);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    table->addAction(remove);
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(remove, &QAction::triggered, this, [this, table] {
        if (table->currentIndex().isValid()) {
            emit unwatchRequested(table->currentIndex().data(DebugTableModel::ItemRole).toInt());
        }
    });
    return watches;
}

QWidget* DebuggerPane::makeTables()
{
    auto* warps = makeTable(m_warps, tr("Warps"));
    // An opcode may be long; why a warp waits must stay in sight.
    constexpr int instruction = 4;
    warps->horizontalHeader()->setSectionResizeMode(instruction, QHeaderView::Interactive);
    warps->horizontalHeader()->resizeSection(instruction, 130);
    auto* barriers = makeTable(m_barriers, tr("Barriers"));
    auto* pending = makeTable(m_pending, tr("Asynchronous operations"));
    auto* reports = new FindingsView(m_reports);
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    tabs->addTab(makeRegisters(), tr("Registers"));
    tabs->addTab(barriers, tr("Barriers"));
    tabs->addTab(pending, tr("Asynchronous"));
    tabs->addTab(m_memory, tr("Memory"));
    tabs->addTab(makeWatches(), tr("Watches"));
    connect(m_memory, &MemoryView::queryChanged, this, &DebuggerPane::memoryQueryChanged);
    tabs->addTab(m_timeline, tr("Timeline"));
    tabs->addTab(reports, tr("Reports"));
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(warps);
    splitter->addWidget(tabs);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({480, 480});

    connect(warps, &QTableView::activated, this, [this](const QModelIndex& index) {
        const int item = index.data(DebugTableModel::ItemRole).toInt();
        if (m_now && item >= 0) {
            emit warpChosen(m_now->warps[static_cast<std::size_t>(item)].name);
        }
    });
    connect(barriers, &QTableView::activated, this, [this](const QModelIndex& index) {
        const int item = index.data(DebugTableModel::ItemRole).toInt();
        if (m_now && item >= 0) {
            emit barrierActivated(m_now->barriers[static_cast<std::size_t>(item)]);
        }
    });
    connect(pending, &QTableView::activated, this, [this](const QModelIndex& index) {
        emit lineActivated(index.data(DebugTableModel::LineRole).toInt());
    });
    connect(reports, &QTreeView::activated, this,
        [this](const QModelIndex& index) { emit reportActivated(index.row()); });

    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    m_state->setMargin(4);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont bold = m_state->font();
    bold.setBold(true);
    m_state->setFont(bold);
    layout->addWidget(m_state);
    layout->addWidget(splitter, 1);
    m_launch->setForegroundRole(QPalette::PlaceholderText);
    m_launch->setMargin(2);
    layout->addWidget(m_launch);
    content->setFocusProxy(warps);
    return content;
}

void DebuggerPane::setActions(const QList<QAction*>& actions)
{
    m_bar->addActions(actions);
}

emulator::AsyncPolicy DebuggerPane::policy() const
{
    return static_cast<emulator::AsyncPolicy>(m_policy->currentData().toInt());
}

quint64 DebuggerPane::seed() const
{
    return static_cast<quint64>(m_seed->value());
}

quint64 DebuggerPane::cta() const
{
    return static_cast<quint64>(m_cta->value());
}

void DebuggerPane::setSchedule(emulator::AsyncPolicy policy, quint64 seed, quint64 cta)
{
    m_policy->setCurrentIndex(m_policy->findData(static_cast<int>(policy)));
    m_seed->setValue(static_cast<int>(seed));
    m_cta->setValue(static_cast<int>(cta));
}

void DebuggerPane::show(const DebugSnapshot& snapshot)
{
    m_before = std::exchange(m_now, snapshot);
    m_warps->setRows(DebugTables::warps(snapshot));
    m_barriers->setRows(DebugTables::barriers(snapshot));
    m_pending->setRows(DebugTables::pending(snapshot));
    m_memory->show(snapshot.memory);
    m_watches->setRows(DebugTables::watches(snapshot));
    m_reports->setReports(snapshot.reports);
    m_timeline->setRound(snapshot.round);
    showRegisters();
    m_launch->setText(tr("%1 · round %L2 · warp instructions %L3")
                          .arg(QString::fromStdString(snapshot.launch))
                          .arg(snapshot.round)
                          .arg(snapshot.instructions));
    m_pane->setPlaceholder({});
    setStale(m_stale);
}

void DebuggerPane::showRegisters()
{
    if (m_now) {
        m_registers->setRows(DebugTables::registers(*m_now, m_before ? &*m_before : nullptr, m_lane->value(),
            static_cast<RegisterFormat>(m_format->currentData().toInt())));
    }
}

void DebuggerPane::showReason(const QString& sentence)
{
    m_now.reset();
    m_before.reset();
    m_timeline->clear();
    m_stale = false;
    m_pane->setPlaceholder(sentence);
}

void DebuggerPane::setBusy(const QString& what)
{
    if (m_now) {
        m_state->setText(what);
    } else {
        m_pane->setPlaceholder(what);
    }
}

void DebuggerPane::setStale(bool stale)
{
    m_stale = stale;
    if (m_now) {
        const QString state = DebugTables::stopText(*m_now);
        m_state->setText(stale
                ? tr("Of an earlier text: the editor has changed since (Alt+F5 starts again). %1").arg(state)
                : state);
    }
}

QString DebuggerPane::stateText() const
{
    return m_state->text();
}

void DebuggerPane::setColours(const StatusColours& colours)
{
    m_reports->setColours(colours);
}

void DebuggerPane::setCodeFont(const QFont& font)
{
    m_registersView->setFont(font);
}

} // namespace ptxwb
