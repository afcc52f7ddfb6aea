"""The program itself: `headscope` and `python -m headscope`."""
import os
import sys

from ._program import HeadScopeError, environment, find


def main() -> None:
    try:
        program = find()
    except HeadScopeError as error:
        sys.exit(f"headscope: {error}")
    os.execve(program, ["headscope", *sys.argv[1:]], environment())


if __name__ == "__main__":
    main()
