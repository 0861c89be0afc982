"""PPO as one compiled JAX program: environment, rollout, targets and updates under `jit`, whole rounds in `lax.scan`.

The settings are those of CleanRL's ppo.py, as PureJaxRL has them: separate tanh networks of 64-64 for actor and critic, clipped
values, advantages normalised by minibatch, a shuffle for each epoch. One call of `iterate` is a few rounds, so that nothing of
Python is in the measurement. One processor core: XLA's own threads are switched off and the process is bound to a core.
"""

import os

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp
import optax
from jax import lax

GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, NORM, RATE = 0.99, 0.95, 0.2, 0.01, 0.5, 0.5, 2.5e-4
EPOCHS, MINIBATCHES, LENGTH = 4, 4, 128


def fresh(key):
    return jax.random.uniform(key, (4,), minval=-0.05, maxval=0.05)


def step(key, state, time, action):
    """CartPole-v1 with autoreset."""
    x, v, angle, turn = state
    force = jnp.where(action == 1, 10.0, -10.0)
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    push = (force + 0.05 * turn**2 * sin) / 1.1
    spin = (9.8 * sin - cos * push) / (0.5 * (4.0 / 3.0 - 0.1 * cos**2 / 1.1))
    slide = push - 0.05 * spin * cos / 1.1
    state = jnp.array([x + 0.02 * v, v + 0.02 * slide, angle + 0.02 * turn, turn + 0.02 * spin])
    time = time + 1
    fallen = (jnp.abs(state[0]) > 2.4) | (jnp.abs(state[2]) > 12 * 2 * jnp.pi / 360)
    done = fallen | (time >= 500)
    return jnp.where(done, fresh(key), state), jnp.where(done, 0, time), done


def layer(key, inputs, outputs, gain):
    return {"w": jax.nn.initializers.orthogonal(gain)(key, (inputs, outputs)), "b": jnp.zeros(outputs)}


def body(key, outputs, gain):
    a, b, c = jax.random.split(key, 3)
    return [layer(a, 4, 64, 2**0.5), layer(b, 64, 64, 2**0.5), layer(c, 64, outputs, gain)]


def forward(layers, x):
    for one in layers[:-1]:
        x = jnp.tanh(x @ one["w"] + one["b"])
    return x @ layers[-1]["w"] + layers[-1]["b"]


def both(weights, x):
    return jax.nn.log_softmax(forward(weights["actor"], x)), forward(weights["critic"], x)[:, 0]


def loss(weights, batch):
    seen, action, old, value, advantage, target = batch
    logs, new = both(weights, seen)
    chosen = jnp.take_along_axis(logs, action[:, None], 1)[:, 0]
    ratio = jnp.exp(chosen - old)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    policy = -jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage).mean()
    near = value + jnp.clip(new - value, -CLIP, CLIP)
    error = 0.5 * jnp.maximum((new - target) ** 2, (near - target) ** 2).mean()
    entropy = -(jnp.exp(logs) * logs).sum(1).mean()
    return policy + VALUE * error - ENTROPY * entropy


def trainer(count, rounds):
    optimiser = optax.chain(optax.clip_by_global_norm(NORM), optax.adam(RATE, eps=1e-5))
    size = count * LENGTH

    def act(carry, key):
        weights, state, time = carry
        draw, begin = jax.random.split(key)
        logs, value = both(weights, state)
        action = jax.random.categorical(draw, logs)
        old = jnp.take_along_axis(logs, action[:, None], 1)[:, 0]
        after, time, done = jax.vmap(step)(jax.random.split(begin, count), state, time, action)
        return (weights, after, time), (state, action, old, value, done)

    def back(carry, now):
        advantage, after = carry
        value, done = now
        goes = 1.0 - done
        advantage = 1.0 + GAMMA * after * goes - value + GAMMA * LAMBDA * goes * advantage
        return (advantage, value), advantage

    def update(carry, batch):
        weights, moments = carry
        change, moments = optimiser.update(jax.grad(loss)(weights, batch), moments)
        return (optax.apply_updates(weights, change), moments), None

    def epoch(carry, key):
        weights, moments, data = carry
        order = jax.random.permutation(key, size)
        parts = jax.tree.map(lambda x: x[order].reshape((MINIBATCHES, -1) + x.shape[1:]), data)
        (weights, moments), _ = lax.scan(update, (weights, moments), parts)
        return (weights, moments, data), None

    def one(carry, key):
        weights, moments, state, time = carry
        acting, learning = jax.random.split(key)
        (_, state, time), seen = lax.scan(act, (weights, state, time), jax.random.split(acting, LENGTH))
        states, actions, old, values, done = seen
        last = both(weights, state)[1]
        _, advantages = lax.scan(back, (jnp.zeros(count), last), (values, done), reverse=True)
        rows = (states, actions, old, values, advantages, advantages + values)
        data = jax.tree.map(lambda x: x.reshape((size,) + x.shape[2:]), rows)
        (weights, moments, _), _ = lax.scan(epoch, (weights, moments, data), jax.random.split(learning, EPOCHS))
        return (weights, moments, state, time), done.sum()

    def begin(key):
        a, b, c = jax.random.split(key, 3)
        weights = {"actor": body(a, 2, 0.01), "critic": body(b, 1, 1.0)}
        return weights, optimiser.init(weights), jax.vmap(fresh)(jax.random.split(c, count)), jnp.zeros(count, int)

    @jax.jit
    def call(carry, key):
        return lax.scan(one, carry, jax.random.split(key, rounds))

    return begin, call


def ppo(count, rounds):
    def start():
        key, calls = jax.random.key(1), 0
        begin, call = trainer(count, rounds)
        carry = begin(key)

        def iterate():
            nonlocal carry, calls
            calls += 1
            carry, ends = call(carry, jax.random.fold_in(key, calls))
            iterate.length = rounds * count * LENGTH / max(int(ends.sum()), 1)
            return rounds * count * LENGTH

        return iterate

    return start


BENCHMARKS = {"ppo-cartpole": ppo(4, 64), "ppo-cartpole-1024x64x64": ppo(1024, 1)}
