#!/usr/bin/env python3
"""Windows that headscope.show opens, driven from Python: what is set is there, what the user does is told, and nothing is
left of them. Exit 77 without numpy.

Usage: check_window.py HEADSCOPE
"""
import io
import os
import pathlib
import queue
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from guide import GUIDE, PACKAGE, Program, is_installed

TEXT = 'The opposite of " large " is "'


def until(holds, what):
    ended = time.monotonic() + 120
    while not holds():
        assert time.monotonic() < ended, what
        time.sleep(0.02)


def refusal(work):
    try:
        work()
    except headscope.HeadScopeError as error:
        return str(error)
    raise AssertionError("nothing was refused")


def processes(word):
    """Processes with this word in their command line."""
    found = set()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
        except OSError:
            pass
    return found


def folders_of(python):
    """The private folders of a Python's windows."""
    folders = set()
    for each in processes("headscope-guard"):
        try:
            status, words = (pathlib.Path(f"/proc/{each}/{name}").read_bytes() for name in ("status", "cmdline"))
        except OSError:
            continue  # it has ended
        if f"PPid:\t{python}\n".encode() in status:
            folders.add(pathlib.Path(words.partition(b"headscope-guard\0")[2].partition(b"\0")[0].decode()))
    return folders


def left_behind(text, folders):
    """Processes of windows on that text, and what there still is of folders and in the temporary one."""
    files = set(pathlib.Path(tempfile.gettempdir()).glob("headscope-*"))
    return processes(text) | {folder for folder in folders if folder.exists()} | files


def picture_size(png):
    assert png.startswith(b"\x89PNG\r\n\x1a\n"), png[:16]
    return struct.unpack(">II", png[16:24])


def check_prompt(window):
    assert window.prompt == "a b c"
    window.prompt = TEXT
    assert window.prompt == TEXT
    window.prompt = np.array([[3, 17, 5]])
    assert window.prompt == [3, 17, 5]
    window.prompt = TEXT
    assert window.prompt == TEXT
    assert "at most" in refusal(lambda: setattr(window, "prompt", "a" * (2 << 20)))
    assert window.prompt == TEXT, "what is too long changes nothing"


def check_ablations(window):
    """They are added, replaced as a whole, and refused as a whole."""
    assert window.ablations == []
    window.ablate("L5H1")
    window.ablate(["L2H0:mean", "L4H3[8<2]:renormalise"], side="dense")
    assert window.ablations == ["L2H0:mean", "L4H3[8<2]:renormalise", "L5H1"], window.ablations
    for wrong in ("L99H0", "heads", "L5H1:patch", "L5H1[3<"):
        assert refusal(lambda: window.ablate(["L0H0", wrong])).endswith("."), wrong
    assert "dense" in refusal(lambda: window.ablate("L0H0", side="left"))
    assert len(window.ablations) == 3, "what is refused changes nothing"
    window.ablations = ["L0H1", "L5H*:mean"]
    assert window.ablations[0] == "L0H1" and all(each.endswith(":mean") for each in window.ablations[1:])
    assert len(window.ablations) > 4, "a layer has several heads"
    window.ablations = window.ablations
    window.ablations = []
    assert window.ablations == []


def check_selection(window):
    """What is selected is told once, from another thread, which may ask the window."""
    told = queue.SimpleQueue()
    errors = sys.stderr = io.StringIO()
    window.on_selection(lambda selection: 1 / 0)  # is no reason to tell nobody else
    window.on_selection(lambda selection: told.put((selection, window.selection, threading.current_thread())))
    window.selection = "L1H0,L2H3"
    selection, asked, thread = told.get(timeout=60)
    assert selection.heads == ("L1H0", "L2H3") and selection.head == "L1H0" and selection == asked == window.selection
    assert thread is not threading.main_thread() and told.empty()
    assert "L99H0" in refusal(lambda: setattr(window, "selection", ["L99H0"]))
    assert window.selection == selection
    window.selection = []
    assert told.get(timeout=60)[0].heads == () and window.selection.head is None
    window.selection = selection
    assert told.get(timeout=60)[0] == selection
    assert window.hover is None, "the pointer is elsewhere"
    sys.stderr = sys.__stderr__
    assert errors.getvalue().count("ZeroDivisionError") == 3


