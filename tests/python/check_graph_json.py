#!/usr/bin/env python3
"""What `headscope graph --json` writes, read by circuit-tracer from PyPI: its schema accepts the file, nodes are those
that its own functions make, links join nodes, and its server and list of graphs take it.

Usage: check_graph_json.py HEADSCOPE. Exits with 77 where circuit_tracer is not installed.
"""
import json
import os
import pathlib
import sys
import tempfile
import urllib.request

from guide import Program, is_installed

TEXT = 'The opposite of " large " is "'


def check_nodes(graph, layers, tokens):
    """Nodes are named as circuit-tracer does; but errors, whose ids there are those of features."""
    compared = ("node_id", "feature", "layer", "ctx_idx", "feature_type", "jsNodeId")
    kinds = set()
    for node in graph.nodes:
        kinds.add(node.feature_type)
        first, second, position = node.node_id.split("_")
        if node.feature_type == "cross layer transcoder":
            wanted = Node.feature_node(int(first), int(position), int(second))
            assert node.activation > 0, node
        elif node.feature_type == "mlp reconstruction error":
            wanted = Node.error_node(int(first), int(position))
            wanted.node_id = f"{first}_-1_{position}"
        elif node.feature_type == "embedding":
            wanted = Node.token_node(int(position), tokens[int(position)])
        else:
            wanted = Node.logit_node(int(position), int(second), "", layers)
            assert 0 < node.token_prob <= 1 and node.clerp.startswith('Output "'), node
        for name in compared:
            assert getattr(node, name) == getattr(wanted, name), (name, node, wanted)
        assert node.feature_type == "logit" or 0 <= node.influence <= 1 + 1e-9, node
    assert kinds == {"cross layer transcoder", "mlp reconstruction error", "embedding", "logit"}, kinds
    assert len({node.node_id for node in graph.nodes}) == len(graph.nodes)


def check_links(graph):
    nodes = {node.node_id: node for node in graph.nodes}
    depth = lambda node: -1 if node.layer == "E" else int(node.layer)
    seen = set()
    for each in graph.links:
        link = Link.model_validate(each)
        source, target = nodes[link.source], nodes[link.target]
        assert depth(source) < depth(target) and source.ctx_idx <= target.ctx_idx, link
        assert target.feature_type in ("cross layer transcoder", "logit") and source.feature_type != "logit", link
        assert link.weight != 0 and (link.source, link.target) not in seen, link
        seen.add((link.source, link.target))
    assert seen, "there are links"


def check_parameters(graph):
    nodes = {node.node_id for node in graph.nodes}
    assert set(graph.qParams.pinnedIds) <= nodes
    for _, *members in graph.qParams.supernodes:
        assert members and set(members) <= nodes, members
    assert graph.metadata.schema_version == 1 and graph.metadata.prompt_tokens, graph.metadata


def check_server(folder, slug):
    """Its page finds the graph in the list and fetches it."""
    httpd = ReusableTCPServer(("127.0.0.1", 0), functools.partial(
        CircuitGraphHandler, frontend_dir=DEFAULT_FRONTEND_DIR, data_dir=folder))
    server = Server(httpd, threading.Thread(target=httpd.serve_forever, daemon=True))
    server.server_thread.start()
    def fetch(path):
        with urllib.request.urlopen(f"http://127.0.0.1:{httpd.server_address[1]}{path}") as answer:
            content = answer.read()
            return gzip.decompress(content) if answer.headers["Content-Encoding"] == "gzip" else content
    try:
        listed = json.loads(fetch("/data/graph-metadata.json"))["graphs"]
        assert [each["slug"] for each in listed] == [slug], listed
        assert fetch(f"/graph_data/{slug}.json") == (folder / f"{slug}.json").read_bytes()
        assert b"attribution_graph" in fetch("/index.html")
    finally:
        server.stop()


def check_model(program, model):
    program.run("graph", "--model", model, "--text", TEXT, "--json", "graph.json")
    written = json.loads(pathlib.Path("graph.json").read_text())
    graph = Model.model_validate(written)
    dumped = graph.model_dump()
    for part in ("nodes", "links", "qParams"):
        assert dumped[part] == written[part], (part, "nothing is lost or made up")
    own = written["headscope"]
    check_nodes(graph, own["layers"], own["tokens"])
    check_links(graph)
    check_parameters(graph)
    slug = graph.metadata.slug
    folder = pathlib.Path("served-" + slug).absolute()
    folder.mkdir()
    pathlib.Path("graph.json").rename(folder / f"{slug}.json")
    add_graph_metadata(graph.metadata.model_dump(), str(folder))
    check_server(folder, slug)
    print(f"{model}: {len(graph.nodes)} nodes and {len(graph.links)} links as circuit-tracer reads them")


def main():
    program = Program(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for model in ("demo:dense", "demo:sparse"):
            check_model(program, model)


for module in ("pydantic", "circuit_tracer"):
    if not is_installed(module):
        print(f"skipped: graphs in circuit-tracer: {module} is not installed.")
        sys.exit(77)
import functools
import gzip
import threading

from circuit_tracer.frontend.graph_models import Link, Model, Node
from circuit_tracer.frontend.local_server import CircuitGraphHandler, DEFAULT_FRONTEND_DIR, ReusableTCPServer, Server
from circuit_tracer.frontend.utils import add_graph_metadata

main()
