"""Heads as a page in a notebook, and as figures."""
from __future__ import annotations

import html
import os
import tempfile
from pathlib import Path
from typing import Any

from . import _program
from ._guard import Guarded
from ._program import options_as_words, prompt_as_words


class Page:
    """Heads to look at. In a notebook it shows itself: a page to explore, without a network."""

    def __init__(self, sources: list[str], prompt: Any, kept: list[Guarded], options: dict[str, Any], megabytes: float,
                 height: int = 640) -> None:
        self.sources = sources
        self._prompt = prompt
        self._kept = kept  # folders with what the sources name
        self._options = options
        self._megabytes = megabytes
        self._height = height
        self._html: str | None = None

    def figure(self, preset: str, file: str | os.PathLike[str], **options: Any) -> None:
        """Draws a figure, with the options of `headscope figure`: .pdf, .svg, .png, or .html."""
        second = ["--sparse=" + self.sources[1]] if len(self.sources) > 1 else ["--only=dense"]
        _program.run(["figure", "--preset=" + preset, "--dense=" + self.sources[0], *second, *prompt_as_words(self._prompt),
                      *options_as_words(self._options | options), "--out=" + os.fspath(file)])

    def save(self, file: str | os.PathLike[str]) -> None:
        """Saves the page, an .html for any browser."""
        self.figure("head-grid", file)

    @property
    def data(self) -> str:
        """The page as a text."""
        if self._html is None:
            with tempfile.TemporaryDirectory(prefix="headscope-") as folder:
                file = Path(folder) / "page.html"
                self.save(file)
                self._html = file.read_text(encoding="utf-8")
        return self._html

    def _repr_html_(self) -> str:
        size = len(self.data.encode()) / 1e6
        if size > self._megabytes:
            return (f"<p>This page has {size:.1f} MB, more than the {self._megabytes:g} MB that go into a notebook. Give "
                    f"<code>megabytes={size + 1:.0f}</code> to show it, <code>heads=\"L0H*,L1H*\"</code> for fewer heads, or "
                    "save it with <code>.save(\"page.html\")</code> and open it in a browser.</p>")
        return (f'<iframe srcdoc="{html.escape(self.data)}" style="width: 100%; height: {self._height}px; border: 0">'
                "</iframe>")
