"""Stable-Baselines3: the settings of the CleanRL rows, its own defaults, and those that its zoo has tuned for CartPole."""

from stable_baselines3 import DQN, PPO, SAC
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.logger import Logger


def chunks(model, size, before=0):
    """Learns `size` steps a call, after `before` steps. Loggers are made once: each would be a folder."""
    model.set_logger(Logger(None, []))
    if before:
        model.learn(before)

    def iterate():
        start = model.num_timesteps
        model.learn(size, reset_num_timesteps=False)
        return model.num_timesteps - start

    return iterate


def ppo():
    # Its value loss has no factor 1/2. The rate stays at its start: annealing costs nothing, and calls have no common end.
    envs = make_vec_env("CartPole-v1", n_envs=4, seed=1)
    settings = dict(n_steps=128, batch_size=128, n_epochs=4, learning_rate=2.5e-4, clip_range=0.2, clip_range_vf=0.2)
    model = PPO("MlpPolicy", envs, **settings, ent_coef=0.01, vf_coef=0.25, max_grad_norm=0.5, seed=1, device="cpu")
    return chunks(model, 4 * 128)


def ppo_defaults():
    model = PPO("MlpPolicy", make_vec_env("CartPole-v1", n_envs=8, seed=1), seed=1, device="cpu")
    return chunks(model, 8 * 2048)


def dqn():
    settings = dict(learning_rate=2.5e-4, buffer_size=10_000, batch_size=128, train_freq=10, gradient_steps=1, gamma=0.99)
    model = DQN(
        "MlpPolicy",
        make_vec_env("CartPole-v1", n_envs=1, seed=1),
        **settings,
        learning_starts=10_000,
        target_update_interval=500,
        exploration_initial_eps=0.05,
        exploration_final_eps=0.05,
        policy_kwargs=dict(net_arch=[120, 84]),
        seed=1,
        device="cpu",
    )
    return chunks(model, 500, before=10_000)


def sac():
    # One rate for all networks, where CleanRL has 3e-4 and 1e-3, and one policy update a step, where CleanRL has two every other.
    settings = dict(learning_rate=3e-4, buffer_size=100_000, batch_size=256, tau=0.005, gamma=0.99, ent_coef="auto")
    model = SAC(
        "MlpPolicy",
        make_vec_env("Pendulum-v1", n_envs=1, seed=1),
        **settings,
        learning_starts=5_000,
        train_freq=1,
        gradient_steps=1,
        policy_kwargs=dict(net_arch=[256, 256]),
        seed=1,
        device="cpu",
    )
    return chunks(model, 50, before=5_000)


BENCHMARKS = {"ppo-cartpole": ppo, "ppo-cartpole-8x2048": ppo_defaults, "dqn-cartpole": dqn, "sac-pendulum": sac}


class Watch(BaseCallback):
    def __init__(self, watch):
        super().__init__()
        self.watch = watch

    def _on_step(self):
        for info in self.locals["infos"]:
            if "episode" in info:
                self.watch(info["episode"]["r"], self.num_timesteps)
        return True


def solve(watch, seed):
    """RL Zoo's settings of PPO on CartPole, until `watch` raises or the steps are used up."""
    model = PPO(
        "MlpPolicy",
        make_vec_env("CartPole-v1", n_envs=8, seed=seed),
        n_steps=32,
        batch_size=256,
        n_epochs=20,
        gae_lambda=0.8,
        gamma=0.98,
        ent_coef=0.0,
        learning_rate=lambda left: left * 0.001,
        clip_range=lambda left: left * 0.2,
        seed=seed,
        device="cpu",
    )
    model.learn(100_000, callback=Watch(watch))
