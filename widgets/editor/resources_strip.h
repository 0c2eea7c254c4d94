// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/toolchain/diagnostic.h"

#include "widgets/editor/elided_label.h"

#include <vector>

namespace ptxwb {

/// One line with what each kernel uses, and how that changed since the build before.
class ResourcesStrip : public ElidedLabel {
    Q_OBJECT
public:
    explicit ResourcesStrip(QWidget* parent = nullptr);

    void setKernels(const std::vector<KernelResources>& kernels, const std::vector<KernelResources>& before);
    /// Says why there are no numbers.
    void setReason(const QString& text);

    /// "gemm: 168 registers (+8), no spills, ..." for one kernel.
    static QString describe(const KernelResources& kernel, const KernelResources* before);
};

} // namespace ptxwb
