"""A program that stays and does one command after the other, so that models stay open between them."""
from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import threading
import warnings
from contextlib import ExitStack, suppress
from typing import Any, Callable

from . import _program
from ._guard import Guarded
from ._program import HeadScopeError

_END = b"\x1e"  # and the exit status: a command has ended
_LAST_WORDS = 10.0  # seconds that it has to end
_WIPE = b"\x1b[K"  # before what takes the place of a line
_PROGRESS = re.compile(r"(.+) (\d+) of (\d+)$")


class _Interrupts:
    """Ctrl-C asks the program to end its command in its own way; a second one ends the program."""

    def __init__(self, process: int) -> None:
        self.count = 0
        self._process = process
        self._is_ours = threading.current_thread() is threading.main_thread()  # only there signals can be caught

    def __enter__(self) -> _Interrupts:
        if self._is_ours:
            self._before = signal.signal(signal.SIGINT, self._pass_on)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, self._before)

    def _pass_on(self, *_: object) -> None:
        self.count += 1
        os.kill(self._process, signal.SIGTERM if self.count == 1 else signal.SIGKILL)


class _Bar:
    """A bar of tqdm, where that is installed."""

    def __init__(self, stack: ExitStack, is_wanted: bool) -> None:
        self._stack = stack
        self._bar: Any = None
        self._make: Callable[..., Any] | None = None
        if is_wanted:
            with suppress(ImportError), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the widgets that it would rather have
                from tqdm.auto import tqdm
                self._make = tqdm

    def show(self, what: str, done: int, total: int) -> None:
        if not self._make:
            return
        if not self._bar or (self._bar.desc, self._bar.total) != (what + ": ", total):
            if self._bar:
                self._bar.close()
            self._bar = self._stack.enter_context(self._make(total=total, leave=False))
            self._bar.set_description(what)
        self._bar.update(done - self._bar.n)


class Commands:
    def __init__(self, progress: bool = True) -> None:
        self._progress = progress
        self._program: Guarded | None = None
        self._number = 0  # the program's process
        self._is_spent = False  # it was stopped, and takes no more commands

    def close(self) -> None:
        if self._program is None:
            return
        process = self._program.process
        assert process.stdin
        process.stdin.close()  # no more commands
        self._program.end()  # and the one that runs is stopped
        try:
            process.wait(_LAST_WORDS)
        except subprocess.TimeoutExpired:
            os.kill(self._number, signal.SIGKILL)
            process.wait()
        self._program.output.close()
        self._program = None

    def begin(self) -> Guarded:
        """The program and the folder that its files go to."""
        if self._program is None or self._program.has_ended or self._is_spent:
            self.close()
            self._is_spent = False
            self._program = Guarded([_program.find(), "commands"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, bufsize=0,
                                    env=_program.environment(HEADSCOPE_TERMINAL="1"))
            self._number = int(self._program.output.readline())
        return self._program

    def run(self, words: list[str]) -> bool:
        """Whether it was done to its end; False after Ctrl-C, if the command kept what it had done."""
        program = self.begin()
        assert program.process.stdin
        try:
            program.process.stdin.write(json.dumps(words).encode() + b"\n")
        except BrokenPipeError:
            pass  # what it said before it ended is read below
        printed, status, is_stopped = self._listen(program)
        if is_stopped:
            self._is_spent = True
            return False
        if status is None:
            self._explain(program, words[0], printed)
        if status != 0:
            raise HeadScopeError(_program.sentence(printed))
        for line in printed.splitlines():
            if line.startswith("headscope: "):
                warnings.warn(line.removeprefix("headscope: "), stacklevel=4)
        return True

    def _listen(self, program: Guarded) -> tuple[str, int | None, bool]:
        """What is printed until the command ends, its exit status, and whether the user stopped it."""
        printed, rest = "", b""
        with ExitStack() as stack:
            interrupts = stack.enter_context(_Interrupts(self._number))
            bar = _Bar(stack, self._progress)
            while chunk := os.read(program.output.fileno(), 1 << 16):
                *lines, rest = re.split(rb"[\r\n]", rest + chunk)
                for line in (each.removeprefix(_WIPE) for each in lines):
                    if line.startswith(_END):
                        return printed, int(line[1:]), interrupts.count > 0
                    text = line.decode(errors="replace")
                    if match := _PROGRESS.match(text):
                        bar.show(match[1], int(match[2]), int(match[3]))
                    elif text:
                        printed += text + "\n"
            return printed + rest.decode(errors="replace"), None, interrupts.count > 0

    def _explain(self, program: Guarded, command: str, printed: str) -> None:
        """Throws what became of a program that ended in the middle of a command."""
        status = program.process.wait()
        self.close()
        killed = f" was killed by signal {status - 128}" if status > 128 else f" ended with {status}"
        remedy = ("; if memory ran out, take a shorter prompt or a smaller model" if status == 128 + signal.SIGKILL
                  else f"; it said: {printed.strip()}" if printed.strip() else "")
        raise HeadScopeError(f"The engine{killed} in the middle of \"{command}\"{remedy}. The next call starts it anew.")
