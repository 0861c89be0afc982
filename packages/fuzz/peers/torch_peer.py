"""Runs the fuzzer's programs with PyTorch: one JSON line of programs in, one line of results out.

Whole numbers are int64 tensors that are wrapped to their type after each operation, since PyTorch has no u32 arithmetic. A program
with something that has no counterpart here is answered with {"skip": why}.
"""

import base64
import json
import math
import sys

import torch
import torch.nn.functional as F

torch.set_num_threads(1)


class Skip(Exception):
    pass


def wrap(t, d):
    if d == "f32":
        return t if t.dtype == torch.float32 else t.to(torch.float32)
    if d == "bool":
        return t if t.dtype == torch.bool else t != 0
    t = t.to(torch.int64)
    if d == "i32":
        return ((t + 2**31) & 0xFFFFFFFF) - 2**31
    return t & (0xFFFFFFFF if d == "u32" else 0xFF)


class V:
    """A tensor with its type in the fuzzer's terms."""

    def __init__(self, t, d):
        self.t = wrap(t, d)
        self.d = d

    @property
    def shape(self):
        return list(self.t.shape)

    @property
    def rank(self):
        return self.t.dim()


def decode(text, shape, d):
    raw = bytearray(base64.b64decode(text))
    types = {"f32": torch.float32, "i32": torch.int32, "u32": torch.int32, "u8": torch.uint8, "bool": torch.uint8}
    t = torch.frombuffer(raw, dtype=types[d]).clone() if raw else torch.zeros(0, dtype=types[d])
    if d == "u32":
        t = t.to(torch.int64) & 0xFFFFFFFF
    return V(t.reshape(shape), d)


def encode(v):
    t = v.t.detach().contiguous()
    if v.d == "u32":
        t = torch.where(t >= 2**31, t - 2**32, t)
    types = {"f32": torch.float32, "i32": torch.int32, "u32": torch.int32, "u8": torch.uint8, "bool": torch.uint8}
    return {
        "shape": v.shape,
        "dtype": v.d,
        "data": base64.b64encode(t.to(types[v.d]).numpy().tobytes()).decode(),
    }


# Arguments


def ax(a, rank):
    return a + rank if a < 0 else a


def axes_of(options, rank):
    if options is None:
        options = {}
    if isinstance(options, (int, list)):
        options = {"axis": options}
    axis = options.get("axis")
    axes = list(range(rank)) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    return sorted(ax(a, rank) for a in axes), options.get("keepDims", False)


def like(x, y):
    """Two operands of one type; a plain number takes the other's."""
    if isinstance(x, V) and isinstance(y, V):
        return x, y
    if isinstance(x, V):
        return x, V(torch.tensor(y), x.d if x.d != "bool" or isinstance(y, bool) else "f32")
    return V(torch.tensor(x), y.d if y.d != "bool" or isinstance(x, bool) else "f32"), y


def clamped(i, n):
    return i.t.clamp(0, n - 1)


# Operations

ops = {}


def op(name):
    def add(f):
        ops[name] = f
        return f

    return add


def unary(name, f):
    ops[name] = lambda x: V(f(x.t), x.d)


def binary(name, f):
    def run(x, y):
        x, y = like(x, y)
        return V(f(x.t, y.t), x.d)

    ops[name] = run


def compare(name, f):
    def run(x, y):
        x, y = like(x, y)
        return V(f(x.t, y.t), "bool")

    ops[name] = run


for n, f in {
    "neg": torch.neg, "abs": torch.abs, "sign": lambda t: torch.where(t == t, torch.sign(t), t), "sqrt": torch.sqrt, "rsqrt": torch.rsqrt,
    "reciprocal": torch.reciprocal, "floor": torch.floor, "ceil": torch.ceil, "trunc": torch.trunc,
    "round": torch.round, "exp": torch.exp, "expm1": torch.expm1, "log": torch.log, "log1p": torch.log1p,
    "sin": torch.sin, "cos": torch.cos, "tanh": torch.tanh, "sigmoid": torch.sigmoid, "erf": lambda t: torch.erf(t.double()).float(),
    "relu": torch.relu, "square": lambda t: t * t, "silu": F.silu, "mish": F.mish, "logSigmoid": F.logsigmoid,
    "softplus": lambda t: torch.logaddexp(t, torch.zeros_like(t)),
}.items():
    unary(n, f)
