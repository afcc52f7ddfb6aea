#!/usr/bin/env python3
"""Runs clang-tidy over the product's sources, those of a library as one file.

Headers of torch and Qt take clang-tidy half a minute wherever they are included, our own files next to
nothing.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = "clang-tidy-19"
GCC_ALONE = ("-Werror", "-fno-thread-jumps", "-fopenmp", "-fpch-preprocess", "-Winvalid-pch")


def sources_of(file):
    """What a unity file includes; any other file is its own source."""
    if file.parent.name != "Unity":
        return [file]
    return [pathlib.Path(path) for path in re.findall(r'#include "([^"]+)"', file.read_text())]


def is_product(path):
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ("app", "core", "ui")


def flags_of(command):
    words = shlex.split(command)
    while not re.search(r"(^|/)(c|g|clang)\+\+(-\d+)?$", words.pop(0)):
        pass
    flags = []
    for word in words[: words.index("-o")]:
        if flags and flags[-1] in ("-isystem", "-include"):
            flags[-1] += word
        elif word not in GCC_ALONE:
            flags.append(word)
    return [flag for flag in flags if not flag.endswith("cmake_pch.hxx")]


def tidy(file, flags):
    """The findings in our files. Clang reports errors in torch's headers (constexpr vectors), which do not
    count; a missing header counts wherever it is included."""
    command = [TIDY, "--quiet", str(file), "--", *flags, "-Wno-unknown-warning-option", "-ferror-limit=0"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode < 0:
        sys.exit(f"{' '.join(command)} died of signal {-run.returncode}.")
    blocks = re.split(r"^(?=/\S+:\d+:\d+: (?:warning|error))", run.stdout, flags=re.M)
    ours = (block for block in blocks if block.startswith(str(ROOT)) or "file not found" in block)
    return {block.replace(f"{ROOT}/", "") for block in ours}


def changed_since(commit):
    """Sources that have changed, and those of changed headers."""
    run = subprocess.run(["git", "diff", "--name-only", commit], cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return {(ROOT / name).with_suffix(".cpp") for name in run.stdout.split()}


def libraries(build):
    """The sources of each library, and of each file with flags of its own, with those flags."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        library = file.parents[1].stem if file.parent.name == "Unity" else file.stem
        sources = [source for source in sources_of(file) if is_product(source)]
        if sources:
            found.setdefault((library, tuple(flags_of(entry["command"]))), set()).update(sources)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="a build folder that CMake configured")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--since", metavar="COMMIT", help="check what has changed since then alone")
    options = parser.parse_args()
    changed = changed_since(options.since) if options.since else None
    folder = options.build / "tidy"
    folder.mkdir(exist_ok=True)
    units = {}
    count = 0
    for (library, flags), sources in libraries(options.build).items():
        if changed is not None:
            sources &= changed
        if not sources:
            continue
        file = folder / f"{len(units)}_{library}.cpp"
        file.write_text("".join(f'#include "{source}"\n' for source in sorted(sources)))
        units[file.resolve()] = flags
        count += len(sources)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        findings = sorted(set().union(*pool.map(lambda unit: tidy(*unit), units.items())))
    print("".join(findings), end="")
    print(f"clang-tidy: {count} files, {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
