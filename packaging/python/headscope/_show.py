"""The window, and the same heads as a page in a notebook."""
from __future__ import annotations

import html
import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

from . import _maps, _models, _program
from ._guard import Guarded
from ._program import HeadScopeError, options_as_words, prompt_as_words

_windows: set["Window"] = set()  # that are open, so that one stays whose object nobody keeps


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


class Window(Page):
    """A window, and its heads as a page. It closes when the user closes it, at `close`, and with this Python."""

    def __init__(self, *page: Any) -> None:
        super().__init__(*page)
        is_file = len(self.sources) == 1 and self.sources[0].partition("#")[0].endswith(".npz")
        sides = ["view", *self.sources] if is_file else [
            "--dense=" + self.sources[0], "--sparse=" + "".join(self.sources[1:]), *prompt_as_words(self._prompt)]
        self._said = tempfile.TemporaryFile()
        self._program = Guarded([_program.find(), *sides], stdout=subprocess.DEVNULL, stderr=self._said,
                                env=_program.environment())
        _windows.add(self)
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        self._program.process.wait()
        _windows.discard(self)

    @property
    def is_open(self) -> bool:
        return not self._program.has_ended

    def wait(self) -> None:
        """Returns when the window is closed."""
        status = self._program.process.wait()
        if status == 1:
            self._said.seek(0)
            raise HeadScopeError(_program.sentence(self._said.read().decode(errors="replace")))

    def close(self) -> None:
        self._program.end()
        self._program.process.wait()

    def __repr__(self) -> str:
        return f"<headscope.Window on {' and '.join(self.sources)}: {'open' if self.is_open else 'closed'}>"


def show(model: Any = None, prompt: Any = None, *, attention: Any = None, tokens: Any = None, dense: Any = None,
         sparse: Any = None, tokenizer: Any = None, window: bool | None = None, megabytes: float = 5,
         tokens_q: Any = None, tokens_k: Any = None, encoder_tokens: Any = None, decoder_tokens: Any = None,
         names: Any = None, patches: Any = None, image: Any = None, **options: Any) -> Page:
    """Opens the window on a model and a prompt, on two of them (`dense` and `sparse`), or on attention.

    A model is a folder, a file, a name in the download cache, or a model of transformers in memory, whose weights are
    handed over through shared memory: they are there twice until the window is closed. Attention is an array [layer, head,
    query, key], [batch, layer, head, query, key] or [head, query, key]; a list with an array a layer; what a model of
    transformers or its `generate` returns; a cache of TransformerLens; or arrays by their names in a file of maps. All of
    these may stand in place of a model, too. A prompt is a text or token ids. Without a display, or with `window=False`,
    there is only the page that a notebook shows, of at most so many megabytes. Other options are those of
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
