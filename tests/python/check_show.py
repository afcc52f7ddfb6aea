#!/usr/bin/env python3
"""headscope.show on what people have: tensors, outputs, caches, models in memory. The program's numbers are held against
theirs. What is not installed is skipped by name; exit 77 without numpy.

Usage: check_show.py HEADSCOPE
"""
import copy
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from guide import PACKAGE, Program, is_installed, small_lens_model

TOKENS = ["The", " cat", " sat", " <b>on</b>", " it"]


def patterns(*shape):
    """Causal rows that sum to 1. [..., query, key]"""
    scores = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    weights = np.exp(np.where(np.tril(np.ones(shape[-2:], bool)), scores, -np.inf))
    return weights / weights.sum(-1, keepdims=True)


def peaks(source):
    """Mean largest weight of each head, from the program. [layer, head]"""
    with headscope.load(source, progress=False) as engine:
        return engine.metrics().grid("peak")


def looks_like(page, attention, source=0):
    """`attention`: [layer, head, query, key]"""
    attention = np.asarray(attention, np.float64)
    assert np.abs(peaks(page.sources[source]) - attention.max(-1).mean(-1)).max() < 1e-4, page.sources


def check_arrays():
    """An array, a batch of them and a list of layers are the same heads."""
    weights = patterns(3, 4, 5, 5)
    for form in (weights, weights[None], list(weights), [layer[None] for layer in weights], weights.astype(np.float64),
                 {"attention": weights}):
        looks_like(headscope.show(attention=form, tokens=TOKENS, window=False), weights)
    looks_like(headscope.show(weights[0], window=False), weights[:1])
    try:
        headscope.show(attention={"logits": weights}, window=False)
        raise AssertionError("there is no attention in it")
    except headscope.HeadScopeError as error:
        assert "output_attentions" in str(error)


def check_page():
    """A notebook gets the page in one element, or the sentence how to get it; figures are files."""
    weights = patterns(2, 2, 5, 5)
    page = headscope.show(attention=weights, tokens=TOKENS, window=False)
    shown = page._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and shown.count("<") == 2, "the page is escaped"
    assert "<html" in page.data and len(shown) < 5e6
    small = headscope.show(attention=weights, window=False, megabytes=0.001)._repr_html_()
    assert "megabytes=" in small and ".save(" in small and len(small) < 1000
    page.figure("head", "head.svg", heads="L1H0")
    assert "<svg" in pathlib.Path("head.svg").read_text()
    folder = pathlib.Path(page.sources[0]).parent
    assert folder.is_dir() and folder.stat().st_mode & 0o077 == 0
    del page
    ended = time.monotonic() + 60
    while folder.exists() and time.monotonic() < ended:
        time.sleep(0.05)
    assert not folder.exists(), "what was made for a page goes with it"


def check_drop_ins():
    """bertviz' and circuitsvis' arguments give the chosen heads."""
    from headscope.bertviz import head_view, model_view
    from headscope.circuitsvis import attention, attention_patterns

    weights = patterns(3, 4, 5, 5)
    layers = [layer[None] for layer in weights]
    looks_like(head_view(layers, TOKENS, html_action="return"), weights)
    chosen = model_view(layers, TOKENS, include_layers=[0, 2], include_heads=[1], html_action="return")
    looks_like(chosen, weights[[0, 2]][:, [1]])
    assert np.load(chosen.sources[0])["names"].tolist() == [["L0H1"], ["L2H1"]], "heads keep their names"
    assert "<html" in chosen.data
    both = model_view(encoder_attention=layers, decoder_attention=layers, encoder_tokens=TOKENS, decoder_tokens=TOKENS,
                      html_action="return")
    looks_like(both, weights, source=1)
    looks_like(attention_patterns(tokens=TOKENS, attention=weights[1]), weights[1:2])
    assert attention.attention_patterns is attention_patterns


