// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/hunks.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;

namespace ptxwb {

class HunkView;

/// What a code block would change in the buffer, hunk by hunk. Nothing changes before Apply is pressed.
class ApplyView : public QWidget {
    Q_OBJECT
public:
    explicit ApplyView(QWidget* parent = nullptr);

    /// `cutByLimit`: the answer was cut by the token limit, which is said above the hunks.
    void setProposal(const llm::Proposal& proposal, bool cutByLimit);
    /// The buffer with the hunks that are checked now.
    QString resultText() const;
    int acceptedCount() const;
    int hunkCount() const;

public slots:
    void acceptAll();
    void acceptNone();

signals:
    /// `basedOn` is the buffer that the hunks were made for: to be refused where the editor holds another
    /// text by now.
    void accepted(const QString& text, const QString& basedOn);
    void rejected();

private:
    std::vector<bool> flags() const;
    QString notices(bool cutByLimit) const;
    void showCount();

    llm::Proposal m_proposal;
    QLabel* m_notice;
    QLabel* m_count;
    QPushButton* m_all;
    QPushButton* m_none;
    QScrollArea* m_scroll;
    QPushButton* m_apply;
    std::vector<HunkView*> m_hunks;
};

} // namespace ptxwb
