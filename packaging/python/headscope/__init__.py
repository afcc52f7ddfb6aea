"""HeadScope from Python: the window on models and on attention, and its engine without a window."""
from __future__ import annotations

import os

from ._engine import Engine
from ._program import HeadScopeError
from ._results import Attribution, Circuit, Comparison, Edges, Metrics, Result, Run, Sweep
from ._show import Page, Window, show

__all__ = ["Attribution", "Circuit", "Comparison", "Edges", "Engine", "HeadScopeError", "Metrics", "Page", "Result", "Run",
           "Sweep", "Window", "load", "show"]


def load(path: str | os.PathLike[str], *, device: str = "auto", dtype: str = "auto", progress: bool = True) -> Engine:
    """A model, or a file of maps, without a window; the model is read with the first call and stays open."""
    return Engine(path, device=device, dtype=dtype, progress=progress)
