// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/wrapped_label.h"

namespace ptxwb {

class SassModel;

/// One row in words, as `ptxwb sass --explain`: what it does in our reading, whom it waits for and who waits
/// for it, as links to those rows.
class RowReading : public WrappedLabel {
    Q_OBJECT
public:
    explicit RowReading(QWidget* parent = nullptr);

    /// -1 asks to choose a row.
    void showRow(const SassModel& model, int row);

signals:
    void rowActivated(int row);
};

} // namespace ptxwb
