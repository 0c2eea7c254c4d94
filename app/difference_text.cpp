// SPDX-License-Identifier: Apache-2.0
#include "app/difference_text.h"

#include "core/llm/line_diff.h"

#include <QCoreApplication>

#include <algorithm>

namespace ptxwb {

namespace {

constexpr std::size_t around = 3;
constexpr int mostLines = 2000;
constexpr qsizetype longestLine = 400;

std::vector<std::string_view> linesOf(const QByteArray& text)
{
    std::vector<std::string_view> lines;
    const std::string_view all(text.constData(), static_cast<std::size_t>(text.size()));
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = std::min(all.find('\n', at), all.size());
        lines.push_back(all.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

class Writer {
public:
    void line(QChar sign, std::string_view text)
    {
        if (m_lines++ >= mostLines) {
            return;
        }
        QString shown = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
        if (shown.endsWith(QLatin1Char('\r'))) {
            shown.back() = QChar(0x240D); // a line end alone may be what differs
        }
        shown = (sign + QLatin1Char(' ') + shown.left(longestLine)).toHtmlEscaped();
        m_html += sign == QLatin1Char(' ') ? shown : QStringLiteral("<b>%1</b>").arg(shown);
        m_html += QLatin1Char('\n');
    }
    void place(std::size_t line)
    {
        m_html += QStringLiteral("<i>%1</i>\n")
                      .arg(QCoreApplication::translate("ptxwb::FileController", "Line %1").arg(line));
    }
    QString html() const
    {
        const QString cut = m_lines <= mostLines
            ? QString()
            : QCoreApplication::translate("ptxwb::FileController", "… and %L1 more lines")
                  .arg(m_lines - mostLines);
        return QStringLiteral("<pre>%1</pre>%2").arg(m_html, cut);
    }

private:
    QString m_html;
    int m_lines = 0;
};

} // namespace

QString differenceHtml(const QByteArray& before, const QByteArray& after)
{
    const auto oldLines = linesOf(before);
    const auto newLines = linesOf(after);
    Writer writer;
    std::size_t shownTo = 0; // old lines before this one are written
    const auto changes = llm::diffLines(oldLines, newLines);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const auto& change = changes[i];
        const std::size_t from = std::max(shownTo, change.oldFirst - std::min(change.oldFirst, around));
        if (from > shownTo || i == 0) {
            writer.place(from + 1);
        }
        for (std::size_t line = from; line < change.oldFirst; ++line) {
            writer.line(QLatin1Char(' '), oldLines[line]);
        }
        for (std::size_t line = 0; line < change.oldCount; ++line) {
            writer.line(QChar(0x2212), oldLines[change.oldFirst + line]);
        }
        for (std::size_t line = 0; line < change.newCount; ++line) {
            writer.line(QLatin1Char('+'), newLines[change.newFirst + line]);
        }
        const std::size_t next = i + 1 < changes.size() ? changes[i + 1].oldFirst : oldLines.size();
        const std::size_t end = std::min(next, change.oldFirst + change.oldCount + around);
        for (shownTo = change.oldFirst + change.oldCount; shownTo < end; ++shownTo) {
            writer.line(QLatin1Char(' '), oldLines[shownTo]);
        }
    }
    if (changes.empty()) {
        return QCoreApplication::translate("ptxwb::FileController", "The lines are the same.")
            .toHtmlEscaped();
    }
    return writer.html();
}

} // namespace ptxwb
