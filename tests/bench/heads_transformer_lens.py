#!/usr/bin/env python3
"""Times what `headscope bench` does for pages of heads with TransformerLens, on the same GPU.

    python3 tests/bench/heads_transformer_lens.py heads.json

Needs torch and TransformerLens from PyPI: its TransformerBridge, or HookedTransformer before version 4. A model of
GPT-2 small's shape with random weights (float32, TF32 off) reads 100,000 tokens in rows of 128, and every head gets
what its page has: weight by distance, by token as key and as query and by part, the twelve measures with sums of
squares, HeadVis's scores, its kind in each row, the eight largest cells with their maps, and a measure of induction on
random tokens that come twice. No ablations and nothing from weights, as in core/bench/head_pages_benchmark.cpp. Maps
come from run_with_cache, and all heads of a layer are summed at once on the device. Writes seconds for 100,000 tokens,
the median of the rounds.
"""

import argparse
import importlib.metadata
import json
import math
import statistics
import time

import torch
import transformer_lens

TOKENS = 100_000
LENGTH = 128
KEPT = 8  # examples of a head
CELLS = 8  # of an example's query
REPEATED = 48  # tokens that come twice
DISTANCES = (0, 1, 2, 4, 8, 16, 32, 64, 128)
LEVELS = 50
KINDS = ("none", "induction", "previous-token", "local", "broad", "sink", "mixed")
SHAPE = dict(
    n_layers=12, d_model=768, n_ctx=1024, d_head=64, n_heads=12, d_mlp=3072, d_vocab=50257, act_fn="gelu_new", seed=1,
    d_vocab_out=1,  # no logits are wanted
)  # fmt: skip


def random_model(device):
    if hasattr(transformer_lens, "__getattr__"):  # 4; earlier ones have no such function
        from transformer_lens import TransformerBridge, TransformerBridgeConfig

        return TransformerBridge.boot_native(TransformerBridgeConfig(**SHAPE), device=device).eval()
    from transformer_lens import HookedTransformer, HookedTransformerConfig

    return HookedTransformer(HookedTransformerConfig(**SHAPE, device=str(device), normalization_type="LN")).eval()


def corpus(rows, device):
    at = torch.arange(LENGTH)
    tokens = at * 7919 % SHAPE["d_vocab"] + torch.arange(rows)[:, None] * (at + 1)
    return (tokens % SHAPE["d_vocab"]).to(device)


class Places:
    """What depends on a row's length alone."""

    def __init__(self, length, device):
        at = torch.arange(length, device=device)
        self.apart = (at[:, None] - at).clamp(min=0)
        self.distance = self.apart.float()
        self.seen = torch.log(at[1:].float() + 1)  # entropy of a query that weighs all keys equally
        edges = torch.tensor(DISTANCES[1:-1], device=device)
        part = torch.bucketize(self.apart, edges, right=True).flatten()
        self.parts = torch.nn.functional.one_hot(part, len(DISTANCES) - 1).double()
        self.others = (length - 1 - at).float()  # queries of a column but one
        self.cells = length * (length + 1) / 2


class Copies:
    """Where tokens of rows came before. [row, query, key]"""

    def __init__(self, tokens, places):
        same = torch.tril(tokens[:, :, None] == tokens[:, None, :], -1)
        after = torch.zeros_like(same)
        after[:, :, 1:] = same[:, :, :-1]
        self.same = same.float()
        self.after = after.float()
        self.behind = self.after * (places.apart > 1)  # the token before and the query itself are counted as such
        self.own = self.after * (places.others > 0)
        self.pairs = self.same.sum((1, 2))[:, None]
        self.repeated = same.any(2).sum()


