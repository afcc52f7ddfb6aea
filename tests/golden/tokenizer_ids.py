#!/usr/bin/env python3
"""Writes the token ids that the tests of core/text expect, as Hugging Face tokenizers gives them.

    python3 tests/golden/tokenizer_ids.py

Needs the `tokenizers` package (written with 0.23.3). Trains a small tokenizer of each style on the
text below and writes tests/golden/tokenizers/<style>.json with its ids for the texts of texts.json.
"""

import json
import struct
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

OUTPUT = Path(__file__).resolve().parent / "tokenizers"
LONGEST_SPELT_OUT = 400  # ids; longer lists are kept as a digest

TRAINING = [
    "The quick brown fox jumps over the lazy dog, and the dog doesn't mind it at all.",
    "Once upon a time there was a little girl who had 1234 marbles; she'd lost 56 of them!",
    "def main():\n    for i in range(10):\n\t\tprint(f\"{i}: {i * i}\")\n\n    return 0\n",
    "Übermäßig schöne Straßen, déjà vu, naïve façade, señor, smörgåsbord.",
    "日本語のテキストと中文文本。한국어 문장. Привет, мир! שלום עולם. مرحبا بالعالم",
    "I'll say it's what we've got, they're here, I'm sure; 'TIS DON'T WE'LL.",
] * 3

TEXTS = [
    "", " ", "   ", "\t", "\n\n\n", " \t\n\r\n  ", "Once upon a time", " The girl ", "the  quick   brown    fox",
    "It's we'll DON'T I'M they'Ve 'ſ", "1 12 123 1234 12345678 ½ ² ⅷ ١٢٣",
    "def f(x):\n    return x\n\n\n\tpass  # done\n", "a.b,c!d?e;f:g-h_i/j\\k(l)[m]{n}<o>|p~q`r^s$t",
    "👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈", "e\u0301 a\u0323\u0302 \u0301x n\u0303", "\u1100\u1161\u11a8 가\u11a8 각",
    "日本語のテキスト、中文文本。", "שלום עולם مرحبا بالعالم", "a\u0085b \u0085\u0085c", "a\u180eb \u180e \u180ec",
    "\ufeffBOM \ufeff", "\x00\x01\x1b\x1c\x1d\x1e\x1f \x7f\x9f", "a\u00a0b\u3000c\u2003d\u200be\u2028f\u2029g",
    "ﬁ Å Ⅷ ㌀ ｶﾞ ①② ™", "İIıß ẞ Σσς ΑΣ ǅ", "\U00011f02\U00031350 \U0001e4d0\U00010d40 \U0001fae8",
    "<s>a</s> <unk>b<|endoftext|> c <|begin_of_text|>", "[M][M] x[M]y  [M]  z", "▁ ▁▁a ĠĠa <0x0A> <0xE3>",
    "x STOP  y", "STOPS nonSTOP STOP, STOP", "Keep keep KEEP",
    {"unit": "a", "times": 100000}, {"unit": "the", "times": 3000}, {"unit": " ", "times": 2000},
    {"unit": "\n", "times": 500}, {"unit": "е\u0301", "times": 300},
]

LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
          r"|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
POSSESSIVE = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
              r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s")
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def byte_level_alphabet():
    return sorted(pre_tokenizers.ByteLevel.alphabet())


def bpe(pre_tokenizer=None, normalizer=None, decoder=None, alphabet=(), special=(), size=420, plain=(), **options):
    """`plain` tokens are in the vocabulary without being added tokens."""
    tokenizer = Tokenizer(models.BPE(**options))
    if pre_tokenizer:
        tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    if decoder:
        tokenizer.decoder = decoder
    affixes = {k: options[k] for k in ("continuing_subword_prefix", "end_of_word_suffix") if k in options}
    trainer = trainers.BpeTrainer(vocab_size=size, show_progress=False, initial_alphabet=list(alphabet),
                                  special_tokens=[*special, *plain], **affixes)
    tokenizer.train_from_iterator(TRAINING, trainer)
    data = json.loads(tokenizer.to_str())
    data["added_tokens"] = [t for t in data["added_tokens"] if t["content"] not in plain]
    return data


