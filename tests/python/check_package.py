#!/usr/bin/env python3
"""The package headscope without a window: its numbers are the command line's, Ctrl-C keeps what is done, a crash is an
exception, and nothing is left behind.

Usage: check_package.py HEADSCOPE. Exits with 77 where numpy is not installed.
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings

from guide import PACKAGE, Program, is_installed

TEXT = 'The opposite of " large " is "'
OTHER = 'The opposite of " small " is "'


def comes_true(law, seconds=60):
    """Waits for other processes."""
    end = time.monotonic() + seconds
    while not law() and time.monotonic() < end:
        time.sleep(0.05)
    return law()


def check_numbers(program):
    """What functions return is what the commands write."""
    question = ["--text", TEXT, "--target", "small"]
    commands = {
        "run": (["--text", TEXT, "--npz", "run.npz"], lambda engine: engine.run(TEXT)),
        "metrics": (["--text", TEXT], lambda engine: engine.metrics(TEXT)),
        "sweep": (question, lambda engine: engine.sweep(TEXT, "small")),
        "attribute": (question, lambda engine: engine.attribute(TEXT, "small")),
        "edges": (["--text", TEXT, "--key", 3, "--query", 7], lambda engine: engine.edges(TEXT, key=3, query=7)),
        "circuit": (["--clean", TEXT, "--corrupt", OTHER, "--target", "small", "--versus", "large"],
                    lambda engine: engine.circuit(TEXT, OTHER, "small", "large")),
    }
    with headscope.load("demo:dense") as engine:
        found = {name: call(engine) for name, (_, call) in commands.items()}
        process = engine._commands._number
        assert engine.run(TEXT, attention=False).attention is None and engine._commands._number == process, "it stays open"
        compared = engine.compare("demo:sparse", TEXT)
    for name, (words, _) in commands.items():
        program.run(name, "--model", "demo:dense", *words, "--json", "told.json")
        same(found[name].data, json.loads(pathlib.Path("told.json").read_text()), name)
    program.run("compare", "--dense", "demo:dense", "--sparse", "demo:sparse", "--text", TEXT, "--json", "told.json")
    same(compared.data, json.loads(pathlib.Path("told.json").read_text()), "compare")
    arrays = np.load("run.npz")
    run = found["run"]
    assert np.array_equal(run.attention, arrays["attention"]) and np.array_equal(run.logits, arrays["logits"])
    assert run.texts[5] == "large" and run.rows[0]["text"] == "small" and run.tokens.dtype == np.int64
    assert found["metrics"].grid("entropy").shape == found["sweep"].grid("kl").shape == (8, 8)
    assert found["sweep"].baseline["logit"] > 10 and found["circuit"].curve.shape[1] == 2
    assert compared.reduction["active_edges"] > 0.9 and "dense_peak" in compared.rows[0]


def same(ours, told, name):
    for timing in ("load_ms", "timing_ms"):
        ours.pop(timing, None), told.pop(timing, None)
    assert ours == told, name


def check_refusals():
    """What the program refuses is an exception with its sentence, and the engine goes on."""
    with headscope.load("demo:dense") as engine:
        for options, words in (({"ablate": "L99H0"}, "L99H0"), ({"nonsense": 1}, "nonsense")):
            try:
                engine.run(TEXT, **options)
                raise AssertionError(options)
            except headscope.HeadScopeError as error:
                assert words in str(error), error
        assert engine.run(TEXT, attention=False).loss is not None
    before = os.environ["HEADSCOPE"]
    os.environ["HEADSCOPE"] = "/nonexistent"
    try:
        headscope.load("demo:dense").run(TEXT)
        raise AssertionError("there is no program")
    except headscope.HeadScopeError as error:
        assert "HEADSCOPE names /nonexistent" in str(error)
    os.environ["HEADSCOPE"] = before


def check_crash():
    """A killed engine is an exception that says so; the next call starts another."""
    with headscope.load("demo:dense") as engine:
        engine.run(TEXT, attention=False)
        process = engine._commands._number
        os.kill(process, signal.SIGSTOP)  # so that the call is under way when it is killed
        threading.Timer(1, os.kill, (process, signal.SIGKILL)).start()
        try:
            engine.run(TEXT)
            raise AssertionError("a killed engine gives no result")
        except headscope.HeadScopeError as error:
            assert "killed by signal 9" in str(error) and '"run"' in str(error), error
        assert engine.run(TEXT).rows[0]["text"] == "small"


def check_interrupt():
    """Ctrl-C stops a sweep over many prompts and returns those that were done."""
    shown = headscope._commands._Bar.show
    def interrupt(self, what, done, total):
        if what == "Prompt" and done >= 2 and not told:
            told.append(done)
            signal.raise_signal(signal.SIGINT)
    told = []
    headscope._commands._Bar.show = interrupt
    try:
        with headscope.load("demo:dense") as engine, warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            sweep = engine.sweep(prompts="task:induction:400")
            assert not sweep.is_complete and 0 < len(sweep.data["prompts"]) < 400, len(sweep.data["prompts"])
            assert len(sweep.rows) == 64 and any("Stopped" in str(each.message) for each in said)
            assert engine.run(TEXT, attention=False).is_complete
    finally:
        headscope._commands._Bar.show = shown


def check_nothing_left():
    """A killed Python leaves no file and no process."""
    code = ("import headscope, sys\nengine = headscope.load('demo:dense')\nengine.run('a', attention=False)\n"
            "print(engine._commands._number, engine._commands._program.folder, flush=True)\nsys.stdin.read()")
    python = subprocess.Popen([sys.executable, "-B", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process, folder = python.stdout.readline().split()
    assert pathlib.Path(folder).stat().st_mode & 0o777 == 0o700
    python.kill()
    python.wait()
    assert comes_true(lambda: not os.path.exists(folder)), folder
    assert comes_true(lambda: not os.path.exists(f"/proc/{process}")), process


def check_pandas():
    if not is_installed("pandas"):
        print("skipped: tables of pandas: it is not installed.")
        return
    with headscope.load("demo:dense") as engine:
        table = engine.metrics(TEXT).to_pandas()
    assert len(table) == 64 and table.entropy.mean() > 0


def main():
    program = Program(sys.argv[1])
    os.environ["HEADSCOPE"] = program.path
    os.environ["PYTHONPATH"] = str(PACKAGE)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        checks = (lambda: check_numbers(program), check_refusals, check_crash, check_interrupt, check_nothing_left, check_pandas)
        for check in checks:
            check()


if not is_installed("numpy"):
    print("skipped: the package headscope: numpy is not installed.")
    sys.exit(77)
import numpy as np

sys.path.insert(0, str(PACKAGE))
import headscope
import headscope._commands

main()
