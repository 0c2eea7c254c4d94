// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/welcome_pane.h"

#include "widgets/editor/link_row.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>

namespace ptxwb {

namespace {

constexpr int wideFrom = 620; ///< two columns from this width on
constexpr int pageWidth = 900;

QLabel* heading(const QString& text, double scale, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(true);
    label->setFont(font);
    return label;
}

QLabel* quiet(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QVBoxLayout* column(QWidget* parent)
{
    auto* layout = new QVBoxLayout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    return layout;
}

} // namespace

WelcomePane::WelcomePane(QWidget* parent)
    : QScrollArea(parent)
    , m_page(new QWidget)
    , m_left(new QWidget(m_page))
    , m_right(new QWidget(m_page))
    , m_recent(new QVBoxLayout)
    , m_examples(new QVBoxLayout)
{
    setObjectName(QStringLiteral("welcomePane"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Welcome"));
    m_page->setBackgroundRole(QPalette::Base);
    setBackgroundRole(QPalette::Base);
    viewport()->setBackgroundRole(QPalette::Base);

    QVBoxLayout* left = column(m_left);
    left->addWidget(heading(tr("Start"), 1.15, m_left));
    const auto start = [this, left](const QString& title, const QString& aside, auto signal) {
        auto* row = new LinkRow(title, {}, m_left);
        row->setAside(aside);
        connect(row, &QAbstractButton::clicked, this, signal);
        left->addWidget(row);
        m_start << row;
        if (focusProxy() == nullptr) {
            setFocusProxy(row);
        }
    };
    start(tr("New kernel"), tr("Ctrl+N"), &WelcomePane::newRequested);
    start(tr("Open a .ptx or .cu file…"), tr("Ctrl+O"), &WelcomePane::openRequested);
    start(tr("Paste a kernel"), tr("Ctrl+V"), &WelcomePane::pasteRequested);
    start(tr("Find a command…"), tr("Ctrl+Shift+P"), &WelcomePane::commandsRequested);
    left->addSpacing(12);
    m_recent->setSpacing(2);
    left->addLayout(m_recent);
    left->addStretch();

    QVBoxLayout* right = column(m_right);
    m_examples->setSpacing(2);
    right->addLayout(m_examples);
    right->addStretch();

    auto* outer = new QGridLayout(m_page);
    outer->setContentsMargins(24, 20, 24, 16);
    outer->setHorizontalSpacing(32);
    outer->setVerticalSpacing(16);
    auto* top = new QVBoxLayout;
    top->setSpacing(4);
    top->addWidget(heading(QStringLiteral("PTX Workbench"), 1.9, m_page));
    top->addWidget(quiet(tr("See the machine code that a kernel becomes, check what it computes, time it "
                            "against the library."),
        m_page));
    outer->addLayout(top, 0, 0, 1, 2);
    outer->addWidget(m_left, 1, 0, Qt::AlignTop);
    outer->addWidget(m_right, 1, 1, Qt::AlignTop);
    outer->setColumnStretch(0, 2);
    outer->setColumnStretch(1, 3);
    outer->setRowStretch(3, 1);
    setWidget(m_page);
    setRecent({});
    setExamples({});
}

void WelcomePane::fill(QVBoxLayout* target, const std::vector<WelcomeGroup>& groups)
{
    while (QLayoutItem* item = target->takeAt(0)) {
        delete item->widget(); // null for a gap
        delete item;
    }
    bool first = true;
    for (const WelcomeGroup& group : groups) {
        if (!first) {
            target->addSpacing(8);
        }
        target->addWidget(first ? heading(group.title, 1.15, m_page) : quiet(group.title, m_page));
        first = false;
        for (const WelcomeEntry& entry : group.entries) {
            auto* row = new LinkRow(entry.title, entry.detail, m_page);
            connect(
                row, &QAbstractButton::clicked, this, [this, path = entry.path] { emit fileChosen(path); });
            target->addWidget(row);
        }
    }
}

void WelcomePane::orderTabs()
{
    // Rows made later would come last of the whole window.
    QWidget* before = nullptr;
    const auto chain = [&before](QWidget* next) {
        if (before != nullptr) {
            setTabOrder(before, next);
        }
        before = next;
    };
    for (LinkRow* row : m_start) {
        chain(row);
    }
    for (const QVBoxLayout* column : {m_recent, m_examples}) {
        for (int i = 0; i < column->count(); ++i) {
            if (auto* row = qobject_cast<LinkRow*>(column->itemAt(i)->widget())) {
                chain(row);
            }
        }
    }
}

void WelcomePane::setRecent(const std::vector<WelcomeEntry>& entries)
{
    fill(m_recent, {{tr("Recent"), entries}});
    if (entries.empty()) {
        m_recent->addWidget(quiet(tr("Files that you open are listed here."), m_page));
    }
    orderTabs();
}

void WelcomePane::setExamples(const std::vector<WelcomeGroup>& groups)
{
    std::vector<WelcomeGroup> shown{{tr("Examples"), {}}};
    shown.insert(shown.end(), groups.begin(), groups.end());
    fill(m_examples, shown);
    if (groups.empty()) {
        m_examples->addWidget(quiet(tr("Looking for them…"), m_page));
    }
    orderTabs();
}

void WelcomePane::arrange()
{
    const bool wide = viewport()->width() >= wideFrom;
    auto* grid = static_cast<QGridLayout*>(m_page->layout());
    const int side = std::max(24, (viewport()->width() - pageWidth) / 2);
    grid->setContentsMargins(side, 20, side, 16);
    if (wide == m_isWide) {
        return;
    }
    m_isWide = wide;
    grid->removeWidget(m_left);
    grid->removeWidget(m_right);
    grid->addWidget(m_left, 1, 0, 1, wide ? 1 : 2, Qt::AlignTop);
    grid->addWidget(m_right, wide ? 1 : 2, wide ? 1 : 0, 1, wide ? 1 : 2, Qt::AlignTop);
}

void WelcomePane::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void WelcomePane::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Paste)) {
        emit pasteRequested();
        return;
    }
    QScrollArea::keyPressEvent(event);
}

} // namespace ptxwb
