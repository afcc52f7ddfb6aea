"""What the checks of the guide's Python share: its blocks and the program."""
import importlib.util
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "resources" / "guide"
PACKAGE = ROOT / "packaging" / "python"


def is_installed(module):
    return importlib.util.find_spec(module) is not None


def from_guide(page, file):
    """What the page's block with this name defines."""
    block = re.search(r"^```python file=" + re.escape(file) + r"\n(.*?)^```$", (GUIDE / page).read_text(), re.M | re.S)
    names = {}
    exec(compile(block.group(1), file, "exec"), names)
    return names


def small_lens_model():
    """Random weights; a TransformerBridge, or what came before version 4."""
    sizes = dict(n_layers=2, d_model=32, n_ctx=16, d_head=8, n_heads=4, d_mlp=48, d_vocab=50, act_fn="gelu", seed=0)
    try:
        from transformer_lens import HookedTransformer, HookedTransformerConfig
        return HookedTransformer(HookedTransformerConfig(**sizes, device="cpu"))
    except ImportError:
        from transformer_lens import TransformerBridge, TransformerBridgeConfig
        return TransformerBridge.boot_native(TransformerBridgeConfig(**sizes), device="cpu")


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
