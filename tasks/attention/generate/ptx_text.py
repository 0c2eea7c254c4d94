# SPDX-License-Identifier: Apache-2.0
"""What the texts of the attention kernels have in common: lists of registers, waits, boxes, products."""
import string
import struct


def fill(text, **values):
    """`text` with each $name replaced; PTX itself has no $ here."""
    return string.Template(text).substitute(values)


def float_bits(value):
    """The float32 nearest to `value`, as PTX writes it."""
    return "0f%08X" % struct.unpack("<I", struct.pack("<f", value))[0]


def registers(prefix, count):
    rows = [", ".join(f"%{prefix}{i}" for i in range(first, min(first + 8, count))) for first in range(0, count, 8)]
    return ",\n".join("        " + row for row in rows)


def pairs(text, count):
    """`text` of each element, two a line."""
    return "".join("    " + "  ".join(text(i) for i in (first, first + 1)) + "\n" for first in range(0, count, 2))


def row_of(element):
    """Which of its two rows a thread's element belongs to."""
    return "B" if element & 2 else "A"


def column_of(element):
    """The column of a thread's element, less that of its first."""
    return 8 * (element >> 2) + (element & 1)


def wait(label, barrier, parity):
    return (f"{label}:\n    mbarrier.try_wait.parity.shared::cta.b64 %done, [{barrier}], {parity};\n"
            f"    @!%done bra      {label};\n")


def box(tensor_map, to, dimension, row, barrier):
    return ("    cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes\n"
            f"        [{to}], [{tensor_map}, {{{dimension}, {row}, %head}}], [{barrier}];\n")


def boxes(shape, tensor_map, to, half_bytes, row, barrier):
    """All halves of a tile; `to` is moved on."""
    text = box(tensor_map, to, 0, row, barrier)
    if shape.halves == 2:
        text += f"    add.u32         {to}, {to}, {half_bytes};\n" + box(tensor_map, to, 64, row, barrier)
    return text


def pack(to, source, count):
    return pairs(lambda i: f"cvt.rn.bf16x2.f32 %{to}{i}, %{source}{2 * i + 1}, %{source}{2 * i};", count)


def mask(count, comparison):
    return "".join(
        f"    setp.{comparison}.s32 %hidden, %limit{row_of(i)}, {column_of(i)};  @%hidden mov.f32 %s{i}, 0fFF800000;\n"
        for i in range(count))


def product_of_memory(shape, n, sums, left, right, step_left, step_right, left_half, right_half):
    """Over all dimensions, 16 at a time; both operands K-major in shared memory, halves so many units of 16 bytes apart."""
    text = ""
    for step in range(shape.d // 16):
        inside = 2 * (step % 4)
        if step > 0:
            text += f"    add.s64         %{step_left}, %{left}, {step // 4 * left_half + inside};\n"
            text += f"    add.s64         %{step_right}, %{right}, {step // 4 * right_half + inside};\n"
        text += f"    wgmma.mma_async.sync.aligned.m64n{n}k16.f32.bf16.bf16 {{\n{registers(sums, n // 2)}}},\n"
        operands = f"%{left}, %{right}, %no" if step == 0 else f"%{step_left}, %{step_right}, %yes"
        text += f"        {operands}, 1, 1, 0, 0;\n"
    return text


def product_of_registers(shape, steps, sums, left, right, step_right):
    """Over `steps` x 16 rows (2048 bytes each) of the right operand, which is MN-major."""
    text = ""
    for step in range(steps):
        if step > 0:
            text += f"    add.s64         %{step_right}, %{right}, {128 * step};\n"
        text += f"    wgmma.mma_async.sync.aligned.m64n{shape.d}k16.f32.bf16.bf16 {{\n{registers(sums, shape.d // 2)}}},\n"
        fragment = ", ".join(f"%{left}{4 * step + i}" for i in range(4))
        operands = f"%{right}, %accumulate" if step == 0 else f"%{step_right}, %yes"
        text += f"        {{{fragment}}}, {operands}, 1, 1, 1;\n"
    return text


def stage_rows(shape, sums, half_bytes, tell=False):
    """64 rows of results, rounded to bf16, to shared memory at %stageO, each half at its place."""
    text = ""
    for half in range(shape.halves):
        first = 64 * half
        if tell:
            text += f"    // dimensions {first}..{min(first + 63, shape.d - 1)}\n"
        for pair in range(min(64, shape.d - first) // 16):
            element = first // 2 + 8 * pair
            for i in range(4):
                text += f"    cvt.rn.bf16x2.f32 %pair{i}, %{sums}{element + 2 * i + 1}, %{sums}{element + 2 * i};\n"
            place = "%stageO"
            if pair > 0:
                text += f"    xor.b32         %spot, %stageO, {32 * pair};\n"
                place = "%spot"
            if half > 0:
                place += f"+{half_bytes}"
            text += f"    stmatrix.sync.aligned.m8n8.x4.shared.b16 [{place}], {{%pair0, %pair1, %pair2, %pair3}};\n"
    return text


class Shape:
    """Head dimension and mask of a kernel. Rows of more than 64 dimensions come as two halves of 128 bytes: of 96
    dimensions the second half has only 32, the TMA unit fills it with zeros and writes nothing back."""

    def __init__(self, d, causal):
        assert d in (64, 96, 128)
        self.d = d
        self.causal = causal
        self.halves = 1 if d == 64 else 2

    @property
    def exponent_factor(self):
        """log2(e) / sqrt(D)"""
        return 1.4426950408889634 / self.d ** 0.5
