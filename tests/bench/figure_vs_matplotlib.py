#!/usr/bin/env python3
"""Times one figure in HeadScope and in matplotlib, in the same run on the same machine.

    python3 tests/bench/figure_vs_matplotlib.py [PROGRAM]

Needs numpy and matplotlib. PROGRAM is build/release/bin/headscope by default. The figure: two panels
beside each other, 256 and 155 heads of 64 tokens as tiles in 16 columns, each with a frame and its
name, 16 inches wide. The maps are in memory when the clock starts, and the file is on disk (in
HeadScope: its bytes in memory) when it stops. Prints seconds, sizes and ratios for each format, and
fails where the PDF takes more than 0.5 s, is larger than 1 MB, or is less than 20 times as fast.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

PANELS = (("Dense", 256), ("Sparse", 155))
COLUMNS = 16
TOKENS = 64
FORMATS = ("pdf", "svg", "png")
LONGEST, LARGEST, LEAST_RATIO = 0.5, 1.0, 20  # seconds, MB and times, of the PDF


def made_up_maps(random, heads):
    """Rows of fourth powers of exponential draws, none above the diagonal, each of sum 1."""
    weights = np.tril(random.exponential(size=(heads, TOKENS, TOKENS)) ** 4)
    return weights / weights.sum(axis=2, keepdims=True)


def draw_head(axes, weights, name):
    axes.imshow(weights, cmap="Blues", vmin=0, vmax=1)
    axes.text(0.98, 0.98, name, transform=axes.transAxes, ha="right", va="top", fontsize=3)


def write_with_matplotlib(maps, file):
    figure = plt.figure(figsize=(16, 8))
    for panel, (title, _), heads in zip(figure.subfigures(1, len(PANELS)), PANELS, maps):
        panel.suptitle(title)
        grid = panel.subplots(COLUMNS, COLUMNS).ravel()
        for index, axes in enumerate(grid):
            axes.set_xticks([])
            axes.set_yticks([])
            if index < len(heads):
                draw_head(axes, heads[index], f"L{index // COLUMNS * 2}H{index % COLUMNS}")
            else:
                axes.axis("off")
    figure.savefig(file, dpi=300)
    plt.close(figure)


def time_matplotlib(folder):
    random = np.random.default_rng(0)
    maps = [made_up_maps(random, heads) for _, heads in PANELS]
    results = {}
    for suffix in FORMATS:
        file = Path(folder) / f"grid.{suffix}"
        start = time.perf_counter()
        write_with_matplotlib(maps, file)
        results[suffix] = (time.perf_counter() - start, file.stat().st_size / 1e6)
    return results


def time_headscope(program):
    output = subprocess.run([program, "bench", "--figures", "--json", "-"], check=True, capture_output=True)
    values = json.loads(output.stdout)
    return {suffix: (values[f"figure_{suffix}"], values[f"figure_{suffix}_size"]) for suffix in FORMATS}


def main():
    root = Path(__file__).resolve().parents[2]
    program = sys.argv[1] if len(sys.argv) > 1 else root / "build/release/bin/headscope"
    ours = time_headscope(program)
    with tempfile.TemporaryDirectory() as folder:
        theirs = time_matplotlib(folder)
    print(f"256 + 155 heads of {TOKENS} tokens; matplotlib {matplotlib.__version__}")
    print(f"{'':8}{'HeadScope':>20}{'matplotlib':>20}{'faster':>10}")
    for suffix in FORMATS:
        (seconds, size), (their_seconds, their_size) = ours[suffix], theirs[suffix]
        print(
            f"{suffix:8}{f'{seconds:.3f} s {size:.2f} MB':>20}{f'{their_seconds:.2f} s {their_size:.2f} MB':>20}"
            f"{f'{their_seconds / seconds:.0f}x':>10}"
        )
    seconds, size = ours["pdf"]
    if seconds > LONGEST or size > LARGEST or theirs["pdf"][0] / seconds < LEAST_RATIO:
        sys.exit(f"The PDF misses its goal: {LONGEST} s, {LARGEST} MB, {LEAST_RATIO} times as fast.")


if __name__ == "__main__":
    main()
