// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/problems_model.h"

#include <QFont>
#include <QScrollArea>

#include <memory>
#include <string>

namespace ptxwb {

/// One problem at length: what it means, and each of its fixes with the lines that it changes and a button.
class ProblemDetail : public QScrollArea {
    Q_OBJECT
public:
    explicit ProblemDetail(QWidget* parent = nullptr);

    /// `heading`: the message as the list shows it. `problem` null: nothing is chosen. `source`: the text
    /// that the problem speaks of.
    void showProblem(
        const Problem* problem, const QString& heading, const std::shared_ptr<const std::string>& source);
    /// The text has changed since: fixes cannot be applied.
    void setStale(bool stale);
    void setColours(const StatusColours& colours);
    void setCodeFont(const QFont& font);

signals:
    void fixRequested(const ptxwb::Fix& fix);
    /// What had the keyboard is no longer there.
    void focusLost();

private:
    void rebuild();
    QWidget* fixCard(const Fix& fix, int number);
    QString previewHtml(const Fix& fix) const;

    Problem m_problem;
    bool m_hasProblem = false;
    QString m_heading;
    std::shared_ptr<const std::string> m_source;
    bool m_stale = false;
    StatusColours m_colours;
    QFont m_font;
};

} // namespace ptxwb
