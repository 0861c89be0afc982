"""PPO, DQN and SAC in plain PyTorch, after CleanRL's single-file algorithms: its settings, and per step its computation.

What is left out is only the log: no TensorBoard, no printing. What a user of those files pays for stays in: gymnasium's
wrappers and its vector environment that steps one after the other, checked distributions, Adam as PyTorch chooses it.
"""

import random

import gymnasium as gym
import numpy as np
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from torch import nn
from torch.distributions import Categorical, Normal
from torch.nn import functional as F


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def environments(name, count, seed):
    """The reset belongs to the step that ends an episode, as in the gymnasium that CleanRL was written for."""

    def one():
        return gym.wrappers.RecordEpisodeStatistics(gym.make(name))

    envs = SyncVectorEnv([one] * count, autoreset_mode=AutoresetMode.SAME_STEP)
    envs.single_action_space.seed(seed)
    return envs, envs.reset(seed=seed)[0]


def finished(infos):
    """Returns of the episodes that ended in this step."""
    if "final_info" not in infos:
        return []
    final = infos["final_info"]
    return final["episode"]["r"][final["_episode"]].tolist()


def orthogonal(inputs, outputs, gain=2**0.5):
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


class Ppo:
    """ppo.py: one call of `iterate` is one rollout and its update."""

    envs_count, length, epochs, minibatches, total = 4, 128, 4, 4, 500_000
    rate, gamma, smoothing, clip, entropy_weight, value_weight, norm = 2.5e-4, 0.99, 0.95, 0.2, 0.01, 0.5, 0.5

    def __init__(self, seed=1):
        seed_all(seed)
        self.envs, first = environments("CartPole-v1", self.envs_count, seed)
        inputs, outputs = self.envs.single_observation_space.shape[0], self.envs.single_action_space.n
        body = lambda last, gain: nn.Sequential(
            orthogonal(inputs, 64), nn.Tanh(), orthogonal(64, 64), nn.Tanh(), orthogonal(64, last, gain)
        )
        self.critic, self.actor = body(1, 1.0), body(int(outputs), 0.01)
        self.parameters = [*self.critic.parameters(), *self.actor.parameters()]
        self.optimizer = torch.optim.Adam(self.parameters, lr=self.rate, eps=1e-5)
        table = lambda *shape: torch.zeros(self.length, self.envs_count, *shape)
        self.seen, self.acts, self.logs = table(inputs), table(), table()
        self.rewards, self.dones, self.values = table(), table(), table()
        self.observation, self.done = torch.Tensor(first), torch.zeros(self.envs_count)
        self.iteration = 0

    def policy(self, seen, act=None):
        choice = Categorical(logits=self.actor(seen))
        if act is None:
            act = choice.sample()
        return act, choice.log_prob(act), choice.entropy(), self.critic(seen)

    def iterate(self, on_episode=None):
        updates = self.total // (self.envs_count * self.length)
        self.optimizer.param_groups[0]["lr"] = (1 - self.iteration % updates / updates) * self.rate
        self.iteration += 1
        self.collect(on_episode)
        self.update(*self.estimate())
        return self.envs_count * self.length

    def collect(self, on_episode):
        for t in range(self.length):
            self.seen[t], self.dones[t] = self.observation, self.done
            with torch.no_grad():
                act, log, _, value = self.policy(self.observation)
                self.values[t] = value.flatten()
            self.acts[t], self.logs[t] = act, log
            observation, reward, terminated, truncated, infos = self.envs.step(act.cpu().numpy())
            self.rewards[t] = torch.tensor(reward).view(-1)
            self.observation = torch.Tensor(observation)
            self.done = torch.Tensor(np.logical_or(terminated, truncated))
            if on_episode:
                for episode in finished(infos):
                    on_episode(episode, (self.iteration - 1) * self.envs_count * self.length + (t + 1) * self.envs_count)

    @torch.no_grad()
    def estimate(self):
        following, alive = self.critic(self.observation).reshape(1, -1), 1.0 - self.done
        advantages, last = torch.zeros_like(self.rewards), 0
        for t in reversed(range(self.length)):
            delta = self.rewards[t] + self.gamma * following * alive - self.values[t]
            advantages[t] = last = delta + self.gamma * self.smoothing * alive * last
            following, alive = self.values[t], 1.0 - self.dones[t]
        return advantages, advantages + self.values

    def update(self, advantages, returns):
        size = self.envs_count * self.length
        seen, acts, logs = self.seen.reshape(size, -1), self.acts.reshape(-1), self.logs.reshape(-1)
        advantages, returns, values = advantages.reshape(-1), returns.reshape(-1), self.values.reshape(-1)
        order, clipped, part = np.arange(size), [], size // self.minibatches
        for _ in range(self.epochs):
            np.random.shuffle(order)
            for start in range(0, size, part):
                mine = order[start : start + part]
                _, log, entropy, value = self.policy(seen[mine], acts.long()[mine])
                difference = log - logs[mine]
                ratio = difference.exp()
                with torch.no_grad():
                    (-difference).mean()
                    ((ratio - 1) - difference).mean()
                    clipped.append(((ratio - 1.0).abs() > self.clip).float().mean().item())
                gain = advantages[mine]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                policy_loss = torch.max(-gain * ratio, -gain * torch.clamp(ratio, 1 - self.clip, 1 + self.clip)).mean()
                value = value.view(-1)
                near = values[mine] + torch.clamp(value - values[mine], -self.clip, self.clip)
                value_loss = 0.5 * torch.max((value - returns[mine]) ** 2, (near - returns[mine]) ** 2).mean()
                loss = policy_loss - self.entropy_weight * entropy.mean() + value_loss * self.value_weight
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.parameters, self.norm)
                self.optimizer.step()


