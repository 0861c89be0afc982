import { a2c, dqn, ppo } from "@reins/algorithms";
import { type Algorithm, box, discrete, Run, type VectorEnv } from "@reins/core";
import { diagnose, History, reportFindings } from "@reins/core/diagnostics";
import { make } from "@reins/envs";
import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { train } from "./train.ts";

/** An environment with multiplied rewards. */
const scaled =
  (id: string, factor: number) =>
  (rows: number): VectorEnv => {
    const env = make(id, { rows });
    const { step } = env;
    env.step = (action) => {
      step.call(env, action);
      for (let i = 0; i < rows; i++) env.reward.data[i] *= factor;
    };
    return env;
  };

function trained(algorithm: Algorithm, makeEnv: (rows: number) => VectorEnv, steps = 8192): Run {
  const env = { spec: makeEnv(1).spec, make: makeEnv };
  const run = new Run({ algorithm, env, steps, seed: 3, tolerant: true });
  run.advance();
  return run;
}

/** Findings for a history of metrics, with an algorithm of these options. */
function found(history: History, options: { [name: string]: unknown } = {}) {
  const spec = { id: "Made-v0", observation: box([2]), action: discrete(2) };
  const settings = {};
  return diagnose({
    options: { env: { spec }, algorithm: { options } },
    history,
    steps: 8,
    rounds: 8,
    process: { settings },
  });
}

const noted = (rounds: number, of: (round: number) => { [name: string]: number }) => {
  const history = new History();
  for (let i = 0; i < rounds; i++) history.note(of(i));
  return history;
};

