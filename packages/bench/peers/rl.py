"""The Python side of the reinforcement learning benchmarks: steps of the environment a second.

    python3 rl.py --peer cleanrl --only ppo-cartpole,dqn-cartpole --threads 1 --seconds 2 --rounds 5

Peers and their benchmarks (all of them unless --only names some):

    cleanrl           ppo-cartpole dqn-cartpole sac-pendulum solve-cartpole: plain PyTorch, after CleanRL's files and settings
    sb3               the same with Stable-Baselines3, and ppo-cartpole-8x2048 with its defaults; solve-cartpole as in RL Zoo
    pufferlib         ppo-cartpole-1024 env-CartPole-v1: PufferLib's trainer and its environment in C
    torch-vector      the same in plain PyTorch and NumPy
    jax               ppo-cartpole ppo-cartpole-1024x64x64: the whole loop in one JAX program, as in PureJaxRL; one core
    gymnasium         env-CartPole-v1 env-MountainCar-v0 env-MountainCarContinuous-v0 env-Acrobot-v1 env-Pendulum-v1
                      env-FrozenLake-v1 env-FrozenLake8x8-v1 env-CliffWalking-v1 env-Taxi-v4 env-Blackjack-v1
    gymnasium-vector  env-CartPole-v1: 1024 of them in one vectorised environment

For every benchmark and thread count it prints a line with its version and then one line per round: `samples` in seconds per
step, and `stepsPerSecond` of the whole round. Learners are past their warm-up (learning_starts) when they are measured. A sample
is at least one iteration, so that a round can be longer than --seconds. With --wait a round starts when a line arrives on
standard input, so that the sides alternate.

A round of solve-cartpole is one whole process, imports included, until the mean return of the last 100 episodes is 475 or more;
its sample is seconds, and it is empty where the steps of the settings did not suffice. Every round has a seed of its own.
"""

import os
import sys

# torch.py lies beside this file: its folder must not hide the library.
sys.path.append(sys.path.pop(0))
# Nor may it fill with compiled modules.
sys.dont_write_bytecode = True

import argparse
import importlib
import json
import subprocess
import time
from collections import deque
from importlib.metadata import version

# Module, where its benchmarks are, and the libraries that make it up.
PEERS = {
    "cleanrl": ("rl_cleanrl", "BENCHMARKS", ["torch", "gymnasium"]),
    "sb3": ("rl_sb3", "BENCHMARKS", ["stable-baselines3", "torch", "gymnasium"]),
    "pufferlib": ("rl_pufferlib", "BENCHMARKS", ["pufferlib", "torch"]),
    "torch-vector": ("rl_torch_vector", "BENCHMARKS", ["torch", "numpy"]),
    "jax": ("rl_jax", "BENCHMARKS", ["jax", "optax"]),
    "gymnasium": ("rl_gymnasium", "BENCHMARKS", ["gymnasium"]),
    "gymnasium-vector": ("rl_gymnasium", "TOGETHER", ["gymnasium"]),
}
SOLVE, SOLVERS, GOAL, WINDOW = "solve-cartpole", ("cleanrl", "sb3"), 475, 100


class Solved(Exception):
    pass


def load(peer, threads):
    """The peer's module; a peer that does not use PyTorch does not import it."""
    name, _, libraries = PEERS[peer]
    if "torch" in libraries:
        import torch

        torch.set_num_threads(threads)
        torch.set_flush_denormal(True)
    return importlib.import_module(name)


def names(peer, threads):
    found = list(getattr(load(peer, threads), PEERS[peer][1]))
    return found + [SOLVE] if peer in SOLVERS else found


def rounds(options):
    for i in range(options.rounds):
        if options.wait and not sys.stdin.readline():
            return
        yield i


def throughput(peer, name, threads, options, say):
    iterate = getattr(load(peer, threads), PEERS[peer][1])[name]()
    end = time.perf_counter() + options.seconds
    iterate()
    while time.perf_counter() < end:
        iterate()
    say(version=libraries(peer), values=[])
    for _ in rounds(options):
        samples, steps, start = [], 0, time.perf_counter()
        now = start
        while not samples or now < start + options.seconds:
            count, before = iterate(), now
            now = time.perf_counter()
            samples.append((now - before) / count)
            steps += count
        say(samples=samples, stepsPerSecond=round(steps / (now - start), 1))


def libraries(peer):
    return ", ".join(f"{library} {version(library)}" for library in PEERS[peer][2])


def solving(peer, threads, options, say):
    say(version=libraries(peer), values=[])
    for i in rounds(options):
        seed = options.seed + i
        command = [sys.executable, __file__, "--peer", peer, "--threads", str(threads), "--solve", str(seed)]
        start = time.perf_counter()
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as child:
            line = child.stdout.readline()
            seconds = time.perf_counter() - start
        if not line:
            raise SystemExit(f"{peer} did not finish: exit code {child.returncode}")
        result = json.loads(line)
        say(samples=[seconds] if result["solved"] else [], seconds=round(seconds, 2), seed=seed, **result)


def solve(peer, threads, seed):
    """Runs in a separate process: trains, and prints one line."""
    module, parent = load(peer, threads), os.getppid()
    last, best, count = deque(maxlen=WINDOW), 0.0, 0

    def watch(episode, steps):
        nonlocal best, count
        count = steps
        last.append(float(episode))
        if len(last) == WINDOW:
            best = max(best, sum(last) / WINDOW)
        if best >= GOAL:
            raise Solved
        if os.getppid() != parent:
            raise SystemExit("the parent process has ended")

    try:
        module.solve(watch, seed)
        solved = False
    except Solved:
        solved = True
    print(json.dumps({"solved": solved, "steps": count, "mean": round(best, 2)}), flush=True)


def measure(peer, name, threads, options):
    say = lambda **message: print(json.dumps({"name": name, "peer": peer, "threads": threads, **message}), flush=True)
    if name == SOLVE:
        solving(peer, threads, options, say)
    else:
        throughput(peer, name, threads, options, say)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=PEERS, default="cleanrl", metavar="PEER", help="the library to measure")
    parser.add_argument("--only", help="benchmarks, separated by commas")
    parser.add_argument("--threads", default="1", help="thread counts of PyTorch, separated by commas")
    parser.add_argument("--seconds", type=float, default=2, help="length of a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--wait", action="store_true", help="start each round when a line arrives on standard input")
    parser.add_argument("--seed", type=int, default=1, help=f"seed of the first round of {SOLVE}")
    parser.add_argument("--solve", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.threads.split(",")]
    if arguments.solve is not None:
        solve(arguments.peer, counts[0], arguments.solve)
        sys.exit()
    wanted = arguments.only.split(",") if arguments.only else names(arguments.peer, counts[0])
    # Solving runs in another process, so this one does not import the library.
    known = wanted if wanted == [SOLVE] and arguments.peer in SOLVERS else names(arguments.peer, counts[0])
    for name in wanted:
        if name not in known:
            parser.error(f"{arguments.peer} has no {name}, but {' '.join(known)}")
    for name in wanted:
        for count in counts:
            measure(arguments.peer, name, count, arguments)
