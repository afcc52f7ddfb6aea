"""Writes gguf/blocks.gguf, random blocks of every type, and gguf/blocks.f32, what they stand for.

    python tests/golden/gguf_blocks.py

Needs gguf 0.19 and numpy 2.4. Every tensor has two rows of 256 numbers, the second with tiny scales; the
floats of all tensors follow one another in the order of the file.
"""
from pathlib import Path

import gguf
import numpy as np

kOut = Path(__file__).parent / "gguf"
# Where each type keeps its scales, which are half floats; others are random bytes.
kScales = {
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
    "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0],
}
kRow = 256


def unpacked(kind, blocks):
    if kind == gguf.GGMLQuantizationType.BF16:  # the package leaves it to its callers
        return (blocks.reshape(-1).view("<u2").astype("<u4") << 16).view("<f4")
    if kind == gguf.GGMLQuantizationType.F16:
        return blocks.reshape(-1).view("<f2").astype("<f4")
    if kind == gguf.GGMLQuantizationType.F32:
        return blocks.reshape(-1).view("<f4")
    return gguf.dequantize(blocks, kind).reshape(-1)


def random_rows(kind, draw):
    """[2, bytes of a row]; finite, with halves below the normal range in the second row."""
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    rows = draw.integers(0, 256, (2, kRow // elements, size), dtype=np.uint8)
    if kind.name == "F32":
        return draw.standard_normal((2, kRow), dtype="<f4").view(np.uint8)
    if kind.name == "BF16":
        return (draw.standard_normal((2, kRow), dtype="<f4").view("<u4") >> 16).astype("<u2").view(np.uint8)
    if kind.name == "F16":
        return (draw.standard_normal((2, kRow)) * [[1], [3e-7]]).astype("<f2").view(np.uint8)
    for at in kScales[kind.name]:
        scales = (draw.normal(0, 0.05, rows.shape[:2]) * [[1], [1e-5]]).astype("<f2")
        rows[:, :, at:at + 2] = scales[:, :, None].view(np.uint8)
    return rows.reshape(2, -1)


def main():
    kOut.mkdir(exist_ok=True)
    draw = np.random.default_rng(1)
    writer = gguf.GGUFWriter(kOut / "blocks.gguf", "llama")
    floats = []
    for name in ["F32", "F16", "BF16", *kScales]:
        kind = gguf.GGMLQuantizationType[name]
        rows = random_rows(kind, draw)
        floats.append(unpacked(kind, rows))
        writer.add_tensor(name, rows, raw_shape=rows.shape, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    (kOut / "blocks.f32").write_bytes(np.concatenate(floats).astype("<f4").tobytes())


if __name__ == "__main__":
    main()
