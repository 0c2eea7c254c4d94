// SPDX-License-Identifier: Apache-2.0
#include "widgets/chat/apply_view.h"

#include "widgets/chat/chat_colours.h"
#include "widgets/chat/hunk_view.h"

#include "core/llm/code_shape.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::size_t contextLines = 3;

QStringList linesBetween(const std::vector<std::string_view>& lines, std::size_t first, std::size_t end)
{
    QStringList result;
    for (std::size_t i = first; i < std::min(end, lines.size()); ++i) {
        result << QString::fromUtf8(lines[i].data(), static_cast<qsizetype>(lines[i].size()));
    }
    return result;
}

} // namespace

ApplyView::ApplyView(QWidget* parent)
    : QWidget(parent)
    , m_notice(new QLabel(this))
    , m_count(new QLabel(this))
    , m_all(new QPushButton(tr("Check &all"), this))
    , m_none(new QPushButton(tr("Check &none"), this))
    , m_scroll(new QScrollArea(this))
    , m_apply(new QPushButton(tr("Apply checked"), this))
{
    m_notice->setObjectName(QStringLiteral("notice"));
    m_notice->setWordWrap(true);
    m_notice->setTextFormat(Qt::PlainText);
    m_all->setObjectName(QStringLiteral("acceptAll"));
    m_none->setObjectName(QStringLiteral("acceptNone"));
    m_apply->setObjectName(QStringLiteral("apply"));
    m_apply->setDefault(true);
    m_all->setAutoDefault(false);
    m_none->setAutoDefault(false);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* top = new QHBoxLayout;
    top->addWidget(m_count, 1);
    top->addWidget(m_all);
    top->addWidget(m_none);
    auto* bottom = new QHBoxLayout;
    bottom->addStretch(1);
    bottom->addWidget(cancel);
    bottom->addWidget(m_apply);
    m_scroll->setWidgetResizable(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_notice);
    layout->addLayout(top);
    layout->addWidget(m_scroll, 1);
    layout->addLayout(bottom);
    connect(m_all, &QPushButton::clicked, this, &ApplyView::acceptAll);
    connect(m_none, &QPushButton::clicked, this, &ApplyView::acceptNone);
    connect(cancel, &QPushButton::clicked, this, &ApplyView::rejected);
    connect(m_apply, &QPushButton::clicked, this,
        [this] { emit accepted(resultText(), QString::fromStdString(m_proposal.buffer)); });
}

void ApplyView::setProposal(const llm::Proposal& proposal, bool cutByLimit)
{
    m_proposal = proposal;
    m_hunks.clear();
    const auto notice = notices(cutByLimit);
    m_notice->setText(notice);
    m_notice->setVisible(!notice.isEmpty());
    auto ink = m_notice->palette();
    ink.setColor(QPalette::WindowText, chatColoursFor(palette()).warningText);
    m_notice->setPalette(ink);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    const auto lines = llm::splitLines(m_proposal.buffer);
    std::size_t shown = 0; // the first line that no earlier hunk shows
    for (const auto& hunk : m_proposal.hunks) {
        const auto before = std::max(shown, hunk.firstLine - std::min(hunk.firstLine, contextLines));
        const auto end = hunk.firstLine + hunk.removed.size();
        auto* view = new HunkView(hunk, linesBetween(lines, before, hunk.firstLine),
            linesBetween(lines, end, end + contextLines), content);
        connect(view, &HunkView::acceptedChanged, this, &ApplyView::showCount);
        column->addWidget(view);
        m_hunks.push_back(view);
        shown = end;
    }
    if (m_hunks.empty()) {
        auto* same =
            new QLabel(tr("The code is the same as the buffer: there is nothing to apply."), content);
        same->setObjectName(QStringLiteral("nothing"));
        same->setAlignment(Qt::AlignCenter);
        column->addWidget(same);
    }
    column->addStretch(1);
    m_scroll->setWidget(content);
    m_all->setEnabled(m_proposal.wholeFileAllowed && !m_hunks.empty());
    m_all->setToolTip(m_proposal.wholeFileAllowed
            ? QString()
            : tr("Not the whole file: check the hunks that you want one by one"));
    m_none->setEnabled(!m_hunks.empty());
    showCount();
}

QString ApplyView::notices(bool cutByLimit) const
{
    QStringList notices;
    if (!m_proposal.elisions.empty()) {
        const auto& first = m_proposal.elisions.front();
        notices << tr("⚠ The answer leaves code out (line %1: %2), so it cannot replace the file as a whole. "
                      "Removals beside "
                      "such a place are not checked.")
                       .arg(first.line)
                       .arg(QString::fromStdString(first.text));
    } else if (m_proposal.fragment) {
        notices << tr(
            "⚠ The block is a part of a file. What it does not mention stays unless you check its removal.");
    }
    if (cutByLimit) {
        notices << tr("⚠ The answer was cut by the token limit: its end may be missing.");
    }
    if (m_proposal.bufferChanged) {
        notices << tr("ℹ The buffer was changed since the question. The answer's changes were carried over "
                      "to it; those "
                      "that meet yours are not applied.");
    }
    return notices.join(QLatin1Char('\n'));
}

std::vector<bool> ApplyView::flags() const
{
    std::vector<bool> result;
    for (const auto* hunk : m_hunks) {
        result.push_back(hunk->isAccepted());
    }
    return result;
}

QString ApplyView::resultText() const
{
    const auto text = llm::applyHunks(m_proposal, flags(), m_proposal.buffer);
    return QString::fromStdString(text ? *text : m_proposal.buffer);
}

int ApplyView::acceptedCount() const
{
    const auto all = flags();
    return static_cast<int>(std::count(all.begin(), all.end(), true));
}

int ApplyView::hunkCount() const
{
    return static_cast<int>(m_hunks.size());
}

void ApplyView::acceptAll()
{
    if (m_proposal.wholeFileAllowed) {
        for (auto* hunk : m_hunks) {
            hunk->setAccepted(true);
        }
    }
}

void ApplyView::acceptNone()
{
    for (auto* hunk : m_hunks) {
        hunk->setAccepted(false);
    }
}

void ApplyView::showCount()
{
    m_count->setText(tr("%1 of %2 changes checked").arg(acceptedCount()).arg(hunkCount()));
    m_apply->setEnabled(acceptedCount() > 0);
}

} // namespace ptxwb
