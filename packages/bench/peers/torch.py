"""The PyTorch side of the benchmarks, at its best settings.

    python3 torch.py --only adam-64-b256,matmul-1024 --threads 1,2 --seconds 0.4 --rounds 5

For every benchmark and thread count it prints a line with its version and values for comparison, and then one line
per round with seconds per call. With --wait a round starts when a line arrives on standard input, so that sides take turns.
"""

import sys

# This file is called torch.py: its folder must not hide the library.
sys.path.pop(0)

import argparse
import json
import time

import torch
from torch import nn
from torch.nn import functional as F

SIZES = {
    "forward-64-b1": [("forward", [4, 64, 64, 2], nn.Tanh, 1)] * 2,
    "adam-64-b256": [("adam", [4, 64, 64, 2], nn.Tanh, 256), ("adam", [4, 64, 64, 2], nn.Tanh, 24)],
    "adam-256-b256": [("adam", [4, 256, 256, 1], nn.ReLU, 256), ("adam", [4, 256, 256, 1], nn.ReLU, 24)],
    "matmul-1024": [("matmul", 1024), ("matmul", 120)],
    # layers, width, heads, tokens, batch, vocabulary
    "gpt-4x128": [("gpt", 4, 128, 4, 128, 16, 256), ("gpt", 2, 32, 2, 24, 2, 48)],
}
X, Y = 1001, 1002


def hashed(count, stream):
    """The same numbers as noise.ts."""
    h = (torch.arange(count, dtype=torch.int64) * 0x9E3779B1 + stream * 0x85EBCA6B) & 0xFFFFFFFF
    h = ((h ^ (h >> 16)) * 0x045D9F3B) & 0xFFFFFFFF
    return h ^ (h >> 16)


def noise(shape, stream, scale):
    count = torch.Size(shape).numel()
    return ((hashed(count, stream).double() / 2**32 * 2 - 1) * scale).float().reshape(shape)


class Streams:
    """Fills parameters from the streams 1, 2, 3 … in the order of parameters.ts."""

    def __init__(self):
        self.next = 0

    def fill(self, parameter, shape, scale, transpose=False):
        self.next += 1
        values = noise(shape, self.next, scale)
        with torch.no_grad():
            parameter.copy_(values.T if transpose else values)

    def linear(self, layer, bias=True):
        inputs, outputs = layer.in_features, layer.out_features
        self.fill(layer.weight, [inputs, outputs], inputs**-0.5, transpose=True)
        if bias:
            self.fill(layer.bias, [outputs], inputs**-0.5)
        elif layer.bias is not None:
            nn.init.zeros_(layer.bias)


