#!/usr/bin/env python3
"""Runs the functions that the guide prints on small random models, opens the files they write with the program and
compares its numbers with numpy's. What is not installed is skipped by name; exit 77 if nothing could be run.

Usage: check_maps.py HEADSCOPE
"""
import json
import os
import subprocess
import sys
import tempfile

from guide import Program, from_guide, is_installed, small_lens_model

PAGE = "attention-from-anywhere.md"
TOLERANCE = 2e-5


def expected(pattern, is_causal):
    """Statistics of one head as the guide defines them. [query, key]"""
    queries, keys = pattern.shape
    rows = np.arange(queries)
    seen = rows + 1 if is_causal else np.full(queries, keys)
    entropy = -np.sum(np.where(pattern > 0, pattern * np.log(np.maximum(pattern, 1e-300)), 0), axis=1)
    share = entropy[seen > 1] / np.log(seen[seen > 1])
    cells = seen.sum()
    found = {
        "entropy": entropy.mean(),
        "entropy_normalized": share.mean(),
        "peak": pattern.max(axis=1).mean(),
        "density": (pattern > 0).sum() / cells,
        "density_above": (pattern > 0.01).sum() / cells,
        "first_token": pattern[1:, 0].mean() if is_causal else pattern[:, 0].mean(),
    }
    if queries == keys:
        found["current_token"] = np.diag(pattern).mean()
        found["previous_token"] = np.diag(pattern, -1).mean()
        distance = np.abs(rows[:, None] - np.arange(keys)[None, :])
        found["mean_distance"] = (pattern * distance).sum() / pattern.sum()
    else:
        found |= {"current_token": None, "previous_token": None, "mean_distance": None}
    return found


def compare(program, source, layers, is_causal):
    """`layers`: arrays [head, query, key]."""
    heads = program.metrics(source)["heads"]
    assert len(heads) == sum(len(layer) for layer in layers), source
    worst = 0
    for row in heads:
        wanted = expected(layers[row["layer"]][row["head"]].astype(np.float64), is_causal)
        for name, value in wanted.items():
            if value is None:
                assert row[name] is None, (source, name, row)
            else:
                worst = max(worst, abs(row[name] - value))
    assert worst < TOLERANCE, (source, worst)
    print(f"{source}: {len(heads)} heads, farthest from numpy {worst:.1e}")


def refuses(program, *arguments):
    done = subprocess.run([program.path, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.strip().endswith("."), (arguments, done)


def check_transformers(program):
    import torch
    import transformers

    save_maps = from_guide(PAGE, "save_maps.py")["save_maps"]
    torch.manual_seed(0)
    small = dict(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=48)

    def arrays(weights):
        return [layer[0].detach().numpy() for layer in weights]

    ids = torch.randint(5, 90, (1, 9))
    bert = transformers.BertModel(transformers.BertConfig(vocab_size=99, **small, attn_implementation="eager")).eval()
    outputs = bert(ids, output_attentions=True)
    save_maps("bert.npz", outputs, tokens=[f"w{int(i)}" for i in ids[0]])
    compare(program, "bert.npz", arrays(outputs.attentions), is_causal=False)
    program.picture("bert.npz")
    refuses(program, "run", "--model", "bert.npz", "--text", "a")

    config = transformers.T5Config(vocab_size=99, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4,
                                   attn_implementation="eager")
    t5 = transformers.T5Model(config).eval()
    answer = torch.randint(5, 90, (1, 6))
    outputs = t5(input_ids=ids, decoder_input_ids=answer, output_attentions=True)
    save_maps("t5.npz", outputs, encoder_tokens=[f"e{int(i)}" for i in ids[0]],
              decoder_tokens=[f"d{int(i)}" for i in answer[0]])
    compare(program, "t5.npz#encoder", arrays(outputs.encoder_attentions), is_causal=False)
    compare(program, "t5.npz#decoder", arrays(outputs.decoder_attentions), is_causal=True)
    compare(program, "t5.npz#cross", arrays(outputs.cross_attentions), is_causal=False)
    for block in ("", "#decoder", "#cross"):
        program.picture("t5.npz" + block)
    edges = json.loads(program.run("edges", "--model", "t5.npz#cross", "--key", 8, "--query", 2, "--min", 0))
    assert edges["key_token"]["text"] == f"e{int(ids[0, 8])}", edges
    assert edges["query_token"]["text"] == f"d{int(answer[0, 2])}", edges
    refuses(program, "flow", "--model", "t5.npz#cross")

    config = transformers.ViTConfig(image_size=32, patch_size=8, **small, attn_implementation="eager")
    vit = transformers.ViTModel(config).eval()
    outputs = vit(torch.rand(1, 3, 32, 32), output_attentions=True)
    image = (np.random.default_rng(0).random((32, 32, 3)) * 255).astype(np.uint8)
    save_maps("vit.npz", outputs, patches=[4, 4], image=image)
    compare(program, "vit.npz", arrays(outputs.attentions), is_causal=False)
    program.picture("vit.npz")


def check_transformer_lens(program):
    import torch

    save_lens_maps = from_guide(PAGE, "save_lens_maps.py")["save_lens_maps"]
    torch.manual_seed(0)
    model = small_lens_model()
    ids = torch.randint(0, 50, (1, 10))
    save_lens_maps("lens.npz", model, ids)
    layers = list(np.load("lens.npz")["attention"])
    compare(program, "lens.npz", layers, is_causal=True)
    program.picture("lens.npz")


def main():
    program = Program(sys.argv[1])
    checks = [("transformers", check_transformers), ("transformer_lens", check_transformer_lens)]
    done = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for module, check in checks:
            if is_installed("torch") and is_installed(module):
                check(program)
                done += 1
            else:
                print(f"skipped: maps from {module}: it is not installed.")
    sys.exit(0 if done else 77)


if not is_installed("numpy"):
    print("skipped: maps from transformers and transformer_lens: numpy is not installed.")
    sys.exit(77)
import numpy as np

main()
