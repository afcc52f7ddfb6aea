"""Writes small sets of transcoders with the classes of the programs that train them, and what those classes
compute with them: tests/golden/transcoders/NAME/ and NAME.npz (inputs, activations, outputs; all [layer, ...]).

    python tests/golden/transcoders.py [NAME...]

needs circuit-tracer 0.5.0, sae-lens 6.54 and eai-sparsify 1.3; EleutherAI's clt-training, which has the name of the
latter, is taken from the folder in CLT_TRAINING. What is not installed is left out.
"""

import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

LAYERS, WIDTH, FEATURES, K, POSITIONS = 2, 6, 9, 3, 7
HERE = Path(__file__).parent / "transcoders"
os.environ["SPARSIFY_DISABLE_TRITON"] = "1"
torch.set_grad_enabled(False)


def weights(layer):
    draw = torch.Generator().manual_seed(layer)
    random = lambda *shape: torch.randn(*shape, generator=draw)
    return {
        "W_enc": random(FEATURES, WIDTH),
        "b_enc": random(FEATURES),
        "W_dec": random(FEATURES, WIDTH),
        "b_dec": random(WIDTH),
        "threshold": random(FEATURES).abs(),
        "W_skip": random(WIDTH, WIDTH),
        "W_later": random(FEATURES, LAYERS, WIDTH),
    }


def inputs():
    return torch.randn(LAYERS, POSITIONS, WIDTH, generator=torch.Generator().manual_seed(9))


def fresh(name):
    folder = HERE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def expect(name, activations, outputs):
    activations, outputs = torch.stack(list(activations)), torch.stack(list(outputs))
    assert activations.shape == (LAYERS, POSITIONS, FEATURES) and outputs.shape == (LAYERS, POSITIONS, WIDTH)
    np.savez(HERE / f"{name}.npz", inputs=inputs().numpy(), activations=activations.float().numpy(),
             outputs=outputs.float().numpy())


def circuit_tracer_layers():
    from circuit_tracer.transcoder.single_layer_transcoder import load_transcoder_set

    folder = fresh("circuit-tracer-layers")
    paths = {}
    for layer in range(LAYERS):
        w = weights(layer)
        paths[layer] = str(folder / f"layer_{layer}.safetensors")
        tensors = {name: w[name] for name in ("W_enc", "b_enc", "W_dec", "b_dec", "W_skip")}
        save_file({**tensors, "activation_function.threshold": w["threshold"]}, paths[layer])
    (folder / "config.yaml").write_text("model_name: toy\nmodel_kind: transcoder_set\n"
                                        "feature_input_hook: mlp.hook_in\nfeature_output_hook: hook_mlp_out\n")
    coders = load_transcoder_set(paths, "toy", "mlp.hook_in", "hook_mlp_out", dtype=torch.float32,
                                 device=torch.device("cpu"), lazy_encoder=False, lazy_decoder=False)
    expect(folder.name, [c.encode(x) for c, x in zip(coders, inputs())], [c(x) for c, x in zip(coders, inputs())])


def circuit_tracer_across():
    from circuit_tracer.transcoder.cross_layer_transcoder import load_clt

    folder = fresh("circuit-tracer-across")
    for layer in range(LAYERS):
        w = weights(layer)
        save_file({f"{name}_{layer}": w[name] for name in ("W_enc", "b_enc", "b_dec", "threshold")},
                  folder / f"W_enc_{layer}.safetensors")
        save_file({f"W_dec_{layer}": w["W_later"][:, layer:].to(torch.bfloat16).contiguous()},
                  folder / f"W_dec_{layer}.safetensors")
    (folder / "config.yaml").write_text("model_name: toy\nmodel_kind: cross_layer_transcoder\n"
                                        "feature_input_hook: hook_resid_mid\nfeature_output_hook: hook_mlp_out\n")
    coder = load_clt(str(folder), dtype=torch.float32, device=torch.device("cpu"), lazy_decoder=False)
    expect(folder.name, coder.encode(inputs()), coder(inputs()))


def gemma_scope():
    from circuit_tracer.transcoder.single_layer_transcoder import load_gemma_scope_transcoder

    folder = fresh("gemma-scope")
    coders = []
    for layer in range(LAYERS):
        w = weights(layer)
        file = folder / f"layer_{layer}" / "width_16k" / "average_l0_5" / "params.npz"
        file.parent.mkdir(parents=True)
        np.savez(file, W_enc=w["W_enc"].T.contiguous().numpy(),
                 **{name: w[name].numpy() for name in ("b_enc", "W_dec", "b_dec", "threshold")})
        coders.append(load_gemma_scope_transcoder(str(file), layer, device=torch.device("cpu")))
    expect(folder.name, [c.encode(x) for c, x in zip(coders, inputs())], [c(x) for c, x in zip(coders, inputs())])


def gemma_scope_2():
    from circuit_tracer.transcoder.single_layer_transcoder import load_gemma_scope_2_transcoder

    folder = fresh("gemma-scope-2")
    coders = []
    for layer in range(LAYERS):
        w = weights(layer)
        file = folder / f"layer_{layer}_width_16k_l0_small_affine" / "params.safetensors"
        file.parent.mkdir(parents=True)
        save_file({"w_enc": w["W_enc"].T.contiguous(), "w_dec": w["W_dec"], "b_enc": w["b_enc"], "b_dec": w["b_dec"],
                   "threshold": w["threshold"], "affine_skip_connection": w["W_skip"].T.contiguous()}, file)
        coders.append(load_gemma_scope_2_transcoder(str(file), layer, device=torch.device("cpu")))
    expect(folder.name, [c.encode(x) for c, x in zip(coders, inputs())], [c(x) for c, x in zip(coders, inputs())])