def check_window():
    """A window says whether it is open, and ends with close and with Python."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    window = headscope.show(attention=patterns(2, 2, 5, 5), tokens=TOKENS)
    assert isinstance(window, headscope.Window) and window.is_open and "open" in repr(window)
    window.close()
    window.wait()
    assert not window.is_open and "closed" in repr(window)
    try:
        headscope.show("no-such-folder", "a", window=False).save("page.html")
        raise AssertionError("there is no such model")
    except headscope.HeadScopeError as error:
        assert "no-such-folder" in str(error)
    code = ("import headscope, sys\nwindow = headscope.show('demo:dense', 'a b')\n"
            "print(window._program.process.pid, flush=True)\nsys.stdin.read()")
    python = subprocess.Popen([sys.executable, "-B", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    guard = int(python.stdout.readline())
    python.kill()
    python.wait()
    ended = time.monotonic() + 60
    while os.path.exists(f"/proc/{guard}") and time.monotonic() < ended:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{guard}"), "a window ends with its Python"
    del os.environ["QT_QPA_PLATFORM"]


def small_decoders():
    small = dict(vocab_size=64, num_hidden_layers=2, max_position_embeddings=64, hidden_size=32, num_attention_heads=4,
                 attn_implementation="eager")
    yield transformers.GPT2Config(**small)
    yield transformers.LlamaConfig(num_key_value_heads=2, intermediate_size=48, **small)
    yield transformers.Qwen2Config(num_key_value_heads=2, intermediate_size=48, **small)


def check_models():
    """A model in memory has the attention that transformers computes for it in float32, also of bfloat16 weights, which are
    used where they lie."""
    ids = [3, 17, 5, 42, 17, 8]
    for config, dtype in ((config, dtype) for config in small_decoders() for dtype in (torch.float32, torch.bfloat16)):
        torch.manual_seed(0)
        model = transformers.AutoModelForCausalLM.from_config(config).eval().to(dtype)
        with torch.no_grad():
            wide = copy.deepcopy(model).float()
            wanted = np.stack([layer[0].numpy() for layer in wide(torch.tensor([ids]), output_attentions=True).attentions])
        page = headscope.show(model, ids, window=False)
        assert {file.suffix for file in pathlib.Path(page.sources[0]).iterdir()} <= {".json", ".safetensors"}, "no pickles"
        assert len(list(pathlib.Path(page.sources[0]).glob("*.safetensors*"))) == 1, "its shards have gone"
        assert pathlib.Path(page.sources[0]).name == type(model).__name__, "the title is no folder's made-up name"
        with headscope.load(page.sources[0], progress=False) as engine:
            run = engine.run(ids)
        assert np.abs(run.attention - wanted).max() < 1e-5, config.model_type
        assert "<html" in page.data
        print(f"{config.model_type}, {dtype}: {np.abs(run.attention - wanted).max():.1e}")


def check_outputs():
    """What transformers' models and generate return."""
    torch.manual_seed(0)
    ids = torch.tensor([[3, 17, 5, 42, 17, 8]])
    model = transformers.AutoModelForCausalLM.from_config(next(small_decoders())).eval()
    made = model.generate(ids, max_new_tokens=4, do_sample=False, output_attentions=True, return_dict_in_generate=True,
                          pad_token_id=0)
    with torch.no_grad():
        whole = model(made.sequences[:, :-1], output_attentions=True)
    wanted = np.stack([layer[0].numpy() for layer in whole.attentions])
    for form in (made, made.attentions):
        page = headscope.show(attention=form, tokens=made.sequences, window=False)
        arrays = np.load(page.sources[0])
        joined = np.stack([arrays[name][0] for name in arrays.files if name.startswith("attention")])
        assert np.abs(joined - wanted).max() < 1e-5 and len(arrays["tokens"]) == wanted.shape[-1]
    looks_like(headscope.show(whole, window=False), wanted)

    t5 = transformers.T5Model(transformers.T5Config(vocab_size=64, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4,
                                                    attn_implementation="eager")).eval()
    with torch.no_grad():
        outputs = t5(input_ids=ids, decoder_input_ids=ids[:, :4], output_attentions=True)
    page = headscope.show(outputs, encoder_tokens=["e"] * 6, decoder_tokens=["d"] * 4, window=False)
    assert [source.partition("#")[2] for source in page.sources] == ["encoder", "decoder"], page.sources
    looks_like(page, [layer[0].numpy() for layer in outputs.decoder_attentions], source=1)

    vit = transformers.ViTModel(transformers.ViTConfig(image_size=32, patch_size=8, hidden_size=32, num_hidden_layers=2,
                                                       num_attention_heads=4, intermediate_size=48,
                                                       attn_implementation="eager")).eval()
    with torch.no_grad():
        outputs = vit(torch.rand(1, 3, 32, 32), output_attentions=True)
    image = (np.random.default_rng(0).random((32, 32, 3)) * 255).astype(np.uint8)
    looks_like(headscope.show(outputs, patches=[4, 4], image=image, window=False),
               [layer[0].numpy() for layer in outputs.attentions])


def check_lens():
    """A cache of TransformerLens, in bfloat16 as well."""
    torch.manual_seed(0)
    _, cache = small_lens_model().run_with_cache(torch.randint(0, 50, (1, 10)))
    wanted = np.stack([cache["pattern", layer][0].float().numpy() for layer in range(2)])
    looks_like(headscope.show(cache, window=False), wanted)
    rounded = [cache["pattern", layer].bfloat16() for layer in range(2)]
    looks_like(headscope.show(attention=rounded, window=False), np.stack([layer[0].float().numpy() for layer in rounded]))


def main():
    os.environ["HEADSCOPE"] = Program(sys.argv[1]).path
    os.environ["PYTHONPATH"] = str(PACKAGE)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in (check_arrays, check_page, check_drop_ins, check_window):
            check()
        if is_installed("torch") and is_installed("transformers"):
            check_models()
            check_outputs()
        else:
            print("skipped: models of transformers: it is not installed.")
        if is_installed("torch") and is_installed("transformer_lens"):
            check_lens()
        else:
            print("skipped: caches of transformer_lens: it is not installed.")


if not is_installed("numpy"):
    print("skipped: headscope.show: numpy is not installed.")
    sys.exit(77)
import numpy as np

if is_installed("torch"):
    import torch
if is_installed("transformers"):
    import transformers

sys.path.insert(0, str(PACKAGE))
import headscope

main()
