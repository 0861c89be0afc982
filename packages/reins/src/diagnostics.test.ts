import { dqn, ppo } from "@reins/algorithms";
import {
  type Algorithm,
  actorCritic,
  box,
  diagnose,
  discrete,
  type Env,
  losses,
  type OnPolicyParts,
  onPolicy,
  Run,
  reportFindings,
  signals,
  targets,
  type VectorEnv,
  vectorise,
} from "@reins/core";
import { make } from "@reins/envs";
import { adam } from "@reins/nn";
import { neg, type Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";

const cartPole = (rows: number) => make("CartPole-v1", { rows });

/** A run of an algorithm on environments that may have been tampered with. */
function trained(algorithm: Algorithm, makeEnv: (rows: number) => VectorEnv = cartPole, steps = 8192): Run {
  const run = new Run({
    algorithm,
    env: { spec: makeEnv(1).spec, make: makeEnv },
    steps,
    seed: 3,
    tolerant: true,
  });
  run.advance();
  return run;
}

/** Changes the columns of an environment after every step. */
function tampered(change: (env: VectorEnv) => void): (rows: number) => VectorEnv {
  return (rows) => {
    const env = cartPole(rows);
    const { step, reset } = env;
    env.step = (action) => {
      step.call(env, action);
      change(env);
    };
    env.reset = (options) => {
      reset.call(env, options);
      change(env);
    };
    return env;
  };
}

/** PPO with one part exchanged. */
const altered = (change: Partial<OnPolicyParts>): Algorithm => ({
  name: "altered",
  options: {},
  start: (context) => ({
    settings: {},
    ...onPolicy(
      {
        name: "altered",
        policy: actorCritic(context.spec, { hidden: [32] }) as never,
        target: targets.gae({ gamma: 0.99, lambda: 0.95 }),
        loss: losses.sum(
          losses.policyGradient({ ratio: losses.clipped(0.2), clip: 0.2 }),
          losses.valueError(),
        ),
        optimiser: adam(),
        learningRate: 1e-3,
        clipNorm: 0.5,
        envs: 8,
        steps: 64,
        epochs: 4,
        minibatches: 4,
        normalise: "minibatch",
        ...change,
      },
      context,
    ),
  }),
});

/** `steps` is a getter, which a spread would freeze. */
function living(algorithm: Algorithm): Algorithm {
  return {
    ...algorithm,
    start: (context) => {
      const inner = algorithm.start(context);
      return Object.defineProperties(
        {},
        {
          ...Object.getOwnPropertyDescriptors(inner),
          steps: { get: () => (inner.parts.rollout as { steps: number }).steps },
        },
      ) as never;
    },
  };
}

const replayed = { prioritised: true, learningStarts: 256, capacity: 5000, hidden: [32] };
const small = { envs: 8, steps: 64, hidden: [32] };
const observation = (env: VectorEnv) => (env.observation as Tensor).data;
const gae = targets.gae({ gamma: 0.99, lambda: 0.95 });

/** One choice out of three, of which the third pays; the mask forbids it. */
const masked = (): Env => ({
  spec: { id: "Masked-v0", observation: box([2]), action: discrete(3) },
  reset: () => ({ observation: [1, 0] }),
  step: (a) => ({ observation: [1, 0], reward: a === 2 ? 1 : 0, terminated: true, truncated: false }),
  mask: () => [1, 1, 0],
});

/** The coin that decides the next reward lies open. */
function leaking(): Env {
  let coin = 0;
  let seed = 1;
  const toss = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    coin = seed > 1073741824 ? 1 : -1;
    return [0.5, coin];
  };
  return {
    spec: { id: "Leaking-v0", observation: box([2]), action: discrete(2), maxSteps: 20 },
    reset: () => ({ observation: toss() }),
    step: () => {
      const reward = coin;
      return { observation: toss(), reward, terminated: false, truncated: false };
    },
  };
}

