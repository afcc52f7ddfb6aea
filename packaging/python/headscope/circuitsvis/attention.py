"""`attention_patterns` and `attention_heads` with the arguments of circuitsvis. Both show all heads as tiles."""
from __future__ import annotations

from typing import Any, Sequence

from .._maps import to_numpy
from .._page import Page
from .._show import show


def attention_patterns(tokens: Sequence[str], attention: Any, attention_head_names: Sequence[str] | None = None,
                       max_value: float = 1, min_value: float = 0, negative_color: str | None = None,
                       positive_color: str | None = None, mask_upper_tri: bool = True) -> Page:
    """`attention`: [head, query, key]. `max_value` and `min_value` are the weights of the last and the first colour; the
    colours are HeadScope's own, and nothing is masked, since zeros are white."""
    names = None if attention_head_names is None else [list(attention_head_names)]
    limits: dict[str, Any] = {} if (min_value, max_value) == (0, 1) else {"limits": f"{min_value},{max_value}"}
    return show(attention=to_numpy(attention), tokens=list(tokens), names=names, window=False, **limits)


def attention_heads(attention: Any, tokens: Sequence[str], attention_head_names: Sequence[str] | None = None,
                    **colours: Any) -> Page:
    return attention_patterns(tokens, attention, attention_head_names, **colours)
