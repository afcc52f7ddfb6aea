"""Writes the tiny random models under models/ and what transformers computes for them.

    python tests/golden/models.py [case ...]

Needs torch 2.15, transformers 5.22, safetensors 0.8 and numpy 2.4; with these versions on one
machine a second run writes the same bytes. One case is one folder: a model as Hugging Face (or
nanoGPT) keeps it, and expected.npz, computed in float32 from the weights as rounded in the file:

    tokens [T]                                  int64
    attention [L,H,T,T], logits [T,V]           the plain run
    zeroed [3,2], *_zeroed                      z of these (layer, head) set to zero
    meaned [1,2], *_mean                        z of this one set to its mean over positions
    gate_bias [1], *_gated                      score gate; attention_gated is the effective weight
    scores [L,H,T,T]                            scaled scores of the gated run, 0 where masked

z is a head's output before the output projection. No score lies within kGateMargin of the gate's
threshold, so that a correct engine opens exactly the same cells.
nanogpt holds the weights of gpt2 with the exact GELU of nanoGPT; nanogpt-args holds the same model
in its training checkpoint's form. hostile.pth runs a command if it is unpickled carelessly.
"""
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM

from cases import kCases, kVocabulary
from oracle import expectation, run
from torch_files import write_hostile, write_llama, write_nanogpt

kOut = Path(__file__).parent / "models"
kTokens = 23
kGateMargin = 1e-4


def randomise(model, seed):
    """Weights with which attention is far from uniform and no bias or norm can be forgotten."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.randn(parameter.shape, generator=draw)
            if name.endswith("bias"):
                parameter.copy_(0.25 * noise)
            elif parameter.dim() == 1:
                parameter.copy_(1 + 0.3 * noise)
            elif "emb" in name or "wte" in name or "wpe" in name:
                parameter.copy_(0.5 * noise)
            else:
                parameter.copy_(0.25 * noise)


def to_style_4(config):
    """config.json as transformers 4 wrote it."""
    parameters = config.pop("rope_parameters", None)
    config["torch_dtype"] = config.pop("dtype")
    config["transformers_version"] = "4.44.2"
    types = config.pop("layer_types", None)
    if parameters is None:
        return
    if "full_attention" in parameters:
        config["rope_local_base_freq"] = parameters["sliding_attention"]["rope_theta"]
        config["sliding_window_pattern"] = types.index("full_attention") + 1
        parameters = parameters["full_attention"]
    kind, theta = parameters.pop("rope_type"), parameters.pop("rope_theta")
    share = parameters.pop("partial_rotary_factor", 1.0)
    if config["model_type"] == "gpt_neox":
        config |= {"rotary_emb_base": int(theta), "rotary_pct": share}
        return
    # The oldest files say "type"; "rope_type" came with llama3.
    kind_key = "rope_type" if kind == "llama3" or types else "type"
    if kind == "longrope":
        config["original_max_position_embeddings"] = parameters.pop(
            "original_max_position_embeddings")
    scaling = None if kind == "default" else {kind_key: kind} | parameters
    config |= {"rope_theta": theta, "rope_scaling": scaling}


def edit_config(folder, case):
    path = folder / "config.json"
    config = json.loads(path.read_text())
    if case.style == 4:
        to_style_4(config)
    for key in case.dropped_keys:
        del config[key]
    path.write_text(json.dumps(config, indent=2) + "\n")


def nest(folder):
    """Makes the model the text part of another; transformers itself would want the whole of it."""
    path = folder / "config.json"
    text = json.loads(path.read_text())
    shared = {key: text.pop(key) for key in ("torch_dtype", "transformers_version")}
    config = dict(model_type=text["model_type"].removesuffix("_text"), text_config=text,
                  vision_config=dict(model_type="siglip_vision_model"), **shared)
    path.write_text(json.dumps(config, indent=2) + "\n")
    path = folder / "model.safetensors"
    tensors = {f"language_model.{name}": tensor for name, tensor in load_file(path).items()}
    tensors["vision_tower.vision_model.post_layernorm.weight"] = torch.ones(5)
    save_file(tensors, path, {"format": "pt"})


def load(folder):
    return AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager").eval()


def write_model(folder, case, seed):
    shutil.rmtree(folder, ignore_errors=True)
    config = AutoConfig.for_model(case.model_type, vocab_size=kVocabulary, bos_token_id=0,
                                  eos_token_id=0, pad_token_id=None, **case.config)
    model = AutoModelForCausalLM.from_config(config)
    randomise(model, seed)
    part = model.base_model if case.base_only else model
    sharding = {"max_shard_size": case.shard_size} if case.shard_size else {}
    part.to(case.dtype).save_pretrained(folder, **sharding)
    (folder / "generation_config.json").unlink(missing_ok=True)
    if case.buffers:
        path = folder / "model.safetensors"
        save_file(load_file(path) | {k: v.clone() for k, v in case.buffers.items()}, path,
                  {"format": "pt"})


def token_ids(name):
    seed = list(kCases).index(name)
    return torch.randint(kVocabulary, (kTokens,), generator=torch.Generator().manual_seed(seed))


def write_case(name, case):
    folder, number = kOut / name, list(kCases).index(name)
    for seed in range(1000 * number, 1000 * number + 50):
        write_model(folder, case, seed)
        tokens = token_ids(name)
        expected, margin = expectation(load(folder), tokens, case)
        if margin > kGateMargin:
            break
    else:
        raise SystemExit(f"{name}: every seed has a score on the gate's threshold")
    edit_config(folder, case)
    np.testing.assert_array_equal(run(load(folder), tokens)[1], expected["logits"])
    np.savez(folder / "expected.npz", **expected)
    if case.nested:
        nest(folder)
    report(name, expected, margin)


def report(name, expected, margin):
    attention, scores = expected["attention"], expected["scores"]
    sharp = (attention > 0.5).sum() / (attention > 0).sum()
    positive = (scores > 0).sum() / (scores != 0).sum()
    size = sum(f.stat().st_size for f in (kOut / name).iterdir())
    print(f"{name:20}{np.abs(attention).max():9.3f}{sharp:9.1%}{positive:9.1%}{margin:9.1e}"
          f"{np.abs(expected['logits']).max():9.1f}{size:9}")


def main():
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    chosen = sys.argv[1:] or list(kCases)
    columns = ("attention", "> 0.5", "s > 0", "margin", "|logit|", "bytes")
    print(f"{'case':20}" + "".join(f"{c:>9}" for c in columns))
    for name in chosen:
        write_case(name, kCases[name])
    if "gpt2" in chosen:
        write_nanogpt(load(kOut / "gpt2"), token_ids("gpt2"), kOut)
    if "llama-tied" in chosen:
        write_llama(load(kOut / "llama-tied"), kOut / "llama-tied", kOut)
    write_hostile(kOut / "hostile.pth")
    print(sum(f.stat().st_size for f in kOut.rglob("*") if f.is_file()), "bytes in all")


if __name__ == "__main__":
    main()