class Buffer:
    """Replay in NumPy arrays, one environment, as in Stable-Baselines3, which CleanRL takes it from."""

    def __init__(self, size, envs, act_dtype):
        table = lambda *shape, dtype=np.float32: np.zeros((size, 1, *shape), dtype=dtype)
        shape = envs.single_observation_space.shape
        acts = envs.single_action_space.shape or (1,)
        self.seen, self.following, self.acts = table(*shape), table(*shape), table(*acts, dtype=act_dtype)
        self.rewards, self.dones, self.timeouts = table(), table(), table()
        self.size, self.at, self.full = size, 0, False

    def add(self, seen, following, acts, rewards, dones, timeouts):
        at = self.at
        self.seen[at], self.following[at] = np.array(seen), np.array(following)
        self.acts[at] = np.array(acts).reshape(self.acts.shape[1:])
        self.rewards[at], self.dones[at], self.timeouts[at] = np.array(rewards), np.array(dones), np.array(timeouts)
        self.at += 1
        if self.at == self.size:
            self.at, self.full = 0, True

    def sample(self, count):
        rows = np.random.randint(0, self.size if self.full else self.at, size=count)
        envs = np.random.randint(0, 1, size=count)
        ended = (self.dones[rows, envs] * (1 - self.timeouts[rows, envs])).reshape(-1, 1)
        parts = self.seen[rows, envs], self.acts[rows, envs], self.following[rows, envs], ended
        return [torch.tensor(part) for part in (*parts, self.rewards[rows, envs].reshape(-1, 1))]


def reached(observations, ends, infos):
    """What each step led to, where the vector environment has already begun the next episode."""
    following = observations.copy()
    for i, ended in enumerate(ends):
        if ended:
            following[i] = infos["final_obs"][i]
    return following


class Dqn:
    """dqn.py: learning has begun once it is made; one call of `iterate` is 500 steps, the period of the target network."""

    buffer, batch, rate, gamma, starts, every, target_every = 10_000, 128, 2.5e-4, 0.99, 10_000, 10, 500
    total, exploration = 500_000, (1.0, 0.05, 0.5)

    def __init__(self, seed=1):
        seed_all(seed)
        self.envs, self.observation = environments("CartPole-v1", 1, seed)
        inputs, outputs = self.envs.single_observation_space.shape[0], int(self.envs.single_action_space.n)
        network = lambda: nn.Sequential(
            nn.Linear(inputs, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, outputs)
        )
        self.network, self.target = network(), network()
        self.target.load_state_dict(self.network.state_dict())
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=self.rate)
        self.memory = Buffer(self.buffer, self.envs, np.int64)
        # The measured part is the second half of a run, where exploration has ended.
        self.step_count = 0
        while self.step_count <= self.starts:
            self.step()
        self.step_count = self.total // 2

    def step(self):
        start, end, fraction = self.exploration
        epsilon = max((end - start) / (fraction * self.total) * self.step_count + start, end)
        if random.random() < epsilon:
            acts = np.array([self.envs.single_action_space.sample()])
        else:
            acts = torch.argmax(self.network(torch.Tensor(self.observation)), dim=1).cpu().numpy()
        observation, rewards, terminated, truncated, infos = self.envs.step(acts)
        self.memory.add(self.observation, reached(observation, truncated, infos), acts, rewards, terminated, [False])
        self.observation = observation
        if self.step_count > self.starts:
            if self.step_count % self.every == 0:
                self.train()
            if self.step_count % self.target_every == 0:
                for target, source in zip(self.target.parameters(), self.network.parameters()):
                    target.data.copy_(1.0 * source.data + (1.0 - 1.0) * target.data)
        self.step_count += 1

    def train(self):
        seen, acts, following, ended, rewards = self.memory.sample(self.batch)
        with torch.no_grad():
            best, _ = self.target(following).max(dim=1)
            goal = rewards.flatten() + self.gamma * best * (1 - ended.flatten())
        loss = F.mse_loss(goal, self.network(seen).gather(1, acts).squeeze())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def iterate(self):
        for _ in range(500):
            self.step()
        return 500


