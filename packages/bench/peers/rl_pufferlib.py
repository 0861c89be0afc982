"""PufferLib's trainer on its CartPole in C (which ends episodes after 200 steps), without a recurrent layer, with Adam."""

import os
import sys
import tempfile
import warnings

# PufferLib leaves a link in the folder it is imported in: let that be one that goes with the process.
folder = tempfile.TemporaryDirectory(prefix="pufferlib-")
os.chdir(folder.name)

import gymnasium
import numpy as np

# It imports gym, which is no longer maintained, only to recognise its spaces.
sys.modules.setdefault("gym", gymnasium)
warnings.simplefilter("ignore")

import pufferlib.models
import pufferlib.vector
from pufferlib import pufferl
from pufferlib.ocean.cartpole.cartpole import Cartpole

COUNT, LENGTH = 1024, 64
# The advantage is computed on the processor, whether or not a CUDA compiler is installed.
pufferl.ADVANTAGE_CUDA = False


class Trainer(pufferl.PuffeRL):
    def print_dashboard(self, *_, **__):
        """Standard output belongs to the benchmark."""


def ppo():
    envs = pufferlib.vector.make(Cartpole, env_kwargs=dict(num_envs=COUNT), backend="PufferEnv")
    policy = pufferlib.models.Default(envs, hidden_size=128)
    settings = dict(
        device="cpu",
        optimizer="adam",
        learning_rate=2.5e-3,
        total_timesteps=10**9,
        batch_size="auto",
        bptt_horizon=LENGTH,
        minibatch_size=8192,
        update_epochs=1,
        use_rnn=False,
        compile=False,
        checkpoint_interval=10**9,
        data_dir=folder.name,
        # The rest as its default.ini has it.
        seed=42,
        torch_deterministic=True,
        cpu_offload=False,
        anneal_lr=True,
        precision="float32",
        gamma=0.995,
        gae_lambda=0.90,
        clip_coef=0.2,
        vf_coef=2.0,
        vf_clip_coef=0.2,
        max_grad_norm=1.5,
        ent_coef=0.001,
        adam_beta1=0.95,
        adam_beta2=0.999,
        adam_eps=1e-12,
        max_minibatch_size=32768,
        compile_mode="max-autotune-no-cudagraphs",
        compile_fullgraph=True,
        vtrace_rho_clip=1.0,
        vtrace_c_clip=1.0,
        prio_alpha=0.8,
        prio_beta0=0.2,
    )
    trainer = Trainer(settings, envs, policy)
    # A thread that watches the load of the machine.
    trainer.utilization.stop()

    def iterate():
        start = trainer.global_step
        trainer.evaluate()
        trainer.train()
        return trainer.global_step - start

    return iterate


def environment():
    envs = Cartpole(num_envs=COUNT)
    envs.reset(seed=1)
    acts = np.random.default_rng(1).integers(0, 2, (256, COUNT)).astype(np.float32)

    def iterate():
        for act in acts:
            envs.step(act)
        return acts.size

    return iterate


BENCHMARKS = {"ppo-cartpole-1024": ppo, "env-CartPole-v1": environment}
