// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QAbstractItemModel;
class QLabel;
class QLineEdit;

namespace ptxwb {

/// Finds rows of a listing by text. Enter and Shift+Enter go on and back, Esc closes.
class SassFindBar : public QWidget {
    Q_OBJECT
public:
    /// `model` is searched as it is shown: by rows, over the columns up to the operands.
    explicit SassFindBar(QAbstractItemModel* model, QWidget* parent = nullptr);

    void open();
    void close();
    void setNeedle(const QString& text);
    QString statusText() const;
    /// Where the search goes on from, -1 before the first row.
    void setCurrentRow(int row) { m_current = row; }
    void findNext();
    void findPrevious();

signals:
    void found(int row);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void find(bool forward, bool stay);
    std::vector<int> matches() const;

    QAbstractItemModel* m_model;
    QLineEdit* m_needle;
    QLabel* m_status;
    int m_current = -1;
};

} // namespace ptxwb
