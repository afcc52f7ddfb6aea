#!/usr/bin/env python3
"""Runs random PEFT adapters on small models and compares the logits with peft's own, strength by strength.

Usage: check_adapter.py HEADSCOPE. Exits with 77, by name, where transformers or peft are not installed.
"""
import json
import os
import pathlib
import sys
import tempfile

from guide import ROOT, Program, is_installed

for module in ("numpy", "torch", "transformers", "peft"):
    if not is_installed(module):
        print(f"skipped: {module} is not installed")
        sys.exit(77)

import numpy as np
import torch
from peft import LoraConfig, PeftModel, get_peft_model
from peft.tuners.lora import LoraLayer
from transformers import AutoModelForCausalLM

MODELS = ROOT / "tests" / "golden" / "models"
TOLERANCE = 1e-5  # of the largest logit
IDS = [3, 1, 4, 15, 9, 2, 6, 5, 35, 8]
ALL = "all-linear"
# What each adapter is to hit: transposed, in parts, interleaved by head, with groups of keys, stacked in the file.
CASES = {
    "gpt2": [dict(target_modules=["c_attn", "c_proj", "c_fc"], fan_in_fan_out=True), dict(target_modules=["c_attn"])],
    "gpt_neo": [dict(target_modules=ALL)],
    "gpt_neox-serial": [dict(target_modules=ALL), dict(target_modules=["query_key_value"])],
    "opt": [dict(target_modules=["q_proj", "v_proj", "fc2"])],
    "llama-grouped": [
        dict(target_modules=ALL, use_rslora=True),
        dict(target_modules=["q_proj", "v_proj"], rank_pattern={"layers.1.self_attn.q_proj": 2},
             alpha_pattern={"v_proj": 3, "layers.0.self_attn.q_proj": 9}),
        dict(target_modules=["gate_proj", "down_proj"], layers_to_transform=[1]),
    ],
    "qwen2": [dict(target_modules=ALL)],
    "qwen3": [dict(target_modules=ALL)],
    "gemma2": [dict(target_modules=ALL)],
    "olmo2": [dict(target_modules=ALL)],
    "phi3": [dict(target_modules=["qkv_proj", "gate_up_proj", "o_proj"])],
}


def base_model(name):
    return AutoModelForCausalLM.from_pretrained(MODELS / name, dtype=torch.float32, attn_implementation="eager").eval()


def make_adapter(name, options, seed, folder):
    torch.manual_seed(seed)
    model = get_peft_model(base_model(name), LoraConfig(r=4, lora_alpha=6, task_type="CAUSAL_LM", **options))
    with torch.no_grad():
        for key, value in model.named_parameters():
            if "lora_B" in key:
                value.normal_(0, 0.05)
    model.save_pretrained(folder)
    return folder


def set_strength(model, adapter, strength):
    for module in model.modules():
        if isinstance(module, LoraLayer) and adapter in module.scaling:
            module.scaling[adapter] *= strength


def theirs(name, adapters):
    model = None
    for index, (folder, strength) in enumerate(adapters):
        adapter = f"a{index}"
        if model is None:
            model = PeftModel.from_pretrained(base_model(name), folder, adapter_name=adapter)
        else:
            model.load_adapter(folder, adapter_name=adapter)
        set_strength(model, adapter, strength)
    model.base_model.set_adapter([f"a{index}" for index in range(len(adapters))])
    with torch.no_grad():
        return model.eval()(torch.tensor([IDS])).logits[0].numpy()


def ours(program, *arguments):
    program.run("run", "--device", "cpu", "--tokens", ",".join(map(str, IDS)), "--npz", "run.npz", "--json", "run.json",
                *arguments)
    return np.load("run.npz")["logits"]


def compare(what, a, b):
    worst = np.abs(a - b).max() / np.abs(b).max()
    assert worst < TOLERANCE, (what, worst)
    return worst


def check(program, name, options, number):
    folder = pathlib.Path(f"{name}-{number}").resolve()
    first = make_adapter(name, options, number, folder / "first")
    second = make_adapter(name, options, number + 100, folder / "second")
    base = MODELS / name
    plain = ours(program, "--model", base)
    full = theirs(name, [(first, 1.0)])
    assert np.abs(full - plain).max() / np.abs(plain).max() > 1e-3, f"{name}: the adapter changes nothing"
    worst = [
        compare((name, "own"), ours(program, "--model", first), full),
        compare((name, "option"), ours(program, "--model", base, "--adapter", first), full),
        compare((name, "half"), ours(program, "--model", first, "--adapter", f"{first}:0.5"), theirs(name, [(first, 0.5)])),
        compare((name, "two"), ours(program, "--model", base, "--adapter", f"{first}:1.5", "--adapter", f"{second}:-0.5"),
                theirs(name, [(first, 1.5), (second, -0.5)])),
    ]
    assert (ours(program, "--model", first, "--adapter", f"{first}:0") == plain).all(), f"{name}: 0 is not the base"
    # As one PEFT writes it for a user: merged.
    merged = PeftModel.from_pretrained(base_model(name), first).merge_and_unload()
    merged.save_pretrained(folder / "merged")
    compare((name, "merged"), ours(program, "--model", folder / "merged"), full)
    print(f"{name}, {json.dumps(options)}: logits differ by {max(worst):.1e} of the largest")


def main():
    program = Program(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, cases in CASES.items():
            for number, options in enumerate(cases):
                check(program, name, options, number)


main()
