"""Gymnasium spaces as Reins spaces, and their values as columns: one array for all rows, in shared memory."""

import numpy as np
from gymnasium import spaces


class Letters(spaces.Box):
    """The first characters of a text: a number from 0 to 1 for each, its ASCII code, and 0 after the end."""

    def __init__(self, length):
        super().__init__(0, 1, (length,), np.float32)

    def encode(self, text):
        codes = np.zeros(self.shape, np.float32)
        for i, letter in enumerate(str(text)[: len(codes)]):
            codes[i] = (min(ord(letter), 127) + 1) / 128
        return codes


def is_text(space):
    """Gymnasium's Text, and spaces like MiniGrid's missions."""
    return isinstance(space, spaces.Text) or space.dtype == np.dtype(str)


def readable(space, length, name="the observation"):
    """A space with texts encoded in `length` numbers; without a length, text parts of a Dict are left out and listed."""
    if isinstance(space, spaces.Dict):
        parts, without = {}, []
        for key, part in space.spaces.items():
            if not length and is_text(part):
                without.append(f"{name}.{key}")
                continue
            parts[key], more = readable(part, length, f"{name}.{key}")
            without += more
        return (spaces.Dict(parts) if parts else space), (without if parts else [])
    if isinstance(space, spaces.Tuple):
        pairs = [readable(part, length, f"{name}.{i}") for i, part in enumerate(space.spaces)]
        return spaces.Tuple([part for part, _ in pairs]), [without for _, more in pairs for without in more]
    return (Letters(length) if length and is_text(space) else space), []


def describe(space, name):
    """A space as plain data, in the format of Reins."""
    if isinstance(space, spaces.Discrete):
        return {"kind": "discrete", "n": int(space.n), "start": int(space.start)}
    if isinstance(space, spaces.MultiDiscrete):
        return {"kind": "multiDiscrete", "sizes": [int(n) for n in space.nvec.ravel()]}
    if isinstance(space, spaces.MultiBinary):
        return {"kind": "multiBinary", "n": int(np.prod(space.shape))}
    if isinstance(space, spaces.Box):
        if is_image(space):
            height, width, channels = image_shape(space)
            return {"kind": "image", "height": height, "width": width, "channels": channels}
        return {"kind": "box", "shape": list(space.shape), "low": bound(space.low), "high": bound(space.high)}
    if isinstance(space, spaces.Dict):
        return {"kind": "dict", "spaces": {k: describe(part, f"{name}.{k}") for k, part in space.spaces.items()}}
    if isinstance(space, spaces.Tuple):
        return {"kind": "tuple", "spaces": [describe(part, f"{name}.{i}") for i, part in enumerate(space.spaces)]}
    if is_text(space) and name.startswith("the observation"):
        raise TypeError(f"{name} is text. Encode its first characters as numbers: --env-text 32, or {{ text: 32 }} in a program.")
    raise TypeError(
        f"{name} is {type(space).__name__}, which has no columns of a fixed size. "
        "Wrap the environment so that it is a Box, Discrete, MultiDiscrete, MultiBinary, Dict or Tuple."
    )


def bound(array):
    """One number if all are equal. JSON has no infinities: they are strings."""
    numbers = np.unique(array)
    if numbers.size == 1:
        return number(numbers[0])
    return [number(x) for x in array.ravel()]


def number(x):
    return float(x) if np.isfinite(x) else ("inf" if x > 0 else "-inf")


def is_image(space):
    """Bytes of two or three axes between 0 and 255. Encoders divide images by 255, which would erase boards of 0 and 1."""
    if space.dtype != np.uint8 or len(space.shape) not in (2, 3):
        return False
    return bool((space.low == 0).all() and (space.high == 255).all())


def first_axis_is_channels(space):
    """Channels are few: if the first axis is shorter than the last, they come first."""
    return len(space.shape) == 3 and space.shape[0] < space.shape[2]


def image_shape(space):
    """Height, width and channels, in the order of Reins."""
    if len(space.shape) == 2:
        return (*map(int, space.shape), 1)
    order = (1, 2, 0) if first_axis_is_channels(space) else (0, 1, 2)
    return tuple(int(space.shape[axis]) for axis in order)


def leaves(space, path=()):
    """The spaces with one column each, and their paths."""
    if isinstance(space, spaces.Dict):
        for name, part in space.spaces.items():
            yield from leaves(part, (*path, name))
    elif isinstance(space, spaces.Tuple):
        for i, part in enumerate(space.spaces):
            yield from leaves(part, (*path, i))
    else:
        yield path, space


def column_type(space):
    """The type and shape of a value in its column."""
    if isinstance(space, spaces.Box):
        return (np.dtype(np.uint8), image_shape(space)) if is_image(space) else (np.dtype(np.float32), space.shape)
    if isinstance(space, spaces.Discrete):
        return np.dtype(np.int32), ()
    return np.dtype(np.int32), (int(np.prod(space.shape)),)


