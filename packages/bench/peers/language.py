"""The PyTorch side of the language benchmarks: training steps and GRPO updates of a Llama-like model, at its best settings without torch.compile.

    python3 language.py --only train-0.8m,train-10m --threads 1,2 --seconds 1 --rounds 5

The model has RMSNorm, SwiGLU, rotary embeddings, no biases and a head of its own; a step is forward, backward, clipping at 1 and
AdamW, fused or foreach, whichever is faster. It uses the protocol of torch.py, and starts from the same numbers as Reins.
"""

import importlib.util
import sys
from pathlib import Path

# Nothing here may fill with compiled modules. torch.py takes this folder off the path, where it would hide the library.
sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("peer", Path(__file__).with_name("torch.py"))
peer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(peer)

import torch
from torch import nn
from torch.nn import functional as F

# layers, width, heads, tokens, batch, vocabulary
SMALL = ("train", 2, 32, 2, 24, 2, 48)
SIZES = {
    "train-0.8m": [("train", 4, 128, 4, 128, 16, 256), SMALL],
    "train-10m": [("train", 6, 384, 6, 128, 16, 256), SMALL],
    # layers, width, heads, vocabulary, prompts, completions, tokens of a prompt, tokens of a completion
    "grpo-10m": [("update", 6, 384, 6, 256, 4, 8, 32, 64), ("update", 2, 32, 2, 48, 2, 2, 4, 8)],
}


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, hidden = heads, -(-width // 3) * 8
        self.norm1, self.norm2 = nn.RMSNorm(width, eps=1e-6), nn.RMSNorm(width, eps=1e-6)
        linear = lambda inputs, outputs: nn.Linear(inputs, outputs, bias=False)
        self.qkv, self.out = linear(width, 3 * width), linear(width, width)
        self.up, self.down = linear(width, 2 * hidden), linear(hidden, width)

    def forward(self, x, cos, sin, cache=None, at=0):
        batch, tokens, width = x.shape
        parts = self.qkv(self.norm1(x)).split(width, dim=2)
        q, k, v = (t.view(batch, tokens, self.heads, width // self.heads).transpose(1, 2) for t in parts)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        if cache is not None:
            cache[0][:, :, at : at + tokens], cache[1][:, :, at : at + tokens] = k, v
            k, v = cache[0][:, :, : at + tokens], cache[1][:, :, : at + tokens]
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=tokens > 1)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))
        gate, value = self.up(self.norm2(x)).chunk(2, dim=2)
        return x + self.down(F.silu(gate) * value)


def rotate(x, cos, sin):
    a, b = x.chunk(2, dim=3)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=3)


class Llama(nn.Module):
    def __init__(self, layers, width, heads, tokens, vocabulary):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.RMSNorm(width, eps=1e-6), nn.Linear(width, vocabulary, bias=False)
        pairs = torch.arange(0, width // heads, 2, dtype=torch.float64) / (width // heads)
        angles = torch.outer(torch.arange(tokens, dtype=torch.float64), 10_000**-pairs)
        self.cos, self.sin = angles.cos().float(), angles.sin().float()
        streams = peer.Streams()
        streams.fill(self.embedding.weight, [vocabulary, width], 0.05)
        for block in self.blocks:
            for layer in (block.qkv, block.out, block.up, block.down):
                streams.linear(layer, bias=False)
        streams.linear(self.head, bias=False)

    def forward(self, ids):
        x, here = self.embedding(ids), slice(ids.shape[1])
        for block in self.blocks:
            x = block(x, self.cos[here], self.sin[here])
        return self.head(self.norm(x))

    def continued(self, ids, caches, at):
        """Logits of the last position; keys and values of `ids` go into the caches from `at` on."""
        x, here = self.embedding(ids), slice(at, at + ids.shape[1])
        for block, cache in zip(self.blocks, caches):
            x = block(x, self.cos[here], self.sin[here], cache, at)
        return self.head(self.norm(x[:, -1]))


def grpo_update(layers, width, heads, vocabulary, prompts, completions, prompt, completion, way):
    """Sampling with a KV cache, then one clipped step on all completions."""
    rows, tokens = prompts * completions, prompt + completion
    model = Llama(layers, width, heads, tokens, vocabulary)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-6, weight_decay=0.01, **{way: True})
    caches = [torch.empty(2, rows, heads, tokens, width // heads) for _ in range(layers)]

    @torch.inference_mode()
    def generate():
        asked = torch.randint(vocabulary, (prompts, prompt)).repeat_interleave(completions, 0)
        ids, logps = [asked], []
        for at in range(completion):
            logits = model.continued(ids[-1], caches, 0 if at == 0 else prompt + at - 1)
            logp = F.log_softmax(logits, dim=1)
            ids.append(torch.multinomial(logp.exp(), 1))
            logps.append(logp.gather(1, ids[-1]))
        return torch.cat(ids, 1), torch.cat(logps, 1)

    def step():
        ids, old = (t.clone() for t in generate())
        reward = (ids[:, prompt:] < vocabulary // 2).float().mean(1).view(prompts, completions)
        advantage = (reward - reward.mean(1, keepdim=True)) / (reward.std(1, keepdim=True) + 1e-6)
        optimizer.zero_grad(set_to_none=True)
        logits = model(ids[:, :-1])[:, prompt - 1 :]
        new = F.log_softmax(logits, dim=2).gather(2, ids[:, prompt:, None])[..., 0]
        ratio, a = (new - old).exp(), advantage.view(rows, 1)
        loss = -torch.minimum(ratio * a, ratio.clamp(0.8, 1.2) * a).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=True)
        optimizer.step()
        return loss

    return step


def candidates(kind, *size):
    if kind == "update":
        return {way: (lambda way=way: grpo_update(*size, way)) for way in ("fused", "foreach")}
    layers, width, heads, tokens, batch, vocabulary = size
    ids, targets = ((peer.hashed(batch * tokens, s) % vocabulary).reshape(batch, tokens) for s in (peer.X, peer.Y))
    loss = lambda m: F.cross_entropy(m(ids).view(-1, vocabulary), targets.view(-1))

    def start(way):
        model = Llama(layers, width, heads, tokens, vocabulary)
        rule = {"lr": 3e-4, "weight_decay": 0.01, way: True}
        return peer.training(model, loss, torch.optim.AdamW, clip=1.0, **rule)

    return {way: (lambda way=way: start(way)) for way in ("fused", "foreach")}


if __name__ == "__main__":
    peer.main(__doc__, SIZES, candidates)
