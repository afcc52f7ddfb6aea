#!/usr/bin/env python3
"""Opens gated models with the guide's function in transformers and compares the logits with the program's.

Usage: check_gate.py HEADSCOPE. Exits with 77 where transformers is not installed.
"""
import json
import os
import pathlib
import sys
import tempfile

from guide import Program, from_guide, is_installed

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOLERANCE = 1e-4  # of the largest logit
IDS = [3, 17, 5, 42, 17, 8, 29, 3, 11, 40, 2, 17, 5, 9]


def compare(program, name, folder, model):
    program.run("run", "--model", folder, "--tokens", ",".join(map(str, IDS)), "--npz", "run.npz", "--json", "run.json")
    ours = np.load("run.npz")["logits"]
    ids = torch.tensor([IDS])
    with torch.no_grad():
        outputs = model(ids, output_attentions=True)
    theirs = outputs.logits[0].float().numpy()
    assert theirs.shape == ours.shape, (theirs.shape, ours.shape)
    worst = np.abs(theirs - ours).max() / np.abs(ours).max()
    assert worst < TOLERANCE, (name, worst)
    attention = np.load("run.npz")["attention"]
    patterns = np.stack([layer[0].float().numpy() for layer in outputs.attentions])
    assert np.abs(patterns - attention).max() < 1e-4, name
    assert (patterns.sum(-1) < 0.999).any(), name  # the gate is at work
    # A step at a time, with keys and values kept.
    with torch.no_grad():
        cache = model(ids[:, :-1], use_cache=True).past_key_values
        last = model(ids[:, -1:], past_key_values=cache, use_cache=True).logits[0, -1].float().numpy()
    assert np.abs(last - ours[-1]).max() / np.abs(ours).max() < TOLERANCE, name
    open_share = (patterns > 0).sum() / (patterns.shape[0] * patterns.shape[1] * len(IDS) * (len(IDS) + 1) / 2)
    print(f"{name}: {100 * open_share:.1f} % of edges open, logits differ by {worst:.1e} of the largest")


def small_models():
    small = dict(vocab_size=64, num_hidden_layers=3, max_position_embeddings=64, hidden_size=32,
                 num_attention_heads=4, intermediate_size=48)
    yield "llama", transformers.LlamaConfig(num_key_value_heads=2, **small)
    yield "gpt_neox", transformers.GPTNeoXConfig(**small)
    yield "qwen2", transformers.Qwen2Config(num_key_value_heads=2, **small)
    yield "gemma2", transformers.Gemma2Config(num_key_value_heads=2, head_dim=8, query_pre_attn_scalar=8, sliding_window=6,
                                              hidden_activation="gelu_pytorch_tanh", **small)


def main():
    program = Program(sys.argv[1])
    open_sparse = from_guide("sparse-elsewhere.md", "score_gate.py")["open_sparse"]
    demo = ROOT / "resources" / "models" / "demo-sparse"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        compare(program, "demo:sparse", demo, open_sparse(demo, dtype=torch.float32))
        for name, config in small_models():
            torch.manual_seed(0)
            model = transformers.AutoModelForCausalLM.from_config(config)
            with torch.no_grad():  # larger than at a start, so that scores are far from zero
                for parameter in model.parameters():
                    if parameter.dim() > 1:
                        parameter.mul_(6)
            model.save_pretrained(name)
            file = pathlib.Path(name) / "config.json"
            written = json.loads(file.read_text())
            written["attention_gate"] = {"type": "score", "bias": 0.125}
            file.write_text(json.dumps(written))
            compare(program, name, name, open_sparse(name, dtype=torch.float32))
        try:
            open_sparse(ROOT / "resources" / "models" / "demo-dense")
        except ValueError:
            pass
        else:
            raise AssertionError("a model without a gate is refused")


if not all(map(is_installed, ("numpy", "torch", "transformers"))):
    print("skipped: gated models in transformers: it is not installed.")
    sys.exit(77)
import numpy as np
import torch
import transformers

main()
