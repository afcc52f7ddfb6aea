#!/usr/bin/env python3
"""Trains adapters on small random models, writes them by themselves and merged, and compares what PEFT makes of the
first with transformers on the second and with the program's own predictions. Exit 77, by name, where peft or
transformers are not installed.

Usage: check_peft.py HEADSCOPE
"""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

MODELS = pathlib.Path(__file__).resolve().parents[1] / "golden" / "models"
# Transposed, in parts, interleaved by head, with groups of keys, stacked in the file.
CASES = ["gpt2", "gpt_neo", "gpt_neox-serial", "llama-grouped", "qwen2", "phi3"]
TOKENS = [3, 1, 4, 15, 9, 2, 6]
TOLERANCE = 1e-4  # of the largest logit

for module in ("torch", "transformers", "peft"):
    if importlib.util.find_spec(module) is None:
        print(f"skipped: {module} is not installed")
        sys.exit(77)

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM


def run(*arguments):
    done = subprocess.run([sys.argv[1], *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def opened(folder):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()


def logits(model):
    with torch.no_grad():
        return model(torch.tensor([TOKENS])).logits[0]


def trained(name, out, how):
    run("sparsify", "--model", MODELS / name, "--self", 0.001, "--length", 16, "--rows", 4, "--steps", 8, "--rate",
        0.05, "--warm-up", 0, "--tolerance", 100, "--device", "cpu", "--lora", 2, how, "--save-as", "f32", "--out", out)
    return out


def check(name, folder):
    adapter = trained(name, folder / name / "adapter", "--adapter")
    merged = trained(name, folder / name / "merged", "--merge")
    plain = logits(opened(MODELS / name))
    ours = logits(PeftModel.from_pretrained(opened(MODELS / name), adapter).eval())
    theirs = logits(opened(merged))
    scale = theirs.abs().max()
    change = ((theirs - plain).abs().max() / scale).item()
    error = ((ours - theirs).abs().max() / scale).item()
    assert change > 0.01, f"{name}: the adapter changes nothing"
    assert error < TOLERANCE, f"{name}: {error}"

    for model in (merged, adapter):
        told = json.loads(run("run", "--model", model, "--gate", "off", "--device", "cpu", "--tokens",
                              ",".join(map(str, TOKENS))))
        for prediction in told["predictions"]:
            difference = abs(ours[-1][prediction["id"]].item() - prediction["logit"]) / scale
            assert difference < TOLERANCE, (name, model, prediction, difference)
    # The gate that it was trained with is the adapter's own.
    losses = [json.loads(run("run", "--model", model, "--device", "cpu", "--tokens", ",".join(map(str, TOKENS))))["loss"]
              for model in (merged, adapter)]
    assert abs(losses[0] - losses[1]) < TOLERANCE * abs(losses[0]), (name, losses)
    print(f"{name}: changed by {change:.2g}, PEFT's logits within {error:.1g}")


with tempfile.TemporaryDirectory() as folder:
    for case in CASES:
        check(case, pathlib.Path(folder))
