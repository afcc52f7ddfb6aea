#!/usr/bin/env python3
"""What `headscope.show` takes for a model of 1.5 billion weights in memory, and when its first tiles are there.

Usage: show_memory.py [bfloat16|float16|float32]. Needs torch, transformers and the package; HEADSCOPE names the program.
"""
import json
import os
import pathlib
import sys
import tempfile
import threading
import time

import torch
import transformers

import headscope

SHAPE = transformers.Qwen2Config(hidden_size=1536, intermediate_size=8960, num_hidden_layers=28, num_attention_heads=12,
                                 num_key_value_heads=2, vocab_size=151936, tie_word_embeddings=True)


def megabytes(file, name):
    """A field of a file in /proc."""
    line = next((line for line in pathlib.Path(file).read_text().splitlines() if line.startswith(name + ":")), "x 0")
    return int(line.split()[1]) * 1024 / 1e6


def own_memory():
    """Megabytes that this Python and the programs it started have for themselves."""
    total = 0
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if folder.name == str(os.getpid()) or os.readlink(folder / "exe").endswith("/headscope"):
                total += megabytes(folder / "status", "RssAnon")
        except OSError:
            pass  # ended, or another user's
    return total


def shared_memory():
    return megabytes("/proc/meminfo", "Shmem")


def main():
    dtype = getattr(torch, sys.argv[1] if len(sys.argv) > 1 else "bfloat16")
    torch.set_default_dtype(dtype)
    model = transformers.AutoModelForCausalLM.from_config(SHAPE)
    weights = sum(each.numel() * each.element_size() for each in model.parameters()) / 1e6
    before = own_memory(), shared_memory()
    peaks = [0.0, 0.0, 0.0]  # own, shared, both
    is_over = threading.Event()

    def watch():
        while not is_over.wait(0.02):
            now = own_memory() - before[0], shared_memory() - before[1]
            peaks[:] = (max(peak, each) for peak, each in zip(peaks, (*now, sum(now))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    begun = time.monotonic()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    window = headscope.show(model, [3, 17, 5, 42, 17, 8, 29, 3], window=True)
    with tempfile.TemporaryDirectory() as folder:
        window.screenshot(os.path.join(folder, "tiles.png"))  # waits for them
    seconds = time.monotonic() - begun
    is_over.set()
    watcher.join()
    window.close()
    print(json.dumps({"dtype": str(dtype), "weights_mb": round(weights), "own_mb": round(peaks[0]),
                      "shared_mb": round(peaks[1]), "show_mb": round(peaks[2]),
                      "beyond_weights_mb": round(peaks[2] - weights), "first_tiles_s": round(seconds, 1)}))


main()