class Critic(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.first, self.second, self.last = nn.Linear(inputs, 256), nn.Linear(256, 256), nn.Linear(256, 1)

    def forward(self, seen, acts):
        x = torch.cat([seen, acts], 1)
        return self.last(F.relu(self.second(F.relu(self.first(x)))))


class Actor(nn.Module):
    def __init__(self, inputs, space):
        super().__init__()
        size = space.shape[0]
        self.first, self.second = nn.Linear(inputs, 256), nn.Linear(256, 256)
        self.mean, self.spread = nn.Linear(256, size), nn.Linear(256, size)
        self.register_buffer("scale", torch.tensor((space.high - space.low) / 2.0))
        self.register_buffer("shift", torch.tensor((space.high + space.low) / 2.0))

    def forward(self, seen):
        x = F.relu(self.second(F.relu(self.first(seen))))
        mean, spread = self.mean(x), torch.tanh(self.spread(x))
        normal = Normal(mean, (-5 + 0.5 * (2 - -5) * (spread + 1)).exp())
        raw = normal.rsample()
        bounded = torch.tanh(raw)
        log = normal.log_prob(raw) - torch.log(self.scale * (1 - bounded.pow(2)) + 1e-6)
        return bounded * self.scale + self.shift, log.sum(1, keepdim=True), torch.tanh(mean) * self.scale + self.shift


class Sac:
    """sac_continuous_action.py on Pendulum: learning has begun once it is made; one call of `iterate` is 50 steps."""

    # The buffer of 1,000,000 is never filled in a measurement; a smaller one does the same work.
    buffer, batch, gamma, tau, starts, every = 100_000, 256, 0.99, 0.005, 5_000, 2
    actor_rate, critic_rate = 3e-4, 1e-3

    def __init__(self, seed=1):
        seed_all(seed)
        self.envs, self.observation = environments("Pendulum-v1", 1, seed)
        inputs, space = self.envs.single_observation_space.shape[0], self.envs.single_action_space
        self.actor = Actor(inputs, space)
        self.critics = [Critic(inputs + space.shape[0]) for _ in range(2)]
        self.targets = [Critic(inputs + space.shape[0]) for _ in range(2)]
        for target, critic in zip(self.targets, self.critics):
            target.load_state_dict(critic.state_dict())
        both = [p for critic in self.critics for p in critic.parameters()]
        self.critic_optimizer = torch.optim.Adam(both, lr=self.critic_rate)
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters(), lr=self.actor_rate)
        self.goal = -float(space.shape[0])
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.alpha = self.log_alpha.exp().item()
        self.alpha_optimizer = torch.optim.Adam([self.log_alpha], lr=self.critic_rate)
        self.memory = Buffer(self.buffer, self.envs, np.float32)
        self.step_count = 0
        while self.step_count <= self.starts:
            self.step()

    def step(self):
        if self.step_count < self.starts:
            acts = np.array([self.envs.single_action_space.sample()])
        else:
            acts = self.actor(torch.Tensor(self.observation))[0].detach().cpu().numpy()
        observation, rewards, terminated, truncated, infos = self.envs.step(acts)
        self.memory.add(self.observation, reached(observation, truncated, infos), acts, rewards, terminated, [False])
        self.observation = observation
        if self.step_count > self.starts:
            self.train()
        self.step_count += 1

    def train(self):
        seen, acts, following, ended, rewards = self.memory.sample(self.batch)
        with torch.no_grad():
            next_acts, next_log, _ = self.actor(following)
            lowest = torch.min(*[target(following, next_acts) for target in self.targets]) - self.alpha * next_log
            goal = rewards.flatten() + (1 - ended.flatten()) * self.gamma * lowest.view(-1)
        first, second = [F.mse_loss(critic(seen, acts).view(-1), goal) for critic in self.critics]
        self.critic_optimizer.zero_grad()
        (first + second).backward()
        self.critic_optimizer.step()
        if self.step_count % self.every == 0:
            for _ in range(self.every):
                self.train_actor(seen)
        for critic, target in zip(self.critics, self.targets):
            for source, into in zip(critic.parameters(), target.parameters()):
                into.data.copy_(self.tau * source.data + (1 - self.tau) * into.data)

    def train_actor(self, seen):
        acts, log, _ = self.actor(seen)
        loss = (self.alpha * log - torch.min(*[critic(seen, acts) for critic in self.critics])).mean()
        self.actor_optimizer.zero_grad()
        loss.backward()
        self.actor_optimizer.step()
        with torch.no_grad():
            _, log, _ = self.actor(seen)
        loss = (-self.log_alpha.exp() * (log + self.goal)).mean()
        self.alpha_optimizer.zero_grad()
        loss.backward()
        self.alpha_optimizer.step()
        self.alpha = self.log_alpha.exp().item()

    def iterate(self):
        for _ in range(50):
            self.step()
        return 50


BENCHMARKS = {
    "ppo-cartpole": lambda: Ppo().iterate,
    "dqn-cartpole": lambda: Dqn().iterate,
    "sac-pendulum": lambda: Sac().iterate,
}


def solve(watch, seed):
    """Trains until `watch` raises or the steps of the default settings are used up."""
    learner = Ppo(seed)
    while (learner.iteration + 1) * learner.envs_count * learner.length <= learner.total:
        learner.iterate(watch)
