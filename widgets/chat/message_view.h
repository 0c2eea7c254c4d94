// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/conversation.h"
#include "widgets/chat/message_parts.h"

#include <QFrame>
#include <QUrl>

#include <optional>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace ptxwb {

class ProseView;

/// One turn of the transcript. Given a longer text of the same message it keeps the parts that did not
/// change.
class MessageView : public QFrame {
    Q_OBJECT
public:
    explicit MessageView(QWidget* parent = nullptr);

    /// `isLast` gives a failed answer its Retry button; `mayEdit` gives a question its Edit button.
    void setMessage(const llm::Message& message, bool isLast, bool mayEdit);
    /// Marks a question that had no whole answer: it is not sent along with later ones.
    void setLeftOut(bool leftOut);
    const llm::Message& message() const { return m_message; }

signals:
    void applyRequested(const QString& code);
    void retryRequested();
    void editRequested(const QString& text);
    void linkActivated(const QUrl& url);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showHeader();
    void showReasoning();
    void showBody();
    void showEnd(bool isLast);
    void applyColours();
    ProseView* makeProse();

    llm::Message m_message;
    std::optional<std::pair<bool, bool>> m_shown; ///< the flags of setMessage, once it was called
    QLabel* m_author;
    QLabel* m_facts;
    QPushButton* m_edit;
    QToolButton* m_fold;
    ProseView* m_reasoning;
    QVBoxLayout* m_body;
    std::vector<QWidget*> m_parts;
    QLabel* m_context;
    QPushButton* m_more;
    std::size_t m_drawnBytes = drawnAtOnce; ///< of prose; code is folded by its own view
    QLabel* m_leftOut;
    QWidget* m_endRow;
    QLabel* m_end;
    QPushButton* m_retry;
    bool m_colouring = false;
};

} // namespace ptxwb