def check_pictures(window):
    """Pictures and figures are of what the window shows now."""
    before = window.screenshot()
    assert min(picture_size(before)) > 400
    window.ablate("L0H*")
    after = window.screenshot()
    assert after != before
    assert window.screenshot("window.png") is None
    assert picture_size(pathlib.Path("window.png").read_bytes()) == picture_size(before)

    def figure():
        window.figure("head-grid", "heads.svg")
        return pathlib.Path("heads.svg").read_text()

    ablated = figure()
    window.ablations = []
    plain = figure()
    window.prompt = "a b c d"
    assert "<svg" in plain and plain != ablated and figure() != plain
    window.prompt = TEXT


def check_several():
    """Each window has its own link."""
    one, two = headscope.show("demo:dense", "first text"), headscope.show("demo:dense", "second text")
    one.ablate("L0H0")
    two.ablate("L1H1")
    assert (one.prompt, two.prompt) == ("first text", "second text")
    assert (one.ablations, two.ablations) == (["L0H0"], ["L1H1"])
    two.close()
    assert not two.is_open and one.is_open and one.ablations == ["L0H0"]
    assert refusal(lambda: two.prompt) == "The window is closed; headscope.show opens another one."
    both = headscope.show(dense="demo:dense", sparse="demo:sparse", prompt="both of them")
    both.ablate("L0H0", side="sparse")
    both.ablate("L1H1")
    assert both.ablations == ["L1H1", "L0H0"], both.ablations
    both.close()
    one.close()


def check_maps():
    """A file of maps has heads to select and to look at, though they have no scores, and none to ablate."""
    weights = np.full((2, 3, 4, 4), 0.25, np.float32)
    window = headscope.show(attention=weights, tokens=["a", "b", "c", "d"])
    window.selection = "L1H2"
    assert window.selection.head == "L1H2"
    assert window.screenshot().startswith(b"\x89PNG")
    for work in (lambda: window.ablate("L0H0"), lambda: setattr(window, "prompt", "a b")):
        assert refusal(work).endswith(".")
    window.figure("head", "head.svg", heads="L1H2")
    window.close()


def check_ends():
    """A window says how it ended, to those who wait as well; what cannot be opened says why."""
    window = headscope.show("demo:dense", "killed from outside")
    assert window.prompt == "killed from outside"
    inner = [each for each in processes("killed from outside") if os.readlink(f"/proc/{each}/exe").endswith("headscope")]
    assert len(inner) == 1, inner
    told = queue.SimpleQueue()
    os.kill(inner[0], signal.SIGSTOP)
    asking = threading.Thread(target=lambda: told.put(refusal(window.screenshot)))
    asking.start()
    os.kill(inner[0], signal.SIGKILL)
    assert "was killed by signal 9" in told.get(timeout=60)
    assert "was killed by signal 9" in refusal(lambda: window.prompt) and not window.is_open
    missing = headscope.show("missing.npz")
    for work in (missing.wait, missing.screenshot):
        assert "missing.npz" in refusal(work)
    done = subprocess.run([sys.argv[1], "--link", "1"], capture_output=True, text=True)
    assert done.returncode == 1 and "headscope.show" in done.stderr, done
    assert "--link" not in subprocess.run([sys.argv[1], "reference"], capture_output=True, text=True).stdout


def check_hostile():
    """What is no message ends the link with a sentence; the window stays."""
    for garbage, words in ((b"\xff\xff\xff\xff", "at most"), (b"\5\0\0\0hello", "not valid JSON"), (b"\2\0\0\0[]", "same version")):
        window = headscope.show("demo:dense", "a b")
        assert window.prompt == "a b"
        window._link._socket.sendall(garbage)
        until(lambda: window._link._has_ended, "the link ends")
        said = refusal(lambda: window.prompt)
        assert words in said, said
        assert window.is_open
        window.close()


