"""The PyTorch side of the language benchmarks: training steps of a Llama-like model, at its best settings without torch.compile.

    python3 language.py --only train-0.8m,train-10m --threads 1,2 --seconds 1 --rounds 5

The model has RMSNorm, SwiGLU, rotary embeddings, no biases and a head of its own; a step is forward, backward, clipping at 1 and
AdamW, fused or foreach, whichever is faster. It talks as torch.py does, and starts from the same numbers as our side.
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
}


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, hidden = heads, -(-width // 3) * 8
        self.norm1, self.norm2 = nn.RMSNorm(width, eps=1e-6), nn.RMSNorm(width, eps=1e-6)
        linear = lambda inputs, outputs: nn.Linear(inputs, outputs, bias=False)
        self.qkv, self.out = linear(width, 3 * width), linear(width, width)
        self.up, self.down = linear(width, 2 * hidden), linear(hidden, width)

    def forward(self, x, cos, sin):
        batch, tokens, width = x.shape
        parts = self.qkv(self.norm1(x)).split(width, dim=2)
        q, k, v = (t.view(batch, tokens, self.heads, width // self.heads).transpose(1, 2) for t in parts)
        mixed = F.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v, is_causal=True)
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
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, self.cos, self.sin)
        return self.head(self.norm(x))


def candidates(_kind, layers, width, heads, tokens, batch, vocabulary):
    ids, targets = ((peer.hashed(batch * tokens, s) % vocabulary).reshape(batch, tokens) for s in (peer.X, peer.Y))
    loss = lambda m: F.cross_entropy(m(ids).view(-1, vocabulary), targets.view(-1))

    def start(way):
        model = Llama(layers, width, heads, tokens, vocabulary)
        rule = {"lr": 3e-4, "weight_decay": 0.01, way: True}
        return peer.training(model, loss, torch.optim.AdamW, clip=1.0, **rule)

    return {way: (lambda way=way: start(way)) for way in ("fused", "foreach")}


if __name__ == "__main__":
    peer.main(__doc__, SIZES, candidates)
