"""A window that is open: what it shows, and what the user does in it."""
from __future__ import annotations

import base64
import os
import queue
import re
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable

from . import _program
from ._guard import Guarded
from ._link import Link, LinkEnded
from ._page import Page
from ._program import HeadScopeError, ids_of, options_as_words, prompt_as_words

_windows: set["Window"] = set()  # that are open, so that one stays whose object nobody keeps
_LAST_WORDS = 5.0  # seconds that a window has to close


@dataclass(frozen=True)
class Selection:
    """What the user looks at: selected heads, the head in the inspector and its side, and the pinned cell. Positions count
    tokens from 0."""

    heads: tuple[str, ...] = ()
    head: str | None = None
    side: str = "dense"
    query: int | None = None
    key: int | None = None


@dataclass(frozen=True)
class Hover:
    """What the pointer is on: over a head's map the head and the cell, over a token its position."""

    head: str | None = None
    side: str = "dense"
    query: int | None = None
    key: int | None = None


class Window(Page):
    """A window, and its heads as a page. It closes when the user closes it, at `close`, and with this Python. What is set
    here can be undone there. A closed window raises HeadScopeError."""

    def __init__(self, *page: Any) -> None:
        super().__init__(*page)
        is_file = len(self.sources) == 1 and self.sources[0].partition("#")[0].endswith(".npz")
        sides = ["view", *self.sources] if is_file else [
            "--dense=" + self.sources[0], "--sparse", "".join(self.sources[1:]), *prompt_as_words(self._prompt)]
        self._said = tempfile.TemporaryFile()
        self._link = Link()
        try:
            self._program = Guarded([_program.find(), *sides, f"--link={self._link.theirs}"], stdout=subprocess.DEVNULL,
                                    stderr=self._said, env=_program.environment(), pass_fds=[self._link.theirs])
        finally:
            self._link.begin()
        self._was_closed = False
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
        if self._program.process.wait() in (1, 2):
            raise self._why_closed()

    def close(self) -> None:
        """Closes the window, without a question about unsaved changes."""
        self._was_closed = True
        try:
            self._link.ask("close", _LAST_WORDS)
            self._program.process.wait(_LAST_WORDS)
        except (LinkEnded, queue.Empty, subprocess.TimeoutExpired):
            pass
        self._program.end()
        self._program.process.wait()

    @property
    def prompt(self) -> str | list[int]:
        """The text, or the ids of the tokens if those were given."""
        now = self._ask("prompt")
        return [int(each) for each in re.findall(r"\d+", now["tokens"])] if now["tokens"] else now["text"]

    @prompt.setter
    def prompt(self, prompt: Any) -> None:
        self._ask("set-prompt", **({"text": prompt} if isinstance(prompt, str) else {"tokens": ids_of(prompt)}))

    def ablate(self, heads: str | Iterable[str], side: str | None = None) -> None:
        """Ablates more heads or cells, as in `--ablate`: "L5H1", "L2H*:mean" or "L4H3[14<10]:renormalise". Of both sides,
        unless it is "dense" or "sparse" alone."""
        self._ask("ablate", heads=_items(heads), side=side)

    @property
    def ablations(self) -> list[str]:
        """What is ablated on either side; to set it replaces all on both."""
        return list(self._ask("ablations"))

    @ablations.setter
    def ablations(self, heads: str | Iterable[str]) -> None:
        self._ask("set-ablations", heads=_items(heads))

    @property
    def selection(self) -> Selection:
        """What the user looks at; heads can be set, "L5H1,L2H*" or a list, and the first one is shown in the inspector."""
        return _selection(self._ask("selection"))

    @selection.setter
    def selection(self, heads: str | Iterable[str] | Selection) -> None:
        self._ask("select", heads=_items(heads.heads if isinstance(heads, Selection) else heads))

    @property
    def hover(self) -> Hover | None:
        now = self._ask("hover")
        return Hover(now["head"], now["side"], now["query"], now["key"]) if now else None

    def on_selection(self, callback: Callable[[Selection], None]) -> Callable[[Selection], None]:
        """Calls it with each new selection, from a thread of its own."""
        self._link.listen(lambda value: callback(_selection(value)))
        return callback

    def screenshot(self, file: str | os.PathLike[str] | None = None) -> bytes | None:
        """A picture of the window once it shows what it should: a PNG file, or its bytes."""
        picture = base64.b64decode(self._ask("screenshot"))
        if file is None:
            return picture
        Path(file).write_bytes(picture)
        return None

    def figure(self, preset: str, file: str | os.PathLike[str], **options: Any) -> None:
        """Draws a figure of what the window shows now, with the options of `headscope figure`; once it is closed, of what it
        was opened on."""
        if not self.is_open:
            return super().figure(preset, file, **options)
        now = self._ask("session")
        kept = Guarded()
        session = kept.folder / "window.headscope"
        session.write_text(now["session"], encoding="utf-8")
        _program.run(["figure", str(session), "--preset=" + preset,
                      *options_as_words({"only": now["only"]} | self._options | options), "--out=" + os.fspath(file)])
        return None

    def _ask(self, what: str, **more: Any) -> Any:
        try:
            return self._link.ask(what, **more)
        except LinkEnded:
            raise self._why_closed() from None

    def _why_closed(self) -> HeadScopeError:
        if self._link.problem:
            return HeadScopeError(self._link.problem)
        try:
            status = self._program.process.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            return HeadScopeError("The window is open, but does not listen any more; close it and open another one.")
        if status in (1, 2):
            self._said.seek(0)
            return HeadScopeError(_program.sentence(self._said.read().decode(errors="replace")))
        if status > 128 and not self._was_closed:
            return HeadScopeError(f"The window was killed by signal {status - 128}; if memory ran out, take a shorter prompt "
                                  "or a smaller model. headscope.show opens another one.")
        return HeadScopeError("The window is closed; headscope.show opens another one.")

    def __repr__(self) -> str:
        return f"<headscope.Window on {' and '.join(self.sources)}: {'open' if self.is_open else 'closed'}>"


def _selection(now: dict[str, Any]) -> Selection:
    return Selection(tuple(now["heads"]), now["head"], now["side"], now["query"], now["key"])


def _items(heads: str | Iterable[str]) -> list[str]:
    return heads.split(",") if isinstance(heads, str) else [str(each) for each in heads]
