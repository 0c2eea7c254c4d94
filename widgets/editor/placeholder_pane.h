// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStackedWidget>

class QLabel;

namespace ptxwb {

/// A view, or the sentence that says why it is empty and what to do.
class PlaceholderPane : public QStackedWidget {
    Q_OBJECT
public:
    explicit PlaceholderPane(QWidget* content, QWidget* parent = nullptr);

    /// Shows the sentence instead of the content; an empty one shows the content.
    void setPlaceholder(const QString& text);
    QString placeholder() const;

private:
    QLabel* m_label;
    QWidget* m_content;
};

} // namespace ptxwb
