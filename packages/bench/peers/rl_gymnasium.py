"""gymnasium's environments alone, with random actions that are drawn beforehand. A step after which an episode is over includes
the reset."""

import gymnasium as gym
import numpy as np

NAMES = [
    "CartPole-v1",
    "MountainCar-v0",
    "MountainCarContinuous-v0",
    "Acrobot-v1",
    "Pendulum-v1",
    "FrozenLake-v1",
    "FrozenLake8x8-v1",
    "CliffWalking-v1",
    "Taxi-v4",
    "Blackjack-v1",
]
DRAWN = 4096
VECTOR = 1024


def single(name):
    # Versions of gymnasium before 1.3 have only the third Taxi.
    env = gym.make(name if name in gym.registry else name.replace("v4", "v3"))
    env.action_space.seed(1)
    acts = [env.action_space.sample() for _ in range(DRAWN)]
    env.reset(seed=1)

    def iterate():
        step, reset = env.step, env.reset
        for act in acts:
            _, _, terminated, truncated, _ = step(act)
            if terminated or truncated:
                reset()
        return DRAWN

    return iterate


def together(name):
    envs = gym.make_vec(name, num_envs=VECTOR, vectorization_mode="vector_entry_point")
    acts = np.random.default_rng(1).integers(0, 2, (64, VECTOR))
    envs.reset(seed=1)
    ended = np.zeros(VECTOR, bool)

    def iterate():
        # The call after the end of an episode only resets, so it is not counted.
        nonlocal ended
        steps = 0
        for act in acts:
            steps += VECTOR - np.count_nonzero(ended)
            _, _, terminated, truncated, _ = envs.step(act)
            ended = terminated | truncated
        return steps

    return iterate


BENCHMARKS = {f"env-{name}": (lambda name=name: single(name)) for name in NAMES}
TOGETHER = {"env-CartPole-v1": lambda: together("CartPole-v1")}
