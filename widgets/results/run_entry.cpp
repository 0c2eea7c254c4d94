// SPDX-License-Identifier: Apache-2.0
#include "widgets/results/run_entry.h"

#include "widgets/results/results_pane.h"
#include "widgets/results/verdict_words.h"

#include <QFileInfo>

namespace ptxwb {

QString candidateName(const Evaluation& evaluation)
{
    const QString name = QFileInfo(QString::fromStdString(evaluation.candidatePath)).completeBaseName();
    return name.isEmpty() ? ResultsPane::tr("untitled") : name;
}

QString provenanceText(const RunEntry& entry)
{
    if (!entry.evaluation) {
        return {};
    }
    QStringList parts;
    if (entry.origin == RunOrigin::Kept) {
        parts << ResultsPane::tr("from the history, %1")
                     .arg(QString::fromStdString(entry.evaluation->madeUtc).left(10));
    }
    if (entry.origin == RunOrigin::Recorded) {
        const QString device = entry.evaluation->device
            ? QString::fromStdString(entry.evaluation->device->name)
            : ResultsPane::tr("a machine without a GPU");
        parts << ResultsPane::tr("recorded on %1, %2")
                     .arg(device, QString::fromStdString(entry.evaluation->madeUtc).left(10));
    }
    if (entry.origin == RunOrigin::EarlierText) {
        parts << ResultsPane::tr("of an earlier text");
    } else if (!entry.sameText) {
        parts << ResultsPane::tr("of another text than the one in the editor");
    }
    return parts.join(QStringLiteral(", "));
}

QString runTitle(const RunEntry& entry)
{
    const Evaluation& evaluation = *entry.evaluation;
    QString title = QStringLiteral("%1 · %2 · %3")
                        .arg(candidateName(evaluation), QString::fromStdString(evaluation.workload.name()),
                            VerdictWords::word(evaluation.verdict));
    const QString provenance = provenanceText(entry);
    if (!provenance.isEmpty()) {
        title += QStringLiteral(" · ") + provenance;
    }
    return title;
}

} // namespace ptxwb
