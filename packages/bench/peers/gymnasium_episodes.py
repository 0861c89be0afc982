"""Plays whole episodes in Gymnasium: python gymnasium_episodes.py CASES.json OUT.jsonl [CASE...]

A case has a name, an environment with its arguments, and policies that take turns: seed by seed an episode is played until it ends, or
for `cap` steps where nothing would end it. A line of the output is an episode: actions, observations (with the first of this episode and
the first of the next), rewards and ends, each as little-endian numbers in base64.
"""

import base64
import json
import math
import sys
import warnings

import gymnasium
import numpy

warnings.simplefilter("ignore")


def act_at_random(env, rng):
    space = env.action_space
    if isinstance(space, gymnasium.spaces.Discrete):
        return lambda o, t: int(rng.integers(space.n))
    # Beyond the bounds too: actions are cut off there. Some are exactly at a bound, where another branch begins.
    reach = 1.5 * float(space.high[0])
    draw = lambda: rng.choice([-1.0, 0.0, 1.0]) * float(space.high[0]) if rng.random() < 0.1 else rng.uniform(-reach, reach)
    return lambda o, t: numpy.array([draw()], dtype=numpy.float32)


def hold_pole(env, rng):
    """Keeps the pole near the middle, for long episodes."""
    return lambda o, t: int(o[2] + 0.5 * o[3] + 0.05 * o[0] + 0.1 * o[1] > 0)


def push_along(env, rng):
    """Pushes the car in its direction of motion, which brings it out of the valley."""
    if isinstance(env.action_space, gymnasium.spaces.Discrete):
        return lambda o, t: 2 if o[1] >= 0 else 0
    return lambda o, t: numpy.array([(1 if o[1] >= 0 else -1) * rng.uniform(0.6, 1.1)], dtype=numpy.float32)


def swing_links(env, rng):
    return lambda o, t: 2 if o[4] < 0 else 0


def lift_pendulum(env, rng):
    """Pumps energy in, then holds the pendulum upright: small angles at the end."""

    def act(o, t):
        angle = math.atan2(o[1], o[0])
        energy = 0.5 * o[2] ** 2 + 15 * (o[0] - 1)
        u = -12 * angle - 3 * o[2] if abs(angle) < 0.5 else -0.5 * energy * (1 if o[2] > 0 else -1)
        return numpy.array([u], dtype=numpy.float32)

    return act


def goal_distances(table):
    """Steps from each state to the end of a table without chance, and the first action on the way."""
    found, way = {}, {}
    change = True
    while change:
        change = False
        for s, actions in table.items():
            for a, outcomes in actions.items():
                _, then, _, ended = outcomes[0]
                far = 1 if ended else found.get(then, math.inf) + 1
                if far < found.get(s, math.inf):
                    found[s], way[s], change = far, a, True
    return found, way


def arrive_late(env, rng):
    """Waits, and reaches the goal at the last allowed step: the episode is terminated and truncated at once."""
    found, way = goal_distances(env.unwrapped.P)
    limit = env.spec.max_episode_steps

    def act(o, t):
        if limit - t <= found[o]:
            return way[o]
        return next(a for a, outcomes in env.unwrapped.P[o].items() if outcomes[0][1] == o and not outcomes[0][3])

    return act


def keep_low(env, rng):
    """Hits up to 17, as the dealer does."""
    return lambda o, t: int(o[0] < 17)


POLICIES = {f.__name__: f for f in (act_at_random, hold_pole, push_along, swing_links, lift_pendulum, arrive_late, keep_low)}


def play(case, seed):
    env = gymnasium.make(case["id"], **case.get("arguments", {}))
    policies = case.get("policies", ["act_at_random"])
    act = POLICIES[policies[seed % len(policies)]](env, numpy.random.default_rng([seed, 77]))
    box = isinstance(env.observation_space, gymnasium.spaces.Box)
    kind = "<f4" if box else "<i4"
    pack = lambda x, dtype: base64.b64encode(numpy.asarray(x, dtype=dtype).tobytes()).decode()
    observation, _ = env.reset(seed=seed)
    observations, actions, rewards, ends = [observation], [], [], []
    for t in range(case.get("cap", 10**9)):
        action = act(observation, t)
        observation, reward, terminated, truncated, _ = env.step(action)
        actions.append(action)
        observations.append(observation)
        rewards.append(reward)
        ends.append(terminated + 2 * truncated)
        if terminated or truncated:
            observations.append(env.reset()[0])
            break
    discrete = isinstance(env.action_space, gymnasium.spaces.Discrete)
    return {
        "case": case["name"],
        "seed": seed,
        "actions": pack(actions, "u1" if discrete else "<f4"),
        "observations": pack(observations, kind),
        "rewards": pack(rewards, "<f8"),
        "ends": pack(ends, "u1"),
    }


def same_sines():
    """The number of arguments whose sine or cosine in NumPy differs from the C library's, as on some processors."""
    xs = numpy.random.default_rng(1).uniform(-4, 4, 100_000)
    differ = sum(int(numpy.count_nonzero(f(xs) != [g(x) for x in xs])) for f, g in ((numpy.sin, math.sin), (numpy.cos, math.cos)))
    return differ


with open(sys.argv[1]) as file:
    plan = json.load(file)
with open(sys.argv[2], "w") as out:
    about = {"gymnasium": gymnasium.__version__, "numpy": numpy.__version__, "otherSines": same_sines()}
    out.write(json.dumps(about) + "\n")
    for case in plan["cases"]:
        for seed in range(plan["seed"], plan["seed"] + plan["seeds"]):
            out.write(json.dumps(play(case, seed), separators=(",", ":")) + "\n")