for n, f in {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul,
}.items():
    binary(n, f)


def larger(f):
    """Of two, if neither is NaN or no gradient is taken: PyTorch gives the gradient to both, twice."""

    def run(a, b):
        if (a.requires_grad or b.requires_grad) and bool((a.isnan() | b.isnan()).any()):
            raise Skip("the gradient of an extreme of NaN")
        return f(a, b)

    return run


for n, f in {"maximum": torch.maximum, "minimum": torch.minimum}.items():
    binary(n, larger(f))
for n, f in {"eq": torch.eq, "ne": torch.ne, "lt": torch.lt, "le": torch.le, "gt": torch.gt, "ge": torch.ge}.items():
    compare(n, f)
for n, f in {"and": torch.bitwise_and, "or": torch.bitwise_or, "xor": torch.bitwise_xor}.items():
    binary(n, f)
binary("shl", lambda a, b: torch.bitwise_left_shift(a, b & 31))
binary("shr", lambda a, b: torch.bitwise_right_shift(a, b & 31))


@op("not")
def _(x):
    return V(~x.t, x.d)


@op("div")
def _(x, y):
    x, y = like(x, y)
    if x.d == "f32":
        return V(x.t / y.t, "f32")
    zero = y.t == 0
    return V(torch.where(zero, 0, torch.div(x.t, torch.where(zero, 1, y.t), rounding_mode="trunc")), x.d)


@op("mod")
def _(x, y):
    x, y = like(x, y)
    if x.d == "f32":
        if not bool(((x.t / y.t).abs() < 2**24).all()):
            raise Skip("mod with quotients too large for a remainder")
        return V(torch.remainder(x.t, y.t), "f32")
    zero = y.t == 0
    return V(torch.where(zero, 0, torch.remainder(x.t, torch.where(zero, 1, y.t))), x.d)


@op("erfInverse")
def _(x):
    if not bool((x.t.abs() <= 1).all()):
        raise Skip("erfInverse outside of its range")
    return V(torch.erfinv(x.t), "f32")


def positive(name, f):
    def run(x):
        if not bool((x.t > 0).all()):
            raise Skip(name + " of numbers that are not positive")
        return V(f(x.t), "f32")

    ops[name] = run


positive("lgamma", torch.lgamma)
positive("digamma", torch.digamma)
positive("trigamma", lambda t: torch.polygamma(1, t))


@op("pow")
def _(x, y):
    if not isinstance(y, V):
        if y in (1, 2, 3):
            return V({1: lambda t: t, 2: lambda t: t * t, 3: lambda t: t * t * t}[y](x.t), x.d)
        return V(torch.pow(x.t, y), "f32")
    x, y = like(x, y)
    if not bool((x.t > 0).all()):
        raise Skip("powers of numbers that are not positive")
    return V(torch.pow(x.t, y.t), "f32")


@op("where")
def _(c, x, y):
    x, y = like(x, y) if isinstance(x, V) or isinstance(y, V) else (V(torch.tensor(x), "f32"), V(torch.tensor(y), "f32"))
    return V(torch.where(c.t, x.t, y.t), x.d)


@op("cast")
def _(x, d):
    if x.d == "f32" and d in ("i32", "u32", "u8"):
        low, high = (0, 4294967295) if d == "u32" else (-2147483648, 2147483647)
        t = torch.nan_to_num(x.t.double(), nan=0.0, posinf=float(high), neginf=float(low)).trunc().clamp(low, high)
        return V(t.to(torch.int64), d)
    return V(x.t, d)


@op("bitcast")
def _(x, d):
    if x.d == d:
        return x
    if x.d == "f32":
        return V(x.t.detach().contiguous().view(torch.int32).to(torch.int64), d)
    if d == "f32":
        return V(V(x.t, "i32").t.to(torch.int32).view(torch.float32), d)
    return V(x.t, d)


@op("clamp")
def _(x, low, high):
    return ops["minimum"](ops["maximum"](x, low), high)


@op("gelu")
def _(x, form="tanh"):
    return V(F.gelu(x.t, approximate="tanh" if form == "tanh" else "none"), "f32")


