#!/usr/bin/env python3
"""Runs clang-tidy over the product's sources, many of them in one translation unit.

Headers of torch and Qt cost clang-tidy some ten seconds wherever they are included, our own files next
to nothing. Files of a unit share a scope, so a type or a constant that several of them keep to themselves
is renamed in each. A unit that does not compile all the same is checked file by file.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES_OF_UNIT = 5000
TIDY = "clang-tidy-19"
GCC_ALONE = ("-fno-thread-jumps", "-fopenmp", "-fpch-preprocess", "-Winvalid-pch")


def compile_commands(build):
    """Source -> its compiler's flags, for what lies in app, core and ui; CMake's unity files are opened."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        while not re.search(r"(^|/)(c|g|clang)\+\+(-\d+)?$", words.pop(0)):
            pass
        flags = []
        for word in words[: words.index("-o")]:
            if flags and flags[-1] in ("-isystem", "-include"):
                flags[-1] += word
            elif word not in GCC_ALONE:
                flags.append(word)
        flags = [flag for flag in flags if not flag.endswith("cmake_pch.hxx")]
        file = pathlib.Path(entry["file"])
        sources = [file]
        if file.parent.name == "Unity":
            sources = [pathlib.Path(path) for path in re.findall(r'#include "([^"]+)"', file.read_text())]
        for source in sources:
            if source.is_relative_to(ROOT) and source.relative_to(ROOT).parts[0] in ("app", "core", "ui"):
                found[source] = flags
    return found


def stripped(text):
    """Without comments, preprocessor lines and what stands in quotes."""
    text = re.sub(r'R"([^(]*)\(.*?\)\1"', '""', text, flags=re.S)
    text = re.sub(r"(?<=\w)'(?=\w)", "", text)
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', " ", text, flags=re.S)
    return re.sub(r"^\s*#(?:.*\\\n)*.*", "", text, flags=re.M)


def own_names(text):
    """The types and constants that a file declares in its anonymous namespaces, and the functions but those
    that take such a type and so differ from all others."""
    types, functions = set(), {}
    scopes, head, nested = [], [], 0  # nested: open parentheses

    def declare():
        alias = re.search(r"\b(?:using|concept) (\w+) =", " ".join(head))
        declaration = " ".join(head).split(" = ")[0]
        kind = alias or re.search(r"\b(?:struct|class|enum class|enum)(?: \[ \[ \w+ \] \])? (\w+)", declaration)
        function = re.search(r"(\w+) \(", declaration)
        constant = re.search(r"\b(k[A-Z]\w*)", declaration)
        if constant or (kind and not function):
            types.add((constant or kind).group(1))
        elif function and function.group(1) != "static_assert":
            functions[function.group(1)] = declaration

    for token in re.findall(r"[A-Za-z_]\w*|::|\S", stripped(text)):
        if token == "{" and "namespace" in head and not nested:
            scopes.append("anonymous" if head[-1] == "namespace" else "named")
            head = []
        elif token == "{":
            scopes.append("body")
        elif token == "}" and scopes:
            scopes.pop()
            if scopes and scopes[-1] == "anonymous" and not nested:
                declare()
                head = []
        elif scopes and scopes[-1] == "body":
            pass
        elif token == ";" and not nested:
            if head and scopes and scopes[-1] == "anonymous":
                declare()
            head = []
        else:
            nested += (token == "(") - (token == ")")
            head.append(token)
    return types, {name for name, text in functions.items() if not types & set(re.findall(r"\w+", text))}


class Unit:
    """Sources that are checked as one file."""

    def __init__(self, name):
        self.name = name
        self.sources, self.flags = [], []
        self.lines, self.names, self.fixed, self.words = 0, set(), set(), collections.Counter()

    def has_room_for(self, source):
        is_free = not self.names & source.fixed and not self.fixed & source.names
        return self.lines + source.lines <= LINES_OF_UNIT and is_free

    def add(self, source):
        self.sources.append(source)
        self.flags += [flag for flag in source.flags if flag not in self.flags]
        self.lines += source.lines
        self.names |= source.names
        self.fixed |= source.fixed
        self.words.update(source.words)

    def text(self):
        """Headers come first, so that a renamed word means the same in each of them."""
        includes, bodies = [], []
        for number, source in enumerate(self.sources):
            includes += [line for line in source.includes() if line not in includes]
            again = sorted(name for name in source.names - source.fixed if self.words[name] > 1)
            bodies += [f"#define {name} {name}_{number}" for name in again]
            bodies.append(f'#include "{source.path}"')
            bodies += [f"#undef {name}" for name in again]
        return "\n".join(includes + bodies) + "\n"


