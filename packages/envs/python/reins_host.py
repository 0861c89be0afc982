"""Hosts copies of a Gymnasium or PettingZoo environment for Reins, which is at the other end of two pipes.

    python reins_host.py <file descriptor to read> <file descriptor to write>

A message is a header of two numbers (kind, bytes) and a payload. Commands are JSON; the actions of a step and its result columns are
bytes, with the layout from `describe`. Large columns lie in a file that both sides have open, and only the header is sent.
Needs only numpy and the hosted package.
"""

import faulthandler
import importlib
import json
import mmap
import os
import signal
import struct
import sys
import threading
import time
import traceback

import numpy as np

from reins_spaces import check_sizes, choices_of, columns_of, describe, mask_in, readable, splitter, writer

HEADER = struct.Struct("<II")
COMMAND, STEP = 0, 1
COLUMNS, ANSWER, FAILURE = 0, 1, 2
TERMINATED, TRUNCATED, ALIVE = 1, 2, 4


class Watchdog(threading.Thread):
    """Ends this process, with a stack trace, if a call takes too long or the other side has closed.

    The timer is the interpreter's own fault handler, which needs no lock: it also fires where a simulator hangs in C. This thread only
    restarts it while calls complete, so that a step has no overhead.
    """

    def __init__(self, seconds):
        super().__init__(daemon=True)
        self.seconds = seconds
        self.calls = 0  # odd while a call is being handled
        self.parent = os.getppid()

    def run(self):
        tick = min(1.0, self.seconds / 4)
        seen = None
        while True:
            if os.getppid() != self.parent:
                os._exit(0)
            if self.calls % 2 == 0 or self.calls != seen:
                seen = self.calls
                faulthandler.dump_traceback_later(self.seconds + tick, exit=True)
            # Output of environments is kept only for failure messages.
            if os.fstat(2).st_size > 1 << 20:
                os.ftruncate(2, 0)
            time.sleep(tick)


