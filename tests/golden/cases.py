"""The models of the golden tests: one entry of kCases is one folder under models/."""
from dataclasses import dataclass, field

import torch

kVocabulary, kPositions = 61, 32


@dataclass
class Case:
    model_type: str
    config: dict  # on top of transformers' defaults
    dtype: torch.dtype = torch.float32
    style: int = 5  # which major version of transformers config.json looks written by
    base_only: bool = False  # tensor names without the prefix of the language model's wrapper
    shard_size: str | None = None
    mean_too: bool = False
    gate_bias: float = 0.0
    dropped_keys: tuple = ()
    nested: bool = False  # written as the text part of a model that sees pictures, too
    buffers: dict = field(default_factory=dict)  # tensors of older checkpoints that loaders ignore


def gpt2(**more):
    return dict(n_embd=24, n_layer=2, n_head=6, n_positions=kPositions) | more


def gpt_neox(**more):
    return dict(num_hidden_layers=2, intermediate_size=40,
                max_position_embeddings=kPositions) | more


def gpt_neo(**more):
    return dict(hidden_size=36, num_layers=2, num_heads=6, window_size=7,
                attention_types=[[["global", "local"], 1]],
                max_position_embeddings=kPositions) | more


def opt(**more):
    return dict(hidden_size=36, ffn_dim=40, num_hidden_layers=2, num_attention_heads=6,
                max_position_embeddings=kPositions) | more


def llama_like(**more):
    return dict(hidden_size=36, intermediate_size=40, num_hidden_layers=2, num_attention_heads=6,
                max_position_embeddings=kPositions) | more


def rope(theta, kind="default", **more):
    return dict(rope_type=kind, rope_theta=theta, **more)


def per_type(full, sliding):
    return dict(full_attention=full, sliding_attention=sliding)


def long_rope(original):
    """Phi-3 has the original length of prompts beside its rotary positions; that one counts."""
    return dict(original_max_position_embeddings=original,
                rope_parameters=rope(10000.0, "longrope", short_factor=[1.0, 1.1, 1.3],
                                     long_factor=[1.5, 3.0, 7.0],
                                     original_max_position_embeddings=original))


