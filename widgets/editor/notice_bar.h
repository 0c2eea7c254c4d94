// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

#include <functional>

class QHBoxLayout;
class QLabel;

namespace ptxwb {

/// A strip above a pane that says one thing and offers at most a few buttons; never modal.
class NoticeBar : public QFrame {
    Q_OBJECT
public:
    enum class Tone { Information, Warning, Failure };

    explicit NoticeBar(QWidget* parent = nullptr);

    struct Choice {
        QString label;
        std::function<void()> chosen;
    };
    /// A choice closes the strip before it runs.
    void showNotice(Tone tone, const QString& text, const std::vector<Choice>& choices = {});
    QString text() const;

private:
    QLabel* m_glyph;
    QLabel* m_text;
    QHBoxLayout* m_buttons;
};

} // namespace ptxwb
