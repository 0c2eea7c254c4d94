// SPDX-License-Identifier: Apache-2.0
#include "widgets/sass/row_reading.h"

#include "core/sass/opcode_reading.h"
#include "widgets/sass/sass_model.h"

#include <algorithm>

namespace ptxwb {

namespace {

constexpr int mostLinks = 4;

QString escaped(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

/// "0050 LDG.E", a link to the row.
QString link(const SassModel& model, int row)
{
    const SassInstruction& to = *model.instruction(row);
    return QStringLiteral("<a href=\"%1\">%2 %3</a>")
        .arg(QString::number(row), QStringLiteral("%1").arg(to.address, 4, 16, QLatin1Char('0')),
            escaped(to.opcode));
}

QString links(const SassModel& model, const std::vector<int>& rows, bool more)
{
    QStringList shown;
    for (const int row : rows) {
        if (shown.size() == mostLinks) {
            more = true;
            break;
        }
        shown << link(model, row);
    }
    if (more) {
        shown << RowReading::tr("further rows");
    }
    return shown.join(QStringLiteral(", "));
}

/// Rows that wait for the scoreboard which `setter` sets.
std::vector<int> waitersFor(const SassModel& model, int setter, int barrier)
{
    std::vector<int> rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        for (const ScoreboardWait& wait : model.waitsOf(row)) {
            if (wait.barrier == barrier
                && std::find(wait.setters.begin(), wait.setters.end(), setter) != wait.setters.end()) {
                rows.push_back(row);
            }
        }
    }
    return rows;
}

QString waitsText(const SassModel& model, int row)
{
    QStringList parts;
    for (const ScoreboardWait& wait : model.waitsOf(row)) {
        if (wait.barrier == ScoreboardWait::groups) {
            if (!wait.setters.empty()) {
                parts << RowReading::tr("groups of wgmma that end with %1")
                             .arg(links(model, wait.setters, wait.more));
            }
            continue;
        }
        parts << (wait.setters.empty() && !wait.more
                ? RowReading::tr("scoreboard %1, which no row before sets").arg(wait.barrier)
                : RowReading::tr("scoreboard %1, set by %2")
                      .arg(wait.barrier)
                      .arg(links(model, wait.setters, wait.more)));
    }
    return parts.isEmpty() ? QString()
                           : RowReading::tr("Waits for %1.").arg(parts.join(QStringLiteral("; ")));
}

QString setsText(const SassModel& model, int row)
{
    const SassInstruction& at = *model.instruction(row);
    QStringList parts;
    if (const auto waiters = waitersFor(model, row, ScoreboardWait::groups); !waiters.empty()) {
        parts << RowReading::tr("Ends a group of wgmma; for it waits %1").arg(links(model, waiters, false));
    }
    const ControlCode code = at.hasEncoding ? decodeControl(at.encoding) : ControlCode();
    const auto add = [&](int barrier, const QString& when) {
        if (barrier < 0) {
            return;
        }
        const std::vector<int> waiters = waitersFor(model, row, barrier);
        parts << (waiters.empty()
                ? when.arg(barrier)
                : RowReading::tr("%1; for it waits %2").arg(when.arg(barrier), links(model, waiters, false)));
    };
    add(code.writeBarrier, RowReading::tr("Sets scoreboard %1 until its result is written"));
    add(code.readBarrier, RowReading::tr("Sets scoreboard %1 until its sources are read"));
    QString text;
    for (const QString& part : parts) {
        text += part + QStringLiteral(". ");
    }
    return text.trimmed();
}

} // namespace

RowReading::RowReading(QWidget* parent)
    : WrappedLabel(parent)
{
    setTextFormat(Qt::RichText);
    setMargin(4);
    setTextInteractionFlags(
        Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard | Qt::TextSelectableByMouse);
    setAccessibleName(tr("The chosen row in words"));
    connect(
        this, &QLabel::linkActivated, this, [this](const QString& row) { emit rowActivated(row.toInt()); });
}

void RowReading::showRow(const SassModel& model, int row)
{
    const SassInstruction* at = model.instruction(row);
    if (at == nullptr) {
        setText(tr("Choose a row: what it does and whom it waits for is said here."));
        return;
    }
    const std::string reading = describeInstruction(*at);
    QStringList parts{QStringLiteral("<b>%1</b>").arg(escaped(at->opcode)) + QStringLiteral(" ")
        + (reading.empty() ? tr("This opcode is not known here.")
                           : tr("Our reading: %1.").arg(escaped(reading)))};
    if (at->liveRegisters >= 0) {
        parts << tr("Live registers: %1.").arg(at->liveRegisters);
    }
    for (const QString& text : {waitsText(model, row), setsText(model, row)}) {
        if (!text.isEmpty()) {
            parts << text;
        }
    }
    setText(parts.join(QStringLiteral(" ")));
}

} // namespace ptxwb
