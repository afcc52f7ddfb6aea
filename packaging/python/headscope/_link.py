"""Questions to a program, and what it tells by itself, over a socket that only it and this Python have."""
from __future__ import annotations

import fcntl
import json
import os
import queue
import socket
import struct
import threading
import traceback
from contextlib import suppress
from typing import Any, Callable

from ._program import HeadScopeError

_PROTOCOL = 1
_LARGEST_QUESTION = 1 << 20  # bytes, as the program reads them
_LARGEST_ANSWER = 64 << 20
_LENGTH = struct.Struct("<I")  # before each message


class LinkEnded(Exception):
    """The program has closed its end."""


class Link:
    """Messages are JSON; core/remote/window_messages.h says which. Any thread may ask."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self.theirs = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, 10)  # for the program; see Guarded
        self.problem = ""  # why it was given up, if that was not the program's end
        self._asking = threading.Lock()
        self._count = 0
        self._answers: dict[int, queue.SimpleQueue[Any]] = {}  # to questions that wait for one; None: there will be none
        self._has_ended = False
        self._callbacks: list[Callable[[Any], None]] = []
        self._told: queue.SimpleQueue[Any] = queue.SimpleQueue()  # None: that was all

    def begin(self) -> None:
        """Once the program has been started."""
        os.close(self.theirs)
        self._send({"protocol": _PROTOCOL})
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, what: str, patience: float | None = None, **more: Any) -> Any:
        """The answer; waits for it, or for so many seconds and then throws queue.Empty."""
        answer: queue.SimpleQueue[Any] = queue.SimpleQueue()
        with self._asking:
            if self._has_ended:
                raise LinkEnded
            self._count += 1
            self._answers[self._count] = answer
            self._send({"id": self._count, "do": what, **more})
        message = answer.get(timeout=patience)
        if message is None:
            raise LinkEnded
        if "problem" in message:
            raise HeadScopeError(str(message["problem"]))
        return message.get("value")

    def listen(self, callback: Callable[[Any], None]) -> None:
        """Calls it with what the program tells, from a thread of its own, which may ask."""
        self._callbacks.append(callback)
        if len(self._callbacks) == 1:
            threading.Thread(target=self._tell, daemon=True).start()

    def _send(self, message: dict[str, Any]) -> None:
        text = json.dumps(message).encode()
        if len(text) > _LARGEST_QUESTION:
            self._answers.pop(message.get("id", 0), None)
            raise HeadScopeError(f"That is {len(text) / 1e6:.1f} MB, and a window reads {_LARGEST_QUESTION >> 20} MiB at "
                                 "most; send less at a time.")
        try:
            self._socket.sendall(_LENGTH.pack(len(text)) + text)
        except OSError:
            pass  # the reader notices that it has ended
        except BaseException:
            self._hang_up()  # half a message cannot be taken back
            raise

    def _hang_up(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _read(self) -> None:
        try:
            with self._socket.makefile("rb") as stream:
                if (hello := self._next(stream)) is not None and hello.get("protocol") != _PROTOCOL:
                    raise ValueError("it speaks another protocol; install package and program in the same version")
                while (message := self._next(stream)) is not None:
                    self._take(message)
        except OSError:
            pass  # the program was ended amid a message
        except (ValueError, RecursionError) as error:
            self.problem = self.problem or f"The window cannot be understood: {error}."
        finally:
            self._hang_up()
            with self._asking:
                self._has_ended = True
                for answer in self._answers.values():
                    answer.put(None)
            self._told.put(None)
            self._socket.close()

    def _next(self, stream: Any) -> dict[str, Any] | None:
        head = stream.read(_LENGTH.size)
        if len(head) < _LENGTH.size:
            return None
        length, = _LENGTH.unpack(head)
        if length > _LARGEST_ANSWER:
            raise ValueError(f"it sent {length} bytes at once")
        text = stream.read(length)
        if len(text) < length:
            return None
        message = json.loads(text)
        if not isinstance(message, dict):
            raise ValueError("it sent something else than a message")
        return message

    def _take(self, message: dict[str, Any]) -> None:
        if "event" in message:
            if message["event"] == "selection" and self._callbacks:
                self._told.put(message.get("value"))
        elif "id" not in message:
            self.problem = str(message.get("problem", ""))
        elif isinstance(message["id"], int) and (answer := self._answers.pop(message["id"], None)):
            answer.put(message)

    def _tell(self) -> None:
        while (value := self._told.get()) is not None:
            for callback in list(self._callbacks):
                try:
                    callback(value)
                except Exception:
                    traceback.print_exc()  # and the next one is called all the same
