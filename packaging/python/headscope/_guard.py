"""Programs and private folders that end with this Python, however it ends."""
from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path
from typing import IO, Any, Sequence

# Waits beside the program. The pipe's end is that of Python: nobody else holds its other side.
_SCRIPT = """
folder=$1 life=/proc/self/fd/$2
shift 2
if [ $# -eq 0 ]; then
    read -r _ <"$life"
    rm -rf -- "$folder"
    exit
fi
exec 3<&0
/bin/sh -c 'echo $$; exec "$@"' headscope "$@" <&3 3<&- &
program=$!
exec </dev/null >/dev/null 2>&1 3<&-  # who reads what the program prints may be gone before it
{ read -r _ <"$life"; kill $program; } &
watch=$!
wait $program
status=$?
kill $watch
rm -rf -- "$folder"
exit $status
"""


class Guarded:
    """A folder that only this user can read, in memory where the system has such folders, and a program beside it if
    words are given. When this object or this Python is gone, the program is ended and the folder removed; when the
    program ends by itself, the folder is removed as well. The program's first line of output is its process.
    Descriptors that it is to have, `pass_fds`, have numbers from 10 on."""

    def __init__(self, words: Sequence[str | Path] = (), **how: Any) -> None:
        memory = "/dev/shm"
        self.folder = Path(tempfile.mkdtemp(prefix="headscope-", dir=memory if os.access(memory, os.W_OK) else None))
        end, life = os.pipe()
        watched = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)  # the shell has the numbers below for itself
        os.close(end)
        how = {"stdin": subprocess.DEVNULL} | how | {"pass_fds": [watched, *how.get("pass_fds", ())]}
        try:
            self.process: subprocess.Popen[Any] = subprocess.Popen(
                ["/bin/sh", "-c", _SCRIPT, "headscope-guard", self.folder, str(watched), *words],
                start_new_session=True, **how)
        except BaseException:
            os.close(life)
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        finally:
            os.close(watched)
        self.end = weakref.finalize(self, os.close, life)

    @property
    def output(self) -> IO[bytes]:
        assert self.process.stdout
        return self.process.stdout

    @property
    def has_ended(self) -> bool:
        return self.process.poll() is not None