class Tally:
    """What the heads of one layer do, summed over rows."""

    def __init__(self, heads, length, kept, device):
        sums = dict(dtype=torch.float64, device=device)
        self.kept = kept
        self.rows = 0
        self.repeated = torch.zeros((), dtype=torch.int64, device=device)
        self.metrics = torch.zeros(3, 12, heads, **sums)  # counts, sums, squares
        self.scores = torch.zeros(6, heads, **sums)
        self.shares = torch.zeros(6, heads, **sums)
        self.by_distance = torch.zeros(heads, len(DISTANCES) - 1, **sums)
        self.by_level = torch.zeros(heads, LEVELS, **sums)
        self.largest = torch.zeros(heads, **sums)
        self.kinds = torch.zeros(heads, len(KINDS), **sums)
        self.as_key = torch.zeros(heads, SHAPE["d_vocab"], **sums)
        self.as_query = torch.zeros(heads, SHAPE["d_vocab"], **sums)
        self.weight = torch.full((heads, kept), -1.0, device=device)
        self.pair = torch.full((heads, kept), -1, dtype=torch.int64, device=device)
        self.place = torch.zeros(heads, kept, 3, dtype=torch.int64, device=device)  # row, query, key
        self.maps = torch.zeros(heads, kept, length, length, device=device)

    def add(self, first_row, tokens, pattern, copies, places):
        """`pattern`: [row, head, query, key]"""
        rows, heads, length, _ = pattern.shape
        diagonal = pattern.diagonal(dim1=2, dim2=3)
        previous = pattern.diagonal(offset=-1, dim1=2, dim2=3)
        by_key = pattern.sum(2)
        by_query = pattern.sum(3)
        whole = by_query.sum(2)
        entropy = -torch.xlogy(pattern, pattern).sum(3)
        distance = torch.einsum("bhqk,qk->bh", pattern, places.distance)
        same = torch.einsum("bhqk,bqk->bh", pattern, copies.same)
        after = torch.einsum("bhqk,bqk->bh", pattern, copies.after)
        metrics = torch.stack(
            (
                previous.mean(2),
                diagonal.mean(2),
                pattern[:, :, 1:, 0].mean(2),
                same / copies.pairs,  # none: not a number
                after / copies.pairs,
                entropy.mean(2),
                (entropy[:, :, 1:] / places.seen).mean(2),
                pattern.amax(3).mean(2),
                distance / whole,
                (pattern > 0).sum((2, 3)) / places.cells,
                (pattern > 0.01).sum((2, 3)) / places.cells,
                (pattern > 0.5).sum((2, 3)).float() - (diagonal > 0.5).sum(2),
            )
        )
        counts = metrics.isfinite()
        values = torch.where(counts, metrics, 0).double()
        self.metrics += torch.stack((counts.double(), values, values**2)).sum(2)

        squares = torch.einsum("bhqk,qk->bh", pattern, places.distance**2)
        strong = torch.einsum("bhqk,bqk->bh", torch.where(pattern >= 0.01, pattern, 0), copies.after)
        scores = (diagonal.sum(2), previous.sum(2), entropy.sum(2), distance, squares, strong)
        self.scores += torch.stack(scores).double().sum(1)
        first = by_key[:, :, 0] - pattern[:, :, 0, 0]
        current = diagonal[:, :, 1:].sum(2)
        before = previous[:, :, 1:].sum(2)
        behind = torch.einsum("bhqk,bqk->bh", pattern, copies.behind)
        mass = whole - pattern[:, :, 0, 0]
        self.shares += torch.stack(
            (first, current, before, behind, mass - first - current - before - behind, length - 1 - mass)
        ).double().sum(1)
        self.by_distance += pattern.sum(0).reshape(heads, -1).double() @ places.parts
        self.kinds += self.kinds_of(metrics, pattern, by_key, after, copies, places)

        numbers = tokens[:, 1:].flatten()
        inner = by_query - pattern[:, :, :, 0]
        self.as_key.index_add_(1, numbers, by_key[:, :, 1:].transpose(0, 1).reshape(heads, -1).double())
        self.as_query.index_add_(1, numbers, inner[:, :, 1:].transpose(0, 1).reshape(heads, -1).double())
        self.rows += rows
        self.repeated += copies.repeated
        if self.kept:
            self.keep(first_row, tokens, pattern)

    @staticmethod
    def kinds_of(metrics, pattern, by_key, after, copies, places):
        """How many rows are of each kind; thresholds of core/stats/head_kind.cpp. [head, kind]"""
        previous, first, induction, entropy = metrics[0], metrics[2], metrics[4], metrics[6]
        length = pattern.shape[2]
        column = copies.own / places.others.clamp(min=1)
        own = torch.einsum("bhqk,bqk->bh", pattern, copies.own)
        elsewhere = torch.einsum("bhk,bk->bh", by_key, column.sum(1)) - torch.einsum("bhqk,bqk->bh", pattern, column)
        rest = pattern[:, :, :, 1:]
        near = torch.einsum("bhqk,qk->bh", rest, places.distance[:, 1:]) / rest.sum((2, 3))
        kinds = torch.where(entropy >= 0.6, 4, 6)
        kinds = torch.where(near <= min(8, (length - 1) / 8), 3, kinds)
        kinds = torch.where(first > 0.5, 5, kinds)
        kinds = torch.where((induction >= 0.3) & (1 - elsewhere / own >= 0.5), 1, kinds)
        kinds = torch.where(previous >= 0.4, 2, kinds)
        return torch.nn.functional.one_hot(kinds, len(KINDS)).double().sum(0)

    def keep(self, first_row, tokens, pattern):
        """Takes rows whose largest cell, of another query and key, is among the largest."""
        rows, heads, length, _ = pattern.shape
        weight, cell = pattern[:, :, :, 1:].flatten(2).max(2)
        query, key = cell // (length - 1), cell % (length - 1) + 1
        self.largest += weight.double().sum(0)
        level = (weight.T * LEVELS).long().clamp(max=LEVELS - 1)
        self.by_level.scatter_add_(1, level, torch.ones_like(level, dtype=torch.float64))
        pair = tokens.gather(1, query) * SHAPE["d_vocab"] + tokens.gather(1, key)
        row = torch.arange(rows, device=tokens.device)[:, None].expand(-1, heads)
        place = torch.stack((row + first_row, query, key), 2)

        weights = torch.cat((self.weight, weight.T), 1)
        pairs = torch.cat((self.pair, pair.T), 1)
        places = torch.cat((self.place, place.transpose(0, 1)), 1)
        weights, order = weights.sort(dim=1, descending=True, stable=True)
        pairs = pairs.gather(1, order)
        again = torch.tril(pairs[:, :, None] == pairs[:, None, :], -1).any(2)
        best = torch.where(again, -1, weights).topk(self.kept, 1)
        chosen = order.gather(1, best.indices)
        head = torch.arange(heads, device=tokens.device)[:, None]
        is_new = (chosen >= self.kept)[:, :, None, None]
        new = pattern[(chosen - self.kept).clamp(min=0), head]
        self.maps = torch.where(is_new, new, self.maps[head, chosen.clamp(max=self.kept - 1)])
        self.weight, self.pair, self.place = best.values, pairs.gather(1, best.indices), places[head, chosen]

    def page(self):
        """All of it on the host; of the maps each query's largest cells."""
        parts = {name: value for name, value in vars(self).items() if torch.is_tensor(value) and name != "maps"}
        cells = self.maps.topk(CELLS, 3)
        parts |= {"cells": cells.values, "keys": cells.indices}
        return {name: value.cpu() for name, value in parts.items()}


