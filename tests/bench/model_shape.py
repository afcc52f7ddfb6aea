#!/usr/bin/env python3
"""Makes a folder of a large model's shape for timing: `headscope bench --ui --model FOLDER`, `headscope sparsify`.

Of its weights in bfloat16, the first layer's attention and the first rows of the embeddings are random, so that
prompts differ; the others are a hole in the file, read as zeros, and take no room on the disk. Its tokenizer has
the words of the prompts in app/desktop/click_bench.cpp and researcher_round.cpp, each one token, and puts <s> before
them; words.txt is a text of them to train on.

Usage: model_shape.py olmo-7b|qwen2.5-1.5b FOLDER
"""
import json
import math
import os
import pathlib
import random
import sys

WORDS = (
    "the dog ran to a big park and saw his old red ball near some tall green trees while it was still very warm "
    "When Mary John went store , store, gave drink"
).split()
START, UNKNOWN = "<s>", "<unk>"
SHAPES = {
    "olmo-7b": {"model_type": "olmo", "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32,
                "hidden_size": 4096, "intermediate_size": 11008, "vocab_size": 50304,
                "max_position_embeddings": 4096, "tie_word_embeddings": False},
    "qwen2.5-1.5b": {"model_type": "qwen2", "num_hidden_layers": 28, "num_attention_heads": 12,
                     "num_key_value_heads": 2, "hidden_size": 1536, "intermediate_size": 8960, "vocab_size": 151936,
                     "max_position_embeddings": 32768, "rms_norm_eps": 1e-6, "rope_theta": 1000000.0,
                     "tie_word_embeddings": True},
}  # fmt: skip


def shapes(config):
    """Shape by name of tensor. OLMo's norms have no weights."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    keys = hidden // config["num_attention_heads"] * config["num_key_value_heads"]
    is_qwen = config["model_type"] == "qwen2"
    yield "model.embed_tokens.weight", (config["vocab_size"], hidden)
    for number in range(config["num_hidden_layers"]):
        layer = f"model.layers.{number}"
        for name, rows in (("q", hidden), ("k", keys), ("v", keys), ("o", hidden)):
            yield f"{layer}.self_attn.{name}_proj.weight", (rows, hidden)
            if is_qwen and name != "o":
                yield f"{layer}.self_attn.{name}_proj.bias", (rows,)
        for name in ("gate", "up"):
            yield f"{layer}.mlp.{name}_proj.weight", (inner, hidden)
        yield f"{layer}.mlp.down_proj.weight", (hidden, inner)
        if is_qwen:
            yield f"{layer}.input_layernorm.weight", (hidden,)
            yield f"{layer}.post_attention_layernorm.weight", (hidden,)
    if is_qwen:
        yield "model.norm.weight", (hidden,)
    else:
        yield "lm_head.weight", (config["vocab_size"], hidden)


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
    if len(sys.argv) != 3 or sys.argv[1] not in SHAPES:
        sys.exit(__doc__)
    config, folder = SHAPES[sys.argv[1]], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / "config.json", config)
    write_json(folder / "tokenizer.json", tokenizer())
    choice = random.Random(1)
    (folder / "words.txt").write_text("\n".join(" ".join(choice.choices(WORDS, k=2000)) for _ in range(200)))
    header, end = {}, 0
    for name, shape in shapes(config):
        begin, end = end, end + 2 * math.prod(shape)
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(folder / "model.safetensors", "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + end)
        for name, tensor in header.items():
            count = math.prod(tensor["shape"])
            if name in ("model.embed_tokens.weight", "lm_head.weight"):
                count = config["hidden_size"] * 64  # of more words than there are
            elif not name.startswith("model.layers.0.self_attn") and "norm" not in name:
                continue
            file.seek(8 + len(text) + tensor["data_offsets"][0])
            file.write(random_bfloat16(count))


if __name__ == "__main__":
    main()
