"""Weights laid out so that a program can use them where they lie."""
from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

_UNCHANGING = "headscope.unchanging"  # as core/model/safetensors.h has it
_AT_ONCE = 1 << 30
_JOINED = {"q_proj": "qkv 0", "k_proj": "qkv 1", "v_proj": "qkv 2", "gate_proj": "gate up 0", "up_proj": "gate up 1"}


def join(folder: Path) -> None:
    """Makes one file of a folder's safetensors files, which go one after another as they are copied. Tensors that the program
    joins follow one another, so that it need not copy them."""
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
            with open(file, "rb") as source:
                for name, entry in entries.items():
                    begin, end = entry["data_offsets"]
                    os.lseek(out.fileno(), 8 + len(text) + header[name]["data_offsets"][0], os.SEEK_SET)
                    _copy(source.fileno(), start + begin, end - begin, out.fileno())
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


def _copy(source: int, offset: int, count: int, out: int) -> None:
    while count > 0:
        sent = os.sendfile(out, source, offset, min(count, _AT_ONCE))
        if sent == 0:
            raise EOFError("A file of weights is shorter than it says.")
        offset, count = offset + sent, count - sent
