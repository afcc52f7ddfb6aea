"""HeadScope from Python: the window on models and on attention, and its engine without a window."""
from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._engine import Engine
    from ._page import Page
    from ._program import HeadScopeError
    from ._results import Attribution, Circuit, Comparison, Edges, Metrics, Result, Run, Sweep
    from ._show import show
    from ._window import Hover, Selection, Window

__all__ = ["Attribution", "Circuit", "Comparison", "Edges", "Engine", "HeadScopeError", "Hover", "Metrics", "Page", "Result",
           "Run", "Selection", "Sweep", "Window", "load", "show"]

# Read when they are asked for, so that the command `headscope` does not wait for numpy.
_HOMES = {"Engine": "_engine", "HeadScopeError": "_program", "Hover": "_window", "Page": "_page", "Selection": "_window",
          "Window": "_window", "show": "_show"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module headscope has no {name}")
    return getattr(importlib.import_module("." + _HOMES.get(name, "_results"), __name__), name)


def load(path: str | os.PathLike[str], *, device: str = "auto", dtype: str = "auto", progress: bool = True) -> Engine:
    """A model, or a file of maps, without a window; the model is read with the first call and stays open."""
    from ._engine import Engine

    return Engine(path, device=device, dtype=dtype, progress=progress)