@op("elu")
def _(x, alpha=1):
    return V(F.elu(x.t, alpha), "f32")


@op("leakyRelu")
def _(x, slope=0.01):
    return V(torch.where(x.t > 0, x.t, x.t * slope), "f32")


@op("huber")
def _(x, delta=1):
    a = x.t.abs()
    return V(torch.where(a <= delta, x.t * x.t * 0.5, (a - delta / 2) * delta), "f32")


# Movement


@op("reshape")
def _(x, shape):
    return V(x.t.reshape(shape), x.d)


@op("broadcastTo")
def _(x, shape):
    return V(x.t.expand(shape), x.d)


@op("permute")
def _(x, axes):
    return V(x.t.permute(axes), x.d)


@op("transpose")
def _(x, a=-2, b=-1):
    return V(x.t.transpose(a, b), x.d)


def along(t, axis, index):
    return torch.index_select(t, axis, torch.tensor(index, dtype=torch.int64))


@op("slice")
def _(x, ranges):
    t = x.t
    for axis, r in enumerate(ranges):
        if r is None:
            continue
        if isinstance(r, list):
            r = {"start": r[0], "end": r[1]}
        step = r.get("step", 1)
        index = list(range(t.shape[axis]))[r.get("start") : r.get("end") : step]
        t = along(t, axis, index)
    return V(t, x.d)


@op("flip")
def _(x, axis):
    return V(torch.flip(x.t, [axis]), x.d)


@op("pad")
def _(x, widths, value=0):
    flat = [w for pair in reversed(widths) for w in pair]
    return V(F.pad(x.t.float() if x.d == "bool" else x.t, flat, value=value), x.d)


@op("concat")
def _(parts, axis=0):
    return V(torch.cat([p.t for p in parts], axis), parts[0].d)


@op("stack")
def _(parts, axis=0):
    return V(torch.stack([p.t for p in parts], axis), parts[0].d)


@op("split")
def _(x, sizes, axis=0):
    return [V(t, x.d) for t in torch.split(x.t, sizes, axis)]


@op("expandDims")
def _(x, axis):
    return V(x.t.unsqueeze(axis), x.d)


@op("squeeze")
def _(x, axis=None):
    return V(x.t.squeeze() if axis is None else x.t.squeeze(axis), x.d)


@op("windows")
def _(x, axis, size, stride=1, dilation=1):
    axis = ax(axis, x.rank)
    count = (x.shape[axis] - (size - 1) * dilation - 1) // stride + 1
    index = [i * stride + k * dilation for i in range(count) for k in range(size)]
    s = x.shape
    return V(along(x.t, axis, index).reshape(s[:axis] + [count, size] + s[axis + 1 :]), x.d)


@op("iota")
def _(shape, axis=0):
    view = [1] * len(shape)
    view[axis] = shape[axis]
    return V(torch.arange(shape[axis]).reshape(view).expand(shape), "i32")


@op("full")
def _(shape, value, d="f32"):
    if isinstance(value, V):
        return V(value.t.expand(shape), value.d)
    return V(torch.full(shape, value), "bool" if isinstance(value, bool) and d is None else d)


ops["zeros"] = lambda shape, d="f32": V(torch.zeros(shape), d)
ops["ones"] = lambda shape, d="f32": V(torch.ones(shape), d)
ops["zerosLike"] = lambda x: V(torch.zeros(x.shape), x.d)
ops["onesLike"] = lambda x: V(torch.ones(x.shape), x.d)
ops["eye"] = lambda n: V(torch.eye(n), "f32")
ops["scalar"] = lambda v, d="f32": V(torch.tensor(v), d)
ops["tensor"] = lambda v, o=None: V(torch.tensor(v), (o or {}).get("dtype", "f32"))
ops["stopGradient"] = lambda x: V(x.t.detach(), x.d)
ops["linspace"] = lambda a, b, n: V(torch.arange(n).float() * ((b - a) / max(1, n - 1)) + a, "f32")


@op("arange")
def _(start, end=None, step=1, d="i32"):
    if end is None:
        start, end = 0, start
    return V(torch.arange(start, end, step), d)


@op("diagonal")
def _(x):
    return V(torch.diagonal(x.t, dim1=-2, dim2=-1), x.d)


