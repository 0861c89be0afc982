import { sgd } from "@reins/nn";
import { broadcastTo, logSoftmax, mul, pick, setBackend, type Tensor, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { Algorithm } from "../algorithm.ts";
import { withSettings } from "../algorithm.ts";
import { pack } from "../batch.ts";
import { diagnose } from "../diagnostics/diagnose.ts";
import type { Env, Step } from "../env.ts";
import type { Judge } from "../judge.ts";
import { aggregated } from "../losses/aggregation.ts";
import { behaviourCloning } from "../losses/imitation.ts";
import type { ActingPolicy, ScoringPolicy } from "../policy.ts";
import { Run } from "../run.ts";
import type { JudgedEpisode } from "../selection.ts";
import { played } from "../selections/testing.ts";
import { box, discrete } from "../space.ts";
import type { Task } from "../task.ts";
import { inRows, inSteps } from "./episode-columns.ts";
import { EpisodeRollout } from "./episode-rollout.ts";
import { type EpisodicParts, episodic } from "./episodic.ts";

setBackend("wasm");

/** Three choices with one row of logits, independent of the observation. */
const choices: ScoringPolicy<{ logits: Tensor }> = {
  likelihood: "exact",
  memory: true,
  init: () => ({ logits: zeros([3]) }),
  score({ logits }, { action }) {
    const of = action as Tensor;
    const p = broadcastTo(logSoftmax(logits), [...of.shape, 3]);
    return { logProb: pick(p, of), entropy: mul(pick(p, of), 0) };
  },
};

/** A run with given episodes. */
function runOf(batches: readonly (readonly JudgedEpisode[])[], parts: Partial<EpisodicParts> = {}): Run {
  let at = 0;
  const rollout = {
    steps: 0,
    next() {
      this.steps++;
      return batches[at++ % batches.length].map((j) => j.episode);
    },
    save: () => at,
    restore: () => {},
  };
  const judge: Judge = (episodes) =>
    episodes.map((e) => batches.flat().find((j) => j.episode === e)!.verdict);
  const algorithm: Algorithm = {
    name: "given",
    options: {},
    start: (context) =>
      withSettings(
        episodic(
          {
            name: "given",
            policy: choices as never,
            rollout: () => rollout as never,
            judge,
            target: () => ({}),
            loss: behaviourCloning(),
            optimiser: sgd({}),
            learningRate: 1,
            epochs: 1,
            minibatches: 1,
            normalise: "none",
            ...parts,
          },
          context,
        ),
        {},
      ),
  };
  const spec = { id: "Given-v0", observation: box([1], 0, 1), action: discrete(3) };
  return new Run({ algorithm, env: { spec, make: () => expect.unreachable() }, steps: 1000 });
}
const logitsOf = (run: Run) => [...(run.process.acting!.weights as { logits: Tensor }).logits.data];

describe("judged episodes", () => {
  it("a reward that is not a number ends in an error that names the task", () => {
    const run = runOf([[played({ reward: Number.NaN })]]);
    expect(() => run.round()).toThrow("the judge returned the reward NaN for an episode of the task");
    const parts = { judge: () => [{ reward: [1, Number.POSITIVE_INFINITY] }] };
    expect(() => runOf([[played()]], parts).round()).toThrow("Rewards must be finite");
    const much = { judge: () => [{ reward: 1e300 }] };
    expect(() => runOf([[played()]], much).round()).toThrow("the judge returned the reward 1e+300");
  });

  it("too few verdicts are an error", () => {
    const run = runOf([[played(), played()]], { judge: () => [{ reward: 1 }] });
    expect(() => run.round()).toThrow("the judge returned 1 verdicts for 2 episodes");
  });

  it("the share of failed verdicts is measured", () => {
    const failed = played({ failed: "no such table" });
    const run = runOf([[played(), failed, played(), played()], [played()]]);
    run.round();
    expect(run.metrics["judge/failed"]).toBe(0.25);
    expect(diagnose(run).map((f) => f.saw)).toContain(
      "the judge fails on 25 % of the episodes (no such table): their reward is 0, right or wrong.",
    );
    run.round();
    expect(run.metrics["judge/failed"]).toBe(0);
  });

  it("a judge that fails on a whole batch ends the run with the reason", () => {
    const failed = (why: string) => played({ failed: why });
    const whole = Array.from({ length: 3 }, (_, i) => failed(`no such table ${i}`));
    expect(() => runOf([whole]).round()).toThrow(
      "the judge (reward function) failed on all 3 episodes of a batch. The first error: no such table 0. Fix",
    );
    // Once it has worked, small batches may fail, but not eight in a row.
    const run = runOf([[played(), failed("busy")], whole, [played()], whole, whole, whole]);
    for (let i = 0; i < 5; i++) run.round();
    expect(run.metrics["judge/failed"]).toBe(1);
    expect(() => run.round()).toThrow("no such table 0.");
    const large = Array.from({ length: 8 }, () => failed("full!"));
    const later = runOf([[played()], large]);
    later.round();
    expect(() => later.round()).toThrow("the judge (reward function) failed on all 8 episodes");
  });

  it("the policy is measured on its own samples, and its task sees only those", () => {
    const seen: number[] = [];
    const task: Task = { next: () => [], observe: (judged) => seen.push(judged.length) };
    const taught = played({ reward: 1, by: ["teacher", "teacher"] });
    const greedy = played({ reward: 1, by: ["environment"] });
    const run = runOf([[played({ reward: 0.5 }), played(), taught, greedy], [taught]], { task });
    run.round();
    expect(run.metrics["reward/mean"]).toBe(0.25);
    expect(run.metrics.episodes).toBe(2);
    // If only a teacher has played, its rewards are reported.
    run.round();
    expect(run.metrics["reward/mean"]).toBe(1);
    expect(run.metrics.episodes).toBe(2);
    expect(seen).toEqual([2, 0]);
  });
});

describe("training data", () => {
  it("is the policy's own steps, unless others are named", () => {
    const mixed = played({ by: ["environment", "policy", "tool", "teacher"], mark: 2 });
    // The gradient of log p is the choice less the probabilities: one step of 1 on 0 logits.
    const thirds = [-1 / 3, -1 / 3, 2 / 3];
    const own = runOf([[mixed, played({ by: ["tool", "hint"], mark: 1 })]]);
    own.round();
    logitsOf(own).forEach((x, i) => expect(x).toBeCloseTo(thirds[i], 6));
    const both = runOf([[mixed, played({ by: ["teacher"], mark: 2 })]], { from: ["policy", "teacher"] });
    both.round();
    logitsOf(both).forEach((x, i) => expect(x).toBeCloseTo(thirds[i], 6));
  });

  it.each([1, 2, 3, 5])("any number of episodes splits into %i minibatches", (minibatches) => {
    for (const count of [1, 2, 7]) {
      const batch = Array.from({ length: count }, () => played({ mark: 2 }));
      const loss = aggregated("text", behaviourCloning());
      const run = runOf([batch], { minibatches, loss });
      run.round();
      // Every part has the same gradient sign, and padding has none.
      const [a, b, c] = logitsOf(run);
      expect(a).toBe(b);
      expect(c).toBeGreaterThan(0.5);
      expect(run.metrics["loss/total"]).toBeGreaterThan(0);
    }
  });

  it("is empty if a selection drops everything, and then no update is measured", () => {
    let kept = false;
    const selection = { select: (all: readonly JudgedEpisode[]) => (kept ? all : []) };
    const run = runOf([[played({ mark: 2 })]], { selection });
    run.round();
    expect(logitsOf(run)).toEqual([0, 0, 0]);
    expect(run.metrics["batch/kept"]).toBe(0);
    kept = true;
    run.round();
    expect("loss/total" in run.metrics).toBe(true);
    const names = Object.keys(run.metrics);
    kept = false;
    run.round();
    expect("loss/total" in run.metrics).toBe(false);
    kept = true;
    run.round();
    // The same names as before: a run resumed here does not depend on the gap.
    expect(Object.keys(run.metrics)).toEqual(names);
  });

  it("another batch is played until the selection has enough", () => {
    const sizes: number[] = [];
    const selection = {
      select(judged: readonly JudgedEpisode[]) {
        sizes.push(judged.length);
        return judged.length < 5 ? undefined : judged;
      },
    };
    const run = runOf([[played({ mark: 2, reward: 1 }), played({ mark: 2 })]], { selection });
    run.round();
    expect(sizes).toEqual([2, 4, 6]);
    expect(run.metrics["reward/mean"]).toBe(0.5);
    expect(run.steps).toBe(3);
  });
});

describe("columns of episodes", () => {
  const batch = pack([
    played({ by: ["environment", "policy", "teacher"], mark: 4 }).episode,
    played({ by: ["policy"], mark: 5 }).episode,
    played({ by: ["hint", "policy"], mark: 6 }).episode,
  ]);
  const list = (t: unknown, n: number) => [...(t as Tensor).data].slice(0, n);

  it("are laid out episode by episode, with masked padding", () => {
    const { columns } = inRows(batch, { advantage: [1, 2, 3, 4, 5, 6] }, { from: "policy" });
    expect((columns.alive as Tensor).shape).toEqual([16, 4]);
    expect(list(columns.action, 12)).toEqual([4, 5, 6, 0, 4, 0, 6, 0, 4, 0, 0, 0]);
    expect(list(columns.advantage, 12)).toEqual([1, 4, 5, 0, 2, 0, 6, 0, 3, 0, 0, 0]);
    expect(list(columns.alive, 12)).toEqual([0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0]);
    expect(list(columns.first, 8)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
    expect("taught" in columns).toBe(false);
    const { columns: both } = inRows(batch, {}, { from: ["policy", "teacher"] });
    expect(list(both.alive, 12)).toEqual([0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0]);
    expect(list(both.taught, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
  });

  it("are laid out step by step, in equal parts", () => {
    const { columns } = inSteps(batch, {}, { from: "policy" });
    expect((columns.alive as Tensor).shape).toEqual([64]);
    expect(list(columns.alive, 7)).toEqual([0, 1, 0, 1, 0, 1, 0]);
    const size = (parts: number) =>
      (inSteps(batch, {}, { from: "policy", parts }).columns.alive as Tensor).shape[0];
    expect([1, 2, 4, 3, 5].map(size)).toEqual([64, 64, 64, 96, 80]);
    const rows = (parts: number) =>
      (inRows(batch, {}, { from: "policy", parts }).columns.alive as Tensor).shape[1];
    expect([1, 2, 4, 8, 3].map(rows)).toEqual([4, 4, 4, 8, 3]);
  });
});

describe("stepped environments", () => {
  const one: Env = {
    spec: { id: "One-v0", observation: box([1], 0, 1), action: discrete(3) },
    reset: () => ({ observation: Float32Array.of(0) }),
    step: () => ({ observation: Float32Array.of(0), reward: 1, terminated: true, truncated: false }),
  };
  const policy: ActingPolicy = {
    init: () => ({}),
    act: (_, view) => ({
      action: zeros([(view.observation as Tensor).shape[0]], "i32"),
      state: {},
    }),
  };
  const rolloutOf = (env: Env, next: Task["next"] = () => [{ key: "a", groupSize: 1 }]) =>
    new EpisodeRollout({
      envs: [env],
      policy,
      weights: {},
      task: { next },
      statistics: {} as never,
      key: tensor([1, 2], { dtype: "u32" }),
    });

  it("keep a problem's group name", () => {
    const rollout = rolloutOf(one, () => [
      { key: "a", groupSize: 2, group: "mine" },
      { key: "b", groupSize: 1 },
    ]);
    expect(rollout.next().map((e) => e.group)).toEqual(["mine", "mine", "0/1"]);
  });

  it("are truncated at their time limit", () => {
    const step = () => ({
      observation: Float32Array.of(0),
      reward: 1,
      terminated: false,
      truncated: false,
    });
    const [{ return: total, terminated, truncated }] = rolloutOf({
      ...one,
      spec: { ...one.spec, maxSteps: 5 },
      step,
    }).next();
    expect([total, terminated, truncated]).toEqual([[5], false, true]);
  });

  it.each<[string, Partial<Env>]>([
    [
      "the reward is NaN; it must be a finite number",
      { step: () => ({ ...one.step(0), reward: Number.NaN }) as Step },
    ],
    ["mask() returned 2 entries; Discrete(3) needs 3", { mask: () => [1, 1] }],
    ["mask() allows no action", { mask: () => [0, 0, 0] }],
  ])("are refused: %s", (words, fault) => {
    expect(() => rolloutOf({ ...one, ...fault }).next()).toThrow(`One-v0: ${words}`);
  });
});
