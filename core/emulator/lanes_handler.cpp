// SPDX-License-Identifier: Apache-2.0
#include "core/emulator/lane_templates.h"

namespace ptxwb::emulator::PTXWB_LANES {

Handler handler(const LaneForm& form)
{
    switch (form.op) {
    case LaneOp::Cvt:
    case LaneOp::CvtPack:
        return convertHandler(form);
    case LaneOp::Setp:
    case LaneOp::Set:
    case LaneOp::Testp:
        return compareHandler(form);
    case LaneOp::SetPair:
    case LaneOp::SetpPair:
    case LaneOp::CvtPackIntegers:
    case LaneOp::CvtEights:
    case LaneOp::Dp2a:
    case LaneOp::Mul24Lo:
    case LaneOp::Mul24Hi:
    case LaneOp::Mad24Lo:
    case LaneOp::Mad24Hi:
    case LaneOp::Mad24HiSat:
        return narrowHandler(form);
    default:
        break;
    }
    if (form.type == ValueType::U16x2 || form.type == ValueType::S16x2
        || (form.type == ValueType::S32 && form.relu)) {
        return narrowHandler(form);
    }
    if (form.op != LaneOp::Mov && form.op != LaneOp::Selp && form.op != LaneOp::Slct) {
        switch (form.type) {
        case ValueType::F32:
        case ValueType::F64:
            return floatHandler(form);
        case ValueType::F16:
        case ValueType::F16x2:
        case ValueType::Bf16:
        case ValueType::Bf16x2:
            return halfHandler(form);
        default:
            break;
        }
    }
    const Handler integer = integerHandler(form);
    return integer != nullptr ? integer : bitHandler(form);
}

} // namespace ptxwb::emulator::PTXWB_LANES
