#!/usr/bin/env python3
"""Writes tests/golden/chats.json: chats, and the text and tokens that transformers makes of them.

    python3 tests/golden/chats.py FOLDER

Needs the `transformers` package (written with 5.23.0). FOLDER/NAME.jinja is the chat template of each NAME below, as the
family's tokenizer_config.json has it; templates are not kept here. Tokens are those of a small tokenizer of the family's
style (tests/golden/tokenizers) with the family's special tokens added.
"""

import json
import sys
from pathlib import Path

from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast

HERE = Path(__file__).resolve().parent
STRIPPED = {"lstrip": False, "rstrip": True}  # Phi-3's tokens take the white space after them

# name: style, special tokens, begin of text, end of text
FAMILIES = {
    "chatml": ("gpt2", ["<|im_start|>", "<|im_end|>"], None, "<|im_end|>"),
    "smollm2": ("real/smollm2", ["<|im_start|>", "<|im_end|>"], "<|im_start|>", "<|im_end|>"),
    "qwen2": ("real/qwen2.5", ["<|im_start|>", "<|im_end|>"], None, "<|im_end|>"),
    "qwen2.5": ("real/qwen2.5", ["<|im_start|>", "<|im_end|>"], None, "<|im_end|>"),
    "qwen3": ("qwen2", ["<|im_start|>", "<|im_end|>", "<think>", "</think>"], None, "<|im_end|>"),
    "olmo2": ("real/dolma2", ["<|endoftext|>"], "<|endoftext|>", "<|endoftext|>"),
    "olmo3": ("real/dolma2", ["<|im_start|>", "<|im_end|>", "<|endoftext|>"], "<|endoftext|>", "<|endoftext|>"),
    "olmo3.1": ("real/dolma2", ["<|im_start|>", "<|im_end|>", "<|endoftext|>"], "<|endoftext|>", "<|endoftext|>"),
    "llama2": ("llama2", ["<s>", "</s>"], "<s>", "</s>"),
    "llama3": ("llama3", ["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"],
               "<|begin_of_text|>", "<|eot_id|>"),
    "llama3.1": ("llama3", ["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"],
                 "<|begin_of_text|>", "<|eot_id|>"),
    "llama3.2": ("llama3", ["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"],
                 "<|begin_of_text|>", "<|eot_id|>"),
    "gemma2": ("metaspace_never", ["<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>"], "<bos>", "<eos>"),
    "gemma3": ("metaspace_never", ["<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>"], "<bos>", "<eos>"),
    "mistral-v1": ("llama2", ["<s>", "</s>"], "<s>", "</s>"),
    "mistral-v3": ("llama2", ["<s>", "</s>", "[INST]", "[/INST]"], "<s>", "</s>"),
    "mistral-nemo": ("llama3", ["<s>", "</s>", "[INST]", "[/INST]"], "<s>", "</s>"),
    "mixtral": ("llama2", ["<s>", "</s>"], "<s>", "</s>"),
    "phi3": ("llama2", ["<s>", ("<|endoftext|>", {}), ("<|user|>", STRIPPED), ("<|assistant|>", STRIPPED),
                        ("<|system|>", STRIPPED), ("<|end|>", STRIPPED)], "<s>", "<|endoftext|>"),
    "phi4": ("llama3", ["<|im_start|>", "<|im_end|>", "<|im_sep|>"], None, "<|im_end|>"),
    "zephyr": ("llama2", ["<s>", "</s>"], "<s>", "</s>"),
    "tinyllama": ("llama2", ["<s>", "</s>"], "<s>", "</s>"),
}

SYSTEM = ("system", "You answer in one word.")
CHATS = [
    [("user", "Hello")],
    [SYSTEM, ("user", "What is the capital of France?")],
    [("user", "Hello"), ("assistant", "Hi there"), ("user", "Who are you?")],
    [SYSTEM, ("user", "Hello"), ("assistant", "Hi there"), ("user", "Who are you?"), ("assistant", "A model."),
     ("user", "Another question")],
    [("user", "Hello"), ("assistant", "Hi there.")],
    [SYSTEM, ("user", "Hello"), ("assistant", "Hi there.")],
    [("system", " \n spaces around \n"), ("user", "\n\n  more of them\t "), ("assistant", "  and \n here \n\n"),
     ("user", " the last ")],
    [("user", "\u00a0\u2003\u3000 wide \x1c\x1f\u2029"), ("assistant", "\u00a0 é 日本語のテキスト \u3000"),
     ("user", "👩‍👩‍👧‍👦 \u0085")],
    [("user", "")],
    [("system", ""), ("user", "Hello")],
    [("system", "S"), ("user", "   ")],
    [("user", "2 + 2?"), ("assistant", "<think>\nTwo and two.\n\n</think>\n\nFour."), ("user", "And 3?")],
    [("user", "2 + 2?"), ("assistant", "<think>\nTwo and two.\n</think>\n\nFour.")],
    [("user", "2 + 2?"), ("assistant", "\n\nFour.</think>\nno <think> before")],
    [("user", "Go on"), ("assistant", "one"), ("assistant", "<think>x</think>two"), ("assistant", "three")],
    [("user", "one"), ("user", "two")],
    [("assistant", "I begin."), ("user", "Go on")],
    [("user", "def main():\n    for i in range(10):\n\t\tprint(i)\n\nWhat's this?"),
     ("assistant", "1. It's code;\n2. we've seen it!"), ("user", "<|im_end|>[/INST]</s><end_of_turn>{{ bos_token }}")],
]


def messages_of(chat):
    return [{"role": role, "content": content} for role, content in chat]


def tokenizer_json(style, special):
    data = json.loads((HERE / "tokenizers" / f"{style}.json").read_text(encoding="utf-8"))["tokenizer"]
    known = {token["content"] for token in data["added_tokens"]}
    following = 1 + max([*data["model"]["vocab"].values(), *(token["id"] for token in data["added_tokens"])])
    added = []
    for item in special:
        content, flags = item if isinstance(item, tuple) else (item, {})
        if content in known:
            continue
        token = {"id": data["model"]["vocab"].get(content, following), "content": content, "single_word": False,
                 "lstrip": False, "rstrip": False, "normalized": False, "special": True} | flags
        following += token["id"] == following
        added.append(token)
    data["added_tokens"] = data["added_tokens"] + added
    return data, added


def main():
    folder = Path(sys.argv[1])
    golden = []
    for name, (style, special, bos, eos) in FAMILIES.items():
        data, added = tokenizer_json(style, special)
        tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(json.dumps(data)), bos_token=bos,
                                            eos_token=eos)
        tokenizer.chat_template = (folder / f"{name}.jinja").read_text(encoding="utf-8")
        date = {"date_string": "01 Feb 2025"} if name == "llama3.2" else {}
        made = []
        for number, chat in enumerate(CHATS):
            options = {"add_generation_prompt": chat[-1][0] != "assistant"} | date
            try:
                text = tokenizer.apply_chat_template(messages_of(chat), tokenize=False, **options)
                ids = tokenizer.apply_chat_template(messages_of(chat), tokenize=True, return_dict=False, **options)
                made.append({"text": text, "ids": ids})
            except Exception as refusal:
                assert "TemplateError" in type(refusal).__name__, (name, number, refusal)
                made.append(None)
        golden.append({"template": name, "style": style, "added": added, "bos": bos,
                       "date": date.get("date_string", ""), "chats": made})
    with open(HERE / "chats.json", "w", encoding="utf-8") as file:
        json.dump({"chats": [messages_of(chat) for chat in CHATS], "families": golden}, file, ensure_ascii=False,
                  separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main()