const broken: [fault: string, name: string, run: () => Run][] = [
  [
    "a flipped loss",
    "wrong sign of the loss",
    () =>
      trained(
        living(altered({ loss: losses.weighted(-1, losses.policyGradient({ ratio: losses.clipped(0.2) })) })),
      ),
  ],
  [
    "a flipped advantage",
    "wrong sign of the advantage",
    () => trained(living(altered({ target: (s) => ({ ...gae(s), advantage: neg(gae(s).advantage) }) }))),
  ],
  [
    "swapped terminated and truncated",
    "swapped terminated and truncated",
    () =>
      trained(
        ppo(small),
        tampered((env) => {
          const [a, b] = [env.terminated.data, env.truncated.data];
          for (let i = 0; i < a.length; i++) [a[i], b[i]] = [b[i], a[i]];
        }),
      ),
  ],
  [
    "observations in the thousands",
    "unnormalised observations",
    () =>
      trained(
        ppo(small),
        tampered((env) => observation(env).forEach((v, i, all) => (all[i] = 1000 * v + 2000))),
      ),
  ],
  ["a learning rate of 10", "steps too large", () => trained(ppo({ ...small, learningRate: 10 }))],
  [
    "a masked-out best action",
    "an action that is never allowed",
    () => trained(ppo(small), (rows) => vectorise(masked, rows), 4096),
  ],
  [
    "a leaking observation",
    "a leaking observation",
    () => trained(ppo(small), (rows) => vectorise(leaking, rows), 4096),
  ],
  [
    "no reward at all",
    "no reward",
    () =>
      trained(
        ppo(small),
        tampered((env) => {
          env.reward.data.fill(0);
          env.ended.return.fill(0);
        }),
      ),
  ],
  [
    "a reward for determinism",
    "entropy collapse",
    () => trained(ppo({ ...small, entropyWeight: -5, learningRate: 1e-2 }), cartPole, 16384),
  ],
  ["a learning rate of 0", "nothing changes", () => trained(ppo({ ...small, learningRate: 0 }))],
  [
    "a learning rate of 0 in one pass",
    "nothing changes",
    () => trained(ppo({ ...small, epochs: 1, minibatches: 1, learningRate: 0 })),
  ],
  [
    "hidden units that are off",
    "dead units",
    () => {
      const policy = actorCritic(cartPole(1).spec, { hidden: [32], activation: "relu" });
      const init: typeof policy.init = (key) => {
        const weights = policy.init(key);
        for (const net of [weights.actor, weights.critic!]) net.layers[0].bias!.set(-100);
        return weights;
      };
      return trained(living(altered({ policy: { ...policy, init } as never })));
    },
  ],
  [
    "rewards in the thousands",
    "huge rewards",
    () =>
      trained(
        ppo(small),
        tampered((env) => env.reward.data.forEach((r, i, all) => (all[i] = 5000 * r))),
      ),
  ],
  [
    "NaN in an observation",
    "broken observation",
    () =>
      trained(
        ppo(small),
        tampered((env) => (observation(env)[2] = Number.NaN)),
        2048,
      ),
  ],
  [
    "a frozen observation",
    "constant observation",
    () =>
      trained(
        ppo(small),
        tampered((env) => observation(env).fill(0.1)),
      ),
  ],
  [
    "an entropy weight of 10",
    "held at random",
    () => trained(ppo({ ...small, entropyWeight: 10 }), cartPole, 16384),
  ],
  [
    "priorities by the 20th power of errors",
    "few effective samples",
    () => trained(dqn({ ...replayed, alpha: 20, beta: 1 }), cartPole, 4096),
  ],
];

describe("diagnose", () => {
  it.each(broken)("%s is named: %s", async (_fault, name, run) => {
    const findings = diagnose(run());
    // Lets the test runner breathe: training holds the thread.
    await new Promise((done) => setTimeout(done, 0));
    expect(findings[0]?.name, reportFindings(findings)).toBe(name);
    expect(findings[0].saw.length).toBeGreaterThan(20);
    expect(findings[0].fix.length).toBeGreaterThan(20);
  });
  it("finds nothing wrong with healthy runs", async () => {
    const runs = [
      () => trained(ppo(small), cartPole, 30_000),
      () => trained(living(altered({}))),
      // The divergence is measured before the only update: it is 0 although the policy moves.
      () => trained(ppo({ ...small, epochs: 1, minibatches: 1 })),
      () => trained(ppo(small), (rows) => make("Pendulum-v1", { rows })),
      // At its end the learning rate is 0, and was not before.
      () => trained(ppo({ ...small, learningRate: signals.linear(3e-3, 0) })),
      () => trained(dqn(replayed), cartPole, 4096),
    ];
    for (const run of runs) {
      expect(reportFindings(diagnose(run()))).toBe("");
      await new Promise((done) => setTimeout(done, 0));
    }
  });
  it("a loss that becomes NaN stops the run with the reason", () => {
    const makeEnv = tampered((env) => (observation(env)[2] = Number.NaN));
    const run = new Run({
      algorithm: ppo(small),
      env: { spec: makeEnv(1).spec, make: makeEnv },
      steps: 2048,
    });
    expect(() => run.advance()).toThrow(
      /ppo on CartPole-v1: \S+ is NaN after 512 steps\. Likeliest reason: observations contain NaN/,
    );
  });
  it("survives saving and restoring", () => {
    const run = trained(ppo({ ...small, learningRate: 10 }));
    const copy = run.fork();
    expect(diagnose(copy)[0].name).toBe("steps too large");
    run.round();
    copy.round();
    expect(diagnose(copy)).toEqual(diagnose(run));
  });
});
