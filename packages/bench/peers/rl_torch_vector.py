"""PPO in plain PyTorch over a CartPole that steps many copies at once in NumPy, at the sizes of PufferLib's trainer: 1024
environments, 64 steps, one hidden layer of 128 for policy and value together, one epoch, minibatches of 8192."""

import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class CartPole:
    """CartPole-v1 in single precision with autoreset in the same step."""

    def __init__(self, count, seed):
        self.random = np.random.default_rng(seed)
        self.state, self.age = self.fresh(count), np.zeros(count, np.int32)

    def fresh(self, count):
        return self.random.uniform(-0.05, 0.05, (4, count)).astype(np.float32)

    def step(self, acts):
        x, speed, angle, turn = self.state
        force = np.where(acts == 1, np.float32(10), np.float32(-10))
        sine, cosine = np.sin(angle), np.cos(angle)
        pull = (force + np.float32(0.05) * turn * turn * sine) * np.float32(1 / 1.1)
        swing = np.float32(9.8) * sine - cosine * pull
        swing /= np.float32(0.5) * (np.float32(4 / 3) - np.float32(0.1 / 1.1) * cosine * cosine)
        push = pull - np.float32(0.05 / 1.1) * swing * cosine
        step = np.float32(0.02)
        x += step * speed
        speed += step * push
        angle += step * turn
        turn += step * swing
        self.age += 1
        ended = (np.abs(x) > 2.4) | (np.abs(angle) > np.float32(12 * math.pi / 180)) | (self.age >= 500)
        places = np.flatnonzero(ended)
        if places.size:
            self.state[:, places] = self.fresh(places.size)
            self.age[places] = 0
        return ended


class Ppo:
    count, length, hidden, batch = 1024, 64, 128, 8192
    rate, gamma, smoothing, clip, entropy_weight, value_weight, norm = 2.5e-3, 0.99, 0.95, 0.2, 0.01, 0.5, 0.5

    def __init__(self, seed=1):
        torch.manual_seed(seed)
        self.envs = CartPole(self.count, seed)
        self.body, self.heads = nn.Linear(4, self.hidden), nn.Linear(self.hidden, 3)
        with torch.no_grad():
            nn.init.orthogonal_(self.heads.weight[:2], 0.01)
            nn.init.orthogonal_(self.heads.weight[2:], 1.0)
            self.heads.bias.zero_()
        self.parameters = [*self.body.parameters(), *self.heads.parameters()]
        self.optimizer = torch.optim.Adam(self.parameters, lr=self.rate, eps=1e-5, fused=True)
        table = lambda *shape: torch.zeros(self.length, self.count, *shape)
        self.seen, self.values, self.logs, self.alive = table(4), table(), table(), table()
        self.acts = torch.zeros(self.length, self.count, dtype=torch.int64)

    def policy(self, seen):
        both = self.heads(F.gelu(self.body(seen)))
        return F.log_softmax(both[:, :2], dim=1), both[:, 2]

    def iterate(self):
        with torch.no_grad():
            advantages = self.estimate(self.collect())
        self.update(advantages.view(-1), (advantages + self.values).view(-1))
        return self.count * self.length

    def look(self):
        return torch.from_numpy(np.ascontiguousarray(self.envs.state.T))

    def collect(self):
        for t in range(self.length):
            seen = self.look()
            logs, self.values[t] = self.policy(seen)
            acts = (torch.rand(self.count) > logs[:, 0].exp()).long()
            self.seen[t], self.acts[t] = seen, acts
            self.logs[t] = logs.gather(1, acts[:, None])[:, 0]
            self.alive[t] = torch.from_numpy(~self.envs.step(acts.numpy()))
        return self.policy(self.look())[1]

    def estimate(self, following):
        advantages, last = torch.empty_like(self.values), torch.zeros(self.count)
        for t in reversed(range(self.length)):
            # Every step is worth 1.
            delta = 1 + self.gamma * following * self.alive[t] - self.values[t]
            advantages[t] = last = delta + self.gamma * self.smoothing * self.alive[t] * last
            following = self.values[t]
        return advantages

    def update(self, advantages, returns):
        seen, acts, logs, values = self.seen.view(-1, 4), self.acts.view(-1), self.logs.view(-1), self.values.view(-1)
        for mine in torch.randperm(len(acts)).split(self.batch):
            new, value = self.policy(seen[mine])
            gain, old, goal = advantages[mine], values[mine], returns[mine]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            ratio = (new.gather(1, acts[mine, None])[:, 0] - logs[mine]).exp()
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - self.clip, 1 + self.clip)).mean()
            near = old + (value - old).clamp(-self.clip, self.clip)
            value_loss = 0.5 * torch.max((value - goal) ** 2, (near - goal) ** 2).mean()
            entropy = -(new.exp() * new).sum(1).mean()
            loss = policy_loss - self.entropy_weight * entropy + self.value_weight * value_loss
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters, self.norm)
            self.optimizer.step()


def environment():
    envs = CartPole(1024, 1)
    acts = np.random.default_rng(1).integers(0, 2, (64, 1024))

    def iterate():
        for act in acts:
            envs.step(act)
        return acts.size

    return iterate


BENCHMARKS = {"ppo-cartpole-1024": lambda: Ppo().iterate, "env-CartPole-v1": environment}
