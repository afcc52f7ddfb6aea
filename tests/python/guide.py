"""What the checks of the guide's Python share: its blocks and the program."""
import importlib.util
import json
import pathlib
import re
import subprocess

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "resources" / "guide"


def is_installed(module):
    return importlib.util.find_spec(module) is not None


def from_guide(page, file):
    """What the page's block with this name defines."""
    block = re.search(r"^```python file=" + re.escape(file) + r"\n(.*?)^```$", (GUIDE / page).read_text(), re.M | re.S)
    names = {}
    exec(compile(block.group(1), file, "exec"), names)
    return names


class Program:
    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())

    def run(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stderr)
        return done.stdout

    def metrics(self, source):
        return json.loads(self.run("metrics", "--model", source, "--json", "-"))

    def picture(self, source):
        file = f"{source}.png".replace("#", "-")
        self.run("view", source, "--out", file)
        assert pathlib.Path(file).read_bytes().startswith(b"\x89PNG"), file
