// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/hunks.h"

#include <QFrame>
#include <QStringList>

class QCheckBox;
class QLabel;

namespace ptxwb {

class CodeText;

/// One hunk with its check box, as a unified diff with a few unchanged lines around it.
class HunkView : public QFrame {
    Q_OBJECT
public:
    /// `before` and `after` are the unchanged lines beside the hunk.
    HunkView(const llm::Hunk& hunk, const QStringList& before, const QStringList& after,
        QWidget* parent = nullptr);

    bool isAccepted() const;
    /// Without effect on a hunk in conflict.
    void setAccepted(bool accepted);

signals:
    void acceptedChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void colourLines();

    QCheckBox* m_check;
    QLabel* m_note;
    CodeText* m_text;
    bool m_conflicts;
    bool m_colouring = false;
};

} // namespace ptxwb
