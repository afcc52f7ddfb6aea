#!/usr/bin/env python3
"""Saves references of small random models with the guide's function and has the program check itself against them.

Usage: check_reference.py HEADSCOPE. Exits with 77 where transformers is not installed.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from guide import Program, from_guide, is_installed

DEMO = pathlib.Path(__file__).resolve().parents[2] / "resources" / "models" / "demo-dense"
TEXT = 'The opposite of " large " is "'


def main():
    program = Program(sys.argv[1])
    save_reference = from_guide("own-models.md", "save_reference.py")["save_reference"]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        how = dict(dtype=torch.float32, attn_implementation="eager")
        tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(DEMO / "tokenizer.json"))
        model = transformers.AutoModelForCausalLM.from_pretrained(DEMO, **how)
        save_reference("demo.npz", model, tokenizer, TEXT)
        print(program.run("check", "--model", DEMO, "--reference", "demo.npz").strip())
        model.transformer.h[3].mlp.c_proj.weight.data[:, 9] *= 1.01
        save_reference("moved.npz", model, tokenizer, TEXT)
        for arguments in (["--reference", "moved.npz"], ["--reference", "demo.npz", "--ablate", "L0H1"]):
            done = subprocess.run([program.path, "check", "--model", DEMO, *arguments], capture_output=True, text=True)
            assert done.returncode == 1 and "differs from" in done.stderr, done
            print(done.stderr.strip())


if not all(map(is_installed, ("numpy", "torch", "transformers"))):
    print("skipped: a model against its reference: transformers is not installed.")
    sys.exit(77)
import torch
import transformers

main()
