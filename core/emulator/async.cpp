// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/async.h"

namespace ptxwb::emulator {

void perturbElements(std::byte* elements, std::size_t bytes, std::uint32_t elementBytes)
{
    // f64: bit 51, f32: bit 22, f16: bit 6, bf16: bit 6, 8 bits: bit 0.
    const std::uint32_t at = elementBytes >= 4 ? elementBytes - 2 : 0;
    const std::byte flip{
        static_cast<unsigned char>(elementBytes == 8 ? 0x08 : (elementBytes == 1 ? 0x01 : 0x40))};
    for (std::size_t i = at; i < bytes; i += elementBytes) {
        elements[i] ^= flip;
    }
}

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
