#!/usr/bin/env python3
"""Writes tests/golden/tokenizers/real: real tokenizers, cut down, with the ids that Hugging Face gives.

    python3 tests/golden/real_tokenizers.py FOLDER

Needs the `tokenizers` package (written with 0.23.3). FOLDER/NAME/tokenizer.json is the whole tokenizer
of each NAME below. Of its vocabulary what texts.json and real/lines.txt need is kept, and its first merges,
so that others compete with those; ids are the real ones. README.md there says where they come from.
"""

import json
import sys
from pathlib import Path

from tokenizers import Tokenizer
from tokenizer_ids import OUTPUT, TEXTS, digest, expected, text_of

NAMES = ("gpt2", "gpt-neox-olmo", "dolma2", "qwen2.5", "smollm2", "stories260K")
FIRST_MERGES = 2000
REAL = OUTPUT / "real"


def lines():
    return (REAL / "lines.txt").read_text(encoding="utf-8").split("\n")


def pair_of(merge):
    return tuple(merge.split(" ")) if isinstance(merge, str) else tuple(merge)


def most_ids(tokens):
    """Ids above this are taken for a damaged file; see core/text/model_factory.cpp."""
    return 65536 + 8 * tokens


def cut_down(data, texts):
    # Added tokens that the vocabulary lacks would get ids behind its last one, which is another one now.
    vocabulary = data["model"]["vocab"] | {token["content"]: token["id"] for token in data["added_tokens"]}
    merges = [pair_of(merge) for merge in data["model"]["merges"]]
    rank = {"".join(merge): place for place, merge in reversed(list(enumerate(merges)))}
    tokenizer = Tokenizer.from_str(json.dumps(data))
    kept = {t for t in vocabulary if t not in rank}  # bytes and special tokens
    wanted = {t for text in texts for t in tokenizer.encode(text).tokens}
    first = FIRST_MERGES
    while True:
        todo = wanted | {"".join(merge) for merge in merges[:first]}
        while todo:
            token = todo.pop()
            if token not in kept and token in vocabulary:
                kept.add(token)
                todo.update(merges[rank[token]])
        if len(kept) == len(vocabulary) or max(vocabulary[t] for t in kept) < most_ids(len(kept)):
            break
        first += 500
    data["model"]["vocab"] = {t: i for t, i in vocabulary.items() if t in kept}
    data["model"]["merges"] = [" ".join(m) for m in merges if {*m, "".join(m)} <= kept]
    return data


def main():
    folder = Path(sys.argv[1])
    texts = [text_of(item) for item in TEXTS] + lines()
    for name in NAMES:
        file = folder / name / "tokenizer.json"
        whole = Tokenizer.from_file(str(file))
        data = cut_down(json.loads(file.read_text(encoding="utf-8")), texts)
        small = Tokenizer.from_str(json.dumps(data))
        for text in texts:
            assert small.encode(text).ids == whole.encode(text).ids, (name, text[:80])
        ids = [encoding.ids for encoding in whole.encode_batch(lines())]
        golden = {"tokenizer": data, "ids": expected(whole), "lines": {"tokens": sum(map(len, ids)), "digest": digest(ids)}}
        text = json.dumps(golden, ensure_ascii=False, separators=(",", ":"))
        (REAL / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(name, len(data["model"]["vocab"]), "tokens", len(text) // 1000, "kB")


if __name__ == "__main__":
    main()