@op("diagonalMatrix")
def _(x):
    n = x.shape[-1]
    return V(torch.where(torch.eye(n, dtype=torch.bool), x.t.unsqueeze(-1), 0), x.d)


# Reductions


@op("sum")
def _(x, o=None):
    axes, keep = axes_of(o, x.rank)
    return V(x.t.sum(axes, keepdim=keep) if axes else x.t, x.d)


@op("prod")
def _(x, o=None):
    axes, keep = axes_of(o, x.rank)
    t = x.t
    for a in reversed(axes):
        # The second derivative of a product of one number is 0, but not in PyTorch.
        one = x.d == "f32" and t.shape[a] == 1
        t = V(t.sum(a, keepdim=keep) if one else t.prod(a, keepdim=keep), x.d).t
    return V(t, x.d)


def extreme(name, f):
    def run(x, o=None):
        axes, keep = axes_of(o, x.rank)
        return V(f(x.t, axes, keep) if axes else x.t, x.d)

    ops[name] = run


extreme("max", lambda t, a, k: t.amax(a, keepdim=k))
extreme("min", lambda t, a, k: t.amin(a, keepdim=k))


@op("mean")
def _(x, o=None):
    axes, keep = axes_of(o, x.rank)
    return V(x.t.mean(axes, keepdim=keep) if axes else x.t, "f32")


@op("variance")
def _(x, o=None, correction=0):
    axes, keep = axes_of(o, x.rank)
    n = math.prod(x.shape[a] for a in axes)
    centred = x.t - (x.t.mean(axes, keepdim=True) if axes else x.t)
    squares = centred * centred
    return V((squares.sum(axes, keepdim=keep) if axes else squares) / float(n - correction), "f32")


ops["std"] = lambda x, o=None, c=0: V(torch.sqrt(ops["variance"](x, o, c).t), "f32")
ops["norm"] = lambda x, o=None: V(torch.sqrt(ops["sum"](V(x.t * x.t, "f32"), o).t), "f32")


def position(name, f):
    def run(x, axis=-1):
        if x.d == "f32" and bool(torch.isnan(x.t).any()):
            raise Skip(name + " of NaN")
        return V(f(x.t.detach(), axis), "i32")

    ops[name] = run


position("argmax", lambda t, a: torch.argmax(t, a))
position("argmin", lambda t, a: torch.argmin(t, a))


def running(name, f):
    def run(x, axis=0, reverse=False):
        t = torch.flip(x.t, [axis]) if reverse else x.t
        t = f(t, axis)
        return V(torch.flip(t, [axis]) if reverse else t, x.d)

    ops[name] = run


running("cumsum", torch.cumsum)


def cumprod(t, axis):
    y = torch.cumprod(t, axis)
    if t.requires_grad and not bool(y.isfinite().all()):
        raise Skip("the gradient of products that are not finite")
    return y


running("cumprod", cumprod)
ops["softmax"] = lambda x, axis=-1: V(torch.softmax(x.t, axis), "f32")
ops["logSoftmax"] = lambda x, axis=-1: V(torch.log_softmax(x.t, axis), "f32")
ops["logSumExp"] = lambda x, axis=-1, keep=False: V(torch.logsumexp(x.t, axis, keepdim=keep), "f32")


@op("mseLoss")
def _(x, y):
    x, y = like(x, y)
    return V(((x.t - y.t) ** 2).mean(), "f32")


@op("bceWithLogits")
def _(x, y):
    x, y = like(x, y)
    return V((ops["softplus"](x).t - x.t * y.t).mean(), "f32")


@op("layerNorm")
def _(x, scale=None, shift=None, eps=1e-5):
    # F.layer_norm updates its mean one element at a time and misses exact zeros.
    away = x.t - x.t.mean(-1, keepdim=True)
    y = away * torch.rsqrt((away * away).mean(-1, keepdim=True) + eps)
    y = y if scale is None else y * scale.t
    return V(y if shift is None else y + shift.t, "f32")


@op("rmsNorm")
def _(x, scale=None, eps=1e-6):
    y = x.t * torch.rsqrt((x.t * x.t).mean(-1, keepdim=True) + eps)
    return V(y if scale is None else y * scale.t, "f32")


# Indexing


