// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/async.h"

namespace ptxwb::emulator {

void finish(AsyncOp& op)
{
    if (op.done) {
        return;
    }
    if (!op.readDone) {
        op.readDone = true;
        op.read();
    }
    op.done = true;
    op.complete();
}

void AsyncQueue::completeAt(std::size_t index)
{
    if (m_pending[index]->order != 0) {
        for (std::size_t earlier = 0; earlier < index; ++earlier) {
            if (m_pending[earlier]->order == m_pending[index]->order) {
                index = earlier;
                break;
            }
        }
    }
    const auto op = m_pending[index];
    m_pending.erase(m_pending.begin() + static_cast<std::ptrdiff_t>(index));
    finish(*op);
}

} // namespace ptxwb::emulator
