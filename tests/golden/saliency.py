"""Writes what torch's automatic differentiation says each token does for a logit of some golden models.

    python tests/golden/saliency.py

Reads the models and tokens under models/ and writes saliency/NAME.npz, in float64:

    target, versus, position, steps [1]         int64
    baseline [1]                                int64, a token, or -1 for the mean of all embeddings
    logit, baseline_logit [1]                   target's minus versus'
    gradient_x_input, integrated [T]            midpoint rule with so many steps
"""
from pathlib import Path

import numpy as np
import torch
from models import kOut, load

kCases = {"gpt2": dict(target=12, versus=40, position=22, steps=8, baseline=-1),
          "llama-grouped": dict(target=12, versus=40, position=17, steps=16, baseline=7)}
kFolder = Path(__file__).parent / "saliency"


def difference(model, embedded, case):
    logits = model(inputs_embeds=embedded[None]).logits[0, case["position"]]
    return logits[case["target"]] - logits[case["versus"]]


def gradient(model, embedded, case):
    leaf = embedded.detach().requires_grad_()
    difference(model, leaf, case).backward()
    return leaf.grad


def saliency(model, tokens, case):
    table = model.get_input_embeddings().weight.detach()
    embedded = table[tokens]
    baseline = table.mean(0) if case["baseline"] < 0 else table[case["baseline"]]
    baseline = baseline.expand_as(embedded)
    way, steps = embedded - baseline, case["steps"]
    total = sum(gradient(model, baseline + (step + 0.5) / steps * way, case) for step in range(steps))
    with torch.no_grad():
        logits = dict(logit=difference(model, embedded, case),
                      baseline_logit=difference(model, baseline, case))
    return {name: np.array([value.item()]) for name, value in logits.items()} | dict(
        gradient_x_input=(gradient(model, embedded, case) * embedded).sum(-1).numpy(),
        integrated=(total / steps * way).sum(-1).numpy())


def main():
    torch.set_num_threads(1)
    kFolder.mkdir(exist_ok=True)
    for name, case in kCases.items():
        tokens = torch.from_numpy(np.load(kOut / name / "expected.npz")["tokens"])
        found = saliency(load(kOut / name).double(), tokens, case)
        left = found["integrated"].sum() - (found["logit"] - found["baseline_logit"])[0]
        print(f"{name:16}{found['logit'][0]:9.4f}{found['baseline_logit'][0]:9.4f}{left:12.2e}")
        np.savez(kFolder / f"{name}.npz", **{k: np.array([v]) for k, v in case.items()}, **found)


if __name__ == "__main__":
    main()
