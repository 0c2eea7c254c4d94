// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/triage/triage_model.h"

#include <QListWidget>

namespace ptxwb {

/// How many answers there are of each cause, as bars; the chosen one filters.
class CauseHistogram : public QListWidget {
    Q_OBJECT
public:
    explicit CauseHistogram(QWidget* parent = nullptr);

    /// Keeps the chosen bucket where it is still there.
    void setCounts(const std::vector<TriageModel::Count>& counts);
    void setColours(const StatusColours& colours);
    int bucket() const;

    enum Role { BucketRole = Qt::UserRole, ShareRole, CountRole };

signals:
    void bucketChosen(int bucket);

private:
    StatusColours m_colours;
    bool m_quiet = false;
};

} // namespace ptxwb