def word_level(pre_tokenizer):
    tokenizer = Tokenizer(models.WordLevel(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.train_from_iterator(TRAINING, trainers.WordLevelTrainer(special_tokens=["<unk>"], show_progress=False))
    return json.loads(tokenizer.to_str())


def with_bos(data, token):
    ids = [next(t["id"] for t in data["added_tokens"] if t["content"] == token)]
    template = {"type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": token, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {token: {"id": token, "ids": ids, "tokens": [token]}}}
    byte_level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": False, "use_regex": True}
    uses_bytes = data["decoder"]["type"] == "ByteLevel"
    data["post_processor"] = {"type": "Sequence", "processors": [byte_level, template]} if uses_bytes else template
    return data


def with_added(data, *tokens):
    tokenizer = Tokenizer.from_str(json.dumps(data))
    for token in tokens:
        tokenizer.add_tokens([token])
    return json.loads(tokenizer.to_str())


def split(pattern, behavior, invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def byte_level(**options):
    return pre_tokenizers.ByteLevel(**{"add_prefix_space": False, "use_regex": True, **options})


def byte_bpe(*steps, **options):
    steps = steps or (byte_level(),)
    return bpe(pre_tokenizer=pre_tokenizers.Sequence(list(steps)) if len(steps) > 1 else steps[0],
               decoder=decoders.ByteLevel(), alphabet=byte_level_alphabet(), **options)


def mapped(pattern, behavior="isolated", invert=False, **options):
    return byte_bpe(split(pattern, behavior, invert), byte_level(use_regex=False), **options)


def sentence_piece(prepend_scheme=None, split_words=True, **options):
    """Llama's: spaces as a mark and bytes for what is not in the vocabulary."""
    common = {"unk_token": "<unk>", "byte_fallback": True, "fuse_unk": True, "special": ["<unk>", "<s>", "</s>"],
              "plain": BYTES, "size": 420, **options}
    strip = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    if prepend_scheme is None:
        normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
        trained = bpe(pre_tokenizer=pre_tokenizers.Metaspace(), decoder=decoders.Sequence(strip), **common)
        trained["pre_tokenizer"] = None
        trained["normalizer"] = json.loads(tokenizer_with(normalizer).to_str())["normalizer"]
        return trained
    metaspace = {"replacement": "▁", "prepend_scheme": prepend_scheme, "split": split_words}
    return bpe(pre_tokenizer=pre_tokenizers.Metaspace(**metaspace), decoder=decoders.Metaspace(**metaspace), **common)


def tokenizer_with(normalizer):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizer
    return tokenizer


def pairs_as_text(data):
    """Merges as older files write them: "a b" instead of ["a", "b"]."""
    data["model"]["merges"] = [" ".join(pair) for pair in data["model"]["merges"]]
    return data


def styles():
    P, N = pre_tokenizers, normalizers
    bare = {"special": ["<unk>"], "unk_token": "<unk>", "size": 260}
    return {
        "gpt2": pairs_as_text(byte_bpe(special=["<|endoftext|>"])),
        "gpt2_prefix_space": byte_bpe(byte_level(add_prefix_space=True)),
        "neox": with_added(byte_bpe(special=["<|endoftext|>"], normalizer=N.NFC()),
                           *[AddedToken(" " * n, normalized=True) for n in range(12, 1, -1)]),
        "llama3": with_bos(mapped(LLAMA3, special=["<|begin_of_text|>"], ignore_merges=True), "<|begin_of_text|>"),
        "qwen2": mapped(QWEN2, normalizer=N.NFC(), special=["<|endoftext|>"]),
        "dolma2": mapped(LLAMA3, "removed", True, special=["<|endoftext|>"]),
        "possessive": mapped(POSSESSIVE),
        "llama2": with_bos(pairs_as_text(sentence_piece()), "<s>"),
        "metaspace_first": with_bos(sentence_piece("first", False), "<s>"),
        "metaspace_always": sentence_piece("always"),
        "metaspace_never": sentence_piece("never"),
        "word_level_whitespace": word_level(P.Whitespace()),
        "word_level_whitespace_split": word_level(P.WhitespaceSplit()),
        "word_level_punctuation": word_level(P.Sequence([P.WhitespaceSplit(), P.Punctuation("removed"), P.Digits(True)])),
        "split_previous": mapped(r"\s", "merged_with_previous"),
        "split_next": mapped(r"\w+", "merged_with_next"),
        "split_contiguous": mapped(r"[\p{P}\p{S}]", "contiguous"),
        "split_literal": byte_bpe(P.Split(" ", "removed"), P.Split("e", "merged_with_next", True), P.Digits(False),
                                  byte_level(use_regex=False)),
        "split_syntax": byte_bpe(split(r"(?i:keep)|\p{Han}+|[^\S\n]+|\bthe\b|[[:punct:]]|x{,2}y", "isolated"),
                                 byte_level(use_regex=False)),
        "normalizers": bpe(normalizer=N.Sequence([N.NFKD(), N.Lowercase(), N.Strip(), N.Replace(Regex(r"\s+"), "_")]), **bare),
        "nfkc_drop": bpe(normalizer=N.NFKC(), pre_tokenizer=P.Whitespace(), size=200),
        "nfd_unknown": bpe(normalizer=N.NFD(), pre_tokenizer=P.Whitespace(), fuse_unk=True, **bare),
        "affixes": bpe(pre_tokenizer=P.Whitespace(), continuing_subword_prefix="##", end_of_word_suffix="</w>",
                       decoder=decoders.WordPiece("##"), **bare),
        "added_tokens": with_added(
            byte_bpe(special=["<|endoftext|>"], normalizer=N.Lowercase()),
            AddedToken("[M]", lstrip=True, rstrip=True), AddedToken("STOP", single_word=True, normalized=False),
            AddedToken("keep", normalized=True), AddedToken("<s>", rstrip=True, special=True, normalized=False),
            AddedToken("</s>", lstrip=True, special=True, normalized=False)),
    }


def text_of(item):
    return item if isinstance(item, str) else item["unit"] * item["times"]


def digest(lists):
    """FNV-1a, 64 bits, over the ids as little-endian 64-bit integers, each list closed by -1."""
    value = 0xCBF29CE484222325
    for ids in lists:
        for byte in struct.pack(f"<{len(ids) + 1}q", *ids, -1):
            value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def expected(tokenizer):
    out = []
    for item in TEXTS:
        ids = tokenizer.encode(text_of(item)).ids
        out.append(ids if len(ids) <= LONGEST_SPELT_OUT else {"count": len(ids), "digest": digest([ids])})
    return out


def write(name, content):
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (OUTPUT / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def main():
    OUTPUT.mkdir(exist_ok=True)
    write("texts", TEXTS)
    for name, data in styles().items():
        tokenizer = Tokenizer.from_str(json.dumps(data))
        write(name, {"tokenizer": data, "ids": expected(tokenizer)})


if __name__ == "__main__":
    main()
