#!/usr/bin/env python3
"""Times an attribution graph of `headscope graph` and of circuit-tracer, and compares the two.

    python3 tests/bench/circuit_tracer_graph.py HEADSCOPE --model DIR --features DIR --text S --json graph_times.json

Needs circuit-tracer 0.5 from PyPI with TransformerLens 3 and torch. The first DIR is a Hugging Face folder of a kind
that TransformerLens knows, the second has transcoders in circuit-tracer's layout, as `headscope transcode` writes.
Both trace as many features on the same tokens in float32, TF32 off, and explain the same logits. Models stay open, the
first graph is left out, and the median of the rest is written:

    headscope_s       `headscope graph --json`, from the prompt to the file
    circuit_tracer_s  the same: attribute and create_graph_files
    attribute_s       its attribute alone

circuit-tracer leaves out what fires at the first position; here it keeps it, as HeadScope does. HeadScope has one more
node, the constants of biases, and circuit-tracer ranks features by batches, so not all are the same; edges are compared
where both have their nodes.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import huggingface_hub.constants
import torch
import yaml
from transformers import AutoModelForCausalLM, AutoTokenizer, GPT2Config

# circuit-tracer 0.5 is made for huggingface_hub before 1, which still had this.
vars(huggingface_hub.constants).setdefault("HF_HUB_ENABLE_HF_TRANSFER", False)

from circuit_tracer.attribution.attribute import attribute
from circuit_tracer.replacement_model import ReplacementModel
from circuit_tracer.transcoder import load_transcoder_set
from circuit_tracer.transcoder.cross_layer_transcoder import load_clt
from circuit_tracer.utils.create_graph_files import create_graph_files
from transformer_lens import loading_from_pretrained


class HeadScope:
    """A program that keeps its models open between commands."""

    def __init__(self, path):
        self.process = subprocess.Popen([path, "commands"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, *words):
        self.process.stdin.write(json.dumps([str(word) for word in words]).encode() + b"\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(b"\x1e"):
                assert int(line[1:]) == 0, words
                return
        raise SystemExit("headscope has ended; its words are above.")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def load_transcoders(folder, device):
    """As circuit_tracer.utils.hf_utils does, from a local folder."""
    config = yaml.safe_load((folder / "config.yaml").read_text())
    common = dict(
        scan=folder.name,
        feature_input_hook=config["feature_input_hook"],
        feature_output_hook=config["feature_output_hook"],
        device=device,
        dtype=torch.float32,
        lazy_encoder=False,
        lazy_decoder=False,
    )
    if config["model_kind"] == "cross_layer_transcoder":
        return load_clt(str(folder), **common)
    layers = len(list(folder.glob("layer_*.safetensors")))
    return load_transcoder_set({layer: str(folder / f"layer_{layer}.safetensors") for layer in range(layers)}, **common)


def load_model(folder, transcoders, device):
    loading_from_pretrained.get_official_model_name = str  # takes known names alone; the rest of it takes folders
    GPT2Config.attribute_map["n_ctx"] = "n_positions"  # TransformerLens reads the name that transformers 5 dropped
    model = ReplacementModel.from_pretrained_and_transcoders(
        str(folder),
        transcoders,
        device=device,
        hf_model=AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32),
        tokenizer=AutoTokenizer.from_pretrained(folder),
    )
    model.zero_positions = slice(0, 0)
    model.ensure_tokenized = lambda tokens: tokens  # else it puts a special token before texts without one
    return model


def finish(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def timed(work, rounds, device):
    """What the work returns, and its median seconds."""
    seconds = []
    for _ in range(rounds + 1):
        finish(device)
        start = time.perf_counter()
        result = work()
        finish(device)
        seconds.append(time.perf_counter() - start)
    return result, statistics.median(seconds[1:])


def node_ids(graph):
    """Of circuit-tracer's nodes, in HeadScope's words: its own ids of errors are those of features of layer 0."""
    layers, last = graph.cfg.n_layers, graph.n_pos - 1
    features = graph.active_features[graph.selected_features].tolist()
    return (
        [f"{layer}_{feature}_{position}" for layer, position, feature in features]
        + [f"{layer}_-1_{position}" for layer in range(layers) for position in range(graph.n_pos)]
        + [f"E_{token}_{position}" for position, token in enumerate(graph.input_tokens.tolist())]
        + [f"{layers + 1}_{token}_{last}" for _, token in graph.logit_targets]
    )


def compare(graph, ours):
    """How far apart the two graphs are. `ours`: the file, unpruned."""
    numbers = {name: number for number, name in enumerate(node_ids(graph))}
    nodes = {node["node_id"]: node for node in ours["nodes"]}
    features = len(graph.selected_features)
    kept = [name for name in nodes if numbers.get(name, features) < features]
    activations = graph.activation_values[graph.selected_features].tolist()
    probabilities = graph.logit_probabilities.tolist()
    logits = len(numbers) - len(probabilities)
    shared = [name for name in nodes if numbers.get(name, -1) >= logits]

    there = torch.zeros_like(graph.adjacency_matrix)
    for link in ours["links"]:
        source, target = numbers.get(link["source"]), numbers.get(link["target"])
        if source is not None and target is not None:
            there[target, source] = link["weight"]
    known = torch.tensor([name in nodes for name in numbers])
    rows = known & (there.abs().sum(1) > 0)
    theirs = graph.adjacency_matrix[rows][:, known]
    apart = (there[rows][:, known] - theirs).abs().amax(1) / theirs.abs().amax(1).clamp(min=1e-30)
    chances = (abs(nodes[name]["token_prob"] - probabilities[numbers[name] - logits]) for name in shared)
    return {
        "features": features,
        "same_features": len(kept),
        "same_logits": len(shared),
        "activation_difference": max(abs(nodes[name]["activation"] - activations[numbers[name]]) for name in kept),
        "probability_difference": max(chances),
        "targets": int(rows.sum()),
        "edge_difference": float(apart.max()),  # of a target's largest edge
    }


def measure(arguments, folder):
    device = torch.device(arguments.device)
    program = HeadScope(arguments.program)
    command = ["graph", "--model", arguments.model, "--features", arguments.features, "--device", arguments.device,
               "--dtype", "f32", "--most-features", arguments.most_features, "--logits", arguments.logits]  # fmt: skip
    whole = folder / "whole.json"
    program.run(*command, "--text", arguments.text, "--nodes", 1, "--edges", 1, "--json", whole)
    ours = json.loads(whole.read_text())
    tokens = ours["headscope"]["tokens"]
    words = ",".join(map(str, tokens))
    _, headscope_s = timed(
        lambda: program.run(*command, "--tokens", words, "--json", folder / "graph.json"), arguments.rounds, device
    )
    program.close()

    model = load_model(arguments.model, load_transcoders(arguments.features, device), device)

    def trace():
        return attribute(
            torch.tensor(tokens, device=device),
            model,
            max_n_logits=arguments.logits,
            max_feature_nodes=arguments.most_features,
            batch_size=arguments.batch,
        )

    def trace_and_write():
        graph = trace()
        create_graph_files(graph, "graph", folder / "theirs", scan=arguments.features.name)
        return graph

    _, attribute_s = timed(trace, arguments.rounds, device)
    graph, circuit_tracer_s = timed(trace_and_write, arguments.rounds, device)
    graph.to("cpu")
    return {
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "processor",
        "tokens": len(tokens),
        "active_features": len(graph.active_features),
        "headscope_s": headscope_s,
        "circuit_tracer_s": circuit_tracer_s,
        "attribute_s": attribute_s,
        "ratio": circuit_tracer_s / headscope_s,
        **compare(graph, ours),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="headscope")
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--features", type=pathlib.Path, required=True, help="folder of transcoders")
    parser.add_argument("--text", required=True)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--most-features", type=int, default=1000)
    parser.add_argument("--logits", type=int, default=10)
    parser.add_argument("--batch", type=int, default=512, help="features that circuit-tracer traces together")
    parser.add_argument("--rounds", type=int, default=3, help="rounds to take the median of (default 3)")
    parser.add_argument("--json", help="where the numbers go")
    arguments = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    with tempfile.TemporaryDirectory() as folder:
        results = measure(arguments, pathlib.Path(folder))
    for name, value in results.items():
        print(f"{name:24}{value:.6g}" if isinstance(value, float) else f"{name:24}{value}")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
