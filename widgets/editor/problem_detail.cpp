// SPDX-License-Identifier: Apache-2.0
#include "widgets/editor/problem_detail.h"

#include "widgets/editor/fix_preview.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ptxwb {

namespace {

constexpr std::size_t mostPreviewLines = 14;

QLabel* wrappedLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

ProblemDetail::ProblemDetail(QWidget* parent)
    : QScrollArea(parent)
    , m_font(QFontDatabase::systemFont(QFontDatabase::FixedFont))
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("The chosen problem"));
    rebuild();
}

void ProblemDetail::showProblem(
    const Problem* problem, const QString& heading, const std::shared_ptr<const std::string>& source)
{
    m_hasProblem = problem != nullptr;
    m_problem = problem != nullptr ? *problem : Problem();
    m_heading = heading;
    m_source = source;
    rebuild();
}

void ProblemDetail::setStale(bool stale)
{
    if (m_stale != stale) {
        m_stale = stale;
        rebuild();
    }
}

void ProblemDetail::setColours(const StatusColours& colours)
{
    m_colours = colours;
    rebuild();
}

void ProblemDetail::setCodeFont(const QFont& font)
{
    m_font = font;
    rebuild();
}

void ProblemDetail::rebuild()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(10, 6, 10, 6);
    layout->setSpacing(6);
    const auto add = [&](const QString& text) { layout->addWidget(wrappedLabel(text, content)); };
    if (!m_hasProblem) {
        add(tr("Choose a problem: what it means and how it can be mended is shown here."));
    } else {
        QLabel* heading = wrappedLabel(m_heading, content);
        heading->setTextFormat(Qt::PlainText);
        QFont bold = heading->font();
        bold.setBold(true);
        heading->setFont(bold);
        layout->addWidget(heading);
        const Diagnostic& cause = m_problem.cause;
        if (cause.explanation) {
            add(QString::fromStdString(*cause.explanation).toHtmlEscaped());
        }
        const std::pair<QString, const std::string&> parts[] = {
            {tr("Usual cause (our guess): %1"), m_problem.usualCause},
            {tr("Look for (our guess): %1"), m_problem.lookFor}};
        for (const auto& [words, text] : parts) {
            if (!text.empty()) {
                add(words.arg(QString::fromStdString(text).toHtmlEscaped()));
            }
        }
        if (m_problem.registers) {
            add(tr("Registers used by its kernel: %1.").arg(*m_problem.registers));
        }
        if (m_problem.lineBy == "setmaxnreg") {
            add(tr("The tool names no line for this note: the setmaxnreg that it is about is shown."));
        } else if (m_problem.lineBy == "kernel") {
            add(tr("The tool names no line for this note: its kernel begins at the line shown."));
        } else if (m_problem.lineBy == "ours") {
            add(tr("The line is ours: found through the line table."));
        }
        if (const auto count = static_cast<int>(m_problem.consequences.size()); count > 0) {
            add(m_problem.isNote
                    ? tr("The same note stands at %n more place(s), folded beneath it.", nullptr, count)
                    : tr(
                        "%n further message(s) follow from it and stand folded beneath it.", nullptr, count));
        }
        if (m_stale && !cause.fixes.empty()) {
            QLabel* stale = wrappedLabel(tr("⚠ The text has changed since this was found. Compile again "
                                            "(Ctrl+Enter) before a fix is applied."),
                content);
            QPalette colours = stale->palette();
            colours.setColor(QPalette::WindowText, m_colours.ink(Tone::Caution));
            stale->setPalette(colours);
            layout->addWidget(stale);
        }
        int number = 0;
        for (const Fix& fix : cause.fixes) {
            layout->addWidget(fixCard(fix, ++number));
        }
        if (cause.fixes.empty() && cause.severity <= Severity::Error) {
            add(tr("No mechanical fix is known for it."));
        }
    }
    layout->addStretch(1);
    // The one before may be the one whose button is being clicked just now.
    const bool hadFocus = widget() != nullptr && widget()->isAncestorOf(QApplication::focusWidget());
    if (QWidget* before = takeWidget()) {
        before->deleteLater();
    }
    setWidget(content);
    if (hadFocus) {
        emit focusLost();
    }
}

QWidget* ProblemDetail::fixCard(const Fix& fix, int number)
{
    auto* card = new QFrame;
    card->setFrameShape(QFrame::StyledPanel);
    auto* layout = new QVBoxLayout(card);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(4);
    auto* head = new QHBoxLayout;
    const QString words = fix.tried ? tr("Fix: %1") : tr("Fix (not tried with the compiler): %1");
    auto* title = wrappedLabel(words.arg(QString::fromStdString(fix.title).toHtmlEscaped()), card);
    auto* apply = new QPushButton(number == 1 ? tr("Apply (Ctrl+.)") : tr("Apply"), card);
    apply->setObjectName(QStringLiteral("applyFix%1").arg(number));
    apply->setAccessibleName(tr("Apply: %1").arg(QString::fromStdString(fix.title)));
    apply->setEnabled(!m_stale);
    connect(apply, &QPushButton::clicked, this, [this, fix] { emit fixRequested(Fix(fix)); });
    head->addWidget(title, 1);
    head->addWidget(apply, 0, Qt::AlignTop);
    layout->addLayout(head);
    auto* preview = new QLabel(previewHtml(fix), card);
    preview->setTextFormat(Qt::RichText);
    preview->setWordWrap(true);
    preview->setFont(m_font);
    preview->setTextInteractionFlags(Qt::TextSelectableByMouse);
    preview->setObjectName(QStringLiteral("fixPreview%1").arg(number));
    layout->addWidget(preview);
    return card;
}

QString ProblemDetail::previewHtml(const Fix& fix) const
{
    const std::vector<PreviewLine> lines = previewOfFix(m_source ? *m_source : std::string(), fix);
    QString rows;
    for (std::size_t i = 0; i < std::min(lines.size(), mostPreviewLines); ++i) {
        const Tone tone = lines[i].added ? Tone::Good : Tone::Bad;
        rows +=
            QStringLiteral("<tr><td style=\"background-color:%1; color:%2; white-space:pre-wrap\">%3 %4  %5"
                           "</td></tr>")
                .arg(m_colours.fill(tone).name(), m_colours.ink(tone).name(),
                    lines[i].added ? QStringLiteral("+") : QStringLiteral("−"))
                .arg(lines[i].number, 5)
                .arg(QString::fromStdString(lines[i].text).toHtmlEscaped());
    }
    QString html =
        QStringLiteral("<table width=\"100%\" cellspacing=\"0\" cellpadding=\"1\">%1</table>").arg(rows);
    if (lines.size() > mostPreviewLines) {
        html += tr("and %n more line(s)", nullptr, static_cast<int>(lines.size() - mostPreviewLines));
    }
    return html;
}

} // namespace ptxwb