@op("gather")
def _(x, i, axis):
    axis = ax(axis, x.rank)
    shape = [i.shape[axis] if k == axis else d for k, d in enumerate(x.shape)]
    return V(torch.gather(x.t, axis, clamped(i, x.shape[axis]).expand(shape)), x.d)


@op("take")
def _(x, i, axis=0):
    axis = ax(axis, x.rank)
    t = torch.index_select(x.t, axis, clamped(i, x.shape[axis]).reshape(-1))
    return V(t.reshape(x.shape[:axis] + i.shape + x.shape[axis + 1 :]), x.d)


@op("scatterAdd")
def _(i, s, axis, size):
    axis = ax(axis, s.rank)
    zero = torch.zeros([size if k == axis else d for k, d in enumerate(s.shape)], dtype=s.t.dtype)
    return V(zero.scatter_add(axis, clamped(i, size).expand(s.shape), s.t), s.d)


@op("scatter")
def _(x, i, s, axis):
    axis = ax(axis, x.rank)
    index = clamped(i, x.shape[axis]).expand(s.shape)
    # Which element of the source is written last to each position is unspecified in PyTorch.
    places = torch.arange(x.t.numel()).reshape(x.shape)
    targets = torch.gather(places, axis, index).reshape(-1)
    last = torch.full([x.t.numel()], -1)
    for k, at in enumerate(targets.tolist()):
        last[at] = k
    hit = (last >= 0).reshape(x.shape)
    if s.t.numel() == 0:
        return x
    return V(torch.where(hit, s.t.reshape(-1)[last.clamp(min=0)].reshape(x.shape), x.t), x.d)


@op("segmentSum")
def _(x, segments, count):
    zero = torch.zeros([count] + x.shape[1:], dtype=x.t.dtype)
    return V(zero.index_add(0, clamped(segments, count), x.t), x.d)


@op("oneHot")
def _(i, count, d="f32"):
    return V(i.t.unsqueeze(-1) == torch.arange(count), d)


def first(start, room):
    s = start.t.reshape(()).item() if isinstance(start, V) else start
    return max(0, min(room, int(s)))


@op("dynamicSlice")
def _(x, start, size, axis=0):
    return V(x.t.narrow(axis, first(start, x.shape[axis] - size), size), x.d)


@op("dynamicUpdate")
def _(x, u, start, axis=0):
    n = u.shape[axis]
    at = first(start, x.shape[axis] - n)
    parts = [x.t.narrow(axis, 0, at), u.t, x.t.narrow(axis, at + n, x.shape[axis] - at - n)]
    return V(torch.cat(parts, axis), x.d)


def order(x, axis, descending):
    return torch.sort(x.t.detach(), dim=axis, descending=descending, stable=True).indices


ops["argsort"] = lambda x, axis=-1, descending=False: V(order(x, axis, descending), "i32")
ops["sort"] = lambda x, axis=-1, descending=False: V(torch.gather(x.t, axis, order(x, axis, descending)), x.d)


@op("topK")
def _(x, k, axis=-1):
    i = order(x, axis, True).narrow(axis, 0, k)
    return {"values": V(torch.gather(x.t, axis, i), x.d), "indices": V(i, "i32")}


@op("lowerMask")
def _(rows, columns=None, diagonal=0):
    return V(torch.ones(rows, rows if columns is None else columns).tril(diagonal), "bool")


@op("upperMask")
def _(rows, columns=None, diagonal=0):
    return V(torch.ones(rows, rows if columns is None else columns).triu(diagonal), "bool")


@op("lengthMask")
def _(lengths, maximum):
    return V(wrap(lengths.t.unsqueeze(-1) - 1, "i32") >= torch.arange(maximum), "bool")


@op("pick")
def _(x, i):
    return V(torch.gather(x.t, -1, clamped(i, x.shape[-1]).unsqueeze(-1)).squeeze(-1), x.d)


@op("crossEntropy")
def _(x, i):
    return V(-ops["pick"](V(torch.log_softmax(x.t, -1), "f32"), i).t.mean(), "f32")


# Linear algebra


