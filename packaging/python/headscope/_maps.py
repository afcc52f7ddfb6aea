"""Attention in any form that people have it in, as the arrays of a file of maps."""
from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._program import HeadScopeError

Arrays = dict[str, NDArray[Any]]

_KINDS = ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions")
_LENS_PATTERN = re.compile(r"blocks\.(\d+)\.attn\.hook_pattern$")


def to_numpy(tensor: Any) -> NDArray[Any]:
    """A tensor of any framework, wherever it is; types that numpy lacks become float32."""
    if hasattr(tensor, "detach"):  # torch
        tensor = tensor.detach()
        tensor = (tensor.float() if "bfloat16" in str(tensor.dtype) else tensor).cpu()
    array = np.asarray(tensor)
    return array if array.dtype.kind in "fiuU" else array.astype(np.float32)


def arrays_of(attention: Any, **companions: Any) -> Arrays:
    """`attention` is an array [layer, head, query, key], [batch, layer, head, query, key] or [head, query, key]; a list
    with an array a layer; what a model of transformers or its `generate` returns; a cache of TransformerLens; or arrays
    by their names in a file of maps. `companions` are tokens, names, patches and so on."""
    arrays = _attention_arrays(attention)
    if not any("attention" in name for name in arrays):
        raise HeadScopeError("There is no attention in this; models of transformers return it with "
                             "output_attentions=True if they were loaded with attn_implementation=\"eager\".")
    for name, value in companions.items():
        if value is not None:
            arrays[name] = _companion(name, value)
    if "tokens" in arrays and _is_generated(attention):  # the last token was chosen, but looks at nothing yet
        arrays["tokens"] = arrays["tokens"][..., :next(iter(arrays.values())).shape[-2]]
    return arrays


def save(arrays: Arrays, folder: Path) -> list[str]:
    """Writes a file of maps; its blocks, at most two, as the program names them."""
    file = folder / "attention.npz"
    np.savez(file, **arrays)  # type: ignore[arg-type]
    blocks = list(dict.fromkeys(match[1] for name in arrays if (match := re.match(r"(.*?)[._/]?attentions?(_\d+)?$", name))))
    return [f"{file}#{block}" if block else str(file) for block in blocks[:2]]


def _attention_arrays(attention: Any) -> Arrays:
    if isinstance(attention, Mapping) or hasattr(attention, "keys"):
        names = [str(name) for name in attention.keys()]
        lens = {int(match[1]): name for name in names if (match := _LENS_PATTERN.search(name))}
        if lens:
            return {f"attention_{layer}": to_numpy(attention[lens[layer]]) for layer in sorted(lens)}
        kinds = [kind for kind in _KINDS if kind in names]
        if not kinds:
            return {name: to_numpy(attention[name]) for name in names}
        return {name: array for kind in kinds for name, array in _layers(kind, attention[kind]).items()}
    return _layers("attention", attention)


def _layers(kind: str, attention: Any) -> Arrays:
    if not isinstance(attention, (list, tuple)):
        whole = to_numpy(attention)
        return {f"{kind}_0" if whole.ndim == 3 else kind: whole}
    if attention and isinstance(attention[0], (list, tuple)):
        attention = _joined_steps(attention, is_cross=kind.startswith("cross"))
    return {f"{kind}_{layer}": to_numpy(weights) for layer, weights in enumerate(attention) if weights is not None}


def _joined_steps(steps: Any, is_cross: bool) -> list[NDArray[Any]]:
    """Of `generate`: each step has the rows of its own queries, for every layer. [batch, head, query, key]"""
    layers = []
    for layer in range(len(steps[0])):
        rows = [to_numpy(step[layer]) for step in steps]
        queries = sum(row.shape[-2] for row in rows)
        keys = rows[0].shape[-1] if is_cross else queries  # a static cache has more, which are empty
        whole = np.zeros((*rows[0].shape[:-2], queries, keys), rows[0].dtype)
        at = 0
        for row in rows:
            seen = min(keys, row.shape[-1])
            whole[..., at:at + row.shape[-2], :seen] = row[..., :seen]
            at += row.shape[-2]
        layers.append(whole)
    return layers


def _is_generated(attention: Any) -> bool:
    steps = attention.get("attentions") if hasattr(attention, "get") else attention
    return isinstance(steps, (list, tuple)) and bool(steps) and isinstance(steps[0], (list, tuple))


def _companion(name: str, value: Any) -> NDArray[Any]:
    if name == "image" and hasattr(value, "convert"):  # PIL
        value = value.convert("RGB")
    array = to_numpy(value)
    return array[0] if name.startswith("tokens") and array.ndim == 2 and len(array) == 1 else array
