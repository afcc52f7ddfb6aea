"""`head_view` and `model_view` with the arguments of bertviz. Both show all heads as tiles, which open when clicked."""
from __future__ import annotations

from typing import Any, Sequence

from ._inline import displayed
from ._maps import to_numpy
from ._page import Page
from ._show import show


def head_view(attention: Any = None, tokens: Sequence[str] | None = None, sentence_b_start: int | None = None,
              prettify_tokens: bool = True, layer: int | None = None, heads: Sequence[int] | None = None,
              encoder_attention: Any = None, decoder_attention: Any = None, cross_attention: Any = None,
              encoder_tokens: Sequence[str] | None = None, decoder_tokens: Sequence[str] | None = None,
              include_layers: Sequence[int] | None = None, html_action: str = "view") -> Page | None:
    """`layer` and `heads` choose the heads on show; `sentence_b_start` is not used, tiles show all tokens."""
    chosen = [layer] if include_layers is None and layer is not None else include_layers
    return _view(attention, tokens, prettify_tokens, encoder_attention, decoder_attention, cross_attention, encoder_tokens,
                 decoder_tokens, chosen, heads, html_action)


def model_view(attention: Any = None, tokens: Sequence[str] | None = None, sentence_b_start: int | None = None,
               prettify_tokens: bool = True, display_mode: str = "dark", encoder_attention: Any = None,
               decoder_attention: Any = None, cross_attention: Any = None, encoder_tokens: Sequence[str] | None = None,
               decoder_tokens: Sequence[str] | None = None, include_layers: Sequence[int] | None = None,
               include_heads: Sequence[int] | None = None, html_action: str = "view") -> Page | None:
    """`display_mode` is not used, the page follows the browser; nor is `sentence_b_start`."""
    return _view(attention, tokens, prettify_tokens, encoder_attention, decoder_attention, cross_attention, encoder_tokens,
                 decoder_tokens, include_layers, include_heads, html_action)


def _view(attention: Any, tokens: Any, is_pretty: bool, encoder: Any, decoder: Any, cross: Any, encoder_tokens: Any,
          decoder_tokens: Any, layers: Sequence[int] | None, heads: Sequence[int] | None, action: str) -> Page | None:
    given = {"attentions": attention, "encoder_attentions": encoder, "decoder_attentions": decoder, "cross_attentions": cross}
    blocks = {kind: _chosen(value, heads) for kind, value in given.items() if value is not None}
    indices = range(len(next(iter(blocks.values())))) if layers is None else layers
    arrays = {f"{kind}_{place}": block[layer] for kind, block in blocks.items() for place, layer in enumerate(indices)}
    count = next(iter(arrays.values())).shape[-3]
    names = None if layers is None and heads is None else [
        [f"L{layer}H{head}" for head in (heads or range(count))] for layer in indices]
    texts: dict[str, Any] = {"tokens": tokens, "encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens}
    if is_pretty:
        texts = {name: _pretty(value) for name, value in texts.items()}
    return displayed(show(attention=arrays, names=names, window=False, **texts), action)


def _chosen(attention: Any, heads: Sequence[int] | None) -> list[Any]:
    """The chosen heads of each layer. [batch, head, query, key] each"""
    layers = [to_numpy(weights) for weights in attention]
    return layers if heads is None else [weights[..., list(heads), :, :] for weights in layers]


def _pretty(tokens: Sequence[str] | None) -> list[str] | None:
    return None if tokens is None else [token.replace("Ġ", " ").replace("▁", " ").replace("</w>", "") for token in tokens]