ops["matmul"] = lambda a, b: V(torch.matmul(a.t, b.t), "f32")
ops["dot"] = lambda a, b: V((a.t * b.t).sum(), "f32")
ops["outer"] = lambda a, b: V(torch.outer(a.t, b.t), "f32")
ops["einsum"] = lambda f, *xs: V(torch.einsum(f, *[x.t for x in xs]), "f32")
ops["conv1d"] = lambda x, w, o=None: V(F.conv1d(x.t, w.t, **(o or {})), "f32")
ops["conv2d"] = lambda x, w, o=None: V(F.conv2d(x.t, w.t, **(o or {})), "f32")


def pools(x, size, stride):
    w = ops["windows"](ops["windows"](x, 2, size, stride), 4, size, stride)
    return w.t


ops["maxPool2d"] = lambda x, size, stride=None: V(pools(x, size, stride or size).amax([3, 5]), "f32")
ops["avgPool2d"] = lambda x, size, stride=None: V(pools(x, size, stride or size).mean([3, 5]), "f32")


@op("attention")
def _(q, k, v, o=None):
    o = o or {}
    scores = torch.matmul(q.t, k.t.transpose(-2, -1)) * o.get("scale", 1 / math.sqrt(q.shape[-1]))
    rows, columns = scores.shape[-2:]
    if o.get("causal"):
        scores = torch.where(torch.ones(rows, columns, dtype=torch.bool).tril(columns - rows), scores, -1e30)
    if "mask" in o:
        scores = torch.where(o["mask"].t, scores, -1e30)
    if "lengths" in o:
        seen = torch.arange(columns) < o["lengths"].t[..., None, None]
        weights = torch.where(seen, torch.softmax(torch.where(seen, scores, -1e30), -1), 0)
        # Slots beyond the length are not read, so they may hold anything.
        return V(torch.matmul(weights, torch.where(seen.mT, v.t, 0)), "f32")
    return V(torch.matmul(torch.softmax(scores, -1), v.t), "f32")


def finite(*xs):
    if not all(bool(torch.isfinite(x.t).all()) for x in xs):
        raise Skip("a factorisation of numbers that are not finite")


@op("cholesky")
def _(x):
    finite(x)
    t = x.t
    if not torch.equal(t, t.mT):
        # Only the lower half counts.
        if t.requires_grad:
            raise Skip("the gradient of the factor of a matrix that is not symmetric")
        t = t.tril() + t.tril(-1).mT
    return V(torch.linalg.cholesky((t + t.mT) / 2), "f32")


@op("triangularSolve")
def _(l, b, transposed=False):
    finite(l, b)
    low = torch.tril(l.t)
    return V(torch.linalg.solve_triangular(low.transpose(-2, -1) if transposed else low, b.t, upper=transposed), "f32")


@op("solve")
def _(x, b):
    l = ops["cholesky"](x)
    return ops["triangularSolve"](l, ops["triangularSolve"](l, b), True)


# Programs


def resolve(a, env):
    if isinstance(a, dict):
        return env[a["$"]] if "$" in a else {k: resolve(x, env) for k, x in a.items()}
    if a == "-0":
        return -0.0
    return [resolve(x, env) for x in a] if isinstance(a, list) else a


def match(pattern, value, env):
    if isinstance(pattern, dict) and "$" in pattern:
        env[pattern["$"]] = value
    elif isinstance(pattern, dict):
        for k, p in pattern.items():
            match(p, value[k], env)
    elif isinstance(pattern, list):
        for p, v in zip(pattern, value):
            match(p, v, env)


def function(block, env):
    def run(*args):
        inner = dict(env)
        for p, a in zip(block["params"], args):
            match(p, a, inner)
        run_nodes(block["nodes"], inner)
        return resolve(block["result"], inner)

    return run


def leaves(tree):
    if isinstance(tree, V):
        return [tree]
    items = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else []
    return [v for item in items for v in leaves(item)]


def own(x):
    """A new variable that still belongs to the outer graph."""
    t = x.t if x.t.requires_grad else x.t.detach().requires_grad_(True)
    return V(t * 1.0, "f32") if x.t.requires_grad else V(t, "f32")


def gradients(y, xs):
    if not y.t.requires_grad:
        return [V(torch.zeros(x.shape), "f32") for x in xs]
    gs = torch.autograd.grad(y.t.reshape(()), [x.t for x in xs], create_graph=True, allow_unused=True)
    return [V(torch.zeros(x.shape) if g is None else g, "f32") for g, x in zip(gs, xs)]


