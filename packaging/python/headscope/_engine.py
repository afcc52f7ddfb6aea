"""An engine without a window: the commands of the program as functions."""
from __future__ import annotations

import csv
import json
import os
import warnings
from pathlib import Path
from typing import Any, Sequence, TypeVar

import numpy as np

from ._commands import Commands
from ._program import options_as_words, prompt_as_words
from ._results import Attribution, Circuit, Comparison, Edges, Metrics, Result, Row, Run, Sweep, flat

Prompt = str | Sequence[int] | None
_Kind = TypeVar("_Kind", bound=Result)


class Engine:
    """A model that stays open between calls. Each call takes the options of the command of its name by keyword:
    `engine.run(text, ablate="L5H1", gate="off")` is `headscope run --ablate L5H1 --gate off`. Ctrl-C stops a call and
    returns what was done by then, where there is something. Ends with `close`, a `with` block or this Python."""

    def __init__(self, path: str | os.PathLike[str], *, device: str = "auto", dtype: str = "auto",
                 progress: bool = True) -> None:
        self.path = os.fspath(path)
        self._where = {"device": device, "dtype": dtype}
        self._commands = Commands(progress)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"headscope.load({self.path!r})"

    def close(self) -> None:
        """Lets go of the model; the next call opens it again."""
        self._commands.close()

    def run(self, prompt: Prompt = None, *, attention: bool = True, **options: Any) -> Run:
        """Predictions, loss and, unless it is switched off, attention and logits."""
        files = ["json", "npz"] if attention else ["json"]
        data, read, is_complete = self._do("run", prompt, options, files)
        arrays = read.get("npz", {})
        tokens = data.get("tokens", [])
        return Run(data, data.get("predictions", []), is_complete, np.array([each["id"] for each in tokens], np.int64),
                   [each["text"] for each in tokens], arrays.get("attention"), arrays.get("logits"))

    def metrics(self, prompt: Prompt = None, **options: Any) -> Metrics:
        """Every metric of every head; for a file of maps without a prompt."""
        return self._table(Metrics, "metrics", prompt, options, "heads")

    def sweep(self, prompt: Prompt = None, target: str | None = None, **options: Any) -> Sweep:
        """What switching off each head alone does to the target's logit."""
        options["target"] = target
        if "prompts" in options:
            return self._table(Sweep, "sweep", prompt, options, "")
        data, _, is_complete = self._do("sweep", prompt, options, ["json"])
        return Sweep(data, data["prompts"][0]["changes"], is_complete)

    def circuit(self, clean: str, corrupt: str, target: str, versus: str, **options: Any) -> Circuit:
        """The heads, or with units="edges" their cells, that carry the difference between two prompts."""
        options |= {"clean": clean, "corrupt": corrupt, "target": target, "versus": versus}
        return self._table(Circuit, "circuit", None, options, "units")

    def attribute(self, prompt: Prompt, target: str | None = None, **options: Any) -> Attribution:
        """Direct contributions of heads, cells and MLPs to the target's logit; by default the predicted token's."""
        options["target"] = target
        return self._table(Attribution, "attribute", prompt, options, "heads")

    def edges(self, prompt: Prompt = None, *, key: int, query: int, **options: Any) -> Edges:
        """All heads that map a key to a query, positions from 0 on."""
        options |= {"key": key, "query": query}
        return self._table(Edges, "edges", prompt, options, "heads")

    def compare(self, sparse: str | os.PathLike[str] | Engine, prompt: Prompt = None, **options: Any) -> Comparison:
        """What tells the heads of this model and of a second one apart."""
        options |= {"dense": self.path, "sparse": sparse.path if isinstance(sparse, Engine) else os.fspath(sparse)}
        return self._table(Comparison, "compare", prompt, options, "heads")

    def _table(self, kind: type[_Kind], command: str, prompt: Prompt, options: dict[str, Any], rows: str) -> _Kind:
        """A result with the JSON's list of that name as its table; over many prompts with the CSV, which has means."""
        is_set = "prompts" in options
        data, read, is_complete = self._do(command, prompt, options, ["json", "csv"] if is_set else ["json"])
        return kind(data, read["csv"] if is_set else [flat(row) for row in data[rows]], is_complete)

    def _do(self, command: str, prompt: Prompt, options: dict[str, Any],
            files: list[str]) -> tuple[dict[str, Any], dict[str, Any], bool]:
        """Runs a command; its JSON, what is in its other files, and whether it came to its end."""
        options = self._where | options if "dense" in options else {"model": self.path} | self._where | options
        folder = self._commands.begin().folder
        paths = {kind: folder / f"result.{kind}" for kind in files}
        try:
            is_complete = self._commands.run([command, *prompt_as_words(prompt), *options_as_words(options | paths)])
            if not is_complete and not paths["json"].exists():
                raise KeyboardInterrupt
            if not is_complete:
                warnings.warn("Stopped; what was known by then is here, with gaps for the rest.", stacklevel=4)
            read = {kind: _read(path) for kind, path in paths.items()}
        finally:
            for path in paths.values():
                path.unlink(missing_ok=True)
        return read["json"], read, is_complete


def _read(path: Path) -> Any:
    if path.suffix == ".json":
        return json.loads(path.read_text(encoding="utf-8"))
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as arrays:
            return dict(arrays)
    with path.open(newline="", encoding="utf-8") as file:
        return [{name: _number(value) for name, value in row.items()} for row in csv.DictReader(file)]


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None