kSlidingThenFull = ["sliding_attention", "full_attention"]
kCausalMask = torch.ones(kPositions, kPositions).tril()[None, None]
kCases = {
    "gpt2": Case("gpt2", gpt2(), style=4, base_only=True, mean_too=True,
                 buffers={"h.0.attn.bias": kCausalMask, "h.1.attn.bias": kCausalMask}),
    "gpt2-inverse-layer": Case(
        "gpt2", gpt2(n_layer=3, n_inner=52, activation_function="relu", layer_norm_epsilon=1e-3,
                     scale_attn_by_inverse_layer_idx=True), torch.float16),
    # 17 numbers a head, of which the first 4 rotate.
    "gpt_neox-parallel": Case(
        "gpt_neox", gpt_neox(hidden_size=51, num_attention_heads=3,
                             rope_parameters=rope(10000.0, partial_rotary_factor=0.25)),
        torch.float16, style=4,
        buffers={"gpt_neox.layers.0.attention.bias": kCausalMask.bool(),
                 "gpt_neox.layers.0.attention.masked_bias": torch.tensor(-1e9),
                 "gpt_neox.layers.0.attention.rotary_emb.inv_freq": torch.tensor([1.0, 0.01])}),
    "gpt_neox-serial": Case(
        "gpt_neox", gpt_neox(hidden_size=36, num_attention_heads=6, use_parallel_residual=False,
                             attention_bias=False, hidden_act="gelu_new",
                             rope_parameters=rope(500.0, partial_rotary_factor=1.0)),
        torch.bfloat16),
    "olmo": Case("olmo", llama_like(), style=4, shard_size="30KB",
                 dropped_keys=("num_key_value_heads",)),
    "olmo-clip": Case(
        "olmo", llama_like(hidden_size=48, num_key_value_heads=3, clip_qkv=1.25,
                           rope_parameters=rope(300.0)), torch.bfloat16),
    "olmo2": Case("olmo2", llama_like(num_key_value_heads=2, rope_parameters=rope(500000.0)),
                  torch.bfloat16, shard_size="16KB", gate_bias=0.25),
    "llama-grouped": Case(
        "llama", llama_like(num_key_value_heads=2, head_dim=10, attention_bias=True, mlp_bias=True,
                            rms_norm_eps=1e-5, rope_parameters=rope(1000.0)),
        torch.float16, shard_size="20KB", mean_too=True),
    "llama-linear": Case(
        "llama", llama_like(rope_parameters=rope(10000.0, "linear", factor=4.0)),
        torch.bfloat16, style=4, dropped_keys=("rope_theta", "head_dim")),
    # Wavelengths of the five frequencies: one kept, one blended, three stretched.
    "llama-llama3": Case(
        "llama", llama_like(num_key_value_heads=3, head_dim=10, max_position_embeddings=256,
                            rope_parameters=rope(100.0, "llama3", factor=8.0, low_freq_factor=1.0,
                                                 high_freq_factor=4.0,
                                                 original_max_position_embeddings=32)),
        torch.float16, style=4),
    "llama-tied": Case("llama", llama_like(tie_word_embeddings=True, num_key_value_heads=1),
                       torch.float16, base_only=True),
    "mistral-window": Case(
        "mistral", llama_like(num_key_value_heads=2, head_dim=8, sliding_window=7,
                              rope_parameters=rope(10000.0)), torch.float16, style=4),
    "mistral-full": Case(
        "mistral", llama_like(num_key_value_heads=3, sliding_window=None,
                              rope_parameters=rope(1000000.0)), torch.bfloat16),
    "qwen2": Case(
        "qwen2", llama_like(num_hidden_layers=3, num_key_value_heads=2, use_sliding_window=True,
                            sliding_window=9, max_window_layers=1,
                            rope_parameters=rope(1000000.0)), torch.bfloat16, style=4),
    "qwen3": Case("qwen3", llama_like(num_key_value_heads=2, head_dim=8, tie_word_embeddings=True,
                                      rope_parameters=rope(5000000.0)),
                  torch.bfloat16, base_only=True),
    "gemma2": Case(
        "gemma2", llama_like(num_key_value_heads=2, head_dim=8, query_pre_attn_scalar=21,
                             sliding_window=7, attn_logit_softcapping=3.0,
                             final_logit_softcapping=11.0, rope_parameters=rope(10000.0)),
        torch.bfloat16, style=4, gate_bias=0.25, mean_too=True),
    "gemma3": Case(
        "gemma3_text", llama_like(num_key_value_heads=2, head_dim=8, query_pre_attn_scalar=21,
                                  sliding_window=7, layer_types=kSlidingThenFull,
                                  rope_parameters=per_type(rope(1000.0, "linear", factor=4.0),
                                                           rope(50.0))), torch.bfloat16),
    # As transformers 4 wrote it, where every third layer is a global one.
    "gemma3-nested": Case(
        "gemma3_text", llama_like(num_hidden_layers=3, num_key_value_heads=1, head_dim=10,
                                  query_pre_attn_scalar=10, sliding_window=9,
                                  layer_types=["sliding_attention"] * 2 + ["full_attention"],
                                  rope_parameters=per_type(rope(1000.0, "linear", factor=8.0),
                                                           rope(50.0))),
        torch.float16, style=4, nested=True),
    "gpt_neo": Case("gpt_neo", gpt_neo(), torch.float16,
                    buffers={"transformer.h.1.attn.attention.bias": kCausalMask.bool(),
                             "transformer.h.1.attn.attention.masked_bias": torch.tensor(-1e9)}),
    "opt": Case("opt", opt(), torch.float16, base_only=True, gate_bias=0.1),
    # 12 numbers a head, of which the first 6 rotate.
    "phi3": Case(
        "phi3", llama_like(hidden_size=72, num_key_value_heads=2, sliding_window=9,
                           rope_parameters=rope(10000.0, partial_rotary_factor=0.5)),
        torch.bfloat16),
    "phi3-long": Case("phi3", llama_like(**long_rope(original=16)), torch.float16, style=4),
    "phi3-short": Case("phi3", llama_like(**long_rope(original=28)), torch.float16, style=4),
    # Of the pairs of its global layer one is kept, one blended and one stretched.
    "olmo3": Case(
        "olmo3", llama_like(num_key_value_heads=2, sliding_window=7, layer_types=kSlidingThenFull,
                            rope_parameters=per_type(
                                rope(500.0, "yarn", factor=8.0, beta_fast=2.0, beta_slow=0.25,
                                     attention_factor=1.25,
                                     original_max_position_embeddings=kPositions),
                                rope(500.0))), torch.bfloat16),
}