def value_and_gradient(f, xs, *rest):
    variables = [own(x) for x in xs]
    result = f(variables, *rest)
    y, aux = (result, None) if isinstance(result, V) else result
    return {"value": y, "gradient": gradients(y, variables), "aux": aux}


def with_gradient(f, xs):
    def outer(variables):
        gs = gradients(f(variables), variables)
        total = gs[0].t.mul(0.5).sum()
        for g in gs[1:]:
            total = total + g.t.mul(0.5).sum()
        return [V(total, "f32"), gs]

    return value_and_gradient(outer, xs)


def vmap(f, *args):
    *xs, options = args
    given = options.get("in", 0)
    axes = given if isinstance(given, list) else [given] * len(xs)
    count = next(x.shape[a] for x, a in zip(xs, axes) if a is not None)
    rows = [f(*[x if a is None else V(x.t.select(a, i), x.d) for x, a in zip(xs, axes)]) for i in range(count)]
    return [V(torch.stack([row[k].t for row in rows]), rows[0][k].d) for k in range(len(rows[0]))]


def scan(f, init, xs, options):
    length = options.get("length", xs[0].shape[0] if xs else None)
    count = options.get("count", length)
    count = max(0, min(length, int(count.t.item()) if isinstance(count, V) else count))
    if count == 0:
        raise Skip("a loop that never runs")
    carry, ys = init, [None] * length
    for k in range(count):
        t = count - 1 - k if options.get("reverse") else k
        carry, y = f(carry, [V(x.t[t], x.d) for x in xs] if xs else None)
        ys[t] = y
    sample = ys[0]
    zero = [V(torch.zeros(v.shape), v.d) for v in sample]
    rows = [y if y is not None else zero for y in ys]
    return {"carry": carry, "ys": [V(torch.stack([row[k].t for row in rows]), v.d) for k, v in enumerate(sample)]}


class Custom(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y, rule, *xs):
        ctx.rule = rule
        ctx.save_for_backward(y, *xs)
        return y.clone()

    @staticmethod
    def backward(ctx, g):
        y, *xs = ctx.saved_tensors
        ds = ctx.rule(V(g, "f32"), V(y, "f32"), *[V(x, "f32") for x in xs])
        return (None, None, *[None if d is None else d.t.expand(x.shape) for d, x in zip(ds, xs)])


def custom(f, rule, *xs):
    y = f(*xs)
    return V(Custom.apply(y.t.detach(), rule, *[x.t for x in xs]), "f32")


def call(node, env):
    name = node["op"]
    args = [resolve(a, env) for a in node["args"]]
    fs = [function(b, env) for b in node.get("blocks", [])]
    if name == "grad":
        return value_and_gradient(fs[0], *args)["gradient"]
    if name == "valueAndGradient":
        return value_and_gradient(fs[0], *args)
    if name == "gradient":
        return with_gradient(fs[0], args[0])
    if name == "vmap":
        return vmap(fs[0], *args)
    if name == "scan":
        return scan(fs[0], *args)
    if name == "customGradient":
        return custom(*fs, *args)
    if name == "treeMap":
        return [fs[0](x) for x in args[0]]
    if name == "compile":
        return fs[0](*args)
    if name not in ops:
        raise Skip(name)
    return ops[name](*args)


def run_nodes(nodes, env):
    for node in nodes:
        result = call(node, env)
        for out in node["outs"]:
            value = result
            for k in out["path"].split(".") if out["path"] else []:
                value = value[int(k)] if isinstance(value, list) else value[k]
            env[out["id"]] = value


def run_program(p):
    try:
        env = {i["id"]: decode(i["data"], i["shape"], i["dtype"]) for i in p["inputs"]}
        run_nodes(p["nodes"], env)
        return {"outputs": [encode(env[k]) for k in p["outputs"]]}
    except Skip as why:
        return {"skip": str(why)}
    except Exception as error:  # An error of PyTorch is counted, and shown with --json.
        return {"skip": f"{type(error).__name__}: {str(error).splitlines()[0][:100] if str(error) else ''}"}


for line in sys.stdin:
    print(json.dumps([run_program(p) for p in json.loads(line)]), flush=True)