class Columns:
    """The columns of some rows: a header, observations, rewards, flags and masks, and at the end the final observations, sent only if an episode ended."""

    def __init__(self, observation, rows, choices, shared):
        seen, at = columns_of(observation, rows, HEADER.size)
        self.layout = {"observation": seen, "reward": at, "flags": at + 8 * rows}
        at += 8 * rows + -(-rows // 8) * 8
        self.layout["mask"] = at
        at += -(-rows * choices // 8) * 8
        self.short = at
        self.layout["final"], at = columns_of(observation, rows, at)
        self.layout["finalMask"] = at
        at += -(-rows * choices // 8) * 8
        self.layout["short"], self.layout["bytes"] = self.short, at
        if shared:
            with open(shared, "r+b") as file:
                file.truncate(at)
                self.memory = mmap.mmap(file.fileno(), at)
        else:
            self.memory = bytearray(at)
        self.shared = bool(shared)
        self.view = memoryview(self.memory)
        self.put = writer(observation, self.memory, self.layout["observation"], rows)
        self.put_final = writer(observation, self.memory, self.layout["final"], rows)
        self.reward = np.frombuffer(self.memory, np.float64, rows, self.layout["reward"])
        self.flags = np.frombuffer(self.memory, np.uint8, rows, self.layout["flags"])
        # Action masks of each row; no columns if the environment has none.
        masks = lambda at: np.frombuffer(self.memory, np.uint8, rows * choices, at).reshape(rows, choices)
        self.mask = masks(self.layout["mask"])
        self.final_mask = masks(self.layout["finalMask"])

    def put_mask(self, row, mask, final=False):
        """Writes the action mask of a row, or that of its last state; all ones if there is none."""
        choices = self.mask.shape[1]
        if mask is not None and mask.size != choices:
            raise ValueError(f"the action mask has {mask.size} entries, but the action has {choices} choices.")
        (self.final_mask if final else self.mask)[row] = 1 if mask is None else mask

    def message(self, ended):
        size = len(self.view) if ended else self.short
        if self.shared:
            return HEADER.pack(COLUMNS, 0)
        HEADER.pack_into(self.memory, 0, COLUMNS, size - HEADER.size)
        return self.view[:size]


class Maker:
    """Makes copies. The inspected one is the first of them."""

    def __init__(self, make):
        self.make = make
        self.spare = make()

    def __call__(self):
        made, self.spare = self.spare, None
        return self.make() if made is None else made


def first_of(reset):
    """The first reset, to find an action mask; None if it fails, which is reported when the environment is played."""
    try:
        observation, info = reset()
        return observation, info
    except Exception:
        return None, {}


class Gymnasium:
    """An environment with one agent, by its id."""

    def __init__(self, id, arguments, masks, text):
        import gymnasium

        make = lambda: gymnasium.make(id, disable_env_checker=True, **arguments)
        self.make = Maker(make)
        self.first = self.make.spare
        if "render_mode" not in arguments and "ansi" in self.first.metadata.get("render_modes", []):
            self.first.close()
            arguments["render_mode"] = "ansi"
            self.make = Maker(make)
            self.first = self.make.spare
        self.seen, self.left_out = readable(self.first.observation_space, text)
        self.choices = choices_of(self.first.action_space) if masks else 0
        if self.choices and not self.asks(self.first):
            observation, info = first_of(self.first.reset)
            if mask_in(info, observation) is None:
                self.choices = 0

    @staticmethod
    def asks(env):
        """The method of sb3-contrib, at any level of the wrappers."""
        try:
            return env.get_wrapper_attr("action_masks")
        except AttributeError:
            return None

    def describe(self):
        env, spec = self.first, self.first.spec
        return {
            "observation": describe(self.seen, "the observation"),
            "action": describe(env.action_space, "the action"),
            "leftOut": self.left_out,
            "maxSteps": spec and spec.max_episode_steps,
            "solvedAt": spec and spec.reward_threshold,
            "renders": env.render_mode == "ansi",
            "choices": self.choices,
        }

    def open(self, copies, shared):
        envs = [self.make() for _ in range(copies)]
        asks = [self.asks(env) for env in envs] if self.choices else []
        return SingleRoom(envs, self.seen, self.choices, asks, shared)


class SingleRoom:
    """Copies with one agent, each a row."""

    row = 0

    def __init__(self, envs, seen, choices, asks, shared):
        self.envs = envs
        self.seen = seen
        self.masked = bool(choices)
        self.asks = asks
        self.columns = Columns(seen, len(envs), choices, shared)
        self.split = splitter(envs[0].action_space, len(envs))

    def reset(self, seeds, options):
        self.options = options
        columns = self.columns
        columns.reward[:] = 0
        columns.flags[:] = 0
        for self.row, env in enumerate(self.envs):
            observation, info = env.reset(seed=seeds and seeds[self.row], options=options)
            check_sizes(self.seen, observation)
            columns.put(self.row, observation)
            if self.masked:
                self.put_mask(self.row, info, observation)
        return columns.message(False)

    def put_mask(self, row, info, observation, final=False):
        ask = self.asks[row]
        mask = mask_in({"action_mask": ask()}, None) if ask else mask_in(info, observation)
        self.columns.put_mask(row, mask, final)

    def step(self, actions):
        columns = self.columns
        put, reward, flags, masked = columns.put, columns.reward, columns.flags, self.masked
        ended = False
        row = 0
        for env, action in zip(self.envs, self.split(actions)):
            self.row = row
            observation, reward[row], terminated, truncated, info = env.step(action)
            if terminated or truncated:
                ended = True
                flags[row] = (TERMINATED if terminated else 0) | (TRUNCATED if truncated else 0)
                columns.put_final(row, observation)
                if masked and terminated:
                    columns.put_mask(row, None, True)
                elif masked:
                    self.put_mask(row, info, observation, True)
                observation, info = env.reset(options=self.options)
            else:
                flags[row] = 0
            put(row, observation)
            if masked:
                self.put_mask(row, info, observation)
            row += 1
        return columns.message(ended)

    def render(self, row):
        return str(self.envs[row].render())


class PettingZoo:
    """A parallel multi-agent environment, by its module."""

    def __init__(self, id, arguments, masks, text):
        module = importlib.import_module(id)
        if not hasattr(module, "parallel_env"):
            raise ValueError(f"{id} has no parallel_env: its agents do not act in parallel.")
        self.make = Maker(lambda: module.parallel_env(**arguments))
        self.first = self.make.spare
        if not getattr(self.first, "possible_agents", None):
            raise ValueError(f"{id} does not list its agents: it needs possible_agents.")
        name = self.first.possible_agents[0]
        self.seen, self.left_out = readable(self.first.observation_space(name), text)
        self.choices = choices_of(self.first.action_space(name)) if masks else 0
        if self.choices:
            observations, infos = first_of(self.first.reset)
            if not any(mask_in(infos.get(n), o) is not None for n, o in (observations or {}).items()):
                self.choices = 0

    def describe(self):
        env, names = self.first, list(self.first.possible_agents)
        both = [(env.observation_space(name), env.action_space(name)) for name in names]
        for name, spaces in zip(names, both):
            if spaces != both[0]:
                raise ValueError(
                    f"{names[0]} and {name} have different spaces, but all agents need equal ones. "
                    "Pad them in a custom module, as SuperSuit's pad_observations_v0 and pad_action_space_v0 do."
                )
        return {
            "observation": describe(self.seen, "the observation"),
            "action": describe(both[0][1], "the action"),
            "leftOut": self.left_out,
            "agents": names,
            "renders": False,
            "choices": self.choices,
        }

    def open(self, copies, shared):
        return ParallelRoom([self.make() for _ in range(copies)], self.seen, self.choices, shared)


class ParallelRoom:
    """Copies with several agents: a row for each agent."""

    row = 0

    def __init__(self, envs, seen, choices, shared):
        self.envs = envs
        self.seen = seen
        self.names = names = list(envs[0].possible_agents)
        rows = len(envs) * len(names)
        self.columns = Columns(seen, rows, choices, shared)
        self.split = splitter(envs[0].action_space(names[0]), rows)

    def reset(self, seeds, options):
        self.options = options
        self.columns.reward[:] = 0
        self.columns.flags[:] = 0
        self.columns.mask[:] = 1
        for copy, env in enumerate(self.envs):
            self.begin(copy, env, seeds and seeds[copy])
        return self.columns.message(False)

    def begin(self, copy, env, seed=None):
        self.row = copy * len(self.names)
        observations, infos = env.reset(seed=seed, options=self.options)
        for observation in observations.values():
            check_sizes(self.seen, observation)
        self.join(copy, [name for name in self.names if name in observations], observations, infos)

    def join(self, copy, joining, observations, infos):
        """The first observations of agents, which act in the following step."""
        for name in joining:
            row = copy * len(self.names) + self.names.index(name)
            self.columns.put(row, observations[name])
            self.columns.flags[row] |= ALIVE
            self.put_mask(row, infos.get(name), observations[name])

    def put_mask(self, row, info, observation, final=False):
        if self.columns.mask.size:
            self.columns.put_mask(row, mask_in(info, observation), final)

    def step(self, actions):
        columns, names = self.columns, self.names
        split = self.split(actions)
        columns.reward[:] = 0
        columns.flags[:] = 0
        # Everything is allowed for inactive agents.
        columns.mask[:] = 1
        any_ended = False
        for copy, env in enumerate(self.envs):
            base = self.row = copy * len(names)
            acting = set(env.agents)
            chosen = {name: split[base + slot] for slot, name in enumerate(names) if name in acting}
            observations, rewards, terminated, truncated, infos = env.step(chosen)
            for slot, name in enumerate(names):
                if name not in acting:
                    continue
                row = base + slot
                columns.reward[row] = rewards.get(name, 0)
                ended = (TERMINATED if terminated.get(name) else 0) | (TRUNCATED if truncated.get(name) else 0)
                if not ended and name not in env.agents:
                    ended = TERMINATED
                if ended:
                    any_ended = True
                    columns.put_final(row, observations[name])
                    if ended & TERMINATED:
                        columns.final_mask[row] = 1
                    else:
                        self.put_mask(row, infos.get(name), observations[name], True)
                else:
                    columns.put(row, observations[name])
                    self.put_mask(row, infos.get(name), observations[name])
                columns.flags[row] = ended or ALIVE
            if env.agents:
                self.join(copy, [name for name in env.agents if name not in acting], observations, infos)
            else:
                self.begin(copy, env)
        return columns.message(any_ended)


class Host:
    """Handles messages: descriptions of the environment, and steps of the opened rooms."""

    def __init__(self, source, target):
        self.source = source
        self.target = target
        self.kind = self.watchdog = None
        self.rooms = {}

    def serve(self):
        while True:
            data = os.read(self.source, 1 << 16)
            if not data:
                break
            data = self.rest(data, HEADER.size)
            kind, size = HEADER.unpack_from(data)
            data = self.rest(data, HEADER.size + size)
            room = self.rooms.get(kind >> 8)
            if self.watchdog:
                self.watchdog.calls += 1
            try:
                if kind & 255 == STEP:
                    self.send(room.step(data))
                else:
                    self.command(room, kind >> 8, json.loads(data[HEADER.size :]))
            except Exception as error:
                # The last line of a trace is the error itself.
                trace = traceback.format_exc().rstrip().rsplit("\n", 1)[0]
                row = room and room.row
                self.answer(FAILURE, {"row": row, "error": f"{type(error).__name__}: {error}", "trace": trace})
            if self.watchdog:
                self.watchdog.calls += 1
        # The other side has closed. A copy that cannot close must not keep this process alive.
        faulthandler.dump_traceback_later(5, exit=True)
        for room in self.rooms.values():
            for env in room.envs:
                env.close()

    def command(self, room, number, command):
        call = command["call"]
        if call == "describe":
            self.watchdog = Watchdog(command["timeout"])
            self.watchdog.calls += 1
            self.watchdog.start()
            kinds = {"gymnasium": Gymnasium, "pettingzoo": PettingZoo}
            self.kind = kinds[command["kind"]](command["id"], command["arguments"], command["masks"], command["text"])
            self.answer(ANSWER, self.kind.describe())
        elif call == "open":
            self.rooms[number] = room = self.kind.open(command["copies"], command["shared"])
            self.answer(ANSWER, {**room.columns.layout, "actions": room.split.layout})
        elif call == "reset":
            self.send(room.reset(command["seeds"], command["context"]))
        elif call == "render":
            self.answer(ANSWER, room.render(command["row"]))
        elif call == "close":
            for env in self.rooms.pop(number).envs:
                env.close()
            self.answer(ANSWER, None)

    def rest(self, data, size):
        while len(data) < size:
            more = os.read(self.source, size - len(data))
            if not more:
                os._exit(0)
            data += more
        return data

    def send(self, message):
        sent = os.write(self.target, message)
        while sent < len(message):
            sent += os.write(self.target, message[sent:])

    def answer(self, kind, value):
        text = json.dumps(value).encode()
        self.send(HEADER.pack(kind, len(text)) + text)


if __name__ == "__main__":
    # Output must not mix with the columns. Ctrl-C reaches both processes, and the other one decides.
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Host(int(sys.argv[1]), int(sys.argv[2])).serve()
