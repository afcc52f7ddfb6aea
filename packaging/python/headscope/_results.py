"""What analyses find: numbers of the command line as numpy arrays and tables."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """`data` is the command's JSON, `rows` its table. If it was stopped, `is_complete` is False and what was not
    known by then is missing, or None."""

    data: dict[str, Any] = field(repr=False)
    rows: list[Row] = field(repr=False)
    is_complete: bool = True

    def to_pandas(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame(self.rows)

    def grid(self, column: str) -> NDArray[np.float64]:
        """A column of the table by head. [layer, head]; NaN where a model has no such head, or there is no number."""
        of_heads = [row for row in self.rows if row["head"] != "MLP"]
        layers = 1 + max(row["layer"] for row in of_heads)
        heads = 1 + max(row["head"] for row in of_heads)
        grid = np.full((layers, heads), np.nan)
        for row in of_heads:
            if row[column] is not None:
                grid[row["layer"], row["head"]] = row[column]
        return grid


@dataclass(frozen=True)
class Run(Result):
    """A prompt's run; the table has the predictions."""

    tokens: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)  # [token]
    texts: list[str] = field(default_factory=list)
    attention: NDArray[np.float32] | None = field(default=None, repr=False)  # [layer, head, query, key]
    logits: NDArray[np.float32] | None = field(default=None, repr=False)  # [token, vocabulary]

    @property
    def loss(self) -> float | None:
        return self.data["loss"]

    @property
    def continuation(self) -> str:
        """What was generated, if that was asked for."""
        return self.data.get("continuation", "")


@dataclass(frozen=True)
class Metrics(Result):
    """One row of numbers for every head."""


@dataclass(frozen=True)
class Sweep(Result):
    """What switching off each unit does: each number is that of the ablated run minus the baseline's. Over many
    prompts the table has means."""

    @property
    def baseline(self) -> dict[str, float]:
        """Of the first prompt."""
        return self.data["prompts"][0]["baseline"]


@dataclass(frozen=True)
class Circuit(Result):
    """The units in the order of their effects."""

    @property
    def curve(self) -> NDArray[np.float64]:
        """[n, (units kept, explained effect)]"""
        return np.array(self.data["curve"], dtype=np.float64)

    @property
    def smallest(self) -> int | None:
        """How many units reach the level."""
        return self.data["smallest"]


@dataclass(frozen=True)
class Attribution(Result):
    """Where a logit comes from; the table has the heads' direct contributions."""

    @property
    def edges(self) -> list[Row]:
        return self.data["edges"]

    @property
    def parts(self) -> list[Row]:
        """What sums to the logit."""
        return self.data["parts"]

    @property
    def smallest(self) -> list[Row]:
        """The fewest heads that reach the share, with their cells."""
        return self.data["smallest"]


@dataclass(frozen=True)
class Edges(Result):
    """All heads that map one key to one query, by weight."""


@dataclass(frozen=True)
class Comparison(Result):
    """Two models' heads side by side; columns of one model begin with dense_ or sparse_."""

    @property
    def dense(self) -> dict[str, Any]:
        return self.data["dense"]

    @property
    def sparse(self) -> dict[str, Any]:
        return self.data["sparse"]

    @property
    def reduction(self) -> dict[str, float]:
        return self.data["reduction"]


def flat(row: Row) -> Row:
    """{"dense": {"peak": 1}} as {"dense_peak": 1}"""
    made: Row = {}
    for name, value in row.items():
        made |= {f"{name}_{key}": each for key, each in value.items()} if isinstance(value, dict) else {name: value}
    return made
