"""Runs a transformers model as it is, with heads replaced, and with the score gate."""
import numpy as np
import torch
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS
from transformers.models.gpt_neo.modeling_gpt_neo import GPTNeoSelfAttention

kOutputProjections = ("attn.c_proj", "attention.dense", "self_attn.o_proj", "attention.out_proj",
                      "self_attn.out_proj")
kGptNeoAttention = GPTNeoSelfAttention._attn


class ScoreGate:
    """Attention with or without the gate, which also keeps the scores. Bias None: no gate."""

    def __init__(self):
        self.bias, self.scores = None, []
        ALL_ATTENTION_FUNCTIONS.register("score_gate", self.attend)
        ALL_MASK_ATTENTION_FUNCTIONS.register("score_gate", eager_mask)

    def attend(self, module, query, key, value, mask, scaling, softcap=None, **_):
        group = query.shape[1] // key.shape[1]
        key, value = (x.repeat_interleave(group, 1) for x in (key, value))
        allowed = mask == 0  # [1, 1, query, key]
        scores = query @ key.transpose(-1, -2) * scaling  # [1, head, query, key]
        if softcap is not None:  # the gate acts on what the softmax sees
            scores = softcap * torch.tanh(scores / softcap)
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1)
        if self.bias is not None:
            weights = weights * (scores + self.bias > 0)
        self.scores.append(torch.where(allowed, scores, torch.nan)[0])
        return (weights @ value).transpose(1, 2).contiguous(), weights

    def attend_gpt_neo(self, module, query, key, value, mask=None):
        """In place of GPT-Neo's own, which cannot be chosen by name."""
        length = query.shape[-2]
        allowed = module.bias[:, :, :length, :length]
        z, weights = self.attend(module, query, key, value, torch.where(allowed, 0.0, -torch.inf), 1.0)
        return z.transpose(1, 2), weights


kGate = ScoreGate()


@torch.no_grad()
def run(model, tokens, attention="eager"):
    if model.config.model_type == "gpt_neo":
        GPTNeoSelfAttention._attn = kGptNeoAttention if attention == "eager" else (
            lambda *given: kGate.attend_gpt_neo(*given))
    else:
        model.set_attn_implementation(attention)
    out = model(tokens[None], output_attentions=True, use_cache=False)
    return torch.cat(out.attentions).numpy(), out.logits[0].numpy()


def run_with_heads(model, tokens, heads, replacement):
    """The run with z of each (layer, head) replaced by replacement(z), z as [position, dim]."""
    projections = [m for n, m in model.named_modules() if n.endswith(kOutputProjections)]

    def editing(layer):
        def edit(_, inputs):
            z = inputs[0][0].reshape(len(tokens), model.config.num_attention_heads, -1).clone()
            for head in (h for l, h in heads if l == layer):
                z[:, head] = replacement(z[:, head])
            return (z.reshape(inputs[0].shape),)
        return edit

    hooks = [p.register_forward_pre_hook(editing(layer)) for layer, p in enumerate(projections)]
    try:
        return run(model, tokens)
    finally:
        for hook in hooks:
            hook.remove()


def expectation(model, tokens, case):
    """The arrays of expected.npz, and the distance of the nearest score to the gate's threshold."""
    layers, heads = model.config.num_hidden_layers, model.config.num_attention_heads
    zeroed = [(0, 1), (1, 0), (layers - 1, heads - 2 if heads > 3 else 2)]
    out = dict(tokens=tokens.numpy(), zeroed=np.array(zeroed),
               gate_bias=np.array([case.gate_bias], np.float32))
    out["attention"], out["logits"] = run(model, tokens)
    out["attention_zeroed"], out["logits_zeroed"] = run_with_heads(
        model, tokens, zeroed, torch.zeros_like)
    if case.mean_too:
        out["meaned"] = np.array([(0, 2)])
        out["attention_mean"], out["logits_mean"] = run_with_heads(
            model, tokens, [(0, 2)], lambda z: z.mean(0, keepdim=True).expand_as(z))

    kGate.bias = None
    ungated = run(model, tokens, "score_gate")
    for ours, theirs in zip(ungated, (out["attention"], out["logits"])):
        np.testing.assert_allclose(ours, theirs, atol=2e-5)

    kGate.bias, kGate.scores = case.gate_bias, []
    out["attention_gated"], out["logits_gated"] = run(model, tokens, "score_gate")
    scores = torch.stack(kGate.scores)
    out["scores"] = scores.nan_to_num().numpy()
    return out, (scores + case.gate_bias).abs().nan_to_num(1.0).min().item()
