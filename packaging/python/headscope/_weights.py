"""Weights laid out so that a program can use them where they lie."""
from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

_UNCHANGING = "headscope.unchanging"  # as core/model/safetensors.h has it
_AT_ONCE = 64 << 20  # bytes that are there once more while they are copied
_JOINED = {"q_proj": "qkv 0", "k_proj": "qkv 1", "v_proj": "qkv 2", "gate_proj": "gate up 0", "up_proj": "gate up 1"}


def join(folder: Path) -> None:
    """Makes one file of a folder's safetensors files, which shrink as they are copied and go. Tensors that the program joins
    follow one another, so that it need not copy them."""
    parts = {file: _header(file) for file in sorted(folder.glob("*.safetensors"))}
    places = {name: (file, start, entry) for file, (start, entries) in parts.items() for name, entry in entries.items()}
    header: dict[str, Any] = {"__metadata__": {"format": "pt", _UNCHANGING: "true"}}
    end = 0
    for name in sorted(places, key=_order):
        entry = places[name][2]
        begin, end = end, end + entry["data_offsets"][1] - entry["data_offsets"][0]
        header[name] = {**entry, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % 64)
    joined = folder / "joined"
    with open(joined, "wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
        out.flush()
        for file, (start, entries) in parts.items():
            with open(file, "r+b") as source:
                for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"], reverse=True):
                    begin, end = entry["data_offsets"]
                    _move(source.fileno(), start + begin, end - begin, out.fileno(),
                          8 + len(text) + header[name]["data_offsets"][0])
            file.unlink()
    (folder / "model.safetensors.index.json").unlink(missing_ok=True)
    joined.rename(folder / "model.safetensors")


def _header(file: Path) -> tuple[int, dict[str, Any]]:
    """Where the tensors begin, and what the file says of each."""
    with open(file, "rb") as source:
        size = int.from_bytes(source.read(8), "little")
        entries = json.loads(source.read(size))
    entries.pop("__metadata__", None)
    return 8 + size, entries


def _order(name: str) -> tuple[str, str, str]:
    """By layer, then weights before biases, then as joined tensors follow one another."""
    layer, _, rest = re.sub(r"\w+_proj", lambda found: _JOINED.get(found[0], found[0]), name).rpartition(" ")
    number, _, kind = rest.partition(".")
    return (layer, kind, number) if layer else (name, "", "")


def _move(source: int, offset: int, count: int, out: int, to: int) -> None:
    """Bytes at the end of a file, from the last on, which are cut off as they are copied."""
    while count > 0:
        portion = min(count, _AT_ONCE)
        count -= portion
        os.lseek(out, to + count, os.SEEK_SET)
        sent = 0
        while sent < portion:
            now = os.sendfile(out, source, offset + count + sent, portion - sent)
            if now == 0:
                raise EOFError("A file of weights is shorter than it says.")
            sent += now
        os.ftruncate(source, offset + count)
