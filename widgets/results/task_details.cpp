// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/task_details.h"

#include <QLocale>

namespace ptxwb {

namespace {

QString escaped(const std::string& text)
{
    return QString::fromStdString(text).toHtmlEscaped();
}

QString tensorRows(
    const Task& task, const std::vector<TensorSpec>& tensors, const Workload* workload, const QString& role)
{
    QString rows;
    for (const TensorSpec& tensor : tensors) {
        QStringList axes;
        for (const std::string& axis : tensor.shape) {
            axes << escaped(axis);
        }
        QString shape = tensor.isScalar ? TaskDetails::tr("scalar") : axes.join(QStringLiteral(" × "));
        if (workload != nullptr && !tensor.isScalar) {
            if (const Result<TensorType> type = task.typeOf(tensor, *workload)) {
                QStringList extents;
                for (const std::int64_t extent : type->shape) {
                    extents << QLocale::c().toString(static_cast<qlonglong>(extent)).remove(QLatin1Char(','));
                }
                shape += QStringLiteral(" = ") + extents.join(QStringLiteral(" × "));
            }
        }
        rows += QStringLiteral(
            "<tr><td><code>%1</code>&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td>%3&nbsp;&nbsp;</td>"
            "<td>%4</td></tr>")
                    .arg(escaped(tensor.name), role,
                        QString::fromUtf8(
                            dtypeName(tensor.dtype).data(), static_cast<int>(dtypeName(tensor.dtype).size())),
                        shape);
    }
    return rows;
}

QString listOf(const QStringList& items)
{
    return items.isEmpty()
        ? QString()
        : QStringLiteral("<ul><li>%1</li></ul>").arg(items.join(QStringLiteral("</li><li>")));
}

} // namespace

TaskDetails::TaskDetails(QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("taskDetails"));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Task"));
}

QString TaskDetails::html(const Task& task, const Workload* workload)
{
    QString text = QStringLiteral("<h3>%1</h3><p>%2</p>").arg(escaped(task.name), escaped(task.description));
    if (workload != nullptr) {
        QStringList tags;
        for (const std::string& tag : workload->tags) {
            tags << escaped(tag);
        }
        text +=
            QStringLiteral("<p>%1</p>")
                .arg(tr("Workload %1 (%2)").arg(escaped(workload->uuid), tags.join(QStringLiteral(", "))));
    }
    text += QStringLiteral("<table>%1%2</table>")
                .arg(tensorRows(task, task.inputs, workload, tr("input")),
                    tensorRows(task, task.outputs, workload, tr("output")));
    text += QStringLiteral("<p>%1</p>")
                .arg(tr("Paper's rule: an element is wrong where its absolute error exceeds %1 and its "
                        "relative error exceeds "
                        "%2; a trial needs %3 % right elements; %n trial(s).",
                    nullptr, task.tolerance.trials)
                         .arg(task.tolerance.atol)
                         .arg(task.tolerance.rtol)
                         .arg(task.tolerance.matchedRatio * 100));
    for (const auto& [output, bound] : task.strict.normwiseRelError) {
        const QString name = output.empty() ? tr("every output") : escaped(output);
        text += QStringLiteral("<p>%1</p>")
                    .arg(tr("Strict rule: ‖x − ref‖ / ‖ref‖ ≤ %1 for %2.").arg(bound).arg(name));
    }
    QStringList goals;
    for (const InstructionGoal& goal : task.goals) {
        goals << tr("%1 on %2").arg(escaped(goal.name), escaped(goal.target));
    }
    QStringList baselines;
    for (const BaselineSpec& baseline : task.baselines) {
        baselines << QStringLiteral("%1: %2").arg(escaped(baseline.name), escaped(baseline.description));
    }
    QStringList notes;
    for (const std::string& note : task.notes) {
        notes << escaped(note);
    }
    const std::pair<QString, QStringList> lists[] = {
        {tr("Instructions asked for"), goals}, {tr("Baselines"), baselines}, {tr("Notes"), notes}};
    for (const auto& [title, items] : lists) {
        if (!items.isEmpty()) {
            text += QStringLiteral("<p><b>%1</b></p>%2").arg(title, listOf(items));
        }
    }
    return text;
}

void TaskDetails::showTask(const Task& task, const Workload* workload)
{
    setHtml(html(task, workload));
}

void TaskDetails::showReason(const QString& text)
{
    setPlainText(text);
}

} // namespace ptxwb
