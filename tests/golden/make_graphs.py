"""Writes small transcoders of some golden models, and their attribution graphs by autograd, under graphs/.

    python tests/golden/make_graphs.py

Needs torch, transformers and safetensors as models.py does. The graphs come from transformers' own model
with three changes: patterns and the scales of norms are detached, and what an MLP adds is a number of the run
plus a leaf. Gradients with respect to the leaves, times what features, errors and embeddings add there, are the
edges; nothing of the engine's way to compute them is used. graph.json of a case:

    tokens, gate_bias (or null)
    nodes   [kind, layer, position, index, activation]   all sources but the constant, then the targets' logits
    rows    {target, total, edges [[source, weight]]}    numbers of nodes; total is what the target gets
"""
import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

kHere = Path(__file__).parent
kFeatures = 8
kTokens = [3, 14, 15, 9, 26, 5]

# name: where the MLP block's parts are, whether it crosses layers, has a skip path, where it reads, gate
kCases = {
    "gpt2": dict(layers="transformer.h", norm="ln_2", output="mlp", final="transformer.ln_f", crosses=False, skip=True,
                 hook="mlp.hook_in", gate=None),
    "llama-grouped": dict(layers="model.layers", norm="post_attention_layernorm", output="mlp", final="model.norm",
                          crosses=True, skip=False, hook="mlp.hook_in", gate=0.1),
    "gemma2": dict(layers="model.layers", norm="pre_feedforward_layernorm", output="post_feedforward_layernorm",
                   final="model.norm", crosses=False, skip=True, hook="hook_resid_mid", gate=None),
}


class HeldAttention:
    """Attention whose patterns are numbers of the run."""

    def __init__(self):
        self.bias = None
        ALL_ATTENTION_FUNCTIONS.register("held", self.attend)
        ALL_MASK_ATTENTION_FUNCTIONS.register("held", eager_mask)

    def attend(self, module, query, key, value, mask, scaling, softcap=None, **_):
        group = query.shape[1] // key.shape[1]
        key, value = (x.repeat_interleave(group, 1) for x in (key, value))
        scores = query @ key.transpose(-1, -2) * scaling
        if softcap is not None:
            scores = softcap * torch.tanh(scores / softcap)
        weights = scores.masked_fill(mask != 0, -torch.inf).softmax(-1)
        if self.bias is not None:
            weights = weights * (scores + self.bias > 0)
        return (weights.detach() @ value).transpose(1, 2).contiguous(), weights


def hold_norm(module):
    """Lets a norm's scale be a number of the run."""
    centres = isinstance(module, torch.nn.LayerNorm)
    eps = getattr(module, "eps", None) or getattr(module, "variance_epsilon", None)
    plus_one = "Gemma" in type(module).__name__

    def forward(x):
        c = x - x.mean(-1, keepdim=True) if centres else x
        normed = c / (c.pow(2).mean(-1, keepdim=True) + eps).sqrt().detach()
        weight = 1 + module.weight if plus_one else module.weight
        return normed * weight + (module.bias if centres else 0)
    module.forward = forward


class Coders:
    def __init__(self, layers, width, case, seed):
        draw = torch.Generator().manual_seed(seed)
        random = lambda size, *shape: (size * torch.randn(shape, generator=draw)).float()
        k = width ** -0.5
        self.encoder = [random(k, kFeatures, width) for _ in range(layers)]
        self.encoder_bias = [random(0.2, kFeatures) for _ in range(layers)]
        self.threshold = [random(0.3, kFeatures).abs() for _ in range(layers)]
        self.decoder_bias = [random(0.1, width) for _ in range(layers)]
        self.skip = [random(0.3 * k, width, width) if case["skip"] else torch.zeros(width, width) for _ in range(layers)]
        targets = lambda l: range(l, layers) if case["crosses"] else [l]
        self.decoder = {(s, t): random(0.3, kFeatures, width) for s in range(layers) for t in targets(s)}

    def write(self, folder, case, name):
        kind = "cross_layer_transcoder" if case["crosses"] else "transcoder_set"
        (folder / "config.yaml").write_text(
            f"model_name: {name}\nmodel_kind: {kind}\nfeature_input_hook: {case['hook']}\n"
            "feature_output_hook: hook_mlp_out\n")
        layers = len(self.encoder)
        for l in range(layers):
            if case["crosses"]:
                save_file({f"W_enc_{l}": self.encoder[l], f"b_enc_{l}": self.encoder_bias[l],
                           f"b_dec_{l}": self.decoder_bias[l], f"threshold_{l}": self.threshold[l]},
                          folder / f"W_enc_{l}.safetensors")
                save_file({f"W_dec_{l}": torch.stack([self.decoder[l, t] for t in range(l, layers)], 1).contiguous()},
                          folder / f"W_dec_{l}.safetensors")
            else:
                tensors = {"W_enc": self.encoder[l], "b_enc": self.encoder_bias[l], "W_dec": self.decoder[l, l],
                           "b_dec": self.decoder_bias[l], "activation_function.threshold": self.threshold[l]}
                save_file(tensors | ({"W_skip": self.skip[l]} if case["skip"] else {}),
                          folder / f"layer_{l}.safetensors")


