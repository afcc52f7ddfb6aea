#!/usr/bin/env python3
"""Makes a folder of OLMo-7B's shape for timing: `headscope bench --ui --model FOLDER`.

Of its 13.8 GB of bfloat16 weights, the first layer's attention and the first rows of the embeddings are random, so that
prompts differ; the others are a hole in the file, read as zeros, and take no room on the disk. Its tokenizer has
the words of the prompts in app/desktop/click_bench.cpp and researcher_round.cpp, each one token, and puts <s> before them.

Usage: olmo7b_shape.py FOLDER
"""
import json
import os
import pathlib
import sys

WORDS = (
    "the dog ran to a big park and saw his old red ball near some tall green trees while it was still very warm "
    "When Mary John went store , store, gave drink"
).split()
START, UNKNOWN = "<s>", "<unk>"
LAYERS, HEADS, HIDDEN, INNER, VOCABULARY = 32, 32, 4096, 11008, 50304


def shapes():
    """Shape by name of tensor. OLMo's norms have no weights."""
    yield "model.embed_tokens.weight", (VOCABULARY, HIDDEN)
    for layer in range(LAYERS):
        for name in "qkvo":
            yield f"model.layers.{layer}.self_attn.{name}_proj.weight", (HIDDEN, HIDDEN)
        for name in ("gate", "up"):
            yield f"model.layers.{layer}.mlp.{name}_proj.weight", (INNER, HIDDEN)
        yield f"model.layers.{layer}.mlp.down_proj.weight", (HIDDEN, INNER)
    yield "lm_head.weight", (VOCABULARY, HIDDEN)


def tokenizer():
    """Of whole words, in the format of Hugging Face's tokenizers."""
    names = [START, UNKNOWN, *WORDS]
    special = [{"id": number, "content": name, "single_word": False, "lstrip": False, "rstrip": False,
                "normalized": False, "special": True} for number, name in enumerate((START, UNKNOWN))]  # fmt: skip
    start, text = {"SpecialToken": {"id": START, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [start, text],
            "pair": [start, text, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {START: {"id": START, "ids": [0], "tokens": [START]}},
        },
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {name: number for number, name in enumerate(names)},
            "unk_token": UNKNOWN,
        },
    }


def random_bfloat16(count):
    """Numbers between 1/128 and 1/64, and their negatives."""
    low, high = bytes(byte & 0x7F for byte in range(256)), bytes(0x3C | byte & 0x80 for byte in range(256))
    number = bytearray(2 * count)
    number[0::2], number[1::2] = os.urandom(count).translate(low), os.urandom(count).translate(high)
    return number


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    config = {"model_type": "olmo", "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "hidden_size": HIDDEN,
              "intermediate_size": INNER, "vocab_size": VOCABULARY, "max_position_embeddings": 4096,
              "tie_word_embeddings": False}
    write_json(folder / "config.json", config)
    write_json(folder / "tokenizer.json", tokenizer())
    header, end = {}, 0
    for name, shape in shapes():
        begin, end = end, end + 2 * shape[0] * shape[1]
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + end)
        for name in header:
            if name.startswith("model.layers.0.self_attn"):
                count = HIDDEN * HIDDEN
            elif name in ("model.embed_tokens.weight", "lm_head.weight"):
                count = HIDDEN * 64  # of more words than there are
            else:
                continue
            file.seek(8 + len(text) + header[name]["data_offsets"][0])
            file.write(random_bfloat16(count))


if __name__ == "__main__":
    main()
