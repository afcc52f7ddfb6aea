"""Trains the demo pair beside this file: a dense GPT-2 and its sparse twin, on four word tasks.

    python resources/demo/train_demo.py

Needs torch 2.15, transformers 5.22 and tokenizers 0.23, and about a quarter of an hour of one core.
The tasks are those of the literature on circuits (indirect objects, opposites, greater-than,
repeated sequences), so that the heads take up known roles. The sparse model starts from the dense
one: gates open where a score is positive, the dense model's predictions are the target, and the
price of an open gate rises as long as every task holds.
"""
import copy
import math
import random
from pathlib import Path

import tokenizers
import torch
import torch.nn.functional as F
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS, eager_mask
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

kOut = Path(__file__).parent
kContext = 64
kToleratedLoss, kToleratedDivergence = 0.01, 0.03
kNames = "Mary John Anna Tom Kate Paul Lucy Mark Emma Jack Sara Luke Nina Adam Rose Sam".split()
kPlaces = "store park school house beach office garden station shop museum".split()
kThings = "drink book ball bag ring letter gift key map coin".split()
kEvents = "war journey project reign drought voyage trial festival".split()
kOpposites = [pair.split() for pair in (
    "large small", "hot cold", "up down", "old young", "fast slow", "light dark", "early late",
    "rich poor", "hard soft", "wet dry", "high low", "open closed", "full empty", "good bad",
    "long short", "loud quiet", "strong weak", "clean dirty", "happy sad", "near far")]
kYears = [str(year) for year in range(10, 100)]  # centuries are words of the same kind
kGrammar = 'When After and went to the , gave a handed . The opposite of " is lasted from year'
kSequenceWords = kNames + kPlaces + kThings + [word for pair in kOpposites for word in pair]
kVocabulary = ["<bos>", "<unk>"] + kGrammar.split() + kSequenceWords + kEvents + kYears
kIds = {word: index for index, word in enumerate(kVocabulary)}


# A task gives the text of one prompt; the words that its beginning determines are starred.
def indirect_object(rng):
    names = rng.sample(kNames, 2)
    subject, other = rng.sample(names, 2)
    return (f"{rng.choice(['When', 'After'])} {names[0]} and {names[1]} went to the "
            f"{rng.choice(kPlaces)} , {subject} {rng.choice(['gave', 'handed'])} "
            f"{rng.choice(['a', 'the'])} {rng.choice(kThings)} to *{other} .")


def opposite(rng):
    word, other = rng.sample(rng.choice(kOpposites), 2)
    return f'The opposite of " {word} " is " *{other} " .'


def greater_than(rng):
    century, start = rng.randint(11, 19), rng.randint(10, 89)
    return (f"The {rng.choice(kEvents)} lasted from the year {century} {start} "
            f"to the year {century} *{rng.randint(start + 1, 99)} .")


def repeat(rng, fewest=4, most=9):
    words = rng.sample(kSequenceWords, rng.randint(fewest, most))
    return " ".join(words + words[:1] + ["*" + word for word in words[1:]])


kTasks = (indirect_object, opposite, greater_than, repeat)


