"""What people have, as a window or as a page in a notebook."""
from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from . import _maps, _models
from ._guard import Guarded
from ._page import Page
from ._program import HeadScopeError
from ._window import Window


def show(model: Any = None, prompt: Any = None, *, attention: Any = None, tokens: Any = None, dense: Any = None,
         sparse: Any = None, tokenizer: Any = None, window: bool | None = None, megabytes: float = 5,
         tokens_q: Any = None, tokens_k: Any = None, encoder_tokens: Any = None, decoder_tokens: Any = None,
         names: Any = None, patches: Any = None, image: Any = None, **options: Any) -> Page:
    """Opens the window on a model and a prompt, on two of them (`dense` and `sparse`), or on attention.

    A model is a folder, a file, a name in the download cache, or a model of transformers in memory, whose weights are
    handed over through shared memory: they are there twice until the window is closed and its object is gone. Attention is
    an array [layer, head, query, key], [batch, layer, head, query, key] or [head, query, key]; a list with an array a layer;
    what a model of transformers or its `generate` returns; a cache of TransformerLens; or arrays by their names in a file of
    maps. All of these may stand in place of a model, too. A prompt is a text or token ids. Without a display, or with
    `window=False`, there is only the page that a notebook shows, of at most so many megabytes. Other options are those of
    `headscope figure` and are for that page."""
    companions = dict(tokens=tokens, tokens_q=tokens_q, tokens_k=tokens_k, encoder_tokens=encoder_tokens,
                      decoder_tokens=decoder_tokens, names=names, patches=patches, image=image)
    sides = [side for side in (attention if attention is not None else model if model is not None else dense, sparse)
             if side is not None]
    if not sides:
        raise HeadScopeError("There is nothing to show; give a model, dense and sparse, or attention.")
    sources: list[str] = []
    kept: list[Guarded] = []
    for side in sides:
        sources += _sources(side, tokenizer, companions, kept)
    has_display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    kind = Window if window or (window is None and has_display) else Page
    return kind(sources[:2], prompt, kept, options, megabytes)


def _sources(side: Any, tokenizer: Any, companions: dict[str, Any], kept: list[Guarded]) -> list[str]:
    """A side as the program names it; files that are made for it are in a folder that is added to `kept`."""
    if isinstance(side, (str, os.PathLike)):
        return [re.sub(r"^~(?=/|$)", str(Path.home()), os.fspath(side))]
    kept.append(Guarded())
    if _models.is_model(side):
        return [_models.hand_over(side, tokenizer, kept[-1].folder)]
    return _maps.save(_maps.arrays_of(side, **companions), kept[-1].folder)