class Source:
    def __init__(self, path, flags, header_words):
        self.path, self.flags, self.text = path, flags, path.read_text()
        self.lines, self.words = self.text.count("\n"), set(re.findall(r"\w+", self.text))
        types, functions = own_names(self.text)
        self.names = types | functions
        # Words that mean something else in the same file, too, cannot be renamed.
        self.fixed = functions & header_words
        self.fixed |= {name for name in self.names if re.search(rf"(::|\.|->){name}\b", self.text)}
        self.kind = path.relative_to(ROOT).parts[0] + ("-torch" if "torch" in " ".join(flags) else "")

    def includes(self):
        """Its headers but those under a condition."""
        conditions = 0
        for line in self.text.splitlines():
            conditions += line.startswith("#if") - line.startswith("#endif")
            header = re.match(r'#include (?:<[^>]+>|"([^"]+\.h)")', line)
            if header and not conditions:
                beside = self.path.parent / (header.group(1) or "")
                yield f'#include "{beside}"' if beside.is_file() else header.group(0)


def read_sources(build):
    headers = (path for folder in ("app", "core", "ui") for path in (ROOT / folder).rglob("*.h"))
    words = {word for path in headers for word in re.findall(r"\w+", stripped(path.read_text()))}
    return [Source(path, flags, words) for path, flags in sorted(compile_commands(build).items())]


def units_of(sources):
    units = []
    for source in sources:
        fitting = (unit for unit in units if unit.name.startswith(source.kind + ".") and unit.has_room_for(source))
        unit = next(fitting, None)
        if not unit:
            unit = Unit(f"{source.kind}.{len(units)}")
            units.append(unit)
        unit.add(source)
    return units


def tidy(path, flags):
    """The findings in our files. Torch's headers have errors for clang where vectors are constexpr; what
    stops the parser counts wherever it is."""
    command = [TIDY, "--quiet", str(path), "--", *flags, "-Wno-unknown-warning-option", "-ferror-limit=0"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode < 0:
        sys.exit(f"{' '.join(command)} died of signal {-run.returncode}.")
    blocks = re.split(r"^(?=/\S+:\d+:\d+: (?:warning|error))", run.stdout, flags=re.M)
    ours = (block for block in blocks if block.startswith(str(ROOT)) or "file not found" in block)
    return {block.replace(f"{ROOT}/", "") for block in ours}


def check(unit, folder):
    path = folder / f"{unit.name}.cpp"
    path.write_text(unit.text())
    findings = tidy(path, unit.flags)
    errors = [finding for finding in findings if "[clang-diagnostic-error]" in finding]
    if not errors or len(unit.sources) == 1:
        return findings
    print(f"{path} does not compile as one, so its {len(unit.sources)} files are checked one by one:\n"
          + "".join(errors), file=sys.stderr)
    return set().union(*(tidy(source.path, source.flags) for source in unit.sources))


def changed_since(commit):
    """Sources that are not as they were, and those of changed headers."""
    run = subprocess.run(["git", "diff", "--name-only", commit], cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return {(ROOT / name).with_suffix(".cpp") for name in run.stdout.split()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="a build folder that CMake configured")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--since", metavar="COMMIT", help="check what has changed since then alone")
    options = parser.parse_args()
    folder = options.build.resolve() / "tidy"
    folder.mkdir(exist_ok=True)
    sources = read_sources(options.build)
    if options.since:
        changed = changed_since(options.since)
        sources = [source for source in sources if source.path in changed]
    units = sorted(units_of(sources), key=lambda unit: -unit.lines)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda unit: check(unit, folder), units))
    findings = sorted(set().union(*results))
    print("".join(findings), end="")
    print(f"clang-tidy: {len(sources)} files, {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