describe("advice", () => {
  it.each([
    ["ppo", "CartPole-v1", ppo({ envs: 8, steps: 64 })],
    ["ppo", "Pendulum-v1", ppo({ envs: 8, steps: 64 })],
    ["a2c", "CartPole-v1", a2c({})],
    ["dqn", "CartPole-v1", dqn({ learningStarts: 256, capacity: 5000, hidden: [32] })],
  ])("%s on %s: rewards of a million are the only cause", (_name, id, algorithm) => {
    const findings = diagnose(trained(algorithm, scaled(id, 1e6), 4096));
    expect(findings.map((f) => f.name)).toEqual(["huge rewards"]);
    expect(reportFindings(findings)).toContain("normaliseReward");
    expect(findings[0].fix).not.toMatch(/learningRate|tanh/);
  });

  it("lists consequences under their cause", () => {
    const run = trained(ppo({ envs: 8, steps: 64 }), scaled("CartPole-v1", 1e6), 4096);
    const [finding] = diagnose(run);
    expect(finding.explains.map(({ saw }) => saw).join()).toMatch(
      /has not changed at all|received no gradient/,
    );
    expect(reportFindings([finding])).toContain("\n  Explains: ");
  });

  it("never advises to raise and to lower the same setting", () => {
    // The policy does not change at all, and returns fall: the rules disagree about the learning rate.
    const history = noted(24, (i) => ({
      "policy/kl": 0,
      "return/mean": i < 8 ? 10 * i : 0,
      "return/std": 1,
      "gradient/norm": 0.1,
    }));
    const fixes = found(history, { learningRate: 1e-3 }).map((f) => f.fix);
    expect(fixes).toHaveLength(2);
    expect(fixes[0]).toContain("raise learningRate (now 0.001)");
    expect(fixes.slice(1).join()).not.toContain("lower learningRate");
  });

  it("names only settings that the algorithm has and that can still be lowered", () => {
    const history = noted(8, () => ({ "policy/kl": 3 }));
    expect(found(history, { learningRate: 0.5, epochs: 1 })[0].fix).toBe("lower learningRate (now 0.5).");
    expect(found(history, { learningRate: 0.5, epochs: 4 })[0].fix).toBe(
      "lower learningRate (now 0.5), or lower epochs (now 4).",
    );
    expect(found(history, { clip: 0.2 })[0].fix).toBe("read its page: no setting of this run changes it.");
  });

  it("advises to scale the loss, not to raise the learning rate, if clipping removes the gradient", () => {
    const history = noted(8, () => ({ "policy/kl": 0, "gradient/norm": 1e7 }));
    const [{ name, fix }] = found(history, { learningRate: 1e-3, clipNorm: 0.5 });
    expect(name).toBe("policy never changes");
    expect(fix).toMatch(
      /^scale the loss down \(the gradient norm is 2e\+7|^scale the loss down \(the gradient norm is 20000000/,
    );
  });

  it.each([
    ["all groups have zero reward", () => ({ "reward/mean": 0, "reward/flat": 1 }), true],
    [
      "one answer in the last rounds has a reward",
      (i: number) => ({ "reward/mean": i === 23 ? 0.016 : 0, "reward/flat": i === 23 ? 0.875 : 1 }),
      true,
    ],
    [
      "wrong answers have a negative reward, and all are wrong",
      () => ({ "reward/mean": -1, "reward/flat": 1 }),
      true,
    ],
    ["every answer has reward 1 from the beginning", () => ({ "reward/mean": 1, "reward/flat": 1 }), true],
    ["answers without groups have zero reward", () => ({ "reward/mean": 0, "reward/std": 0 }), true],
    [
      "a task was solved",
      (i: number) => ({ "reward/mean": Math.min(1, i / 12), "reward/flat": i < 12 ? 0.3 : 1 }),
      false,
    ],
    [
      "a task of costs was solved",
      (i: number) => ({ "reward/mean": Math.min(0, i / 12 - 1), "reward/flat": i < 12 ? 0.3 : 1 }),
      false,
    ],
    ["some groups differ", () => ({ "reward/mean": 0.005, "reward/flat": 0.8 }), false],
  ])("no reward: %s", (_, of: (round: number) => { [name: string]: number }, expected) => {
    expect(found(noted(24, of)).map((f) => f.name)).toEqual(expected ? ["no reward"] : []);
  });

  it("finds a reward that rises while the score does not", () => {
    const hacked = noted(24, (i) => ({ "reward/mean": i / 10, "reward/std": 0.5, "score/mean": 0.2 }));
    expect(found(hacked).map((f) => f.name)).toEqual(["reward without score"]);
    const learned = noted(24, (i) => ({ "reward/mean": i / 10, "reward/std": 0.5, "score/mean": i / 24 }));
    expect(found(learned)).toEqual([]);
    // Rewards of the demonstrations of a supervised phase are not rewards of the policy.
    const warmedUp = noted(48, (i): { [name: string]: number } =>
      i < 24 ? { "reward/mean": 1 } : { "reward/mean": (i - 24) / 40, "reward/std": 0.3, "score/mean": 0.1 },
    );
    expect(found(warmedUp).map((f) => f.name)).toEqual(["reward without score"]);
    const unreached = noted(24, (i) => ({ "return/mean": i - 50, "return/std": 2, "success/mean": 0 }));
    expect(found(unreached).map((f) => f.name)).toEqual(["reward without score"]);
  });
});

describe("several roles", () => {
  const agents = { names: ["scout", "guard"], order: "parallel" } as const;
  const spec = { id: "Pair-v0", observation: box([2]), action: discrete(4), agents };
  /** A run of two agents; the second takes its actions with this probability. */
  const pair = (probability: number, returns: (round: number) => number) => {
    const rows = Array.from({ length: 128 }, (_, i) => Math.log(i % 2 ? probability : 0.25));
    const columns = {
      logProb: tensor(rows, { shape: [64, 2] }),
      reward: tensor(
        Float32Array.from({ length: 128 }, (_, i) => (i % 3) / 10),
        { shape: [64, 2] },
      ),
    };
    return diagnose({
      options: { env: { spec } },
      history: noted(8, (i) => ({ "return/mean": returns(i) })),
      steps: 128,
      rounds: 8,
      process: { settings: {}, inspect: () => ({ columns }) },
    });
  };
  it("names the collapsed role, unless returns rise", () => {
    const [finding, ...rest] = pair(0.999, (i) => 1 - i / 10);
    expect([finding.name, rest.length]).toEqual(["collapsed role", 0]);
    expect(finding.saw).toMatch(/^the agent guard has collapsed: its entropy is 0.001 nats per step/);
    expect(pair(0.999, (i) => i)).toEqual([]);
    expect(pair(0.5, (i) => 1 - i / 10)).toEqual([]);
  });
});

describe("a NaN in columns", () => {
  /** CartPole with a NaN in row 3 after eleven steps. */
  const broken = (spoil: (env: VectorEnv) => void) => (rows: number) => {
    const env = make("CartPole-v1", { rows });
    const { step } = env;
    let steps = 0;
    env.step = (action) => {
      step.call(env, action);
      if (++steps === 11) spoil(env);
    };
    return env;
  };
  it("is reported with its step, copy and action", async () => {
    const algorithm = ppo({ envs: 8, steps: 64, hidden: [16] });
    const begin = (spoil: (env: VectorEnv) => void) => {
      const makeEnv = broken(spoil);
      return train({ algorithm, env: { spec: makeEnv(1).spec, make: makeEnv }, steps: 2048 });
    };
    await expect(
      begin((env) => {
        (env.observation as Tensor).data[3 * 4 + 2] = Number.NaN;
      }),
    ).rejects.toThrow(
      /CartPole-v1: \S+ is NaN .*observations contain NaN or infinity \(feature 2, step 88 in copy 3, after action [01]\)/,
    );
    await expect(
      begin((env) => {
        env.reward.data[3] = Number.NaN;
      }),
    ).rejects.toThrow(
      /CartPole-v1: \S+ is NaN .*rewards contain NaN, step 80 in copy 3, after action [01]\./,
    );
  });
});
