"""Models that are in memory already, for a program that reads files."""
from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from . import _weights
from ._program import HeadScopeError

_SHARD = 200_000_000  # bytes of weights, or one tensor, that are written at a time


def is_model(thing: Any) -> bool:
    return hasattr(thing, "save_pretrained") and hasattr(thing, "state_dict")


def hand_over(model: Any, tokenizer: Any, folder: Path) -> str:
    """Writes a model of transformers as safetensors into a folder in memory that has its name, where a processor uses the
    weights as they lie: they are there once more as long as that folder, and nothing is pickled."""
    size = sum(each.numel() * each.element_size() for each in model.parameters())
    if size + (128 << 20) > shutil.disk_usage(folder).free:
        raise HeadScopeError(f"The model's weights have {_megabytes(size)}, and {folder.parent} has no room for them; save the "
                             "model with save_pretrained and show its folder.")
    tokenizer = tokenizer or _tokenizer_of(model)
    origin = model.config.name_or_path
    named = folder / (origin and Path(origin).resolve().name or type(model).__name__)  # ".." has a name as well
    model.save_pretrained(named, max_shard_size=_SHARD)
    _weights.join(named)
    if tokenizer is not None:
        tokenizer.save_pretrained(named)
    print(f"headscope: {_megabytes(size)} of weights are in {folder.parent} as well until the window is closed and its object "
          "is gone.", file=sys.stderr)
    return str(named)


def _tokenizer_of(model: Any) -> Any:
    """The one in the folder or the download cache that the model came from; None: prompts are token ids."""
    try:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(model.config.name_or_path, local_files_only=True)
    except Exception:
        return None


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
