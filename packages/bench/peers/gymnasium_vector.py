"""gymnasium's own SyncVectorEnv with actions that are drawn beforehand. A line with a number of steps comes in, a line with the
seconds that they took goes out."""

import sys
import time

import gymnasium
import numpy as np

name, rows = sys.argv[1], int(sys.argv[2])
env = gymnasium.make_vec(name, num_envs=rows, vectorization_mode="sync")
env.action_space.seed(1)
drawn = [env.action_space.sample() for _ in range(1024)]
env.reset(seed=1)
print("ready", flush=True)
for line in sys.stdin:
    began = time.perf_counter()
    for t in range(int(line)):
        env.step(drawn[t % 1024])
    print(time.perf_counter() - began, flush=True)
