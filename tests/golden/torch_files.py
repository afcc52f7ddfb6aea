"""Checkpoints written by torch.save: nanoGPT's two forms, Llama's, and one that must be refused."""
import collections
import json
import os
import shutil

import numpy as np
import torch

from oracle import run

kPaddedVocabulary = 64


def write_nanogpt(source, tokens, out):
    """A loaded gpt2 model as nanoGPT saves it: Linear weights, tied head, padded vocabulary."""
    config, real = source.config, source.config.vocab_size
    source.resize_token_embeddings(kPaddedVocabulary, mean_resizing=False)
    draw = torch.Generator().manual_seed(7)
    source.transformer.wte.weight.data[real:].normal_(0, 0.5, generator=draw)
    weights = collections.OrderedDict()
    weights._metadata = source.state_dict()._metadata  # every module's own state dict carries this
    for name, tensor in source.state_dict().items():
        is_conv = tensor.dim() == 2 and ".h." in name
        weights[name] = tensor.t().contiguous() if is_conv else tensor
    weights["lm_head.weight"] = weights["transformer.wte.weight"]
    sizes = dict(n_layer=config.n_layer, n_head=config.n_head, n_embd=config.n_embd,
                 block_size=config.n_positions, vocab_size=kPaddedVocabulary)

    plain, training = out / "nanogpt", out / "nanogpt-args"
    for folder in (plain, training):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    compiled = collections.OrderedDict(("_orig_mod." + name, tensor) for name, tensor in weights.items())
    compiled._metadata = weights._metadata
    torch.save(compiled, plain / "ckpt.pth")
    (plain / "config.json").write_text(json.dumps(sizes, indent=2) + "\n")
    torch.save({"model": weights, "optimizer": {"state": {}, "param_groups": []},
                "model_args": sizes | {"bias": True, "dropout": 0.0}, "iter_num": 5,
                "best_val_loss": torch.tensor(1.5), "config": {"device": "cpu"}},
               training / "ckpt.pt")

    for block in source.transformer.h:
        block.mlp.act = torch.nn.GELU()
    attention, logits = run(source, tokens)
    np.savez(plain / "expected.npz", tokens=tokens.numpy(), attention=attention, logits=logits)


def write_llama(source, folder, out):
    """A loaded llama model as a bare state dict, beside the config.json of `folder`; its numbers are those of `folder`."""
    target = out / "llama-state-dict"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    torch.save(source.state_dict(), target / "final.pth")
    shutil.copy(folder / "config.json", target)


class Hostile:
    def __reduce__(self):
        return os.system, ("touch headscope-was-here",)


def write_hostile(path):
    torch.save({"transformer.wte.weight": Hostile()}, path)
