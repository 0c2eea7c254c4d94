// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/llm/markdown.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QToolButton;

namespace ptxwb {

class CodeText;

/// A code block of an answer, with Copy and Apply. Long code is folded to its first lines.
class CodeBlockView : public QFrame {
    Q_OBJECT
public:
    explicit CodeBlockView(QWidget* parent = nullptr);

    /// `refusal` says why the block cannot be applied; empty when it can.
    void setBlock(const llm::CodeBlock& block, const QString& refusal);
    QString code() const;

signals:
    void applyRequested(const QString& code);

protected:
    void changeEvent(QEvent* event) override;

private:
    void copy();
    void setUnfolded(bool unfolded);
    void applyColours();

    llm::CodeBlock m_block;
    QLabel* m_title;
    QLabel* m_warning;
    QToolButton* m_fold;
    QPushButton* m_copy;
    QPushButton* m_apply;
    CodeText* m_text;
    bool m_unfolded = false;
    bool m_colouring = false;
};

} // namespace ptxwb
