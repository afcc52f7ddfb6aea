"""Where the program is, and what it says when something is wrong."""
from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Iterable

_OURS = Path(__file__).parent / "_program"


class HeadScopeError(RuntimeError):
    """One sentence with the remedy, as the program would print it."""


def find() -> Path:
    """The program: the wheel's own, else what HEADSCOPE names, else the one in PATH."""
    ours = _OURS / "bin" / "headscope"
    if ours.is_file():
        _require_torch()
        return ours
    if named := os.environ.get("HEADSCOPE"):
        if os.access(named, os.X_OK) and Path(named).is_file():
            return Path(named).resolve()
        raise HeadScopeError(f"HEADSCOPE names {named}, which is no program; set it to the file that ./dev build makes.")
    if found := shutil.which("headscope"):
        return Path(found)
    raise HeadScopeError("The program headscope is neither in this package nor in PATH; install the wheel that has it "
                         "with pip install headscope, or set HEADSCOPE to the file that ./dev build makes.")


def _require_torch() -> None:
    """The wheel has no libtorch of its own; C++ libraries fit the minor version that they were built with."""
    built_with = (_OURS / "torch-version").read_text().strip()
    remedy = f"install it with: pip install 'torch=={built_with}.*'"
    try:
        there = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        raise HeadScopeError(f"HeadScope computes with torch {built_with}, which is not installed; {remedy}") from None
    if there.split(".")[:2] != built_with.split("."):
        raise HeadScopeError(f"This HeadScope computes with torch {built_with}, and {there} is installed; {remedy}")


def environment(**more: str) -> dict[str, str]:
    """What the program is started with; the wheel's fonts, and a torch in other site-packages than ours, are named."""
    variables = dict(os.environ, **more)
    if (fonts := _OURS / "fonts" / "fonts.conf").is_file():
        variables.setdefault("FONTCONFIG_FILE", str(fonts))
    torch = importlib.util.find_spec("torch") if _OURS.is_dir() else None
    if torch and torch.origin and (site := Path(torch.origin).parents[1]) != _OURS.parents[1]:
        folders = [site / "torch" / "lib", *site.glob("nvidia/*/lib"), variables.get("LD_LIBRARY_PATH", "")]
        variables["LD_LIBRARY_PATH"] = ":".join(filter(None, map(str, folders)))
    return variables


def sentence(printed: str) -> str:
    """What the program said at last, without its name."""
    said = [line.removeprefix("headscope: ") for line in printed.splitlines() if line.startswith("headscope: ")]
    return said[-1] if said else printed.strip()


def run(words: Iterable[str]) -> str:
    """Runs one command by itself; what it printed."""
    done = subprocess.run([find(), *words], capture_output=True, text=True, errors="replace", env=environment())
    if done.returncode != 0:
        raise HeadScopeError(sentence(done.stderr) or f"headscope ended with {done.returncode}.")
    return done.stdout


def options_as_words(options: dict[str, Any]) -> list[str]:
    """gate_bias=0.1 is --gate-bias=0.1; True is a flag, None and False are left out, lists are repeated."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            values = value if isinstance(value, (list, tuple)) else [value]
            words += [f"{option}={each}" for each in values]
    return words


def prompt_as_words(prompt: Any) -> list[str]:
    """A text, token ids, or nothing."""
    if prompt is None:
        return []
    return ["--text=" + prompt] if isinstance(prompt, str) else ["--tokens=" + ids_of(prompt)]


def ids_of(prompt: Any) -> str:
    """Token ids as the program reads them."""
    ids = prompt.tolist() if hasattr(prompt, "tolist") else list(prompt)
    if len(ids) == 1 and isinstance(ids[0], list):  # a batch of one, as tokenizers give it
        ids = ids[0]
    return ",".join(str(int(each)) for each in ids)