def columns_of(space, rows, at):
    """The offset of each column of a space from a start, aligned to 8 bytes; and the next free offset."""
    found = []
    for path, leaf in leaves(space):
        dtype, shape = column_type(leaf)
        count = rows * int(np.prod(shape))
        found.append({"path": list(path), "at": at, "count": count})
        at += -(-count * dtype.itemsize // 8) * 8
    return found, at


def writer(space, memory, layout, rows):
    """A function that writes the value of a row."""
    puts = []
    for (path, leaf), column in zip(leaves(space), layout):
        dtype, shape = column_type(leaf)
        array = np.frombuffer(memory, dtype, column["count"], column["at"]).reshape(rows, *shape)
        puts.append((path, array, encoder(leaf)))
    if len(puts) == 1 and puts[0][0] == ():
        _, only, encode = puts[0]
        if encode is None:
            return only.__setitem__
        return lambda row, value: only.__setitem__(row, encode(value))

    def put(row, value):
        for path, array, encode in puts:
            part = value
            for name in path:
                part = part[name]
            array[row] = part if encode is None else encode(part)

    return put


def check_sizes(space, value):
    """Raises for numbers that are too few for their column: NumPy would repeat them."""
    for path, leaf in leaves(space):
        part = value
        for name in path:
            part = part[name]
        if leaf.shape and not isinstance(leaf, Letters) and np.size(part) != np.prod(leaf.shape):
            raise ValueError(f"an observation has the shape {np.shape(part)}, but its space has {leaf.shape}.")


def encoder(space):
    """Converts a value for its column; None if no conversion is needed."""
    if isinstance(space, Letters):
        return space.encode
    if isinstance(space, spaces.MultiDiscrete):
        return lambda value: (np.asarray(value) - space.start).ravel()
    if isinstance(space, spaces.MultiBinary):
        return lambda value: np.asarray(value).ravel()
    if isinstance(space, spaces.Box) and is_image(space):
        if len(space.shape) == 2:
            return lambda value: np.asarray(value)[:, :, None]
        if first_axis_is_channels(space):
            return lambda value: np.moveaxis(value, 0, -1)
    return None


def choices_of(space):
    """Entries of an action mask, 0 if the space has none."""
    if isinstance(space, spaces.Discrete):
        return int(space.n)
    if isinstance(space, spaces.MultiDiscrete):
        return int(space.nvec.sum())
    return 2 * int(np.prod(space.shape)) if isinstance(space, spaces.MultiBinary) else 0


def mask_in(info, observation):
    """The action mask of a step, `action_mask` in its info or in the observation; one array if it has a part for each choice."""
    mask = info.get("action_mask") if info else None
    if mask is None and isinstance(observation, dict):
        mask = observation.get("action_mask")
    if mask is None:
        return None
    parts = mask if isinstance(mask, (list, tuple)) else [mask]
    return np.concatenate([np.asarray(part).ravel() for part in parts]).astype(bool)


class splitter:
    """Reads the action of each row from the bytes of a message. Values are new objects: environments may keep or change them."""

    def __init__(self, space, rows, start=8):
        self.layout, end = columns_of(space, rows, start)
        self.bytes = end - start
        columns = iter(self.layout)
        self.values = self.plan(space, rows, columns)

    def __call__(self, data):
        return self.values(data)

    def plan(self, space, rows, columns):
        if isinstance(space, spaces.Dict):
            names = list(space.spaces)
            parts = [self.plan(space.spaces[name], rows, columns) for name in names]
            return lambda data: [dict(zip(names, row)) for row in zip(*(part(data) for part in parts))]
        if isinstance(space, spaces.Tuple):
            parts = [self.plan(part, rows, columns) for part in space.spaces]
            return lambda data: list(zip(*(part(data) for part in parts)))
        at = next(columns)["at"]
        dtype, shape = column_type(space)
        count = rows * int(np.prod(shape))
        read = lambda data: np.frombuffer(data, dtype, count, at)
        if isinstance(space, spaces.Discrete):
            # As from Gymnasium's own vector environments: NumPy integers.
            return lambda data: list(read(data).astype(space.dtype))
        if isinstance(space, spaces.MultiDiscrete):
            own = (rows, *space.shape)
            return lambda data: list((read(data).reshape(own) + space.start).astype(space.dtype))
        if isinstance(space, spaces.MultiBinary):
            return lambda data: list(read(data).reshape(rows, *space.shape).astype(space.dtype))
        whole = (rows, *shape)
        if is_image(space) and len(space.shape) == 2:
            return lambda data: list(read(data).reshape(rows, *space.shape).copy())
        if is_image(space) and first_axis_is_channels(space):
            return lambda data: list(np.moveaxis(read(data).reshape(whole), -1, 1).copy())
        return lambda data: list(read(data).reshape(whole).astype(space.dtype))
