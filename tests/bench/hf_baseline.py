#!/usr/bin/env python3
"""Times what `headscope bench --gpu` does with transformers, on the same GPU.

    python3 tests/bench/hf_baseline.py baseline.json
    headscope bench --gpu --baseline baseline.json

Needs torch with CUDA and transformers 5. Models of the shapes of GPT-2 small (float32, TF32 off) and
OLMo-7B (bfloat16) with random weights run a prompt with eager attention and output_attentions=True, which
is how all maps are had there, and once more with scaled_dot_product_attention, which gives none. Logits are
asked for at the last position alone, as HeadScope does. Writes milliseconds, medians, of each case:

    maps_on_device_ms   until all maps are on the GPU
    maps_on_host_ms     until they are in host memory as float16
    sdpa_ms             without maps
"""

import argparse
import json
import statistics
import time

import torch
import transformers
from transformers import AutoModelForCausalLM, GPT2Config, OlmoConfig

WARM_UPS = 3
HOST_ROUNDS = 10  # copies of gigabytes are slow and vary little

# Name, configuration, type and the lengths of its prompts, as in core/bench/gpu_benchmark.cpp.
CASES = (
    ("gpt2", GPT2Config(), torch.float32, (64, 1024)),
    (
        "olmo7b",
        OlmoConfig(
            num_hidden_layers=32,
            num_attention_heads=32,
            hidden_size=4096,
            intermediate_size=11008,
            vocab_size=50304,
            max_position_embeddings=4096,
            tie_word_embeddings=False,
        ),
        torch.bfloat16,
        (128, 512, 1024),
    ),
)


def random_model(config, dtype, device):
    with torch.device(device):
        model = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation="eager")
    return model.to(device).eval()


def finish(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def median_ms(work, rounds, device):
    times = []
    for round_ in range(-WARM_UPS, rounds):
        finish(device)
        start = time.perf_counter()
        kept = work()
        finish(device)
        elapsed = time.perf_counter() - start
        del kept  # before the next round takes as much again
        if round_ >= 0:
            times.append(1e3 * elapsed)
    return statistics.median(times)


def time_prompt(model, tokens, rounds):
    device = model.device
    prompt = (torch.arange(tokens, device=device) * 7919 % model.config.vocab_size).unsqueeze(0)

    def maps():
        output = model(prompt, output_attentions=True, use_cache=False, logits_to_keep=1)
        return output.attentions

    def maps_on_host():
        return [layer.to(torch.float16).cpu() for layer in maps()]

    def without_maps():
        return model(prompt, use_cache=False, logits_to_keep=1).logits

    model.set_attn_implementation("eager")
    times = {
        "maps_on_device_ms": median_ms(maps, rounds, device),
        "maps_on_host_ms": median_ms(maps_on_host, min(rounds, HOST_ROUNDS), device),
    }
    model.set_attn_implementation("sdpa")
    times["sdpa_ms"] = median_ms(without_maps, rounds, device)
    return times


@torch.inference_mode()
def measure(cases, rounds, device):
    results = {}
    for name, config, dtype, lengths in cases:
        model = random_model(config, dtype, device)
        for tokens in lengths:
            results[f"{name}_{tokens}"] = times = time_prompt(model, tokens, rounds)
            print(f"{name}, {tokens} tokens: " + ", ".join(f"{what} {ms:.2f}" for what, ms in times.items()))
        del model
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", help="where the times go")
    parser.add_argument("--rounds", type=int, default=50, help="rounds to take the median of (default 50)")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        raise SystemExit("This torch finds no CUDA GPU; run it where `nvidia-smi` lists one.")
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    device = torch.device("cuda", 0)
    results = {
        "device": torch.cuda.get_device_name(device),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "rounds": arguments.rounds,
        **measure(CASES, arguments.rounds, device),
    }
    with open(arguments.json, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=2)


if __name__ == "__main__":
    main()
