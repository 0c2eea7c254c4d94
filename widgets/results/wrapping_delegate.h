// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "widgets/editor/roomy_delegate.h"

class QTreeView;

namespace ptxwb {

/// Rows as high as their texts need in columns as wide as they are. The view must wrap words and have no
/// uniform row heights.
class WrappingDelegate : public RoomyDelegate {
    Q_OBJECT
public:
    explicit WrappingDelegate(QTreeView* view);

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    QTreeView* m_view;
};

} // namespace ptxwb
