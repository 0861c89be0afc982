"""Reins environments for Gymnasium.

    import reins_gymnasium
    env = reins_gymnasium.make("CartPole-v1")
    observation, info = env.reset(seed=1)

Each environment is a separate Node process (`reins serve-env`), which ends with it. Put the folder of this file on PYTHONPATH:
node_modules/@reins/envs/python. Custom files work as well: make("./my-env.js").
"""

import json
import os
import shutil
import struct
import subprocess
import sys

import gymnasium
import numpy as np
from gymnasium import spaces

HEADER = struct.Struct("<II")
RESET, STEP, RENDER = 0, 1, 2
DONE, TEXT, FAILURE = 0, 1, 2
RESULT = struct.Struct("<dII")


def make(id, *, command=None, render_mode=None, **options):
    """One copy of an environment by its id, or from a file. Options are those of `make` in Reins."""
    return ReinsEnv(id, options, command or find_command(), render_mode)


def find_command():
    """The `reins` command: from the variable REINS, from PATH, or from the nearest installation above."""
    if os.environ.get("REINS"):
        return os.environ["REINS"].split()
    if shutil.which("reins"):
        return ["reins"]
    for start in (os.getcwd(), os.path.dirname(os.path.abspath(__file__))):
        folder = start
        while True:
            path = os.path.join(folder, "node_modules", ".bin", "reins")
            if os.path.exists(path):
                return [path]
            if os.path.dirname(folder) == folder:
                break
            folder = os.path.dirname(folder)
    raise FileNotFoundError("reins is not installed here. Install it (npm install reins), or set its path: REINS=path/to/reins.")


class ReinsEnv(gymnasium.Env):
    """An environment that runs in Node."""

    metadata = {"render_modes": ["ansi"], "render_fps": 30}

    def __init__(self, id, options, command, render_mode):
        if render_mode not in (None, "ansi"):
            raise ValueError(f'render_mode is "{render_mode}"; Reins renders text only: use "ansi".')
        self.render_mode = render_mode
        flags = [part for name, value in options.items() for part in (f"--env-{name.replace('_', '-')}", json.dumps(value))]
        self.process = subprocess.Popen([*command, "serve-env", id, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        kind, payload = self.receive()
        described = json.loads(payload)
        self.id = described["id"]
        self.observation_space = space_of(described["observation"])
        self.action_space = space_of(described["action"])
        self.layouts = {name: described["layouts"][name] for name in ("observation", "action")}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        command = {} if seed is None else {"seed": seed}
        if options:
            command["context"] = options
        _, payload = self.call(RESET, json.dumps(command).encode())
        return self.read(payload, RESULT.size), {}

    def step(self, action):
        if not self.action_space.contains(action):
            raise ValueError(f"{self.id}: action {action!r} is outside {self.action_space}.")
        message = bytearray(self.layouts["action"]["bytes"])
        for column in self.layouts["action"]["columns"]:
            part = action
            for name in column["path"]:
                part = part[name]
            numbers = np.asarray(part, column["dtype"]).ravel()
            message[column["at"] : column["at"] + numbers.nbytes] = numbers.tobytes()
        _, payload = self.call(STEP, message)
        reward, terminated, truncated = RESULT.unpack_from(payload)
        return self.read(payload, RESULT.size), reward, bool(terminated), bool(truncated), {}

    def render(self):
        return self.call(RENDER, b"")[1].decode() if self.render_mode == "ansi" else None

    def close(self):
        """Ends the process."""
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.stdout.close()
        self.process.wait()

    def call(self, kind, payload):
        self.process.stdin.write(HEADER.pack(kind, len(payload)) + payload)
        self.process.stdin.flush()
        return self.receive()

    def receive(self):
        head = self.process.stdout.read(HEADER.size)
        if len(head) < HEADER.size:
            raise RuntimeError(f"the Node process ended (code {self.process.wait()}); its error is printed above.")
        kind, size = HEADER.unpack(head)
        payload = self.process.stdout.read(size)
        if kind == FAILURE:
            raise RuntimeError(payload.decode())
        return kind, payload

    def read(self, payload, start):
        """The observation after the first bytes of a message."""

        def value(space, path):
            if isinstance(space, spaces.Dict):
                return {name: value(part, [*path, name]) for name, part in space.spaces.items()}
            if isinstance(space, spaces.Tuple):
                return tuple(value(part, [*path, i]) for i, part in enumerate(space.spaces))
            column = next(c for c in self.layouts["observation"]["columns"] if c["path"] == path)
            numbers = np.frombuffer(payload, column["dtype"], column["count"], start + column["at"])
            if isinstance(space, spaces.Discrete):
                return space.dtype.type(numbers[0])
            return numbers.reshape(space.shape).astype(space.dtype)

        return value(self.observation_space, [])


def space_of(described):
    """A Reins space as a Gymnasium space."""
    kind = described["kind"]
    if kind == "discrete":
        return spaces.Discrete(described["n"], start=described["start"])
    if kind == "multiDiscrete":
        return spaces.MultiDiscrete(described["sizes"])
    if kind == "multiBinary":
        return spaces.MultiBinary(described["n"])
    if kind == "image":
        return spaces.Box(0, 255, (described["height"], described["width"], described["channels"]), np.uint8)
    if kind == "simplex":
        return spaces.Box(0, 1, (described["n"],), np.float32)
    if kind == "box":
        shape = tuple(described["shape"])
        low, high = (bounds(described[name], shape) for name in ("low", "high"))
        return spaces.Box(low, high, shape, np.float32)
    if kind == "dict":
        return spaces.Dict({name: space_of(part) for name, part in described["spaces"].items()})
    if kind == "tuple":
        return spaces.Tuple([space_of(part) for part in described["spaces"]])
    raise TypeError(f"Gymnasium has no space of fixed size for {kind}.")


def bounds(given, shape):
    if isinstance(given, list):
        return np.array([float(x) for x in given], np.float32).reshape(shape)
    return np.full(shape, float(given), np.float32)