class HeldModel:
    """transformers' model with leaves where sources enter and the readings of encoders kept."""

    def __init__(self, name, case, coders):
        self.model = AutoModelForCausalLM.from_pretrained(
            kHere / "models" / name, dtype=torch.float32, attn_implementation="eager").double().eval()
        self.model.set_attn_implementation("held")
        self.model.requires_grad_(False)
        self.case, self.coders = case, coders
        self.blocks = list(self.model.get_submodule(case["layers"]))
        for module in self.model.modules():
            if "Norm" in type(module).__name__:
                hold_norm(module)
        self.read, self.leaf, self.added = {}, {}, {}
        for l, block in enumerate(self.blocks):
            block.get_submodule(case["norm"]).register_forward_hook(self.reader(l))
            block.get_submodule(case["output"]).register_forward_hook(self.writer(l))
        self.embedding, self.positions = self.model.get_input_embeddings(), None
        if hasattr(self.model.base_model, "wpe"):
            self.model.base_model.wpe.register_forward_hook(self.place)

    def reader(self, l):
        def keep(_, inputs, output):
            self.read[l] = (inputs[0] if self.case["hook"] == "hook_resid_mid" else output)[0]
        return keep

    def writer(self, l):
        def write(_, inputs, output):
            skip = self.read[l] @ self.coders.skip[l].double().T
            self.added[l] = output[0].detach()
            self.leaf[l] = torch.zeros_like(self.added[l], requires_grad=True)
            return (skip + (self.added[l] - skip).detach() + self.leaf[l])[None]
        return write

    def place(self, _, inputs, output):
        self.positions = output.detach().reshape(-1, output.shape[-1]).requires_grad_()
        return self.positions.reshape(output.shape)

    def run(self, tokens):
        self.tokens = self.embedding(torch.tensor([tokens])).detach().requires_grad_()
        held = self.model(inputs_embeds=self.tokens, use_cache=False)
        cap = getattr(self.model.config, "final_logit_softcapping", None)
        logits = held.logits[0]
        return cap * torch.atanh(logits / cap) if cap else logits


def graph_of(name, case, attention, folder):
    config = AutoModelForCausalLM.from_pretrained(kHere / "models" / name).config
    layers, width = config.num_hidden_layers, config.hidden_size
    coders = Coders(layers, width, case, seed=len(name))
    coders.write(folder, case, name)
    attention.bias = case["gate"]
    held = HeldModel(name, case, coders)
    logits = held.run(kTokens)
    length = len(kTokens)
    z = [held.read[l] @ coders.encoder[l].double().T + coders.encoder_bias[l].double() for l in range(layers)]
    a = [(v * (v > coders.threshold[l].double())).detach() for l, v in enumerate(z)]

    nodes, entries = [], []  # entries: what a source adds at which leaf and position
    for p in range(length):
        for l in range(layers):
            for f in a[l][p].nonzero().flatten().tolist():
                nodes.append(["feature", l, p, f, float(a[l][p, f])])
                entries.append([(held.leaf[t], p, a[l][p, f] * w[f].double())
                                for (s, t), w in coders.decoder.items() if s == l])
    for l in range(layers):
        made = sum(a[s] @ w.double() for (s, t), w in coders.decoder.items() if t == l) + coders.decoder_bias[l].double()
        error = held.added[l] - made - (held.read[l] @ coders.skip[l].double().T).detach()
        for p in range(length):
            nodes.append(["error", l, p, 0, 0.0])
            entries.append([(held.leaf[l], p, error[p])])
    for p in range(length):
        nodes.append(["token", 0, p, kTokens[p], 0.0])
        entries.append([(held.tokens, p, held.tokens[0, p].detach())])
    for p in range(length if held.positions is not None else 0):
        nodes.append(["position", 0, p, 0, 0.0])
        entries.append([(held.positions, p, held.positions[p].detach())])

    targets = [(i, z[n[1]][n[2], n[3]] - coders.encoder_bias[n[1]][n[3]].double())
               for i, n in enumerate(nodes) if n[0] == "feature"]
    for v in logits[-1].topk(3).indices.tolist():
        targets.append((len(nodes), logits[-1, v] - logits[-1].mean()))
        nodes.append(["logit", 0, length - 1, v, float(logits[-1, v].detach())])
    leaves = [leaf for leaf in (held.tokens, held.positions, *held.leaf.values()) if leaf is not None]
    rows = []
    for number, target in targets:
        gradients = torch.autograd.grad(target, leaves, retain_graph=True, allow_unused=True)
        by_leaf = {id(leaf): g if g is None else g.reshape(length, width) for leaf, g in zip(leaves, gradients)}
        edges = []
        for source, parts in enumerate(entries):
            weight = sum(float(by_leaf[id(leaf)][p] @ vector) for leaf, p, vector in parts
                         if by_leaf[id(leaf)] is not None)
            if weight:
                edges.append([source, float(f"{weight:.7g}")])
        rows.append(dict(target=number, total=float(target.detach()), edges=edges))
    return dict(tokens=kTokens, gate_bias=case["gate"], nodes=nodes, rows=rows)


def main():
    attention = HeldAttention()
    for name, case in kCases.items():
        folder = kHere / "graphs" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        graph = graph_of(name, case, attention, folder)
        (folder / "graph.json").write_text(json.dumps(graph, separators=(",", ":")) + "\n")
        edges = sum(len(row["edges"]) for row in graph["rows"])
        print(f"{name}: {len(graph['nodes'])} nodes, {len(graph['rows'])} rows, {edges} edges")


if __name__ == "__main__":
    main()