def mlp(widths, activation):
    streams, layers = Streams(), []
    for i, (a, b) in enumerate(zip(widths, widths[1:])):
        layers.append(nn.Linear(a, b))
        streams.linear(layers[-1])
        if i + 2 < len(widths):
            layers.append(activation())
    return nn.Sequential(*layers)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        parts = self.qkv(self.norm1(x)).split(width, dim=2)
        q, k, v = (t.view(batch, tokens, self.heads, width // self.heads).transpose(1, 2) for t in parts)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self, layers, width, heads, tokens, vocabulary):
        super().__init__()
        self.embedding, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(tokens, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)
        streams = Streams()
        streams.fill(self.embedding.weight, [vocabulary, width], 0.05)
        streams.fill(self.positions.weight, [tokens, width], 0.05)
        for block in self.blocks:
            for layer in (block.qkv, block.out, block.up, block.down):
                streams.linear(layer, bias=False)
        streams.linear(self.head, bias=False)

    def forward(self, ids):
        x = self.embedding(ids) + self.positions.weight
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def training(model, loss, optimizer, clip=None, **options):
    optimizer = optimizer(model.parameters(), **options)

    def step():
        optimizer.zero_grad(set_to_none=True)
        value = loss(model)
        value.backward()
        if clip is not None:
            nn.utils.clip_grad_norm_(model.parameters(), clip, foreach=True)
        optimizer.step()
        return value

    return step


def candidates(kind, *size):
    """The ways to do the work, by name; the fastest is measured."""
    if kind == "matmul":
        n = size[0]
        a, b = noise([n, n], 1, 1), noise([n, n], 2, 1)
        return {"inference mode": lambda: (lambda: a @ b)}
    if kind == "forward":
        widths, activation, batch = size
        x = noise([batch, widths[0]], X, 1)
        return {"inference mode": lambda: (lambda net: (lambda: net(x)))(mlp(widths, activation).eval())}
    if kind == "adam":
        widths, activation, batch = size
        x, y = noise([batch, widths[0]], X, 1), noise([batch, widths[-1]], Y, 1)
        model, loss = (lambda: mlp(widths, activation)), (lambda m: F.mse_loss(m(x), y))
        optimizer, options = torch.optim.Adam, {"lr": 1e-3}
    else:
        layers, width, heads, tokens, batch, vocabulary = size
        ids, targets = ((hashed(batch * tokens, s) % vocabulary).reshape(batch, tokens) for s in (X, Y))
        model = lambda: Gpt(layers, width, heads, tokens, vocabulary)
        loss = lambda m: F.cross_entropy(m(ids).view(-1, vocabulary), targets.view(-1))
        optimizer, options = torch.optim.AdamW, {"lr": 3e-4, "weight_decay": 0.01}
    return {way: (lambda way=way: training(model(), loss, optimizer, **options, **{way: True})) for way in ("fused", "foreach")}


def observe(result):
    flat = result.detach().reshape(-1)
    return [flat[(i * 64901) % flat.numel()].item() for i in range(min(16, flat.numel()))]


def seconds(run, calls):
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def warm_up(run, budget):
    """Warms up; returns the number of calls per sample, and the fastest time of one call."""
    end, calls, n, best = time.perf_counter() + budget, 1, 0, float("inf")
    while n < 3 or time.perf_counter() < end:
        each = seconds(run, calls)
        best, n = min(best, each), n + 1
        calls = max(1, min(100_000, int(1e-3 / each) + 1))
    return calls, best


def measure(name, threads, options, sizes, candidates):
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    kind, *size = sizes[name][1 if options.small else 0]
    say = lambda **message: print(json.dumps({"name": name, "threads": threads, **message}), flush=True)
    with torch.inference_mode(kind in ("forward", "matmul")):
        ways = {way: start() for way, start in candidates(kind, *size).items()}
        values = [v for _ in range(5) for v in observe(ways[next(iter(ways))]())]
        timed = {way: warm_up(run, options.seconds) for way, run in ways.items()}
        how = min(timed, key=lambda way: timed[way][1])
        run, calls = ways[how], timed[how][0]
        say(version=torch.__version__, values=values, how=how)
        for _ in range(options.rounds):
            if options.wait and not sys.stdin.readline():
                return
            samples, end = [], time.perf_counter() + options.seconds
            while len(samples) < 2 or time.perf_counter() < end:
                samples.append(seconds(run, calls))
            say(samples=samples)


def main(about, sizes, candidates):
    """Measures the benchmarks named on the command line; each has a full and a small size."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(sizes), help="benchmarks, separated by commas")
    parser.add_argument("--threads", default="1", help="thread counts, separated by commas")
    parser.add_argument("--seconds", type=float, default=0.4, help="length of a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--wait", action="store_true", help="start each round when a line arrives on standard input")
    parser.add_argument("--small", action="store_true", help="small benchmarks, to try the tool")
    arguments = parser.parse_args()
    for benchmark in arguments.only.split(","):
        for count in arguments.threads.split(","):
            measure(benchmark, int(count), arguments, sizes, candidates)


if __name__ == "__main__":
    main(__doc__, SIZES, candidates)