def long_text(task, rng):
    """As many prompts of the task as the context holds; a repeat is one long sequence instead."""
    if task is repeat:
        return repeat(rng, 20, (kContext - 1) // 2)
    first = task(rng)
    fitting = (kContext - 1) // len(first.split())  # all prompts of a task are equally long
    return " ".join([first] + [task(rng) for _ in range(fitting - 1)])


def batch(rng, size, long=False):
    """The tasks in turn, row by row: tokens, which are answers, which are not padding."""
    rows = [(long_text(task, rng) if long else task(rng)).split()
            for task in kTasks * (size // len(kTasks))]
    length = max(map(len, rows))
    padded = [["<bos>"] + words + [""] * (length - len(words)) for words in rows]
    return (torch.tensor([[kIds.get(word.lstrip("*"), 0) for word in row] for row in padded]),
            torch.tensor([[float(word.startswith("*")) for word in row] for row in padded]),
            torch.tensor([[float(word != "") for word in row] for row in padded]))


def training_batches(seed, steps, long_from):
    """After step long_from every fourth batch fills the context, so that each position learns."""
    rng = random.Random(seed)
    for step in range(steps):
        is_long = step > long_from and step % 4 == 3
        yield step, batch(rng, 16, long=True) if is_long else batch(rng, 64)


def gated_attention(module, query, key, value, mask, scaling, **_):
    """softmax over all allowed keys, times the gate; its gradient is that of sigmoid(score)."""
    scores = (query @ key.transpose(-1, -2) * scaling).masked_fill(mask != 0, -torch.inf)
    soft = scores.sigmoid()
    weights = scores.softmax(-1) * ((scores > 0).float() + soft - soft.detach())
    module.scores = scores  # [row, head, query, key]
    return (weights @ value).transpose(1, 2), weights


def densities(model, used):
    """Share of open causal cells of real tokens in the last run, and its smooth expectation."""
    scores = torch.stack([block.attn.scores for block in model.transformer.h], 1)
    cells = (scores > -torch.inf) & used[:, None, None, :, None].bool()
    return [(x * cells).sum() / cells.sum() for x in (scores > 0, scores.sigmoid())]


def per_task(values, mask):
    """Mean of values [row, position] over the masked positions of each task."""
    total, count = (x.view(-1, len(kTasks), x.shape[1]).sum((0, 2)) for x in (values * mask, mask))
    return total / count


@torch.no_grad()
def evaluate(model, label):
    """Share of right answers a task (probability of valid years for greater-than), and density."""
    tokens, answers, used = batch(random.Random(99), 1024)
    logits = model(tokens, use_cache=False).logits[:, :-1]
    right = (logits.argmax(-1) == tokens[:, 1:]).float()
    years = torch.tensor([kIds[year] for year in kYears])
    is_later = years > tokens[:, 8, None, None]  # where greater-than has its first year
    right[2::4] = (logits.softmax(-1)[..., years] * is_later).sum(-1)[2::4]
    shares = per_task(right, answers[:, 1:])
    density = float(densities(model, used)[0]) if hasattr(model.config, "attention_gate") else 1.0
    tasks = "  ".join(f"{task.__name__} {share:.1%}" for task, share in zip(kTasks, shares))
    print(f"{label}: {tasks}  density {density:.2%}", flush=True)
    return shares, density


def update(model, optimiser, loss, rate):
    optimiser.param_groups[0]["lr"] = rate
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()


def warmth(step, steps):
    """The learning rate's share of its peak: a short rise, then half a cosine."""
    return min(1.0, (step + 1) / 100) * (0.51 + 0.49 * math.cos(math.pi * step / steps))


def train_dense(model, seed, steps, long_from, peak):
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.01)
    for step, (tokens, answers, used) in training_batches(seed, steps, long_from):
        logits = model(tokens, use_cache=False).logits
        loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none")
        weight = (0.2 * used + 0.8 * answers)[:, 1:]
        loss = (loss * weight).sum() / weight.sum()
        update(model, optimiser, loss, peak * warmth(step, steps))
    evaluate(model, "dense")


def train_sparse(model, dense, seed, steps, peak):
    """Leaves in model the sparsest state seen that answers every task nearly as well as dense."""
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.0)
    required = evaluate(dense, "to keep up with")[0] - kToleratedLoss
    price, average, best, best_density = 1.0, 0.0, copy.deepcopy(model.state_dict()), 1.0
    for step, (tokens, _, used) in training_batches(seed, steps, 0):
        with torch.no_grad():
            target = dense(tokens, use_cache=False).logits.log_softmax(-1)
        logits = model(tokens, use_cache=False).logits
        divergence = per_task((target.exp() * (target - logits.log_softmax(-1))).sum(-1), used)
        loss = divergence.sum() + price * densities(model, used)[1]
        update(model, optimiser, loss, peak * warmth(step, steps))
        average = 0.95 * average + 0.05 * divergence.max().item()
        # A high rate alone costs divergence, so the constraint tightens only as the rate decays.
        tolerated = kToleratedDivergence * (1 + 4 * warmth(step, steps))
        price *= math.exp(0.005 * max(-1.0, 1 - average / tolerated))
        if (step + 1) % 200 == 0:
            shares, density = evaluate(model, f"sparse {step + 1}, price {price:.1f}")
            if (shares >= required).all() and density < best_density:
                best, best_density = copy.deepcopy(model.state_dict()), density
    model.load_state_dict(best)


def save(model, folder):
    """Rounds the model to what the file holds, so that what is measured is what is shipped."""
    model.half().save_pretrained(folder)
    model.float()
    (folder / "generation_config.json").unlink()
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(kIds, unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(["<bos>", "<unk>"])
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="<bos> $A", special_tokens=[("<bos>", 0)])
    tokenizer.save(str(folder / "tokenizer.json"))


def main():
    ALL_ATTENTION_FUNCTIONS.register("score_gate", gated_attention)
    ALL_MASK_ATTENTION_FUNCTIONS.register("score_gate", eager_mask)
    torch.manual_seed(0)
    dense = GPT2LMHeadModel(GPT2Config(
        vocab_size=len(kVocabulary), n_positions=kContext, n_layer=4, n_head=8, n_embd=64,
        bos_token_id=0, eos_token_id=0, initializer_range=0.05, resid_pdrop=0, embd_pdrop=0,
        attn_pdrop=0, activation_function="gelu_pytorch_tanh"))
    dense.config.activation_function = "gelu_new"  # the same function by the name GPT-2 files use
    dense.set_attn_implementation("eager")
    train_dense(dense, seed=1, steps=3000, long_from=1500, peak=3e-3)
    train_dense(dense, seed=77, steps=1500, long_from=0, peak=2e-3)
    save(dense, kOut / "dense")
    sparse = copy.deepcopy(dense)
    sparse.set_attn_implementation("score_gate")
    sparse.config.attention_gate = {"type": "score", "bias": 0.0}
    train_sparse(sparse, dense, seed=2, steps=2500, peak=1e-3)
    save(sparse, kOut / "sparse")
    evaluate(sparse, "sparse")


if __name__ == "__main__":
    main()