class Study:
    def __init__(self, model, device):
        self.model = model
        self.device = device
        self.names = [f"blocks.{layer}.attn.hook_pattern" for layer in range(SHAPE["n_layers"])]

    def tallies(self, tokens, batch, kept):
        length = tokens.shape[1]
        places = Places(length, self.device)
        tallies = [Tally(SHAPE["n_heads"], length, kept, self.device) for _ in self.names]
        for start in range(0, len(tokens), batch):
            part = tokens[start : start + batch]
            _, cache = self.model.run_with_cache(part, names_filter=self.names, return_type=None)
            copies = Copies(part, places)
            for name, tally in zip(self.names, tallies):
                tally.add(start, part, cache[name], copies, places)
        return tallies

    def pages(self, tokens, batch):
        pages = [tally.page() for tally in self.tallies(tokens, batch, KEPT)]
        draws = torch.randint(SHAPE["d_vocab"], (4, REPEATED), generator=torch.Generator().manual_seed(26))
        repeats = self.tallies(draws.repeat(1, 2).to(self.device), batch, 0)
        for page, tally in zip(pages, repeats):
            page["repeats"] = tally.metrics.cpu()
        return pages


def finish(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def check(pages, rows):
    """Sums that must be right whatever the model."""
    for page in pages:
        assert (page["by_distance"].sum(1) / (rows * LENGTH) - 1).abs().max() < 1e-4
        assert (page["shares"].sum(0) / (rows * (LENGTH - 1)) - 1).abs().max() < 1e-4
        assert page["kinds"].sum() == rows * SHAPE["n_heads"]
        assert (page["weight"].diff(dim=1) <= 0).all()


@torch.inference_mode()
def measure(arguments, device):
    study = Study(random_model(device), device)
    tokens = corpus(arguments.rows, device)
    seconds = []
    for round_ in range(-1, arguments.rounds):  # the first warms up
        finish(device)
        start = time.perf_counter()
        pages = study.pages(tokens, arguments.batch)
        finish(device)
        if round_ >= 0:
            seconds.append(time.perf_counter() - start)
    check(pages, arguments.rows)
    return statistics.median(seconds) * TOKENS / (arguments.rows * LENGTH)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json", help="where the times go")
    parser.add_argument("--device", default="cuda")
    parser.add_argument(
        "--rows", type=int, default=math.ceil(TOKENS / LENGTH), help="fewer are scaled to 100,000 tokens"
    )
    parser.add_argument("--batch", type=int, default=32, help="rows that run together (default 32)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the median of (default 3)")
    arguments = parser.parse_args()
    device = torch.device(arguments.device)
    if device.type == "cuda" and not torch.cuda.is_available():
        raise SystemExit("This torch finds no CUDA GPU; run it where `nvidia-smi` lists one.")
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    seconds = measure(arguments, device)
    results = {
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "processor",
        "torch": torch.__version__,
        "transformer_lens": importlib.metadata.version("transformer-lens"),
        "rows": arguments.rows,
        "batch": arguments.batch,
        "head_pages_s": seconds,
    }
    print(f"pages of all heads over 100,000 tokens: {seconds:.2f} s, by {arguments.rows} rows")
    with open(arguments.json, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=2)


if __name__ == "__main__":
    main()