def check_hostile_window():
    """What a window should not say ends the link, too, with a sentence for those who ask."""
    def frame(text):
        return struct.pack("<I", len(text)) + text

    for said in (b"\xff\xff\xff\xff", frame(b"hello"), frame(b"[]"), frame(b"\xff\xfe"), frame(b"[" * 100000),
                 frame(b'{"protocol": 2}'), frame(b'{"protocol": 1}') + frame(b"7")):
        link = _link.Link()
        with socket.socket(fileno=os.dup(link.theirs)) as theirs:
            link.begin()
            theirs.sendall(said)
            try:
                link.ask("prompt")
                raise AssertionError("nothing was answered")
            except _link.LinkEnded:
                assert link.problem.startswith("The window cannot be understood"), said
    link = _link.Link()
    with socket.socket(fileno=os.dup(link.theirs)) as theirs:
        link.begin()
        for text in (b'{"protocol": 1}', b'{"id": 99, "value": 1}', b'{"id": [1]}', b'{"event": "more"}', b"{}"):
            theirs.sendall(frame(text))
        try:
            link.ask("prompt", patience=0.5)
            raise AssertionError("answers to what was not asked are nobody's")
        except queue.Empty:
            pass


def check_guide():
    """The blocks of the guide that need a display."""
    blocks = re.findall(r"^```python needs=display\n(.*?)^```$", (GUIDE / "from-python.md").read_text(), re.M | re.S)
    assert len(blocks) == 2, len(blocks)
    names = {"headscope": headscope}
    waits, headscope.Window.wait = headscope.Window.wait, headscope.Window.close  # no user closes it
    for code in blocks:
        exec(compile(code, "from-python.md", "exec"), names)
    headscope.Window.wait = waits
    assert names["window"].ablations == ["L5H1"] and os.path.getsize("without.pdf") > 1000
    names["window"].close()


def check_nothing_is_left():
    """Neither after close nor after Python was killed is there a process or a file."""
    code = ("import headscope, sys\nwindow = headscope.show('demo:dense', 'nothing is left')\nwindow.ablate('L0H0')\n"
            "window.figure('head-grid', 'left.svg')\nprint(window.ablations, flush=True)\nsys.stdin.read()")
    python = subprocess.Popen([sys.executable, "-B", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert python.stdout.readline() == "['L0H0']\n"
    folders = folders_of(python.pid)
    assert any(folder.is_dir() for folder in folders), folders
    python.kill()
    python.wait()
    until(lambda: not left_behind("nothing is left", folders), "a window ends with its Python")

    window = headscope.show("demo:dense", "closed and gone")
    window.figure("head-grid", "gone.svg")
    folders = folders_of(os.getpid())
    assert window._program.folder in folders
    window.close()
    until(lambda: not left_behind("closed and gone", folders), "nothing is left of a window")


def main():
    sys.argv[1] = os.environ["HEADSCOPE"] = Program(sys.argv[1]).path
    os.environ["PYTHONPATH"] = str(PACKAGE)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"):
            os.environ[name] = f"{folder}/{name}"
            os.mkdir(os.environ[name])
        tempfile.tempdir = os.environ["TMPDIR"]
        window = headscope.show("demo:dense", "a b c")
        for check in (check_prompt, check_ablations, check_selection, check_pictures):
            check(window)
            print(check.__name__)
        window.close()
        window.wait()
        assert window._program.process.returncode == 0, "it closes by itself, and leaves nothing to recover"
        for check in (check_several, check_maps, check_ends, check_hostile, check_hostile_window, check_guide,
                      check_nothing_is_left):
            check()
            print(check.__name__)


if not is_installed("numpy"):
    print("skipped: windows: numpy is not installed.")
    sys.exit(77)
import numpy as np

sys.path.insert(0, str(PACKAGE))
import headscope
from headscope import _link

main()
