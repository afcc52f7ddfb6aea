#!/usr/bin/env python3
"""Runs the Python of the guide's page From Python, block by block, and the notebook where jupyter is installed.

Usage: check_from_python.py HEADSCOPE. Exits with 77 where numpy is not installed.
"""
import os
import re
import sys
import tempfile

from guide import GUIDE, PACKAGE, ROOT, Program, is_installed


def check_blocks():
    """Every block does what it says, in the order of the page."""
    names = {}
    blocks = re.findall(r"^```python([^\n]*)\n(.*?)^```$", (GUIDE / "from-python.md").read_text(), re.M | re.S)
    assert len(blocks) >= 6, len(blocks)
    for marks, code in blocks:
        if "needs=" in marks:
            continue
        if "to_pandas" in code and not is_installed("pandas"):
            print("skipped: the guide's table of pandas: it is not installed.")
            continue
        exec(compile(code, "from-python.md", "exec"), names)
    assert names["run"].rows[0]["text"] == "small" and names["without"].rows[0]["text"] != "small"
    assert "<html" in names["page"].data and os.path.getsize("attribution.pdf") > 1000
    names["engine"].close()


def check_notebook():
    """Every cell runs, and pages are in the outputs."""
    if not all(map(is_installed, ("nbclient", "ipykernel", "pandas"))):
        print("skipped: the notebook: nbclient, ipykernel or pandas is not installed.")
        return
    import nbclient
    import nbformat

    notebook = nbformat.read(ROOT / "resources" / "notebooks" / "heads.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "the repository keeps no outputs"
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    shown = [output["data"]["text/html"] for cell in notebook.cells for output in cell.get("outputs", [])
             if "text/html" in output.get("data", {})]
    assert sum(html.startswith("<iframe srcdoc=") for html in shown) == 3, len(shown)


def main():
    os.environ["HEADSCOPE"] = Program(sys.argv[1]).path
    os.environ["PYTHONPATH"] = str(PACKAGE)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(name, None)  # pages alone
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_blocks()
        check_notebook()


if not is_installed("numpy"):
    print("skipped: the guide's Python: numpy is not installed.")
    sys.exit(77)
sys.path.insert(0, str(PACKAGE))
main()