def saelens():
    from sae_lens.saes.sae import SAEMetadata
    from sae_lens.saes.transcoder import JumpReLUSkipTranscoder, JumpReLUSkipTranscoderConfig

    folder = fresh("saelens")
    coders = []
    for layer in range(LAYERS):
        w = weights(layer)
        config = JumpReLUSkipTranscoderConfig(d_in=WIDTH, d_sae=FEATURES, d_out=WIDTH, dtype="float32", device="cpu",
                                              apply_b_dec_to_input=False,
                                              metadata=SAEMetadata(hook_name=f"blocks.{layer}.hook_mlp_in"))
        coder = JumpReLUSkipTranscoder(config)
        coder.load_state_dict({"W_enc": w["W_enc"].T.contiguous(), "b_enc": w["b_enc"], "W_dec": w["W_dec"],
                               "b_dec": w["b_dec"], "W_skip": w["W_skip"], "threshold": w["threshold"] - 0.5})
        coder.save_model(str(folder / f"layer_{layer}"))
        coders.append(coder)
    expect(folder.name, [c.encode(x) for c, x in zip(coders, inputs())], [c(x) for c, x in zip(coders, inputs())])


def dense(output):
    """[position, feature] of what a sparsify encoder keeps."""
    result = torch.zeros(POSITIONS, FEATURES)
    return result.scatter(1, output[1], output[0].float())


def sparsify():
    from sparsify.sparse_coder import SparseCoder
    from sparsify.config import SparseCoderConfig

    folder = fresh("sparsify")
    coders = []
    for layer in range(LAYERS):
        w = weights(layer)
        config = SparseCoderConfig(num_latents=FEATURES, k=K, skip_connection=True, transcode=True)
        coder = SparseCoder(WIDTH, config, dtype=torch.float32)
        coder.load_state_dict({"encoder.weight": w["W_enc"], "encoder.bias": w["b_enc"], "W_dec": w["W_dec"],
                               "b_dec": w["b_dec"], "W_skip": w["W_skip"]})
        coder.save_to_disk(folder / f"layers.{layer}.mlp")
        coders.append(coder)
    expect(folder.name, [dense(c.encode(x)) for c, x in zip(coders, inputs())],
           [c(x).sae_out for c, x in zip(coders, inputs())])


def clt_training():
    from sparsify.runner import CrossLayerRunner
    from sparsify.sparse_coder import SparseCoder
    from sparsify.config import SparseCoderConfig
    from sparsify import sparse_coder

    # It still passes two losses that its own type no longer has.
    whole = sparse_coder.ForwardOutput
    sparse_coder.ForwardOutput = lambda *values: whole(*values[:4])
    for tying in ("none", "concat", "per-layer", "source"):
        folder = fresh(f"clt-training-{tying}")
        runner, activations, outputs = CrossLayerRunner(), [], []
        for layer, x in enumerate(inputs()):
            config = SparseCoderConfig(
                num_latents=FEATURES, k=K, transcode=True, n_targets=LAYERS - layer, n_sources=layer + 1,
                normalize_io=True, divide_cross_layer=tying == "none",
                coalesce_topk=tying if tying != "source" else "none", per_source_tied=tying == "source")
            coder = SparseCoder(WIDTH, config, dtype=torch.float32)
            draw = torch.Generator().manual_seed(20 + layer)
            neutral = ("post_enc",)
            coder.load_state_dict({name: tensor if name.startswith(neutral)
                                   else torch.rand(tensor.shape, generator=draw) + 0.5 if name.endswith("_norm")
                                   else torch.randn(tensor.shape, generator=draw)
                                   for name, tensor in coder.state_dict().items()
                                   if name not in ("W_dec", "b_dec") or f"{name}s.0" not in coder.state_dict()},
                                  strict=False)
            # As save_to_disk does, which newer versions of safetensors refuse as W_dec is W_decs.0.
            where = folder / f"layers.{layer}.mlp"
            where.mkdir()
            save_file({name: tensor.clone() for name, tensor in coder.state_dict().items()}, where / "sae.safetensors")
            (where / "cfg.json").write_text(json.dumps({**config.to_dict(), "d_in": WIDTH}))
            activations.append(dense(coder.encode(x)))
            out = runner(x, x, coder, f"layers.{layer}.mlp")
            outputs.append(out.sae_out)
        expect(folder.name, activations, outputs)


SETS = {"circuit-tracer-layers": circuit_tracer_layers, "circuit-tracer-across": circuit_tracer_across,
        "gemma-scope": gemma_scope, "gemma-scope-2": gemma_scope_2, "saelens": saelens, "sparsify": sparsify}


def main():
    HERE.mkdir(exist_ok=True)
    if "CLT_TRAINING" in os.environ:
        sys.path.insert(0, os.environ["CLT_TRAINING"])
        SETS.pop("sparsify")
        SETS["clt-training"] = clt_training
    for name in sys.argv[1:] or SETS:
        try:
            SETS[name]()
            print(f"{name}: written")
        except ImportError as error:
            print(f"{name}: left out ({error})")


if __name__ == "__main__":
    main()
